# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""A center on a spring's own first joint means the space of that joint's parent (docs/departures.md, 2.2): with either
center the hair of the sample moves alike, bit by bit, while an accelerated root makes hair without a center lag."""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "fixtures"))
from command_fixture import check, failures, vrm  # noqa: E402
from glb_files import make_glb, split_glb  # noqa: E402

FRAMES = 60


def tails(folder, document, chunk, center_of):
    """The springs' tails in each frame, with the center that `center_of` gives for a spring's first joint."""
    for spring in document["extensions"]["VRMC_springBone"]["springs"]:
        spring.pop("center", None)
        center = center_of(spring["joints"][0]["node"])
        if center is not None:
            spring["center"] = center
    model, out = str(folder / "model.vrm"), str(folder / "out.json")
    pathlib.Path(model).write_bytes(make_glb(document, chunk))
    run = vrm("trace", "-q", model, str(folder / "script.json"), "-o", out)
    check("trace", run.returncode == 0 and b"VRM1_SPRING_CENTER" not in run.stderr, run.stderr)
    return [frame["springTails"] for frame in json.loads(pathlib.Path(out).read_text())["frames"]]


def main():
    with tempfile.TemporaryDirectory(prefix="vrm-center-") as name:
        folder = pathlib.Path(name)
        vrm("sample", "--minimal", "-q", "-o", str(folder / "sample.vrm"))
        document, chunk = split_glb((folder / "sample.vrm").read_bytes())
        parents = {child: i for i, node in enumerate(document["nodes"]) for child in node.get("children", [])}
        events = [{"frame": f, "root": {"translation": [0, 0, 0.002 * f * f], "rotation": [0, 0, 0, 1], "scale": 1}}
                  for f in range(FRAMES)]
        (folder / "script.json").write_text(json.dumps({"frames": FRAMES, "dt": 1 / 60, "events": events}))
        own, parent, none = (tails(folder, document, chunk, center) for center in (lambda node: node, parents.get, lambda node: None))
    lag = max(abs(a - b) for frames in zip(own, none) for a, b in zip(*frames))
    check("own first joint", own == parent, "the center on the first joint is not the parent's space")
    check("no center", lag > 0.1, "the root's acceleration moves the hair by %g m only" % lag)
    print("%d frames, without a center %g m apart; %d failures" % (FRAMES, lag, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
