# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Every JSON output of the command matches its schema in cli/schemas, member by member. The schemas, and the
validator in tests/fixtures, refuse wrong documents: with any required member missing, and with any value of another
type."""

import copy
import json
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path.cwd()
sys.path.insert(0, str(ROOT / "tests/fixtures"))
from command_fixture import check, failures, old_avatar, rich_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402
from json_schema import Schema  # noqa: E402

# tests/view/test_viewer.py checks the viewer's answers.
FILES = {path.name.removesuffix(".schema.json"): path for path in sorted((ROOT / "cli/schemas").glob("*.json"))
         if path.name != "view.schema.json"}
DOCUMENTS = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


def prepare():
    vrm("sample", "--minimal", "-q", "-o", "sample.vrm")
    for name, document in (("rich", rich_avatar()), ("strict", strict_avatar()), ("old", old_avatar())):
        pathlib.Path(name + ".vrm").write_bytes(make_glb(document))
    pathlib.Path("plain.gltf").write_text('{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"root"}]}')
    pathlib.Path("bad.gltf").write_text('{"asset": {"version": "2.0"}, }')
    pathlib.Path("noise.vrm").write_bytes(bytes(range(1, 200)))
    pathlib.Path("cut.vrm").write_bytes(make_glb(rich_avatar())[:1000])
    vrm("cook", "-q", "sample.vrm", "-o", "sample.vrmc")
    pathlib.Path("script.json").write_text(json.dumps({
        "frames": 2, "ragdoll": {}, "events": [{"frame": 0, "expression": {"happy": 1}, "lookAtTarget": [1, 1, 2]},
                                               {"frame": 1, "hit": {"bone": "head", "impulse": [0, 0, 9]}}]}))
    vrm("migrate", *ALL, "-o", "migrated", "--manifest", "migrated.ndjson")


ALL = ["sample.vrm", "rich.vrm", "strict.vrm", "old.vrm", "plain.gltf", "bad.gltf", "noise.vrm", "cut.vrm", "nothing.vrm"]
# (schema, arguments, true if each line is a document)
OUTPUTS = [
    ("inspect", ["inspect", "--format", "json", "--require", "stream-for-profit,modify", *ALL], False),
    ("inspect", ["inspect", "--format", "ndjson", *ALL], True),
    ("inspect", ["inspect", "--format", "json", "nothing.vrm"], False),
    ("validate", ["validate", "--format", "json", "sample.vrm"], False),
    ("validate", ["validate", "--format", "json", *ALL], False),
    ("validate", ["validate", "--format", "ndjson", *ALL], True),
    ("validate", ["validate", "--format", "json", "--fix", "plain.gltf", "-o", "fixed.gltf"], False),
    ("stats", ["stats", "--format", "json", "migrated.ndjson"], False),
    ("bench", ["bench", "--format", "json", "-n", "2", "sample.vrm"], False),
    ("bench", ["bench", "--format", "json", "-n", "2", "-t", "2", "--lod", "mixed", "plain.gltf"], False),
    ("bench", ["bench", "--format", "json", "-n", "1", "sample.vrmc"], False),
    ("ragdoll", ["ragdoll", "--format", "json", "-q", "sample.vrm"], False),
    ("ragdoll", ["ragdoll", "--format", "json", "-q", "--detail", "all", "sample.vrm"], False),
    ("ragdoll", ["ragdoll", "-q", "-o", "-", "strict.vrm"], False),
    ("trace", ["trace", "-q", "rich.vrm", "script.json", "-o", "-"], False),
    ("trace", ["trace", "-q", "sample.vrm", "script.json", "-o", "-"], False),
]


def outputs():
    for name, arguments, lines in OUTPUTS:
        result = vrm(*arguments)
        text = result.stdout.decode()
        documents = text.splitlines() if lines else [text]
        check("outputs", text != "", "vrm %s prints nothing: %s" % (" ".join(arguments), result.stderr))
        for document in documents if text else []:
            yield name, " ".join(arguments), json.loads(document)
    for record in pathlib.Path("migrated.ndjson").read_text(encoding="utf-8").splitlines():
        yield "manifest", "migrate --manifest", json.loads(record)


def test_outputs_are_as_their_schemas(found):
    check("outputs", {name for name, _, _ in found} == set(FILES), "schemas without an output")
    for name, line, document in found:
        errors = Schema(DOCUMENTS[name]).errors(document)
        check("outputs", not errors, "vrm %s: %s" % (line, "; ".join(errors[:5])))


def test_later_members_are_allowed(found):
    for name, line, document in found:
        later = copy.deepcopy(document)
        for part in later if isinstance(later, list) else [later]:
            part["laterMember"] = {"anything": 1}
        check("later", not Schema(DOCUMENTS[name], closed=False).errors(later), "%s refuses what a later version adds" % name)
        check("later", Schema(DOCUMENTS[name]).errors(later), "vrm %s: a member that the schema does not name passes" % line)


def places(value, at=()):
    yield at
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value[:2]):
            yield from places(inner, (*at, key))


def changed(document, place, change):
    wrong = copy.deepcopy(document)
    parent = wrong
    for key in place[:-1]:
        parent = parent[key]
    change(parent, place[-1])
    return wrong


def spoil(parent, key):
    parent[key] = None


def misspell(parent, key):
    parent[key + "_x"] = parent.pop(key)


def test_wrong_documents_are_refused(found):
    """A document with a value replaced by null, or with a member renamed, is refused."""
    tried = 0
    seen = set()
    for name, line, document in found:
        schema = Schema(DOCUMENTS[name])
        if len(json.dumps(document)) > 16000:
            continue  # the small documents have all members, too, and take only a second
        for place in places(document):
            kind = (name, tuple("#" if isinstance(key, int) else key for key in place))
            if not place or kind in seen:
                continue
            seen.add(kind)
            if "states" in place:
                continue  # null is valid here: the engine lost some or all bodies
            for change in (spoil, misspell) if isinstance(place[-1], str) else (spoil,):
                if place[:-1] and place[-2] in ("oldTerms", "rights", "exitCodes", "expressions") and change is misspell:
                    continue  # these keys come from the file or from a newer library
                tried += 1
                wrong = changed(document, place, change)
                check("wrong", schema.errors(wrong), "%s: %s of /%s passes (vrm %s)" % (
                    name, change.__name__, "/".join(map(str, place)), line))
    check("wrong", tried > 500, "only %d wrong documents" % tried)
    check("wrong", {name for name, _ in seen} == set(FILES), "not of all schemas")


def test_the_validator_refuses():
    """Tests each keyword by the wording of its specification."""
    for schema, good, bad in (
            ({"type": "integer"}, [1, 1.0, -3], [1.5, True, "1", None, []]),
            ({"type": "number"}, [1, 1.5], [False, "1"]),
            ({"type": "boolean"}, [True], [1, 0, "true"]),
            ({"const": 1}, [1, 1.0], [True, 2, "1"]),
            ({"enum": ["a", 0]}, ["a", 0], ["b", False, None]),
            ({"minimum": 0}, [0, 1, "x"], [-1, -0.5]),
            ({"pattern": "^a"}, ["ab", 3], ["ba", ""]),
            ({"items": {"type": "string"}, "minItems": 1, "maxItems": 2}, [["a"], {}], [[], ["a", 1], ["a", "b", "c"]]),
            ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, [{"a": ""}], [{}, {"a": 1}, {"a": "", "b": 1}]),
            ({"additionalProperties": {"type": "number"}, "propertyNames": {"pattern": "^[a-z]+$"}}, [{"a": 1}, {}], [{"a": ""}, {"A": 1}]),
            ({"anyOf": [{"type": "string"}, {"type": "array"}]}, ["", []], [1, {}]),
            ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "string"}}}, [""], [1])):
        checker = Schema({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        for value in good:
            check("validator", not checker.errors(value), "%s refuses %r" % (schema, value))
        for value in bad:
            check("validator", checker.errors(value), "%s lets %r pass" % (schema, value))
    for schema in ({"type": "string"}, {"$schema": "http://json-schema.org/draft-07/schema#"}):
        try:
            Schema(schema)
            check("validator", False, "another draft passes: %s" % schema)
        except ValueError:
            pass
    try:
        Schema({"$schema": "https://json-schema.org/draft/2020-12/schema", "maximum": 3}).errors(4)
        check("validator", False, "a keyword that is not checked passes")
    except ValueError:
        pass


def names(schema):
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from names(inner)
    inside = [*schema.get("$defs", {}).values(), *schema.get("anyOf", [])]
    for inner in inside + [schema[keyword] for keyword in ("items", "additionalProperties") if keyword in schema]:
        yield from names(inner)


def test_names_are_in_camel_case():
    for name, document in DOCUMENTS.items():
        for member in names(document):
            good = re.fullmatch(r"[a-z][a-zA-Z0-9]*", member) or (name == "bench" and member in ("60", "90", "144"))
            check("names", good, "%s: %s" % (name, member))
        text = json.dumps(document)
        check("names", '"schemaVersion"' in text or name == "ragdoll", "%s has no schemaVersion" % name)
        check("names", document["$id"] == "urn:libvrm:schema:%s:1" % name, "%s: %s" % (name, document["$id"]))
        check("names", "`%s.schema.json`" % name in (ROOT / "docs/commands.md").read_text(encoding="utf-8"),
              "docs/commands.md does not name the schema of %s" % name)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    prepare()
    made = list(outputs())
    test_outputs_are_as_their_schemas(made)
    test_later_members_are_allowed(made)
    test_wrong_documents_are_refused(made)
    test_the_validator_refuses()
    test_names_are_in_camel_case()
    os.chdir(ROOT)
print("%d schemas, %d documents, %d failed checks" % (len(FILES), len(made), len(failures)))
sys.exit(1 if failures else 0)
