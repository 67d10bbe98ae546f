#!/usr/bin/env bash
# The launcher ./plica on a toy project in a folder with a blank in its name, with a stand-in for apt.
#   launcher_test.sh CHECKOUT
set -euo pipefail
checkout=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
project="$work/a b"
checks=0

fail() { printf 'FAILED: %s\n' "$1" >&2; [[ -f $work/err ]] && cat "$work/err" >&2; exit 1; }
expect_status() { checks=$((checks + 1)); [[ $status == "$1" ]] || fail "$2: status $status instead of $1"; }
expect_out() { checks=$((checks + 1)); grep -qF -- "$1" "$work/out" || fail "stdout lacks '$1': $(head -c 300 "$work/out")"; }
expect_err() { checks=$((checks + 1)); grep -qF -- "$1" "$work/err" || fail "stderr lacks '$1'"; }
expect_silence() { checks=$((checks + 1)); [[ ! -s $work/err ]] || fail "$1: stderr is not empty"; }
plica() {
    status=0
    "$project/plica" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# The toy: prints its arguments; its package list asks for two packages, of which the stand-in says that one is missing.
mkdir -p "$project/cmake" "$work/bin"
cp "$checkout/plica" "$checkout/CMakePresets.json" "$project/"
printf '%s\n' '# list' '[build]' 'have-one   # there' 'lack-one' '[test]' 'lack-two  # only for tests' >"$project/cmake/packages.txt"
cat >"$project/CMakeLists.txt" <<'TOY'
cmake_minimum_required(VERSION 3.25)
project(toy CXX)
add_executable(plica toy.cpp)
add_executable(plica_golden toy.cpp)
enable_testing()
add_test(NAME toy COMMAND plica)
TOY
cat >"$project/toy.cpp" <<'TOY'
#include <cstdio>
int main(int count, char** words) {
    for (int i = 1; i < count; ++i) std::printf("[%s]", words[i]);
    return count > 1 && words[1][0] == '1';
}
TOY
cat >"$work/bin/dpkg-query" <<STUB
#!/bin/bash
for name in "\$@"; do
    case \$name in
        have-*) echo "\$name installed" ;;
        lack-*) if [[ -e "$work/installed-\$name" ]]; then echo "\$name installed"; else echo "\$name not-installed"; fi ;;
    esac
done
STUB
cat >"$work/bin/apt-get" <<STUB
#!/bin/bash
echo "\$*" >>"$work/apt.log"
[[ \$1 == update ]] && exit 0
if [[ -e "$work/apt-broken" ]]; then echo "E: Unable to locate package lack-one"; exit 100; fi
for name in "\$@"; do if [[ \$name == lack-* ]]; then touch "$work/installed-\$name"; fi; done
STUB
printf '#!/bin/bash\n[[ $1 == -n ]] && shift\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work"/bin/*
export PATH="$work/bin:$PATH"
unset CI

# Nothing can be installed: says so, names the log, builds nothing.
touch "$work/apt-broken"
plica hello
expect_status 3 "packages that cannot be installed"
expect_err "lack-one"
expect_err "E: Unable to locate package lack-one"
expect_err "install.log"
[[ ! -e $project/build/release ]] || fail "went on without its packages"
rm "$work/apt-broken" "$work/apt.log"

# A person who answers no gets the command and nothing is installed.
status=0
printf 'n\n' | script -qec "'$project/plica' hello" "$work/err" >/dev/null || status=$?
expect_status 3 "the answer no"
expect_err "install them now? [Y/n]"
expect_err "apt-get install -y --no-install-recommends lack-one"
[[ ! -e $work/apt.log ]] || fail "installed in spite of the answer no"

# Nobody at a terminal: installs, configures, builds, runs; arguments arrive as they are, stdout is the program's alone.
plica "two words" -x
expect_status 0 "first start"
expect_err "lack-one"
[[ $(<"$work/out") == "[two words][-x]" ]] || fail "stdout: $(<"$work/out")"
grep -q 'install .*lack-one' "$work/apt.log" || fail "lack-one was not installed"
! grep -q lack-two "$work/apt.log" || fail "the tests' packages were installed for a start"

# Nothing to do: nothing is said, nothing is asked of apt, the exit status is the program's.
rm "$work/apt.log"
plica 1
expect_status 1 "the program's status"
expect_silence "start with nothing to do"
[[ ! -e $work/apt.log ]] || fail "asked apt again"

# Started through a link and from elsewhere.
ln -s "$project/plica" "$work/link"
[[ $(cd / && "$work/link" via) == "[via]" ]] || fail "start through a link"

# Tests: their packages too, ctest's summary at the end, its arguments arrive.
plica -y test -R toy
expect_status 0 "test"
expect_out "100% tests passed"
expect_err "configuring"
grep -q 'install .*lack-two' "$work/apt.log" || fail "lack-two was not installed for the tests"
plica test -R none --no-tests=error
((status != 0)) || fail "ctest's status got lost"

# Changed source: rebuilt. Broken source: first error and log, the program is not started.
sed -i 's/\[%s\]/<%s>/' "$project/toy.cpp"
plica new
expect_out "<new>"
echo 'not C++' >>"$project/toy.cpp"
plica new
expect_status 3 "broken source"
expect_err "toy.cpp"
expect_err "build.log"
[[ ! -s $work/out ]] || fail "started in spite of the broken build"
sed -i '$d' "$project/toy.cpp"

# Moved folder: configured anew instead of CMake's refusal.
mv "$project" "$work/c d"
project="$work/c d"
plica moved
expect_status 0 "moved folder"
expect_out "<moved>"

# Two at once wait for each other.
touch "$project/toy.cpp"
"$project/plica" one >"$work/one" 2>/dev/null &
plica two
wait $!
expect_out "<two>"
[[ $(<"$work/one") == "<one>" ]] || fail "two launchers at once"

printf '%d checks passed\n' "$checks"
