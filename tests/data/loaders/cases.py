"""A small file that several tests load."""

from __future__ import annotations

CSV = 'size,"the, colour",grade,y\n1.5,red,3,no\n?,blue,4,yes\nNA, red ,5,no\n2,"",6,yes\n'
