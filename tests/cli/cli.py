"""What the tests of the command line share: running the program, small scenes, claims."""
import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp(prefix="plica cli тест's ")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.chdir(folder)

environment = dict(os.environ)
for name in ("DISPLAY", "WAYLAND_DISPLAY"):
    environment.pop(name, None)

SMALL = """name = "small"
duration = 0.25
[[film]]
name = "sheet"
generator = "sheet"
nx = 8
ny = 8
spacing = 0.01
origin = [-0.04, -0.04, 0.09]
[[obstacle]]
name = "ball"
generator = "ball"
radius = 0.03
position = [0, 0, 0.05]
level = 2
[[obstacle]]
name = "floor"
generator = "floor"
x = [-0.2, 0.2]
y = [-0.2, 0.2]
z = 0
[[sphere]]
name = "marble"
radius = 0.008
density = 250
position = [0.005, 0, 0.12]
"""
with open("small.plica.toml", "w") as f:
    f.write(SMALL)


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def __str__(self):
        return f"status {self.status}\n--- out\n{self.out}\n--- err\n{self.err}"


def plica(*arguments, env=None, timeout=300, preexec_fn=None):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          env={**environment, **(env or {})}, preexec_fn=preexec_fn)
    return Result(done.returncode, done.stdout, done.stderr)


def start(*arguments, env=None):
    """Starts a run; an older file named by -o goes first, so that nobody waits for its frames."""
    if "-o" in arguments and os.path.exists(arguments[arguments.index("-o") + 1]):
        os.remove(arguments[arguments.index("-o") + 1])
    return subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**environment, **(env or {})})


def claim(truth, what, context=""):
    if not truth:
        sys.exit(f"NOT TRUE: {what}\n{context}")
    print("ok:", what)


def files():
    return sorted(os.listdir("."))


def refused(arguments, *words, status=2, **more):
    """The command ends with the status, says the words on stderr in one message and leaves no new file."""
    before = files()
    result = plica(*arguments, **more)
    name = " ".join(map(str, arguments))
    claim(result.status == status, f"`{name}` ends with status {status}", result)
    for word in words:
        claim(word in result.err, f"`{name}` says \"{word}\"", result)
    claim("unexpected" not in result.err, f"`{name}` has a message of its own", result)
    claim(files() == before, f"`{name}` leaves nothing", f"{before} {files()}")
    return result


def wait_for_frames(path, count, timeout=120):
    """Until a growing recording shows `count` whole frames to other programs."""
    import h5py
    end = time.time() + timeout
    while time.time() < end:
        try:
            with h5py.File(path, "r", libver="latest", swmr=True) as f:
                if f["frames/count"][0] >= count:
                    return
        except (OSError, KeyError):
            pass
        time.sleep(0.02)
    sys.exit(f"{path} did not come to {count} frames in {timeout} s")
