#!/usr/bin/env python3
"""Tests of the 1-D lab with real events: lab_test.py PROGRAM NAME, as window_test.py."""
import csv
import json
import os
import subprocess
import sys
import time

import window_test
from driver import expect
from window_test import steps, test, window

window_test.TESTS.clear()

WALL, BACK = 0.503, 0.523  # m
MIDDLE = 0.513


def x_of_landscape(w, x):
    """Pixel of position x [m] in the landscape."""
    low, high = w.state["lab.range"]
    x0, _, x1, _ = w.rect("lab.landscape")
    return x0 + (x - low) / (high - low) * (x1 - x0)


def drag_x_tilde(w, to):
    x0, y0, x1, y1 = w.rect("lab.x_tilde.line")
    y = y0 + 0.7 * (y1 - y0)
    w.move((x0 + x1) / 2, y)
    w.press()
    start, end = (x0 + x1) / 2, x_of_landscape(w, to)
    for i in range(1, 9):
        w.move(start + (end - start) * i / 8, y)
    w.lift()
    time.sleep(0.4)
    return w.state


def close_to(value, wanted, tolerance):
    return abs(value - wanted) <= tolerance


def rest(w):
    """The mouse to where no widget takes keys."""
    x0, y0, x1, y1 = w.rect("lab.lane.penalty")
    w.move((x0 + x1) / 2, (y0 + y1) / 2)


@test
def lab_opens_by_menu_and_key(d):
    """Menu and Ctrl+L show the lab and the scene again; `view lab` starts with it."""
    with window(d, "bag") as w:
        expect(not w.state["lab"], "the lab is open at the start")
        w.menu("Lab", "lab")
        w.wait_for(lambda s: s["lab"], "the lab")
        x0, _, x1, _ = w.rect("lab.landscape")
        expect(x1 - x0 > 500, "the landscape is %d px wide" % (x1 - x0))
        w.rect("lab.v0.slider")
        w.key("ctrl+l")
        w.wait_for(lambda s: not s["lab"], "the scene")
        w.rect("view")
        w.rect("gauges.choose")
        w.key("ctrl+l")
        w.wait_for(lambda s: s["lab"], "the lab again")
        w.click("lab.close")
        w.wait_for(lambda s: not s["lab"], "the scene by button")
    with window(d, "lab") as w:
        expect(w.state["lab"], "plica view lab shows the scene")


@test
def dragging_x_tilde_behind_the_wall(d):
    """The penalty's minimum jumps behind the wall, that of the barrier stays in front, for any stiffness."""
    with window(d, "lab") as w:
        s = drag_x_tilde(w, 0.48)
        expect(close_to(s["lab.x_tilde"], 0.48, 5e-4), "x_tilde is %g after the drag" % s["lab.x_tilde"])
        expect(s["lab.minimum.penalty"] == s["lab.x_tilde"] == s["lab.minimum.IPC"], "free: both minima are at x_tilde")
        s = drag_x_tilde(w, 0.509)
        expect(WALL < s["lab.minimum.penalty"] < MIDDLE, "inside, front half: penalty minimum at %g" % s["lab.minimum.penalty"])
        expect(WALL - 1e-3 < s["lab.minimum.IPC"] < WALL, "IPC minimum at %g" % s["lab.minimum.IPC"])
        s = drag_x_tilde(w, 0.517)
        expect(MIDDLE < s["lab.minimum.penalty"], "past the middle the penalty minimum did not jump: %g" % s["lab.minimum.penalty"])
        expect(s["lab.minimum.IPC"] < WALL, "IPC minimum at %g" % s["lab.minimum.IPC"])
        s = drag_x_tilde(w, 0.545)
        expect(s["lab.minimum.penalty"] == s["lab.x_tilde"] > BACK, "behind: penalty minimum at %g" % s["lab.minimum.penalty"])
        expect(WALL - 1e-4 < s["lab.minimum.IPC"] < WALL, "IPC minimum at %g" % s["lab.minimum.IPC"])
        w.type_into("lab.k", "1e8")
        s = w.wait_for(lambda s: s["lab.k"] == 1e8, "k = 1e8")
        expect(s["lab.minimum.penalty"] == s["lab.x_tilde"], "k = 1e8 brought the minimum back to %g" % s["lab.minimum.penalty"])
        expect(not s["lab.zoomed"], "dragging the line moved the range")
        whole = s["lab.range"]
        w.move(x_of_landscape(w, WALL), w.centre("lab.landscape")[1])
        for _ in range(3):
            w.xdotool("click", "4")
            time.sleep(0.2)
        s = w.wait_for(lambda s: s["lab.zoomed"], "the zoom")
        time.sleep(0.3)
        low, high = w.state["lab.range"]
        expect(high - low < 0.8 * (whole[1] - whole[0]) and low < WALL < high, "the wheel made the range %s" % w.state["lab.range"])
        w.move(x_of_landscape(w, low + 0.9 * (high - low)), w.centre("lab.landscape")[1])
        w.press()
        w.move(x_of_landscape(w, low + 0.6 * (high - low)), w.centre("lab.landscape")[1])
        w.lift()
        time.sleep(0.3)
        expect(w.state["lab.range"][0] > low, "dragging beside the line did not move the range")
        w.move(x_of_landscape(w, w.state["lab.range"][0] + 0.9 * (high - low)), w.centre("lab.landscape")[1])
        w.xdotool("click", "--repeat", "2", "--delay", "90", "1")
        w.wait_for(lambda s: not s["lab.zoomed"] and s["lab.range"] == whole, "the whole range after a double click")


