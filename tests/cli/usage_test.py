"""Bad usage and bad input: one clear message, status 2, no file."""
import json
import os
import resource

from cli import *

claim(plica("--version").out.startswith("plica "), "--version tells the version")
help_text = plica("--help")
claim(help_text.status == 0 and all(c in help_text.out for c in ("run", "resume", "view", "info", "check", "export", "compare", "bench", "bag")),
      "--help lists commands and shipped scenes", help_text)
for command in ("run", "resume", "view", "info", "check", "export", "compare", "bench"):
    claim(plica(command, "--help").status == 0, f"{command} --help works")

refused(["rnu", "small.plica.toml"], "there is no command \"rnu\"", "did you mean \"run\"")
refused(["run"], "SCENE")
refused(["run", "bga"], "did you mean \"bag\"", "sheet_on_sphere")
refused(["run", "small.plica.toml", "--untl", "1"], "did you mean \"--until\"")
refused(["run", "small.plica.toml", "--until", "1,5"], "1,5", "decimal sign is a point")
for bad in ("nan", "inf", "abc", "", "0x10"):
    refused(["run", "small.plica.toml", "--until", bad], "is not a number")
refused(["run", "small.plica.toml", "--until", "0"], "--until is 0")
refused(["run", "small.plica.toml", "--backend", "cuda"], "no CUDA solver")
refused(["run", "small.plica.toml", "--backend", "vulkan"], "vulkan")
refused(["run", "small.plica.toml", "--threads", "-1"], "1 to 256")
refused(["run", "small.plica.toml", "--threads", "1.5"], "1.5")
refused(["run", "small.plica.toml", "--set", "friction"], "key=value")
refused(["run", "small.plica.toml", "--set", "solver.frction_mu=1"], "friction_mu")
refused(["run", "small.plica.toml", "--set", "solver.dhat=0"], "dhat is 0", "allowed")
refused(["run", "small.plica.toml", "--set", "film.sheet.thickness=-1"], "thickness")
refused(["run", "small.plica.toml", "--contact", "soft"], "soft", "guarded")
refused(["run", "small.plica.toml", "--set", "contact.mode=soft"], "contact.mode", "guarded")
refused(["run", "no/such.plica.toml"], "no/such.plica.toml")
refused(["run", "."], ".")
refused(["run", "small.plica.toml", "--pin", "3"], "--pin")
with open("broken.plica.toml", "w") as f:
    f.write(SMALL.replace("nx = 8", "nx = = 8"))
refused(["run", "broken.plica.toml"], "broken.plica.toml:6")
with open("nan.plica.toml", "w") as f:
    f.write(SMALL.replace("spacing = 0.01", "spacing = nan"))
refused(["check", "nan.plica.toml"], "nan.plica.toml:8")
with open("overlap.plica.toml", "w") as f:
    f.write(SMALL.replace("[0.005, 0, 0.12]", "[0.005, 0, 0.092]"))
refused(["run", "overlap.plica.toml"], "initial overlap", "gap", "nothing was computed")
refused(["check", "overlap.plica.toml"], "initial overlap")
checked = plica("check", "overlap.plica.toml", "--json")
answer = json.loads(checked.out)
claim(checked.status == 2 and answer["valid"] is False and answer["overlaps"] > 0 and answer["pairs"], "check --json lists the pairs", checked)

# Places that cannot be written.
open("a file", "w").close()
for place in ("no/such/folder/a.h5", "a file/a.h5", "/proc/a.h5", "/dev/full", "."):
    refused(["run", "small.plica.toml", "-o", place], place.split("/")[0] or "/")
# A full disk at the start, played by a limit on the size of files.
full = refused(["run", "small.plica.toml", "-o", "full.h5"], "full.h5", "space",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))

refused(["view", "small.plica.toml"], "no display")
refused(["info"], "--system")
refused(["info", "missing.h5"], "missing.h5", "does not exist")
refused(["info", "small.plica.toml"], "it is text")
refused(["info", "."], "is a folder")

checked = plica("check", "small.plica.toml")
claim(checked.status == 0 and "valid" in checked.out, "check passes a good scene", checked)
system = json.loads(plica("info", "--system", "--json").out)
claim(system["cuda"]["built"] is False and system["cuda"]["reason"] and system["cores"] >= 1, "info --system --json tells of CUDA", system)
bench = plica("bench", "small.plica.toml", "--steps", "5", "--threads", "1", "--json")
numbers = json.loads(bench.out)
for key in ("ms_per_iteration", "iterations_per_step", "ms_per_step", "stages", "peak_rss_mb"):
    claim(key in numbers, f"bench --json has {key}", bench)
claim(abs(sum(numbers["stages"].values()) - numbers["ms_per_step"]) < 0.25 * numbers["ms_per_step"], "the stages add up to the step", bench)
refused(["bench", "small.plica.toml", "--steps", "0"], "--steps")
