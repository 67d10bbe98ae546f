"""Runs and their recordings: kill -9, Ctrl-C, resume, cuts, threads, locale, awkward names, full disk."""
import json
import os
import random
import resource
import shutil
import signal
import time

import h5py
import numpy as np

from cli import *

run = plica("run", "small.plica.toml", "-o", "whole.h5", "--threads", 1)
claim(run.status == 0 and "intersecting frames" in run.out and "passed" in run.out, "a run prints its verdict", run)
claim(run.err.count("%") >= 1 and "steps/s" in run.err and "\r" not in run.err, "progress is in plain lines without a terminal", run)
info = json.loads(plica("info", "whole.h5", "--json").out)
claim(info["frames"] == 61 and info["intersecting_frames"] == 0 and 0 < info["minimum_gap"] < 1e-3, "info --json has the fixed keys", info)
claim(all(set(c) >= {"check", "value", "limit", "pass"} and c["pass"] for c in info["verdict"]) and info["finished"], "the verdict is stored", info)
claim(plica("check", "whole.h5").status == 0, "check passes a good recording")

# Layout, as h5py sees it.
with h5py.File("whole.h5", "r") as f:
    claim(f["frames/film"].shape == (61, 81, 3) and f["frames/film"].dtype == np.float32, "film is (T,N,3) f4")
    claim(f["frames/spheres"].shape == (61, 1, 3) and f["topology/triangles"].shape == (128, 3), "spheres and triangles have their shapes")
    claim(np.array_equal(f["frames/time"][:], np.arange(61) * (1 / 240)), "times are multiples of dt")
    claim(f["scene"][()].decode() == SMALL, "the scene's text is inside")
    claim(f["gauges/min_gap_film_obstacle"].attrs["unit"] == b"m", "gauges carry their unit")
    claim(all(len(d) == 61 for d in f["gauges"].values()), "every gauge has a value per frame")
    end, text = [0, *f["verdict/end"][:]], bytes(f["verdict/text"][:])
    claim(json.loads(text[end[-2]:end[-1]])[0]["check"] == "intersecting frames", "the verdict reads as the layout says")
    finite = np.isfinite(f["gauges/min_gap_film_obstacle"][:])
    claim(finite.any() and (f["gauges/min_gap_film_obstacle"][:][finite] > 0).all(), "contact happened and every gap is above 0")

