"""Tables that several tests of trees use."""

from __future__ import annotations

# Quinlan's days for tennis: outlook, temperature, humidity, wind, play.
DAYS = """sunny 85 85 false no
sunny 80 90 true no
overcast 83 86 false yes
rainy 70 96 false yes
rainy 68 80 false yes
rainy 65 70 true no
overcast 64 65 true yes
sunny 72 95 false no
sunny 69 70 false yes
rainy 75 80 false yes
sunny 75 70 true yes
overcast 72 90 true yes
overcast 81 75 false yes
rainy 71 91 true no"""


def days():
    rows = [line.split() for line in DAYS.split("\n")]
    return [[r[0], float(r[1]), float(r[2]), r[3]] for r in rows], [r[4] for r in rows]
