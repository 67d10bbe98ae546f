"""What the tests of whole runs share: running the program in a folder of its own, claims, and what holds for every scene."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

program = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp(prefix="plica whole ")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
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


def recording(name="whole.h5"):
    return h5py.File(os.path.join(folder, name))


def run_to_verdict(scene):
    """Runs the scene into whole.h5, where every check has to pass; what `info` says of it, and the verdict's rows by check."""
    done = plica("run", scene, "-o", "whole.h5", "--threads", "2")
    claim(done.returncode == 0, "the run ends with status 0")
    info = json.loads(plica("info", "whole.h5", "--json").stdout)
    claim(all(row["pass"] for row in info["verdict"]), "every check passes")
    return info, {row["check"]: row for row in info["verdict"]}


def check_every_frame():
    """Computed anew: no frame intersects, every gap is above 0."""
    done = plica("check", "whole.h5", "--json")
    again = json.loads(done.stdout)
    claim(done.returncode == 0 and again["bad_frames"] == 0 and again["intersecting_frames"] == 0, "no frame intersects")
    claim(again["minimum_gap"] > 0, "every gap is above 0")


def resume_gives_the_same_bits(start, end, slack):
    """Going on from `start` [s] gives the frames of the uninterrupted run up to `end` [s], met within `slack` [s]."""
    shutil.copy(os.path.join(folder, "whole.h5"), os.path.join(folder, "again.h5"))
    done = plica("resume", "again.h5", "--from", f"{start:.4f}", "--until", f"{end:.4f}")
    claim(done.returncode == 0, "resume ends with status 0")
    with recording("again.h5") as again, recording() as whole:
        count = len(again["frames/time"])
        claim(abs(again["frames/time"][count - 1] - end) < slack, "resumed to the time asked for")
        for kind in ("film", "spheres"):
            claim(np.array_equal(again["frames/" + kind][:], whole["frames/" + kind][:count]), f"resumed {kind}: the same bits")
