#!/bin/sh
# plica_golden: exit status 2 for a missing folder, an empty one and malformed files; 1 for a wrong value; 0 for a right one.
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

expect() {  # status, what, arguments…
    want=$1 what=$2
    shift 2
    "$program" "$@" >"$folder/log" 2>&1
    got=$?
    if [ "$got" -ne "$want" ] || [ ! -s "$folder/log" ]; then
        echo "$what: exit status $got, expected $want; output:"
        cat "$folder/log"
        failed=1
    fi
}
case_file() {  # energy of a support with k = 2 N/m, 3 m from its target
    echo '{"tolerance": {"rtol": 1e-12}, "cases": [{"name": "one", "inputs": {"kind": "support", "k": 2.0, "x": [3, 0, 0], "target": [0, 0, 0]},
           "expected": {"energy": '"$1"'}}]}'
}

expect 2 "missing folder" "$folder/none"
mkdir "$folder/empty" "$folder/right" "$folder/wrong" "$folder/broken" "$folder/shape" "$folder/unknown" "$folder/nothing"
expect 2 "empty folder" "$folder/empty"
expect 2 "too many arguments" "$folder/empty" "$folder/empty"
case_file 9.0 >"$folder/right/07_a.json"
expect 0 "right value" "$folder/right"
case_file 9.00001 >"$folder/wrong/07_a.json"
expect 1 "wrong value" "$folder/wrong"
echo '{"cases": [' >"$folder/broken/07_a.json"
expect 2 "malformed JSON" "$folder/broken"
echo '{"cases": [{"inputs": {"kind": "support"}, "expected": {}}]}' >"$folder/shape/07_a.json"
expect 2 "missing key" "$folder/shape"
echo '{"cases": []}' >"$folder/unknown/99_a.json"
expect 0 "unknown prefix" "$folder/unknown"
echo '{"cases": [{"name": "x", "inputs": {"g": 1, "dhat": 1, "k": 1}, "expected": {"unheard": 1}}]}' >"$folder/nothing/01_barrier.json"
expect 1 "nothing compared" "$folder/nothing"
exit $failed
