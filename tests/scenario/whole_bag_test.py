"""The whole bag, and the short one, from the scene to the verdict.    whole_bag_test.py PLICA SCENE"""
import sys

import numpy as np

from whole_run import check_every_frame, claim, recording, resume_gives_the_same_bits, run_to_verdict

scene = sys.argv[2]
info, verdict = run_to_verdict(scene)
for name in ("intersecting frames", "minimum gap", "spheres outside the bag", "failed gates", "neck width x", "neck width y",
             "skirt height", "spheres inside", "sphere height range", "outer support force", "sum of inner forces",
             "momentum residual"):
    claim(name in verdict, f"the verdict has a row \"{name}\"")
    claim({"check", "value", "limit", "pass"} <= set(verdict[name]), "a row has check, value, limit and pass")

# The same from the frames alone, without what the program says of them.
with recording() as f:
    film, spheres, time = f["frames/film"][:], f["frames/spheres"][:], f["frames/time"][:]
claim(len(time) == info["frames"] == round(time[-1] * 240) + 1, "every step is there")
neck, end = film[-1, 321:353].astype(float), film[-1, 449:481].astype(float)
for axis, name in enumerate(("neck width x", "neck width y")):
    claim(0.030 <= np.ptp(neck[:, axis]) <= 0.046 and abs(np.ptp(neck[:, axis]) - verdict[name]["value"]) < 1e-8, name)
skirt = np.median(end[:, 2]) - neck[:, 2].mean()
claim(skirt >= 0.0134 and abs(skirt - verdict["skirt height"]["value"]) < 1e-7, "skirt height")
last = spheres[time >= time[-1] - 1 - 1e-6][:, :, 2].astype(float)
moved = (last.max(axis=0) - last.min(axis=0)).max()
claim(moved <= 0.8e-3 and abs(moved - verdict["sphere height range"]["value"]) < 1e-8, "sphere height range")

check_every_frame()
gate = time[-1] - 4.45 if scene == "bag" else 4.8
resume_gives_the_same_bits(gate, gate + 0.25, slack=3e-3)
