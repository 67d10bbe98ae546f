#!/usr/bin/env python3
"""Tests of the fold and of contact modes with real events: paper_test.py PROGRAM NAME, as window_test.py."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

import window_test
from driver import expect
from window_test import hdf5, pause, run, steps, test, window

window_test.TESTS.clear()


def pixels(w, widget):
    """(r, g, b) of every pixel of a widget as it is on the screen."""
    x0, y0, x1, y1 = w.rect(widget)
    frame = subprocess.run(["xdotool", "getwindowgeometry", "--shell", w.window], env=w.display.env, check=True, capture_output=True, text=True).stdout
    place = dict(line.split("=") for line in frame.split())
    crop = "%dx%d+%d+%d" % (x1 - x0, y1 - y0, int(place["X"]) + x0, int(place["Y"]) + y0)
    raw = subprocess.run(["import", "-window", "root", "-crop", crop, "-depth", "8", "rgb:-"], env=w.display.env, check=True, capture_output=True).stdout
    return list(zip(raw[0::3], raw[1::3], raw[2::3]))


def green(colors):
    """Of the scale's middle and upper part, which is neither of sheet, tool nor ground."""
    return sum(g > 120 and g > r + 30 for r, g, b in colors)


@test
def a_cut_across_the_fold(d):
    """The section is drawn live while the corner is carried over, at any place of the crease, whole or near the crease."""
    with window(d, "paper") as w:
        w.click("tab.section")
        s = w.wait_for(lambda s: s.get("section.cuts", 0) > 0, "the section")
        expect(s["section.top_mm"] < 1, "the flat sheet is %g mm high" % s["section.top_mm"])
        run(w)
        steps(w, 900)
        pause(w)
        s = w.wait_for(lambda s: s["section.top_mm"] > 3, "a corner in the air")
        middle = s["section.cuts"]
        w.type_into("section.at", "10")
        s = w.wait_for(lambda s: s["section.at"] == "10", "another place")
        expect(s["section.cuts"] < middle, "near its end the fold is as wide as in the middle")
        w.type_into("section.at", "120")
        time.sleep(0.5)
        expect(w.state["section.at"] == "10", "a place beyond the crease is taken")
        before = pixels(w, "section")
        w.click("section.fold")
        time.sleep(0.7)
        expect(pixels(w, "section") != before, "near the crease looks like the whole")
        w.key("Home")
        w.focus_view()
        w.key("Home")
        w.wait_for(lambda s: s["shown"] == 0 and s["section.top_mm"] < 1, "the cut of the first frame")


@test
def a_remembered_crease_has_a_colour(d):
    """Colour by memory: the crease glows after it is pressed and not before; gauges of the press are shown."""
    folder = tempfile.mkdtemp(prefix="plica_paper_")
    path = os.path.join(folder, "crease.h5")
    plica = window_test.PROGRAM[0]
    # The verdict of a part of a run is that of contact alone.
    done = subprocess.run([plica, "run", "paper", "--until", "7.0", "-q", "-o", path], capture_output=True, text=True, timeout=200)
    expect(done.returncode == 0, "the run failed: " + done.stderr)
    with window(d, path) as w:
        w.focus_view()
        w.key("End")
        s = w.wait_for(lambda s: s["shown"] > 7000, "the last frame")
        for name in ("fold_angle", "bulge", "section_height", "layer_gap"):  # those in sight
            expect("gauge." + name in s, "no gauge %s; there are %s" % (name, [k for k in s if k.startswith("gauge.")]))
        expect(float(s["gauge.fold_angle"].split()[0]) > 90, "not folded over: " + s["gauge.fold_angle"])
        w.click("view.color")
        w.click("view.color.6")
        w.focus_view()
        time.sleep(1)
        after = green(pixels(w, "view"))
        w.key("Home")
        w.wait_for(lambda s: s["shown"] == 0, "the first frame")
        time.sleep(1)
        before = green(pixels(w, "view"))
        # The scale itself is in sight, in both.
        print("green pixels before %d, after %d" % (before, after))
        expect(after > before + 50, "the crease does not show: %d green pixels before, %d after" % (before, after))
    shutil.rmtree(folder)


@test
def contact_modes_are_switched(d):
    """The mode is a choice with undo, kept in the recording; back to IPC in a tangle it is refused with the count."""
    with window(d, "two_sheets") as w:
        path = os.path.join(w.folder, "modes.h5")
        w.click("contact_mode")
        w.click("contact_mode.1")
        w.wait_for(lambda s: s["contact_mode"] == 1 and "setting.penalty" in s, "guarded contact and its stiffness")
        w.focus_view()
        w.key("ctrl+z")
        w.wait_for(lambda s: s["contact_mode"] == 0 and "setting.penalty" not in s, "IPC again")
        w.key("ctrl+y")
        w.wait_for(lambda s: s["contact_mode"] == 1, "guarded again")
        w.click("contact_mode")
        w.click("contact_mode.2")
        w.wait_for(lambda s: s["contact_mode"] == 2, "basic contact")
        w.type_into("setting.penalty", "0.01")
        w.wait_for(lambda s: s["setting.penalty"] == "0.01", "a soft penalty")
        w.focus_view()
        for _ in range(80):
            before = w.state["steps"]
            w.key("shift+Right")
            s = w.wait_for(lambda s: s["steps"] > before and s["state"] == "Paused", "a step", 30)
            if float(s["gauge.intersecting_pairs"].split()[0]) > 0:
                break
        expect(float(s["gauge.intersecting_pairs"].split()[0]) > 0, "basic contact with 0.01 N/m holds the sheets apart")
        w.click("contact_mode")
        w.click("contact_mode.0")
        s = w.wait_for(lambda s: s["banners"] > 0, "the refusal")
        text = " ".join(v for k, v in s.items() if k.startswith("banner") and isinstance(v, str))
        expect("intersecting" in text and "contact ipc is refused" in text, "the refusal does not say why: %r" % text)
        expect(s["contact_mode"] == 2, "the mode shown is not the one in force")
        w.click("banner0.close")
        w.focus_view()
        w.key("ctrl+s")
        time.sleep(1)
        recorded = [os.path.join(base, name) for base, _, names in os.walk(w.data) for name in names if name.endswith(".h5")]
        if os.path.exists(path):
            recorded.append(path)
        expect(recorded, "no recording is kept")
        w.close()
        with hdf5().File(recorded[-1], "r") as f:
            found = bytes(f["/commands/text"][:]).decode()
        expect('"contact"' in found, "the mode is not in the recording: " + found[:300])


if __name__ == "__main__":
    sys.exit(window_test.main())
