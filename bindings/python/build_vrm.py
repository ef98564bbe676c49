# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The build backend of the package: writes a wheel with the library, api.json, and stubs generated from api.json. Needs only the
standard library, and CMake with a C compiler unless one of these variables names a folder with a built library:

    VRM_PREFIX      where libvrm was installed with its shared library
    VRM_BUILD_DIR   a build folder of CMake"""

import base64
import hashlib
import json
import keyword
import os
import pathlib
import subprocess
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAMES = ("libvrm.so", "libvrm.dylib", "vrm.dll")
PYTHON = {"void": "None", "bool": "bool", "float": "float", "double": "float"}


def built_library():
    """Returns the paths (shared library, api.json)."""
    folders = [pathlib.Path(os.environ[name]) for name in ("VRM_PREFIX", "VRM_BUILD_DIR") if os.environ.get(name)]
    if not folders:
        build = ROOT / "build/python"
        off = ["-DVRM_BUILD_%s=OFF" % part for part in ("CLI", "TESTS", "BENCH", "RENDER", "ASSIMP", "ODE")]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", *off], check=True)
        subprocess.run(["cmake", "--build", build, "--parallel", "--target", "vrm_shared", "vrm_api"], check=True)
        folders = [build]
    for folder in folders:
        libraries = [path for name in NAMES for place in ("", "lib/", "lib64/", "lib/*/", "bin/") for path in folder.glob(place + name)]
        descriptions = [folder / name for name in ("api.json", "share/vrm/api.json") if (folder / name).exists()]
        if libraries and descriptions:
            return libraries[0].resolve(), descriptions[0]
    raise SystemExit("found no shared library of libvrm with its api.json in %s" % ", ".join(map(str, folders)))


# --- stubs -----------------------------------------------------------------------------------------------------------

def hint(made, argument=False):
    """Returns a type for type checkers."""
    kind = made["kind"]
    if kind == "pointer":
        target = made["to"]
        if target["kind"] == "char":
            return "bytes | None" if argument else "bytes"
        if target["kind"] == "struct" and not argument:
            return "ctypes._Pointer[%s]" % target["name"]
        return "Any"
    if kind in ("array", "callback"):
        return "Any"
    if kind in ("struct", "handle"):
        return made["name"]
    return PYTHON.get(kind, "int")


def quoted(comment):
    return '"""%s"""' % comment.replace("\\", "\\\\").replace('"', '\\"') if comment else "..."


def stubs(api):
    lines = ["# Generated from api.json.", "import ctypes", "import enum", "from typing import Any, Callable, TypeVar", "",
             "_Struct = TypeVar('_Struct', bound=ctypes.Structure)", "library: ctypes.CDLL",
             "def defaults(struct: type[_Struct], **values: Any) -> _Struct: ...",
             "def sized(struct: type[_Struct], **values: Any) -> _Struct: ...", ""]
    for entry in api["constants"]:
        lines.append("%s: %s" % (entry["name"], type(entry["value"]).__name__))
    for entry in api["enums"]:
        lines += ["", "class %s(enum.IntEnum):" % entry["name"], "    " + quoted(entry["comment"])]
        lines += ["    %s = %d" % (value["name"], value["value"]) for value in entry["values"]]
    for entry in api["handles"]:
        lines += ["", "class %s(ctypes.Structure):" % entry["name"], "    " + quoted(entry["comment"])]
    for entry in api["callbacks"]:
        lines.append("%s: Callable[..., Any]" % entry["name"])
    for entry in api["structs"]:
        lines += ["", "class %s(ctypes.Structure):" % entry["name"], "    " + quoted(entry["comment"])]
        # A member with the name of a keyword, such as `from`, can only be read by getattr().
        lines += ["    %s: %s" % (member["name"], "int | None" if entry["name"] == "vrm_string" else hint(member["type"]))
                  for member in entry["members"] if not keyword.iskeyword(member["name"])]
    for entry in api["enums"]:
        lines += ["%s: %s" % (value["name"], entry["name"]) for value in entry["values"]]
    for entry in api["aliases"]:
        lines.append("%s = %s" % (entry["name"], hint(entry["type"])))
    for entry in api["functions"]:
        arguments = ", ".join("%s: %s" % (argument["name"] + "_" * keyword.iskeyword(argument["name"]), hint(argument["type"], True))
                              for argument in entry["arguments"])
        lines += ["", "def %s(%s) -> %s:" % (entry["name"], arguments, hint(entry["returns"])), "    " + quoted(entry["comment"])]
    return "\n".join(lines) + "\n"


# --- wheel -----------------------------------------------------------------------------------------------------------

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library, description = built_library()
    api = json.loads(description.read_text(encoding="utf-8"))
    api["functions"] = [entry for entry in api["functions"] if entry["library"] == "vrm"]
    version = api["version"]
    name = next(name for name in NAMES if library.name.startswith(name.partition(".")[0]) and name.split(".")[1] in library.name)
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = "vrm-%s.dist-info/" % version
    files = {"vrm/" + path.name: path.read_bytes() for path in sorted((HERE / "vrm").iterdir()) if path.suffix in (".py", ".typed")}
    files["vrm/" + name] = library.read_bytes()
    files["vrm/api.json"] = json.dumps(api, ensure_ascii=False).encode()
    files["vrm/c.pyi"] = stubs(api).encode()
    files[info + "METADATA"] = ("Metadata-Version: 2.1\nName: vrm\nVersion: %s\nSummary: Reads, animates and measures VRM avatars\n"
                                "License: MIT\nRequires-Python: >=3.9\n" % version).encode()
    files[info + "WHEEL"] = ("Wheel-Version: 1.0\nGenerator: libvrm\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode()
    files[info + "LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join("%s,sha256=%s,%d\n" % (path, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), len(data))
                     for path, data in files.items())
    files[info + "RECORD"] = ("%s%sRECORD,,\n" % (record, info)).encode()
    wheel = "vrm-%s-%s.whl" % (version, tag)
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return wheel