# Threads, locale and names do not change a bit.
name = "каталог 'a\" b"
os.mkdir(name)
other = os.path.join(name, "ü ß.h5")
claim(plica("run", "small.plica.toml", "-o", other, "--threads", 2, env={"LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}).status == 0, "a run goes into a folder with blanks, quotes and Cyrillic")
same = plica("compare", "whole.h5", other)
claim(same.status == 0 and "bit-equal: yes" in same.out, "1 and 2 threads, C and comma locale: bit-equal", same)
rubbed = plica("run", "small.plica.toml", "-o", "rubbed.h5", "--set", "solver.friction_mu=0.05")
answer = json.loads(plica("compare", "whole.h5", "rubbed.h5", "--json").out)
claim(answer["bit_equal"] is False and answer["first_differing_frame"] > 0 and answer["max_difference"] > 0, "another friction gives another run", answer)
refused(["compare", "whole.h5", "small.plica.toml"], "it is text")

# Resume from earlier frames, and beyond the end.
for at in (0, 0.1, 0.2458):
    shutil.copy("whole.h5", "again.h5")
    claim(plica("resume", "again.h5", "--from", at, "--until", 0.25).status == 0 and plica("compare", "whole.h5", "again.h5").status == 0,
          f"resumed from {at} s: bit-equal")
claim(plica("resume", "again.h5", "--until", 0.3).status == 0, "a finished run goes on to a later time")
claim(json.loads(plica("info", "again.h5", "--json").out)["frames"] == 73, "and has the frames of it")
claim("nothing to do" in plica("resume", "whole.h5").err, "a complete recording is left alone")
refused(["resume", "whole.h5", "--from", "7"], "goes from 0 to")

# Contact modes: basic goes through where guarded, with the same soft penalty, solves again; both say so afterwards.
soft = ["--set", "solver.penalty=0.05"]
basic = plica("run", "small.plica.toml", "--contact", "basic", *soft, "-o", "basic.h5")
claim(basic.status == 1 and "intersecting frames" in basic.out and "FAILED" in basic.out, "basic contact is judged by its intersections", basic)
claim(plica("run", "small.plica.toml", "--contact", "guarded", *soft, "-q", "-o", "guarded.h5").status == 0, "guarded contact passes")
claim([json.loads(plica("info", f"{n}.h5", "--json").out)["contact"] for n in ("whole", "basic", "guarded")] == ["ipc", "basic", "guarded"], "info tells the mode")
with h5py.File("guarded.h5", "r") as f:
    claim(f["gauges/ipc_resolves"][:].sum() > 0 and f["gauges/intersecting_pairs"][:].max() == 0, "steps were taken back")
shutil.copy("guarded.h5", "again.h5")
claim(plica("resume", "again.h5", "--from", 0.1, "--until", 0.25).status == 0 and plica("compare", "guarded.h5", "again.h5").status == 0, "a guarded run resumes bit-equal")

# Edits made again, from a recording with some: as the window writes them.
with h5py.File("whole.h5", "r") as f:
    scene_text = f["scene"][()]
edits = [(3, {"kind": "set", "key": "friction_mu", "value": 0.1}), (10, {"kind": "grip", "vertices": [40], "value": 60.0, "limit": 0.5, "target": [0.0, 0.0, 0.2]}),
         (30, {"kind": "release", "vertices": [40]}), (31, {"kind": "switch", "key": "contact", "value": 1.0})]
shutil.copy("whole.h5", "edits.h5")
with h5py.File("edits.h5", "r+") as f:
    text = "".join(json.dumps(c) for _, c in edits).encode()
    ends = np.cumsum([len(json.dumps(c).encode()) for _, c in edits])
    for name, values in (("text", np.frombuffer(text, "u1")), ("end", ends), ("step", [s for s, _ in edits])):
        d = f["commands"][name]
        d.resize((len(values),))
        d[:] = values
again = plica("run", "small.plica.toml", "--commands", "edits.h5", "-o", "edited.h5", "-q")
claim(again.status == 0 and plica("compare", "whole.h5", "edited.h5").status == 1, "edits change the run", again)
claim(plica("run", "--commands", "edited.h5", "-o", "replayed.h5", "-q").status == 0 and plica("compare", "edited.h5", "replayed.h5").status == 0, "a recording's edits replay bit-equal, scene and all")
with h5py.File("replayed.h5", "r") as f:
    claim(bytes(f["commands/text"][:]).count(b'"kind"') == 4, "and are recorded again")
refused(["run", "--commands", "small.plica.toml"], "small.plica.toml")
refused(["run", "--commands", "edited.h5", "--set", "solver.dhat=1e-3"], "name it")
refused(["run", "small.plica.toml", "--commands", "edited.h5", "-o", "edited.h5"], "edited.h5")
claim(plica("compare", "edited.h5", "replayed.h5").status == 0, "nothing was written over")

# kill -9 at random moments, in a scene that takes a while.
long_scene = SMALL.replace("duration = 0.25", "duration = 1.5").replace("nx = 8", "nx = 32").replace("ny = 8", "ny = 32").replace("spacing = 0.01", "spacing = 0.0025")
with open("long.plica.toml", "w") as f:
    f.write(long_scene)
claim(plica("run", "long.plica.toml", "-o", "undisturbed.h5").status == 0, "the long scene runs")
for round in range(3):
    process = start("run", "long.plica.toml", "-o", "killed.h5")
    wait_for_frames("killed.h5", 2)
    time.sleep(random.uniform(0, 1.5))
    process.send_signal(signal.SIGKILL)
    process.wait()
    info = plica("info", "killed.h5", "--json")
    claim(info.status == 0 and json.loads(info.out)["frames"] >= 2, "a killed run's file opens", info)
    frames = json.loads(info.out)["frames"]
    part = json.loads(plica("compare", "undisturbed.h5", "killed.h5", "--json").out)
    claim(part["first_differing_frame"] is None and part["compared_frames"] == frames, f"its {frames} frames are those of the undisturbed run", part)
    claim(plica("resume", "killed.h5", "-q").status == 0, "it is resumed")
    claim(plica("compare", "undisturbed.h5", "killed.h5").status == 0, "killed and resumed: bit-equal to the undisturbed run")

# Ctrl-C.
for number in (signal.SIGINT, signal.SIGTERM):
    process = start("run", "long.plica.toml", "-o", "stopped.h5")
    wait_for_frames("stopped.h5", 2)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    claim(process.returncode == 0 and "resume" in err, f"{number.name} stops after the step and says how to go on", err)
    with h5py.File("stopped.h5", "r") as f:
        claim(len(f["frames/film"]) == f["frames/count"][0] < 361, "the recording is closed and whole")
    claim(plica("resume", "stopped.h5", "-q").status == 0 and plica("compare", "undisturbed.h5", "stopped.h5").status == 0, "stopped and resumed: bit-equal")

# Two programs, one file.
process = start("run", "long.plica.toml", "-o", "busy.h5")
wait_for_frames("busy.h5", 1)
second = plica("run", "small.plica.toml", "-o", "busy.h5")
third = plica("resume", "busy.h5")
reading = plica("info", "busy.h5")
process.send_signal(signal.SIGINT)
process.communicate()
claim(second.status == 2 and "being written" in second.err and third.status == 2 and "being written" in third.err, "a file that is being written is not taken over", second)
claim(reading.status == 0 and "being written" in reading.out, "but can be read", reading)

# Cuts and other damage.
size = os.path.getsize("whole.h5")
whole = open("whole.h5", "rb").read()
for cut in (1, 100, 100_000, size // 2, size - 10, size - 100):
    with open("cut.h5", "wb") as f:
        f.write(whole[:size - cut])
    info = plica("info", "cut.h5")
    claim((info.status == 0 and "cut" in info.out) or (info.status == 2 and "cut.h5" in info.err), f"cut by {cut} bytes: opened with a note or refused by name", info)
    for command in (["check", "cut.h5"], ["export", "cut.h5", "--csv", "cut.csv"], ["resume", "cut.h5", "-q"]):
        result = plica(*command)
        claim(result.status in (0, 1, 2) and "unexpected" not in result.err, f"cut by {cut} bytes: {command[0]} ends in order", result)
with open("zeroed.h5", "wb") as f:
    f.write(bytes(16) + whole[16:])
refused(["info", "zeroed.h5"], "zeroed.h5", "first bytes are zero")
open("empty.h5", "w").close()
refused(["info", "empty.h5"], "empty")
with h5py.File("foreign.h5", "w") as f:
    f["x"] = np.arange(10)
refused(["info", "foreign.h5"], "not a Plica recording", "/frames/film is missing")
refused(["resume", "foreign.h5"], "not a Plica recording")
shutil.copy("whole.h5", "strange.h5")
with h5py.File("strange.h5", "r+") as f:
    f["topology/triangles"][5, 1] = 4711
refused(["info", "strange.h5"], "triangle 5", "4711")
shutil.copy("whole.h5", "newer.h5")
with h5py.File("newer.h5", "r+") as f:
    f.attrs["version"] = 99
refused(["info", "newer.h5"], "version 99")
shutil.copy("whole.h5", "poisoned.h5")
with h5py.File("poisoned.h5", "r+") as f:
    f["frames/film"][30, 7] = np.nan
claim(plica("check", "poisoned.h5").status == 2, "a changed frame is found by its checksum")

# A recording with an intersection fails its check: one vertex of the sheet is put into the ball.
shutil.copy("whole.h5", "tangled.h5")
import zlib
with h5py.File("tangled.h5", "r+") as f:
    film = f["frames/film"][20]
    film[40] = (0, 0, 0.06)
    f["frames/film"][20] = film
    data = film.tobytes() + f["frames/film_velocity"][20].tobytes() + f["frames/spheres"][20].tobytes() + f["frames/sphere_velocity"][20].tobytes()
    f["frames/checksum"][20] = zlib.crc32(data)
result = plica("check", "tangled.h5")
claim(result.status == 1 and "step 20" in result.err, "check finds the intersecting frame", result)

# Full disk during a run: a limit on the size of files stands in for it.
result = plica("run", "long.plica.toml", "-o", "full.h5", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000)))
claim(result.status == 1 and "space" in result.err and "needed" in result.err, "a full disk ends the run with status 1 and the space needed", result)
info = plica("info", "full.h5", "--json")
claim(info.status == 0 and json.loads(info.out)["frames"] > 10, "what was recorded is kept", info)
claim(plica("resume", "full.h5", "-q").status == 0 and plica("compare", "undisturbed.h5", "full.h5").status == 0, "with room it is resumed, bit-equal")
if os.geteuid() == 0 and shutil.which("mount"):
    os.mkdir("disk")
    if os.system("mount -t tmpfs -o size=3m plica disk 2>/dev/null") == 0:
        try:
            result = plica("run", "long.plica.toml", "-o", "disk/a.h5")
            claim(result.status == 1 and "needed" in result.err, "a full file system: status 1", result)
            claim(plica("info", "disk/a.h5").status == 0, "and a file that opens")
            os.system("cat /dev/zero > disk/filler 2>/dev/null")
            refused(["run", "small.plica.toml", "-o", "disk/b.h5"], "disk/b.h5", "space")
            refused(["export", "whole.h5", "--npz", "disk/b.npz"], "disk/b.npz", "space")
            claim(sorted(os.listdir("disk")) == ["a.h5", "filler"], "and no partial file")
        finally:
            os.system("umount disk")

# Nothing half made is left anywhere.
claim(not [n for n in files() if n.startswith(".")], "no temporary file is left", files())
