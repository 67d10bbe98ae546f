"""The whole fold, from the flat sheet to the verdict, and the crease again from the frames alone.    whole_paper_test.py PLICA"""
import math

import numpy as np

from whole_run import check_every_frame, claim, recording, resume_gives_the_same_bits, run_to_verdict


def crease_angles(x, fold):
    """|hinge angle| [rad] of the edges along the fold's vertices, from positions (437, 3) of the 19 x 23 grid."""
    angles = []
    for a, b in zip(fold, fold[1:]):
        low, high = x[min(a, b) - 1], x[max(a, b) + 1]  # the two other corners of the cell that the edge cuts
        edge = (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])
        n1 = np.cross(edge, low - x[a])
        n2 = np.cross(high - x[a], edge)
        cosine = n1 @ n2 / np.linalg.norm(n1) / np.linalg.norm(n2)
        angles.append(math.acos(max(-1.0, min(1.0, cosine))))
    return angles


info, verdict = run_to_verdict("paper")
claim(len(verdict) >= 18, "the verdict has the scene's checks")

with recording() as f:
    film, time = f["frames/film"], f["frames/time"][:]
    claim(len(time) == info["frames"] == 17413, "every step is there")
    fold = list(range(171, 8, -18))
    flat = crease_angles(film[0].astype(float), fold)
    claim(max(flat) < 1e-6, "the sheet starts flat")
    end = crease_angles(film[len(time) - 1].astype(float), fold)
    claim(abs(np.median(end) - verdict["crease angle, median"]["value"]) < 1e-5, "the angle of the crease is that of the frames")

check_every_frame()
resume_gives_the_same_bits(8.0, 8.2, slack=1e-3)  # within the press: all that its controller knows is recorded