@test
def throw_iterate_by_iterate(d):
    """Keys and buttons: to the impact, single iterates with the CCD cut, one back, a time step, the run to its end, reset."""
    with window(d, "lab") as w:
        rest(w)
        expect(w.state["lab.advanced"] == 0, "not at the start")
        w.key("i")
        s = w.wait_for(lambda s: s["lab.steps"] == 10, "the step before the impact")
        expect(close_to(s["lab.ipc_x"], 0.5, 1e-9) and close_to(s["lab.penalty_x"], 0.5, 1e-9), "the balls are not at 0.5 m")
        before = s["lab.advanced"]
        w.key("Right")
        s = w.wait_for(lambda s: s["lab.advanced"] == before + 1, "one iterate")
        expect(close_to(s["lab.penalty_x"], 0.55, 1e-9), "the penalty's first iterate leads to %g" % s["lab.penalty_x"])
        expect(close_to(s["lab.ipc_x"], 0.5027, 1e-9), "90 %% of 3 mm lead to %g" % s["lab.ipc_x"])
        expect("CCD cuts it to 90 %" in s["lab.ipc_iterate"] and "taken whole" in s["lab.penalty_iterate"], "%s / %s" % (s["lab.ipc_iterate"], s["lab.penalty_iterate"]))
        w.click("lab_iterate")
        s = w.wait_for(lambda s: s["lab.advanced"] == before + 2, "another iterate")
        expect(close_to(s["lab.ipc_x"], 0.50297, 1e-9), "90 %% of 0.3 mm lead to %g" % s["lab.ipc_x"])
        rest(w)
        w.key("Left")
        s = w.wait_for(lambda s: s["lab.advanced"] == before + 1, "one back")
        expect(close_to(s["lab.ipc_x"], 0.5027, 1e-9), "back at %g" % s["lab.ipc_x"])
        w.key("shift+Right")
        s = w.wait_for(lambda s: s["lab.step_done"], "the whole time step")
        expect(s["lab.iterates_listed"] == 7, "%d iterates are listed" % s["lab.iterates_listed"])
        expect(s["lab.ipc_x"] < WALL and s["lab.penalty_x"] > BACK, "after the impact: %g, %g" % (s["lab.ipc_x"], s["lab.penalty_x"]))
        w.key("f")
        s = w.wait_for(lambda s: s["lab.follow"], "the landscape to follow")
        expect(s["lab.minimum.penalty"] > BACK and s["lab.minimum.IPC"] < WALL, "the landscape shows another step")
        w.type_into("lab.rate", "60")
        rest(w)
        w.key("ctrl+r")
        w.wait_for(lambda s: s["lab.advanced"] == 0, "the start")
        w.key("space")
        w.wait_for(lambda s: s["lab.playing"], "the throw")
        w.key("space")
        s = w.wait_for(lambda s: not s["lab.playing"], "the pause")
        time.sleep(0.6)
        expect(w.state["lab.advanced"] == s["lab.advanced"] or w.state["lab.steps"] - s["lab.steps"] < 2, "goes on while paused")
        w.click("lab_run_pause")
        s = w.wait_for(lambda s: s["lab.done"], "the end of the throw", 60)
        expect(not s["lab.playing"], "still runs at the end")
        expect("goes through in step 11" in s["lab.penalty_outcome"], s["lab.penalty_outcome"])
        expect("stays in front" in s["lab.ipc_outcome"] and "9 iterations" in s["lab.ipc_outcome"], s["lab.ipc_outcome"])


