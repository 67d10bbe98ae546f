#!/usr/bin/env python3
"""Holds README.md against the program: keys, commands, example scenes, packages and pictures.

    readme_test.py CHECKOUT PROGRAM          PROGRAM: a built plica
    readme_test.py CHECKOUT --keys           prints the key tables as they have to stand in README.md
"""
import pathlib
import re
import subprocess
import sys
import tempfile

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def shortcut_groups(checkout):
    """[(group title, [(keys, label, hint)])] of the one table in app/shortcuts.cpp."""
    source = (checkout / "app/shortcuts.cpp").read_text(encoding="utf-8")
    titles = dict(re.findall(r'case (\w+):\s*return "([^"]+)"', source))
    row = re.compile(r'\{Action::\w+,\s*(\w+),\s*"\w+",\s*"([^"]+)",\s*[^"]*?,\s*"([^"]*)",\s*"([^"]+)"\}')
    rows = row.findall(source)
    expect(len(rows) == source.count("{Action::"), "app/shortcuts.cpp holds entries that this test cannot read")
    groups = {}
    for group, label, keys, hint in rows:
        if keys:
            groups.setdefault(titles[group], []).append((keys, label.rstrip("…"), hint))
    mouse = re.search(r"mouse_table\[\] = \{(.*?)\n\};", source, re.S).group(1)
    hints = re.findall(r'\{"([^"]+)",\s*"([^"]+)"\}', mouse)
    return list(groups.items()), hints


def key_tables(checkout):
    groups, mouse = shortcut_groups(checkout)
    lines = []
    for title, rows in groups:
        lines += [f"| {title} | | |", "| --- | --- | --- |"]
        lines += [f"| {keys} | {label} | {hint} |" for keys, label, hint in rows] + [""]
    lines += ["| Mouse in the view | |", "| --- | --- |"]
    lines += [f"| {gesture} | {effect} |" for gesture, effect in mouse]
    return lines


def check_keys(checkout, readme):
    present = set(readme.splitlines())
    wanted = [line for line in key_tables(checkout) if line]
    for line in wanted:
        expect(line in present, f"README lacks this line of the key tables: {line}")
    section = readme.split("\n## Keys\n", 1)[-1].split("\n## ", 1)[0]
    for line in section.splitlines():
        if line.startswith("|"):
            expect(line in wanted, f"README's keys have a line that app/shortcuts.cpp does not have: {line}")


def check_commands(readme, program):
    """Each `plica COMMAND --option` of the command line section has to stand in the program's own help."""
    section = readme.split("\n## Command line\n", 1)[-1].split("\n## ", 1)[0]
    helps = {}

    def help_of(command):
        if command not in helps:
            done = subprocess.run([program, command, "--help"] if command else [program, "--help"],
                                  capture_output=True, text=True, check=False)
            helps[command] = done.stdout if done.returncode == 0 else None
        return helps[command]

    overview = help_of("") or ""
    used = re.findall(r"^(?:\$ )?(?:\./)?plica +([a-z]+)(.*)$", section, re.M)
    expect(len(used) > 5, "README's command line section shows hardly any command")
    for command, rest in used:
        if command == "test":
            continue
        expect(re.search(rf"^\s*{command}\b", overview, re.M), f"plica --help does not know the command {command} of the README")
        text = help_of(command)
        expect(text is not None, f"plica {command} --help fails")
        for option in re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", rest.split("#")[0]):
            expect(re.search(rf"{re.escape(option)}\b", text or ""), f"README: plica {command} {option} is not in plica {command} --help")


def check_scenes(readme, program):
    blocks = re.findall(r"```toml\n(.*?)```", readme, re.S)
    expect(blocks, "README shows no scene")
    for block in blocks:
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "readme.plica.toml"
            scene.write_text(block, encoding="utf-8")
            done = subprocess.run([program, "check", str(scene)], capture_output=True, text=True, check=False)
            expect(done.returncode == 0, f"a scene of the README is refused: {done.stderr.strip()}")


def check_files(checkout, readme):
    for path in re.findall(r"\]\((?!https?:)([^)#]+)\)", readme):
        file = checkout / path
        expect(file.is_file(), f"README points to {path}, which does not exist")
        if file.is_file() and file.suffix in (".png", ".gif"):
            limit = 500_000 if file.suffix == ".png" else 2_000_000
            expect(file.stat().st_size <= limit, f"{path} has {file.stat().st_size} bytes; at most {limit}")
    for folder in re.findall(r"`((?:engine|render|app|assets|tests|cmake)(?:/[\w/]*)?)`", readme):
        expect((checkout / folder).exists(), f"README speaks of {folder}, which does not exist")


def main():
    checkout = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "--keys":
        print("\n".join(key_tables(checkout)))
        return
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    check_keys(checkout, readme)
    check_files(checkout, readme)
    check_commands(readme, sys.argv[2])
    check_scenes(readme, sys.argv[2])
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
