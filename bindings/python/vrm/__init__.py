# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""VRM avatars in Python: load, move, read the results as arrays.

    with vrm.load("avatar.vrm") as avatar, avatar.instance() as instance:
        instance.expressions["happy"] = 0.8
        instance.update(1 / 60)
        palette = instance.palette          # numpy, without a copy

Without numpy an array is a read-only memoryview of the same shape. Units are metres, seconds and radians; axes are right-handed
with +Y up; quaternions are x, y, z, w. Threads may share an avatar, but only one thread at a time may use an instance. `vrm.c` has
the whole C interface."""

from __future__ import annotations

import ctypes
import dataclasses
import os
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Callable, NamedTuple, TypeVar, Union

from . import c

try:
    import numpy as _numpy
except ImportError:
    _numpy = None  # type: ignore[assignment]

__all__ = ["Avatar", "Clip", "Error", "Expressions", "Finding", "Instance", "Root", "Vector", "load", "sample", "c"]
__version__ = "%d.%d.%d" % (c.VRM_VERSION_MAJOR, c.VRM_VERSION_MINOR, c.VRM_VERSION_PATCH)

_Function = TypeVar("_Function", bound=Callable[..., Any])
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Array = Any  # numpy.ndarray, or memoryview without numpy


def _documented(name: str) -> Callable[[_Function], _Function]:
    """Adds the C header's comment on a function to a docstring."""
    def add(function: _Function) -> _Function:
        function.__doc__ = "\n\n".join(filter(None, [function.__doc__, "%s(): %s" % (name, getattr(c, name).__doc__)]))
        return function
    return add


# --- what was found --------------------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Finding:
    """A problem that was found in a file."""
    id: str  #: "NODE_LOOP"
    severity: str  #: "error", "warning", "info" or "hint"
    path: str  #: JSON pointer, "" for the whole document
    sentence: str  #: the problem
    found: str  #: value in the file, may be ""
    expected: str  #: expected value, may be ""
    hint: str  #: how to repair it, may be ""

    def __str__(self) -> str:
        return "%s: %s %s" % (self.severity, self.sentence, self.path)


class Error(Exception):
    """A call that failed: `code` is its result ("ERROR_NOT_GLTF"), `findings` are the problems of the file."""

    def __init__(self, code: int, findings: tuple[Finding, ...] = ()) -> None:
        self.code: str = c.vrm_result_name(code).decode()
        self.findings = findings
        errors = [finding for finding in findings if finding.severity == "error"]
        super().__init__(": ".join([c.vrm_result_sentence(code).decode(), *map(str, errors[:1])]))


def _check(code: int, findings: tuple[Finding, ...] = ()) -> None:
    if code != c.VRM_SUCCESS:
        raise Error(code, findings)


def _text(string: c.vrm_string) -> str:
    return ctypes.string_at(string.data, string.length).decode("utf-8", "replace") if string.length else ""


class _Owned:
    """An object of the library. It is destroyed when nothing refers to it any more; arrays refer to it, too."""

    def __init__(self, pointer: Any, destroy: Any) -> None:
        self.pointer, self._destroy = pointer, destroy

    def __del__(self) -> None:
        self._destroy(self.pointer)


class _Handle:
    """Base of the package's objects: has the C pointer, and ends with `with` or close()."""

    def __init__(self, pointer: Any, destroy: Any) -> None:
        self._owned: Union[_Owned, None] = _Owned(pointer, destroy)

    @property
    def pointer(self) -> Any:
        """The C pointer, for the functions of `vrm.c`."""
        if self._owned is None:
            raise ValueError("the %s is closed" % type(self).__name__.lower())
        return self._owned.pointer

    def close(self) -> None:
        """Releases the object. Arrays that still exist stay valid."""
        self._owned = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Report(_Handle):
    def __init__(self) -> None:
        made = ctypes.POINTER(c.vrm_report)()
        _check(c.vrm_report_create(None, ctypes.byref(made)))
        super().__init__(made, c.vrm_report_destroy)

    def findings(self) -> tuple[Finding, ...]:
        found = []
        for index in range(c.vrm_report_get_count(self.pointer)):
            one = c.vrm_report_get_finding(self.pointer, index).contents
            info = c.vrm_finding_get_info(one.id).contents
            found.append(Finding(info.name.decode(), c.vrm_severity(one.severity).name.rpartition("_")[2].lower(),
                                 *(text.decode("utf-8", "replace") for text in (
                                     one.path, info.sentence, one.found, one.expected, info.hint))))
        return tuple(found)


