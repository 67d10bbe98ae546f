"""The whole bag, and the short one, from the scene to the verdict.    whole_bag_test.py PLICA SCENE"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

program, scene = os.path.abspath(sys.argv[1]), sys.argv[2]
folder = tempfile.mkdtemp(prefix="plica bag ")
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


try:
    done = plica("run", scene, "-o", "whole.h5", "--threads", "2")
    claim(done.returncode == 0, "the run ends with status 0")
    info = json.loads(plica("info", "whole.h5", "--json").stdout)
    verdict = {row["check"]: row for row in info["verdict"]}
    claim(all(row["pass"] for row in info["verdict"]), "every check passes")
    for name in ("intersecting frames", "minimum gap", "spheres outside the bag", "failed gates", "neck width x", "neck width y",
                 "skirt height", "spheres inside", "sphere height range", "outer support force", "sum of inner forces",
                 "momentum residual"):
        claim(name in verdict, f"the verdict has a row \"{name}\"")
        claim({"check", "value", "limit", "pass"} <= set(verdict[name]), "a row has check, value, limit and pass")

    # The same from the frames alone, without what the program says of them.
    with h5py.File(os.path.join(folder, "whole.h5")) as f:
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

    # Every frame, computed anew.
    checked = plica("check", "whole.h5", "--json")
    again = json.loads(checked.stdout)
    claim(checked.returncode == 0 and again["bad_frames"] == 0 and again["intersecting_frames"] == 0, "no frame intersects")
    claim(again["minimum_gap"] > 0, "every gap is above 0")

    # Going on from the gate gives the bits of the uninterrupted run.
    gate = time[-1] - 4.45 if scene == "bag" else 4.8
    shutil.copy(os.path.join(folder, "whole.h5"), os.path.join(folder, "again.h5"))
    done = plica("resume", "again.h5", "--from", f"{gate:.4f}", "--until", f"{gate + 0.25:.4f}")
    claim(done.returncode == 0, "resume ends with status 0")
    with h5py.File(os.path.join(folder, "again.h5")) as f:
        count = len(f["frames/time"])
        claim(abs(f["frames/time"][count - 1] - gate - 0.25) < 3e-3, "resumed to the time asked for")
        claim(np.array_equal(f["frames/film"][:], film[:count]), "resumed film has the same bits")
        claim(np.array_equal(f["frames/spheres"][:], spheres[:count]), "resumed spheres have the same bits")
finally:
    shutil.rmtree(folder, ignore_errors=True)
