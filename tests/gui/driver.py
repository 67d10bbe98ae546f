"""A real Plica window under Xvfb and openbox, driven with real mouse and keyboard events.

The program writes with --ui-log where its widgets lie and what state it shows; clicks go to those places through the X server.
"""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time


class Failure(Exception):
    pass


def need(*programs):
    missing = [p for p in programs if not shutil.which(p)]
    if missing:
        raise Failure("missing programs: " + ", ".join(missing) + " (packages xvfb, openbox, xdotool, imagemagick)")


class Display:
    """An X server of its own with a window manager."""

    def __init__(self, size="1400x900"):
        need("Xvfb", "openbox", "xdotool")
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", size + "x24", "-nolisten", "tcp"],
                                       pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise Failure("Xvfb did not start")
        self.name = ":" + number
        self.env = dict(os.environ, DISPLAY=self.name, LIBGL_ALWAYS_SOFTWARE="1")
        for variable in ("WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_CLIENT"):
            self.env.pop(variable, None)
        self.manager = subprocess.Popen(["openbox"], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.7)

    def close(self):
        for process in (self.manager, self.server):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Window:
    def __init__(self, display, program, arguments=(), settings=None, cwd=None, size=(1280, 720), env=None, ready=True):
        self.display = display
        self.folder = tempfile.mkdtemp(prefix="plica_gui_")
        self.log_path = os.path.join(self.folder, "ui.log")
        self.data = os.path.join(self.folder, "data")
        if settings is None:
            settings = os.path.join(self.folder, "settings.json")
        self.settings = settings
        environment = dict(display.env, XDG_DATA_HOME=self.data, XDG_CONFIG_HOME=os.path.join(self.folder, "config"))
        environment.update(env or {})
        command = [program, *arguments, "--ui-log", self.log_path, "--settings", settings]
        if size:
            command += ["--size", "%dx%d" % size]
        self.started = time.time()
        self.process = subprocess.Popen(command, env=environment, cwd=cwd or self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.window = None
        self.last = None
        self.position = 0
        self.rest = ""
        if ready:
            self.wait_for(lambda s: not s.get("loading", True), "the first scene", 30)
            self.window = self.xdotool("search", "--sync", "--onlyvisible", "--pid", str(self.process.pid)).split()[-1]
            self.xdotool("windowactivate", "--sync", self.window)
            time.sleep(0.5)

    # What the window says of itself.
    def read(self):
        if not os.path.exists(self.log_path):
            return self.last
        with open(self.log_path, encoding="utf-8") as log:
            log.seek(self.position)
            text = self.rest + log.read()
            self.position = log.tell()
        lines = text.split("\n")
        self.rest = lines.pop()
        if lines:
            self.last = json.loads(lines[-1])
        return self.last

    @property
    def state(self):
        line = self.read()
        return line["state"] if line else {}

    def wait_for(self, condition, what, seconds=15):
        end = time.time() + seconds
        while time.time() < end:
            line = self.read()
            if line and condition(line["state"]):
                return line["state"]
            if self.process.poll() is not None:
                raise Failure("the program ended with %s while waiting for %s: %s" % (self.process.returncode, what, self.process.stderr.read()))
            time.sleep(0.05)
        raise Failure("waited %g s for %s; state: %s" % (seconds, what, json.dumps(self.state, ensure_ascii=False)))

    def rect(self, widget, seconds=10):
        end = time.time() + seconds
        while time.time() < end:
            line = self.read()
            if line and widget in line["widgets"]:
                return line["widgets"][widget]
            time.sleep(0.05)
        raise Failure("no widget \"%s\"; there are %s" % (widget, ", ".join(sorted(self.last["widgets"]))))

    # Real events.
    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *arguments], env=self.display.env, check=True, capture_output=True, text=True).stdout

    def move(self, x, y):
        self.xdotool("mousemove", "--window", self.window, str(int(x)), str(int(y)))
        time.sleep(0.2)

    def centre(self, widget, fx=0.5, fy=0.5):
        x0, y0, x1, y1 = self.rect(widget)
        return x0 + (x1 - x0) * fx, y0 + (y1 - y0) * fy

    def press(self, button=1):
        self.xdotool("mousedown", str(button))
        time.sleep(0.2)

    def lift(self, button=1):
        self.xdotool("mouseup", str(button))
        time.sleep(0.2)

    def click(self, widget, fx=0.5, fy=0.5, button=1):
        self.move(*self.centre(widget, fx, fy))
        self.press(button)
        self.lift(button)

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)
            time.sleep(0.15)

    def type(self, text):
        self.xdotool("type", "--delay", "60", "--", text)
        time.sleep(0.2)

    def focus_view(self):
        """Moves the mouse over the view, clear of its buttons."""
        self.move(*self.centre("view", 0.9, 0.6))

    def menu(self, menu, item):
        self.click("menu." + menu)
        time.sleep(0.3)
        self.click("menu." + item)
        time.sleep(0.3)

    def type_into(self, widget, text, finish="Return"):
        self.click(widget)
        self.wait_for(lambda s: s["typing"], "the field " + widget)
        self.key("ctrl+a")
        self.type(text)
        if finish:
            self.key(finish)
        time.sleep(0.3)

    def screenshot(self, path):
        subprocess.run(["import", "-window", "root", path], env=self.display.env, check=True)

    # The end.
    def close(self, seconds=10):
        """Asks the window to close as a person does; returns (exit status, seconds it took)."""
        began = time.time()
        self.xdotool("key", "--clearmodifiers", "alt+F4")
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            raise Failure("the window did not close within %g s" % seconds)
        return status, time.time() - began

    def cpu_seconds(self):
        with open("/proc/%d/stat" % self.process.pid) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if kind is None:
            shutil.rmtree(self.folder, ignore_errors=True)


def expect(condition, message):
    if not condition:
        raise Failure(message)