@test
def values_sliders_and_refusals(d):
    """Numbers of the source appear for its speeds; sliders change values; what cannot be is refused at its field."""
    with window(d, "lab") as w:
        table = w.state
        for speed, cells in (("1", "stop  5.00 mm | stop  0.07 mm | 166.4 µm | 8"), ("2", "through | stop  0.17 mm | 71.0 µm | 8"),
                             ("5", "through | through | 24.0 µm | 9"), ("10", "through | through | 11.1 µm | 10"),
                             ("20", "through | through | 10.4 µm | 11"), ("50", "through | through | 2.1 µm | 12")):
            expect(table["lab.speeds." + speed] == cells, "%s m/s: %s" % (speed, table["lab.speeds." + speed]))
        expect(table["lab.number.way"].startswith("v h = 50 mm > half the wall, 10 mm"), table["lab.number.way"])
        w.click("lab.speed.20")
        s = w.wait_for(lambda s: s["lab.v0"] == 20, "20 m/s by a click")
        expect(s["lab.ipc_iterations"] == 11 and close_to(WALL - s["lab.ipc_largest_x"], 10.4e-6, 0.05e-6), "20 m/s: gap %g" % (WALL - s["lab.ipc_largest_x"]))
        w.type_into("lab.h", "0,4")
        s = w.wait_for(lambda s: s["lab.h"] == 4e-4, "h = 0.4 ms")
        # 8 mm a step: the penalty meets the ball, but at half depth k = 1e6 holds 50 J of its 200 J.
        expect("≤ half the wall" in s["lab.number.way"] and "too soft" in s["lab.number.way"], s["lab.number.way"])
        expect(s["lab.penalty_through"], "k = 1e6 stops 200 J")
        w.click("lab.k.slider", 0.98)
        s = w.wait_for(lambda s: s["lab.k"] > 5e7, "k by its slider")
        expect(s["lab.k"] <= 1e8 and not s["lab.penalty_through"], "k = %g lets 8 mm a step pass" % s["lab.k"])
        for field, text, words in (("lab.v0", "-3", "0.01 m/s to 1000 m/s"), ("lab.dhat", "0", "0.001 mm to 100 mm"), ("lab.k", "1e9", "1 N/m to 1e+08 N/m"),
                                   ("lab.kappa", "fast", "not a number"), ("lab.x_tilde", "nan", "not a number")):
            before = {k: v for k, v in w.state.items() if k in ("lab.v0", "lab.dhat", "lab.k", "lab.kappa", "lab.x_tilde")}
            w.type_into(field, text)
            s = w.wait_for(lambda s: words in s.get("field_error", ""), "the refusal of %s in %s" % (text, field))
            expect(all(s[k] == v for k, v in before.items()), "%s was taken" % text)
            time.sleep(0.2)
        w.type_into("lab.h", "0.01")
        w.wait_for(lambda s: s["lab.h"] == 1e-5, "h = 0.01 ms")
        w.type_into("lab.v0", "0.1")
        s = w.wait_for(lambda s: "100 000 are allowed" in s.get("field_error", ""), "the refusal of half a million steps")
        expect(s["lab.v0"] == 20, "0.1 m/s was taken")
        w.click("lab.source")
        w.wait_for(lambda s: s["lab.v0"] == 5 and s["lab.h"] == 0.01, "the source's values")


