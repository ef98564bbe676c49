# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""spring.py avatar.vrm spring.svg: sways an avatar, and draws how the first spring bone swings beside it."""
import math
import pathlib
import sys

import vrm

with vrm.load(sys.argv[1]) as avatar, avatar.instance() as instance:
    way = []
    for frame in range(1000):
        instance.root = (0.1 * math.sin(frame / 15), 0.0, 0.0)
        instance.update(1 / 60)
        way.append(instance.spring_tails()[0, 0] - instance.root.position[0])
    print("palette", instance.palette.shape, "swings by %.1f cm" % (100 * (max(way) - min(way))))
    points = " ".join("%d,%.2f" % (frame, 100 - 3000 * (x - way[0])) for frame, x in enumerate(way))
    pathlib.Path(sys.argv[2]).write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 200">'
                                         '<polyline fill="none" stroke="black" points="%s"/></svg>\n' % points)
