#!/usr/bin/env python3
"""The scenes that peers were measured on: peers.py PROGRAM [SCENE...] prints wall seconds, Newton iterations and ratios as Markdown.

The peers' seconds were taken on two shared cores of a machine of this kind, with ± 50 % of other load: ratios are of that accuracy.
"""
import json
import os
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenes")
NEWTON, CODIM, FLEX, FLEX_IPC = "Newton 1.7 VBD", "Codim-IPC", "MuJoCo 4.0 flex", "MuJoCo 4.0 flex, ipc"
# scene: steps, {peer: seconds}
SCENES = {
    "squeezed_bag": (240, {NEWTON: 213, CODIM: 203}),
    "paper_corner": (1800, {NEWTON: 213}),
    "cloth32": (120, {NEWTON: 22, CODIM: 86, FLEX: 14.9, FLEX_IPC: 9.2}),
    "cloth64": (120, {NEWTON: 74, CODIM: 424, FLEX: 92, FLEX_IPC: 52}),
    "cloth128": (63, {NEWTON: 279}),
}


def main():
    program = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or [name for name in SCENES if name != "cloth128"]
    print("| scene | steps | s | iterations a step | ms an iteration | frames that intersect | steps halved | times faster than |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    clean = True
    for name in names:
        steps, peers = SCENES[name]
        done = subprocess.run([program, "bench", os.path.join(FOLDER, name + ".plica.toml"), "--steps", str(steps), "--threads", "1", "--json"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr}")
        r = json.loads(done.stdout)
        seconds = r["ms_per_step"] * r["steps"] / 1e3
        faster = ", ".join(f"{peer} ({s:g} s): {s / seconds:.1f}" for peer, s in peers.items())
        clean = clean and r["intersecting_frames"] == 0
        print(f"| {name} | {r['steps']} | {seconds:.1f} | {r['iterations_per_step']:.2f} | {r['ms_per_iteration']:.2f} "
              f"| {r['intersecting_frames']} | {r['halved_steps']} | {faster} |", flush=True)
    sys.exit(0 if clean else 1)


main()
