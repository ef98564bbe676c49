# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The C interface without changes: every function, struct, enum and constant of the headers under its own name, created by ctypes
from api.json. Their docstrings are the headers' comments.

The library in this package is used, unless VRM_LIBRARY names another one, with api.json beside it or in ../share/vrm."""

import ctypes
import enum
import json
import os
import pathlib

_HERE = pathlib.Path(__file__).resolve().parent
_SCALARS = {"void": None, "bool": ctypes.c_bool, "char": ctypes.c_char, "int": ctypes.c_int, "float": ctypes.c_float,
            "double": ctypes.c_double, "size": ctypes.c_size_t,
            **{"%sint%d" % (sign, bits): getattr(ctypes, "c_%sint%d" % (sign, bits)) for sign in ("", "u") for bits in (8, 16, 32, 64)}}


def _find():
    given = os.environ.get("VRM_LIBRARY")
    if given:
        path = pathlib.Path(given).resolve()
        places = [path.parent / "api.json", path.parent / "../share/vrm/api.json", path.parent / "../../share/vrm/api.json"]
    else:
        path = next((_HERE / name for name in ("libvrm.so", "libvrm.dylib", "vrm.dll") if (_HERE / name).exists()), None)
        places = [_HERE / "api.json"]
    description = next((place for place in places if place.exists()), None)
    if path is None or description is None:
        raise ImportError("libvrm is not in this package: install it by pip, or set VRM_LIBRARY to the shared library")
    return ctypes.CDLL(str(path)), json.loads(description.read_text(encoding="utf-8"))


class _Maker:
    """Creates ctypes types by their names in api.json."""

    def __init__(self, api):
        self.entries = {entry["name"]: entry for kind in ("structs", "handles", "callbacks", "aliases", "enums") for entry in api[kind]}
        self.made = {}
        for entry in api["structs"] + api["handles"]:
            self.made[entry["name"]] = type(entry["name"], (ctypes.Structure,), {"__doc__": entry["comment"], "__module__": __name__})
        for entry in api["structs"]:
            self.complete(entry["name"])

    def complete(self, name):
        """Adds a struct's members. The structs that it contains are completed first."""
        made, entry = self.made[name], self.entries[name]
        if hasattr(made, "_fields_"):
            return made
        # For char * ctypes would look for a terminating zero, which a vrm_string does not have.
        kinds = {"data": ctypes.c_void_p} if name == "vrm_string" else {}
        made._fields_ = [(member["name"], kinds.get(member["name"]) or self.of(member["type"], True)) for member in entry["members"]]
        lines = ["%s: %s" % (member["name"], member["comment"]) for member in entry["members"] if member["comment"]]
        made.__doc__ = "\n".join([entry["comment"], "", *lines])
        wrong = [member["name"] for member in entry["members"] if getattr(made, member["name"]).offset != member["offset"]]
        if wrong or ctypes.sizeof(made) != entry["size"]:
            raise ImportError("api.json describes %s for another kind of machine: %s" % (name, wrong))
        return made

    def function(self, entry):
        return ctypes.CFUNCTYPE(self.of(entry["returns"]), *(self.of(argument["type"]) for argument in entry["arguments"]))

    def of(self, made, within=False):
        kind = made["kind"]
        if kind == "pointer":
            target = made["to"]
            if target["kind"] == "callback":
                return self.of(target)
            if target["kind"] == "char":
                return ctypes.c_char_p
            pointed = self.of(target)
            return ctypes.c_void_p if pointed is None else ctypes.POINTER(pointed)
        if kind == "array":
            return self.of(made["of"], within) * made["length"]
        if kind == "enum":
            return ctypes.c_int
        if kind == "alias":
            return self.of(self.entries[made["name"]]["type"], within)
        if kind == "callback":
            name = made.get("name")
            if name is None:
                return self.function(made)
            if name not in self.made:
                self.made[name] = self.function(self.entries[name])
            return self.made[name]
        if kind in ("struct", "handle"):
            return self.complete(made["name"]) if within and kind == "struct" else self.made[made["name"]]
        return _SCALARS[kind]


def _make(names, api, library):
    maker = _Maker(api)
    names.update(maker.made)
    for entry in api["aliases"]:
        names[entry["name"]] = maker.of(entry["type"])
    for entry in api["constants"]:
        names[entry["name"]] = entry["value"]
    for entry in api["enums"]:
        made = enum.IntEnum(entry["name"], {value["name"]: value["value"] for value in entry["values"]}, module=__name__)
        made.__doc__ = entry["comment"]
        names[entry["name"]] = made
        names.update(made.__members__)
    for entry in api["functions"]:
        function = getattr(library, entry["name"], None)
        if function is not None:  # missing in a library built without ragdolls
            function.restype = maker.of(entry["returns"])
            function.argtypes = [maker.of(argument["type"]) for argument in entry["arguments"]]
            function.__doc__ = entry["comment"]
            names[entry["name"]] = function


library, _API = _find()
_make(globals(), _API, library)


def defaults(struct, **values):
    """Returns a def or params struct with its defaults and the given values."""
    made = struct()
    globals()[struct.__name__ + "_default"](ctypes.byref(made), ctypes.sizeof(made))
    for name, value in values.items():
        setattr(made, name, value)
    return made


def sized(struct, **values):
    """Returns a struct with its struct_size and the given values; all other members are zero."""
    return struct(struct_size=ctypes.sizeof(struct), **values)
