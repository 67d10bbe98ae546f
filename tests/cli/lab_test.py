"""`plica lab wall`: the source's table byte for byte, other settings, bad ones."""
import json
import subprocess
import sys
import unittest

PLICA = sys.argv.pop(1)

TABLE = """wall at 0.503 m, thickness 20 mm, h = 10 ms
 v0[m/s] | pen k=1e4     | pen k=1e6     | IPC d^=1mm
       1 | stop  5.00 mm | stop  0.07 mm | gap  166.4 um, newton  8
       2 | through       | stop  0.17 mm | gap   71.0 um, newton  8
       5 | through       | through       | gap   24.0 um, newton  9
      10 | through       | through       | gap   11.1 um, newton 10
      20 | through       | through       | gap   10.4 um, newton 11
      50 | through       | through       | gap    2.1 um, newton 12
"""


def wall(*options):
    return subprocess.run([PLICA, "lab", "wall", *options], capture_output=True, text=True, timeout=60)


class LabWall(unittest.TestCase):
    def test_prints_the_table_of_the_source(self):
        self.assertEqual(wall().stdout, TABLE)

    def test_a_stiffer_penalty_does_not_hold_a_fast_ball(self):
        run = json.loads(wall("--v0", "5", "--k", "1e8", "--json").stdout)["runs"][0]
        self.assertTrue(run["penalty"][0]["through"])
        self.assertTrue(run["penalty_can_pass"])
        self.assertFalse(run["ipc"]["through"])
        self.assertGreater(run["ipc"]["gap"], 0)

    def test_several_speeds_in_their_order(self):
        runs = json.loads(wall("--v0", "20", "--v0", "1", "--json").stdout)["runs"]
        self.assertEqual([r["v0"] for r in runs], [20, 1])

    def test_bad_numbers_are_refused_with_their_option(self):
        for bad in ("-1", "0", "nan", "1,5", "fast"):
            done = wall("--v0", bad)
            self.assertEqual(done.returncode, 2, bad)
            self.assertIn("--v0", done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