# --- avatar ----------------------------------------------------------------------------------------------------------

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]


def _load(source: Source, load_file: Any, load_bytes: Any, destroy: Any, kind: Any) -> tuple[Any, tuple[Finding, ...]]:
    made = ctypes.POINTER(kind)()
    with _Report() as report:
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            code = load_bytes(None, data, len(data), report.pointer, ctypes.byref(made))
        else:
            code = load_file(None, os.fsencode(source), report.pointer, ctypes.byref(made))
        findings = report.findings()
    _check(code, findings)
    return made, findings


@_documented("vrm_avatar_load_file")
def load(source: Source) -> Avatar:
    """Loads an avatar from a path or from bytes."""
    made, findings = _load(source, c.vrm_avatar_load_file, c.vrm_avatar_load, c.vrm_avatar_release, c.vrm_avatar)
    return Avatar(made, findings)


@_documented("vrm_sample_create")
def sample(**params: Any) -> bytes:
    """Generates an avatar in the public domain (CC0), as the bytes of a file; `params` are members of vrm_sample_params."""
    made = c.vrm_bytes()
    _check(c.vrm_sample_create(ctypes.byref(c.defaults(c.vrm_sample_params, **params)), ctypes.byref(made)))
    try:
        return ctypes.string_at(made.data, made.size)
    finally:
        c.vrm_bytes_free(ctypes.byref(made))


