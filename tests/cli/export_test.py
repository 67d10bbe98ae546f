"""Exports load in other programs, and appear whole or not at all."""
import csv
import json
import os
import resource
import struct

import h5py
import numpy as np

from cli import *

claim(plica("run", "small.plica.toml", "-o", "a.h5", "-q").status == 0, "a recording to export")
with h5py.File("a.h5", "r") as f:
    film, spheres, faces, times = (f[k][:] for k in ("frames/film", "frames/spheres", "topology/triangles", "frames/time"))
    gap = f["gauges/min_gap_film_obstacle"][:]

for locale in ("C", "de_DE.UTF-8"):
    claim(plica("export", "a.h5", "--csv", locale + ".csv", "--npz", locale + ".npz", env={"LC_ALL": locale}).status == 0, f"tables under {locale}")
claim(open("C.csv").read() == open("de_DE.UTF-8.csv").read(), "the locale changes no byte of the CSV")
claim(open("C.npz", "rb").read() == open("de_DE.UTF-8.npz", "rb").read(), "nor of the NPZ")
table = list(csv.DictReader(open("C.csv")))
claim(len(table) == 61 and float(table[30]["time_s"]) == times[30], "CSV: one row per frame with its time")
claim(all("gap_m" in row for row in table) and "max_film_speed_m_per_s" in table[0], "CSV: heads carry units")
claim(np.array_equal(np.array([float(r["min_gap_film_obstacle_m"]) for r in table]), gap, equal_nan=True), "CSV: numbers read back exactly")
arrays = np.load("C.npz")
claim(np.array_equal(arrays["film"], film) and np.array_equal(arrays["spheres"], spheres) and np.array_equal(arrays["faces"], faces), "NPZ: film, spheres, faces")
claim(bytes(arrays["scene"]).decode() == SMALL and arrays["gauge_iterations"].shape == (61,), "NPZ: scene and gauges")

claim(plica("export", "a.h5", "--mesh", "pc2", "-o", "cache.pc2").status == 0, "PC2")
data = open("cache.pc2", "rb").read()
magic, version, points, first, rate, samples = struct.unpack("<12siiffi", data[:32])
claim((magic, version, points, first, rate, samples) == (b"POINTCACHE2\0", 1, 81, 0.0, 1.0, 61), "PC2: head")
claim(np.array_equal(np.frombuffer(data[32:], "<f4").reshape(61, 81, 3), film), "PC2: samples")
claim(open("cache.obj").read().count("\nf ") == 128 and len(open("cache.times.csv").readlines()) == 62, "PC2: mesh and times beside it")

claim(plica("export", "a.h5", "--mesh", "obj", "-o", "objs", "--every", 10).status == 0, "OBJ sequence")
claim(len([n for n in os.listdir("objs") if n.startswith("film_")]) == 7 and len(open("objs/times.csv").readlines()) == 8, "OBJ: meshes and times")
vertices = [line.split()[1:] for line in open("objs/film_000003.obj") if line.startswith("v ")]
claim(np.array_equal(np.array(vertices, dtype=np.float32), film[30]), "OBJ: vertices are the recorded ones exactly")
claim(plica("check", "objs/film_000000.obj").status == 0, "OBJ: our own import reads it")
refused(["export", "a.h5", "--mesh", "obj", "-o", "objs"], "not empty")

claim(plica("export", "a.h5", "--mesh", "ply", "-o", "plys", "--from", 0.1, "--to", 0.11).status == 0, "PLY sequence")
claim(sorted(os.listdir("plys"))[0] == "film_000000.ply" and len([n for n in os.listdir("plys") if n.endswith(".ply")]) == 3, "PLY: the frames of the range")
raw = open("plys/film_000000.ply", "rb").read()
body = raw[raw.index(b"end_header\n") + 11:]
claim(np.array_equal(np.frombuffer(body[:81 * 12], "<f4").reshape(81, 3), film[24]), "PLY: vertices")
claim(len(body) == 81 * 12 + 128 * 13, "PLY: faces")

refused(["export", "a.h5"], "nothing to export")
refused(["export", "a.h5", "--mesh", "stl"], "stl")
refused(["export", "a.h5", "--csv", "no/such/x.csv"], "no/such")
refused(["export", "a.h5", "--npz", "/proc/x.npz"], "/proc/x.npz")
refused(["export", "a.h5", "--csv", "x.csv", "--from", "9"], "no frame", "0.25")
refused(["export", "a.h5", "--csv", "x.csv", "--from", "0.2", "--to", "0.1"], "after")
refused(["export", "a.h5", "--csv", "x.csv", "--every", "0"], "--every")
refused(["export", "a.h5", "--video", "x.mp4", "--size", "big"], "--size")
refused(["export", "a.h5", "--frames", "png", "--color", "mood"], "mood", "memory")
refused(["export", "a.h5", "--frames", "png", "--color", "Gap"], "Gap")
# A full disk: no half file.
small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
for arguments in (["--npz", "full.npz"], ["--csv", "full.csv"], ["--mesh", "pc2", "-o", "full.pc2"], ["--mesh", "obj", "-o", "full_obj"]):
    if arguments[0] == "--mesh" and arguments[1] == "obj":
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    refused(["export", "a.h5", *arguments], "full", preexec_fn=small)
claim(not [n for n in files() if n.startswith(".")], "no temporary file is left", files())
