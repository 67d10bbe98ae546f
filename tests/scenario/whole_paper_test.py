"""The whole fold, from the flat sheet to the verdict, and the crease again from the frames alone.    whole_paper_test.py PLICA"""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

program = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp(prefix="plica paper ")
environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}


def plica(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, cwd=folder, env=environment)
    print("$ plica", " ".join(words), "->", done.returncode)
    print(done.stdout + done.stderr, flush=True)
    return done


def claim(holds, what):
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


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


try:
    done = plica("run", "paper", "-o", "whole.h5", "--threads", "2")
    claim(done.returncode == 0, "the run ends with status 0")
    info = json.loads(plica("info", "whole.h5", "--json").stdout)
    verdict = {row["check"]: row for row in info["verdict"]}
    claim(len(verdict) >= 18 and all(row["pass"] for row in info["verdict"]), "every check passes")

    with h5py.File(os.path.join(folder, "whole.h5")) as f:
        film, time = f["frames/film"], f["frames/time"][:]
        claim(len(time) == info["frames"] == 17413, "every step is there")
        fold = list(range(171, 8, -18))
        flat = crease_angles(film[0].astype(float), fold)
        claim(max(flat) < 1e-6, "the sheet starts flat")
        end = crease_angles(film[len(time) - 1].astype(float), fold)
        claim(abs(np.median(end) - verdict["crease angle, median"]["value"]) < 1e-5, "the angle of the crease is that of the frames")

    checked = json.loads(plica("check", "whole.h5", "--json").stdout)
    claim(checked["bad_frames"] == 0 and checked["intersecting_frames"] == 0 and checked["minimum_gap"] > 0, "no frame intersects")

    # Going on from within the press gives the bits of the uninterrupted run: all that the controller knows is recorded.
    shutil.copy(os.path.join(folder, "whole.h5"), os.path.join(folder, "again.h5"))
    done = plica("resume", "again.h5", "--from", "8.0", "--until", "8.2")
    claim(done.returncode == 0, "resume ends with status 0")
    with h5py.File(os.path.join(folder, "again.h5")) as f, h5py.File(os.path.join(folder, "whole.h5")) as whole:
        count = len(f["frames/time"])
        claim(abs(f["frames/time"][count - 1] - 8.2) < 1e-3, "resumed to the time asked for")
        claim(np.array_equal(f["frames/film"][:], whole["frames/film"][:count]), "resumed film has the same bits")
finally:
    shutil.rmtree(folder, ignore_errors=True)