class Avatar(_Handle):
    """A model, loaded by vrm.load(); any number of instances may share it."""

    def __init__(self, pointer: Any, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(pointer, c.vrm_avatar_release)
        #: Findings of loading; a warning means that a value was repaired.
        self.findings = findings

    def _describe(self, struct: Any, call: Any, *arguments: Any) -> Any:
        made = c.sized(struct)
        code = call(self.pointer, *arguments, ctypes.byref(made))
        if code is not None:
            _check(code)
        return made

    @property
    @_documented("vrm_avatar_get_counts")
    def counts(self) -> dict[str, int]:
        """How many parts of each kind the avatar has: "nodes", "spring_joints", ..."""
        made = self._describe(c.vrm_avatar_counts, c.vrm_avatar_get_counts)
        return {name: getattr(made, name) for name, *_ in made._fields_ if name != "struct_size"}

    @property
    @_documented("vrm_avatar_get_dialect")
    def dialect(self) -> str:
        return str(c.vrm_avatar_get_dialect(self.pointer).decode())

    @property
    def meta(self) -> dict[str, Any]:
        """Name, authors and conditions of use: the members of vrm_meta, with enums as numbers."""
        made = self._describe(c.vrm_meta, c.vrm_avatar_get_meta)
        found: dict[str, Any] = {}
        for name, kind in made._fields_:
            value = getattr(made, name)
            if isinstance(value, c.vrm_string):
                found[name] = _text(value)
            elif isinstance(value, (bool, int)) and name not in ("struct_size", "author_count", "reference_count", "old_term_count"):
                found[name] = value
        found["authors"] = [_text(made.authors[index]) for index in range(made.author_count)]
        found["references"] = [_text(made.references[index]) for index in range(made.reference_count)]
        return found

    @property
    @_documented("vrm_avatar_get_body")
    def height(self) -> float:
        """Height of the meshes in the rest pose, metres."""
        return float(self._describe(c.vrm_avatar_body, c.vrm_avatar_get_body).height)

    @property
    def expressions(self) -> tuple[str, ...]:
        """Names of all expressions, in the order of their indices."""
        return tuple(_text(self._describe(c.vrm_expression, c.vrm_avatar_get_expression, index).name)
                     for index in range(self.counts["expressions"]))

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of all nodes, in node order."""
        return tuple(_text(self._describe(c.vrm_node, c.vrm_avatar_get_node, index).name) for index in range(self.counts["nodes"]))

    @property
    def bones(self) -> dict[str, int]:
        """Index of the node of each humanoid bone, by the bone's name in VRM 1.0, such as "leftUpperArm"."""
        found = {}
        for bone in range(c.VRM_HUMAN_BONE_COUNT):
            node = c.vrm_avatar_get_bone_node(self.pointer, bone)
            if node >= 0:
                found[c.vrm_human_bone_name(bone).decode()] = int(node)
        return found

    @_documented("vrm_instance_create")
    def instance(self, **options: Any) -> Instance:
        """Creates an instance of the avatar; `options` are members of vrm_instance_def."""
        return Instance(self, **options)

    @_documented("vrm_motion_create")
    def motion(self, name: str, **options: Any) -> Clip:
        """Generates a motion for this avatar: "idle", "walk", "run", "wave", "bow", "sit-down" or "stand-up"."""
        word = name.encode()
        motion = c.vrm_motion_from_name(word, len(word))
        if motion < 0:
            raise KeyError(name)
        params = c.defaults(c.vrm_motion_def, motion=motion, avatar=self.pointer, **options)
        made = ctypes.POINTER(c.vrm_clip)()
        _check(c.vrm_motion_create(ctypes.byref(params), ctypes.byref(made)))
        return Clip(made)


class Clip(_Handle):
    """A motion that any avatar can play."""

    def __init__(self, pointer: Any, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(pointer, c.vrm_clip_release)
        self.findings = findings

    @classmethod
    @_documented("vrm_clip_load_file")
    def load(cls, source: Source) -> Clip:
        """Loads a motion from a path or from bytes."""
        return cls(*_load(source, c.vrm_clip_load_file, c.vrm_clip_load, c.vrm_clip_release, c.vrm_clip))

    @property
    def duration(self) -> float:
        """Seconds."""
        info = c.sized(c.vrm_clip_info)
        c.vrm_clip_get_info(self.pointer, ctypes.byref(info))
        return float(info.duration)


# --- instance --------------------------------------------------------------------------------------------------------

class Root(NamedTuple):
    """Position, rotation and scale of an instance."""
    position: Vector = (0.0, 0.0, 0.0)  #: world, metres
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)  #: world from root
    scale: float = 1.0  #: 0.01 to 100


class Expressions(MutableMapping[str, float]):
    """Weights of an instance's expressions by name. Setting changes the input; reading returns the weight applied by the last update."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._index = {name: index for index, name in enumerate(instance.avatar.expressions)}

    def __getitem__(self, name: str) -> float:
        return float(self._instance._outputs().expressions[self._index[name]].applied)

    def __setitem__(self, name: str, weight: float) -> None:
        _check(c.vrm_instance_set_expression(self._instance.pointer, c.VRM_EXPRESSION_LAYER_HOST, self._index[name], weight))

    def __delitem__(self, name: str) -> None:
        self[name] = 0.0

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)


class Instance(_Handle):
    """An avatar that moves: its inputs, its state, and the results of an update for the renderer.

    Arrays are read-only views of the instance's memory. They show the last update and stay valid after close()."""

    def __init__(self, avatar: Avatar, **options: Any) -> None:
        params = c.defaults(c.vrm_instance_def, avatar=avatar.pointer, **options)
        made = ctypes.POINTER(c.vrm_instance)()
        _check(c.vrm_instance_create(ctypes.byref(params), ctypes.byref(made)))
        super().__init__(made, c.vrm_instance_destroy)
        self.avatar = avatar
        self.expressions = Expressions(self)
        self._bones: Mapping[str, int] = {c.vrm_human_bone_name(bone).decode(): bone for bone in range(c.VRM_HUMAN_BONE_COUNT)}
        self._player: Union[_Owned, None] = None

    def close(self) -> None:
        self._player = None
        super().close()

    # inputs

    @_documented("vrm_update_dt")
    def update(self, dt: float = 1 / 60) -> None:
        """Advances by `dt` seconds."""
        c.vrm_update_dt(self.pointer, dt)

    @property
    def root(self) -> Root:
        """Position, rotation and scale of the avatar. Assign a Root, or only a position."""
        made = c.vrm_root()
        c.vrm_instance_get_root(self.pointer, ctypes.byref(made))
        place, turn = made.translation, made.rotation
        return Root((place.x, place.y, place.z), (turn.x, turn.y, turn.z, turn.w), made.scale)

    @root.setter
    def root(self, root: Union[Root, Vector]) -> None:
        given = root if isinstance(root, Root) else Root(root)
        made = c.vrm_root(c.vrm_dvec3(*given.position), c.vrm_quat(*given.rotation), given.scale)
        _check(c.vrm_instance_set_root(self.pointer, ctypes.byref(made)))

    @_documented("vrm_instance_set_normalized_rotation")
    def rotate(self, bone: str, rotation: Quaternion) -> None:
        """Rotates a humanoid bone, named as in VRM 1.0, from the T-pose."""
        _check(c.vrm_instance_set_normalized_rotation(self.pointer, self._bones[bone], ctypes.byref(c.vrm_quat(*rotation))))

    @_documented("vrm_instance_set_look_at_target")
    def look_at(self, target: Union[Vector, None]) -> None:
        """Lets the eyes follow a point of the world; with None they return to rest."""
        if target is None:
            c.vrm_instance_clear_look_at(self.pointer)
        else:
            _check(c.vrm_instance_set_look_at_target(self.pointer, ctypes.byref(c.vrm_dvec3(*target))))

    @_documented("vrm_clip_player_play")
    def play(self, clip: Clip, loop: bool = False, fade: float = 0.0) -> None:
        """Plays a motion from the next update on; `fade` in seconds."""
        if self._player is None:
            params = c.defaults(c.vrm_clip_player_def, avatar=self.avatar.pointer)
            made = ctypes.POINTER(c.vrm_clip_player)()
            _check(c.vrm_clip_player_create(ctypes.byref(params), ctypes.byref(made)))
            self._player = _Owned(made, c.vrm_clip_player_destroy)
            _check(c.vrm_instance_set_clip_player(self.pointer, made))
        wrap = c.VRM_CLIP_WRAP_LOOP if loop else c.VRM_CLIP_WRAP_HOLD
        how = c.defaults(c.vrm_clip_play_params, wrap=wrap, seconds=fade)
        _check(c.vrm_clip_player_play(self._player.pointer, 0, clip.pointer, ctypes.byref(how)))

    @_documented("vrm_instance_reset")
    def reset(self) -> None:
        c.vrm_instance_reset(self.pointer)

    # results

    def _outputs(self) -> c.vrm_outputs:
        made = c.sized(c.vrm_outputs)
        c.vrm_instance_get_outputs(self.pointer, ctypes.byref(made))
        return made

    def _view(self, pointer: Any, *shape: int) -> Array:
        """Returns floats at an address as an array of this shape, without a copy."""
        total = 1
        for length in shape:
            total *= length
        if total == 0:
            empty = memoryview(b"").cast("f")
            return empty if _numpy is None else _numpy.asarray(empty).reshape(shape)
        block = (ctypes.c_float * total).from_address(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
        block.owner = self._owned  # type: ignore[attr-defined]
        view = memoryview(block).toreadonly().cast("B").cast("f", list(shape))
        return view if _numpy is None else _numpy.asarray(view)

    @property
    def world(self) -> Array:
        """World matrices of all nodes, [nodes, 3, 4], by rows, relative to `origin`."""
        out = self._outputs()
        return self._view(out.world, out.node_count, 3, 4)

    @property
    def palette(self) -> Array:
        """Skinning matrices of all palettes, one after the other, [joints, 3, 4], by rows."""
        out = self._outputs()
        return self._view(out.palette, out.palette_joint_count, 3, 4)

    @property
    def morphs(self) -> Array:
        """Morph weights, [morphs]."""
        out = self._outputs()
        return self._view(out.morphs, out.morph_count)

    @property
    def origin(self) -> Vector:
        """The root's position, in double precision. Matrices are relative to it."""
        place = self._outputs().origin
        return (place.x, place.y, place.z)

    @_documented("vrm_instance_get_spring_tails")
    def spring_tails(self) -> Array:
        """World positions of all spring bones' tails, [joints, 3], in double precision. Returns a copy."""
        count = self.avatar.counts["spring_joints"]
        tails = (c.vrm_dvec3 * count)()
        _check(c.vrm_instance_get_spring_tails(self.pointer, tails, None, count))
        view = memoryview((ctypes.c_double * (3 * count)).from_buffer(tails)).cast("B")
        if count == 0:
            return view.cast("d") if _numpy is None else _numpy.empty((0, 3))
        made = view.cast("d", [count, 3])
        return made if _numpy is None else _numpy.asarray(made)

    @_documented("vrm_instance_snapshot")
    def snapshot(self) -> bytes:
        """Returns inputs and state as bytes, for restore()."""
        size = ctypes.c_size_t(0)
        _check(c.vrm_instance_snapshot(self.pointer, None, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        _check(c.vrm_instance_snapshot(self.pointer, buffer, ctypes.byref(size)))
        return buffer.raw[:size.value]

    @_documented("vrm_instance_restore")
    def restore(self, snapshot: bytes) -> None:
        _check(c.vrm_instance_restore(self.pointer, snapshot, len(snapshot)))