@test
def lab_exports_picture_and_tables(d):
    """PNG and CSV appear whole; a missing or closed folder is refused in the dialog; nothing is left behind."""
    with window(d, "lab") as w:
        rest(w)

        def export(kind, name):
            rest(w)
            w.key("ctrl+e")
            w.wait_for(lambda s: s.get("lab_export_dialog"), "the dialog")
            w.click("lab_export.kind")
            time.sleep(0.3)
            w.click("lab_export.kind.%d" % kind)
            w.wait_for(lambda s: "lab_export.kind" in w.last["widgets"], "the chosen kind")
            time.sleep(0.3)
            w.type_into("lab_export.path", os.path.join(w.folder, name), finish=None)
            w.key("Tab")
            count = len([k for k in w.state if k.startswith("export")])
            w.click("lab_export.start")
            s = w.wait_for(lambda s: len([k for k in s if k.startswith("export") and str(s[k]).startswith(("done", "failed"))]) > count, "the export", 30)
            newest = sorted(k for k in s if k.startswith("export"))[-1]
            expect(s[newest].startswith("done"), s[newest])
            w.click(newest + ".close")
            time.sleep(0.3)
            return os.path.join(w.folder, name)

        w.key("i", "Right")
        picture = export(0, "my lab.png")
        size = subprocess.run(["identify", "-format", "%w %h %k", picture], capture_output=True, text=True).stdout.split()
        expect(int(size[0]) == 1280 and int(size[1]) > 600 and int(size[2]) > 100, "the picture is %s" % size)

        with open(export(1, "throw.csv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        barrier = [r for r in rows if r["contact"] == "barrier"]
        impact = [r for r in barrier if r["step"] == "11"]
        expect(len(impact) == 7, "%d iterates in the impact" % len(impact))
        expect(close_to(float(impact[0]["max_step"]), 0.054, 1e-9) and close_to(float(impact[1]["gap_m"]), 3e-4, 1e-12), str(impact[:2]))
        expect(min(float(r["gap_m"]) for r in barrier) > 0, "the barrier's ball passed")
        expect(float([r for r in rows if r["contact"] == "penalty"][-1]["x_m"]) > BACK, "the penalty's ball stayed")

        with open(export(2, "landscape.csv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        expect(len(rows) == 2001, "%d rows" % len(rows))
        for r in rows:
            expect((r["barrier_kg_m2"] == "inf") == (float(r["x_m"]) >= WALL), "barrier at x = %s is %s" % (r["x_m"], r["barrier_kg_m2"]))
        with open(export(3, "speeds.csv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        expect([r["outcome"] for r in rows if r["contact"] == "barrier"] == ["stopped"] * 6 and len(rows) == 18, str(rows))

        rest(w)
        w.key("ctrl+e")
        for path, words in ((os.path.join(w.folder, "nowhere", "a.csv"), "does not exist"), (w.folder, "is a folder")):
            w.type_into("lab_export.path", path, finish=None)
            w.key("Tab")
            w.wait_for(lambda s: words in s.get("lab_export_problem", ""), "the refusal of " + path)
        w.key("Escape", "Escape")  # first out of the field
        w.wait_for(lambda s: not s.get("lab_export_dialog"), "the end of the dialog")
        left = sorted(n for n in os.listdir(w.folder) if n.endswith((".png", ".csv", ".part")) or n.startswith("."))
        expect(left == ["landscape.csv", "my lab.png", "speeds.csv", "throw.csv"], "left behind: %s" % left)


@test
def lab_leaves_the_solver_alone(d):
    """The 3-D run goes on behind the lab, keys of the lab do not reach it, values are remembered."""
    with window(d, "bag") as w:
        w.focus_view()
        w.key("space")
        w.wait_for(lambda s: s["state"] == "Running", "the run")
        steps(w, 5)
        w.key("ctrl+l")
        w.wait_for(lambda s: s["lab"], "the lab")
        rest(w)
        w.key("space")
        w.wait_for(lambda s: s["lab.playing"], "the throw")
        expect(w.state["state"] == "Running", "Space paused the solver")
        w.key("space", "ctrl+r", "Right", "Left", "shift+Right")
        before = w.state["steps"]
        steps(w, 10)
        expect(w.state["state"] == "Running" and w.state["steps"] >= before + 10, "the solver stands still behind the lab")
        w.type_into("lab.v0", "7.5")
        w.wait_for(lambda s: s["lab.v0"] == 7.5, "7.5 m/s")
        rest(w)
        w.key("ctrl+l")
        w.wait_for(lambda s: not s["lab"], "the scene")
        s = w.state
        expect(s["live"] and s["undo"] == 0, "the lab's keys moved the timeline")
        w.rect("view"), w.rect("timeline")
        w.close()
        with open(w.settings) as f:
            remembered = json.load(f)["lab"]
        expect(remembered["v0"] == 7.5 and remembered["h"] == 0.01, str(remembered))
        with window(d, "lab", settings=w.settings) as again:
            expect(again.state["lab.v0"] == 7.5, "v0 is %g in the next window" % again.state["lab.v0"])
            for size in (("640", "480"), ("320", "240"), ("200", "160"), ("1300", "800")):
                again.xdotool("windowsize", "--sync", again.window, *size)
                time.sleep(0.4)
            again.wait_for(lambda s: s["lab"], "the lab after all sizes")
            again.rect("lab.landscape")


@test
def lab_idle_costs_nothing(d):
    """≤ 2 % of one core while the lab rests (users 43); a frame of the lab beside the running solver fits 30 a second."""
    with window(d, "lab") as w:
        rest(w)
        w.key("i", "Right", "f")
        time.sleep(2)
        drawn, before, began = w.state["frames"], w.cpu_seconds(), time.time()
        time.sleep(8)
        share = (w.cpu_seconds() - before) / (time.time() - began)
        print("idle: %.2f %% of a core" % (100 * share))
        expect(share <= 0.02, "%.1f %% of a core while idle" % (100 * share))
        expect(w.state["frames"] - drawn <= 1, "%d redraws while idle" % (w.state["frames"] - drawn))
        w.type_into("lab.rate", "60")
        rest(w)
        w.key("ctrl+r", "space")
        w.wait_for(lambda s: s["lab.playing"], "the throw")
        drawn, before = w.state["frames"], w.cpu_seconds()
        w.wait_for(lambda s: s["lab.done"], "the end", 60)
        cost = (w.cpu_seconds() - before) / max(1, w.state["frames"] - drawn)
        print("a frame of the throw costs %.1f ms" % (1e3 * cost))
        expect(cost <= 0.030, "a frame costs %.1f ms: 30 a second cannot be reached" % (1e3 * cost))


if __name__ == "__main__":
    sys.exit(window_test.main())
