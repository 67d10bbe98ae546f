#!/usr/bin/env python3
"""Times the bag on one and two threads and prints what matters: ratios within this one run.

    python3 tests/bench/bag_threads.py [--program build/release/plica] [--scene bag] [--steps 480] [--repeat 1] [--json FILE]

Runs alternate between the thread counts, so that other load hits both alike; of repeated runs the fastest counts.
Exit status 1 if the iterations differ between thread counts: results may not depend on them.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def bench(program, scene, steps, threads):
    command = [program, "bench", scene, "--steps", str(steps), "--threads", str(threads), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/plica"))
    parser.add_argument("--scene", default="bag")
    parser.add_argument("--steps", type=int, default=480)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--json", help="write both results to this file")
    options = parser.parse_args()

    best = {}
    for _ in range(options.repeat):
        for threads in (1, 2):
            result = bench(options.program, options.scene, options.steps, threads)
            if threads not in best or result["ms_per_step"] < best[threads]["ms_per_step"]:
                best[threads] = result
    one, two = best[1], best[2]

    print(f"{options.scene}, {options.steps} steps      1 thread  2 threads  ratio")
    rows = [("ms per step", "ms_per_step"), ("ms per iteration", "ms_per_iteration"),
            ("iterations per step", "iterations_per_step"), ("peak memory, MB", "peak_rss_mb")]
    for label, key in rows:
        print(f"{label:<24}{one[key]:>10.2f} {two[key]:>10.2f} {one[key] / two[key]:>6.2f}")
    for stage in one["stages"]:
        a, b = one["stages"][stage], two["stages"][stage]
        print(f"  {stage:<22}{a:>10.3f} {b:>10.3f} {a / b if b else float('nan'):>6.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"threads_1": one, "threads_2": two}, file, indent=1)
    if one["iterations_per_step"] != two["iterations_per_step"]:
        sys.exit("iterations differ between 1 and 2 threads: results depend on the number of threads")


if __name__ == "__main__":
    main()
