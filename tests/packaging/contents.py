"""Check what the wheel and the source archive hold: ``python -m tests.packaging.contents dist``."""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "fewest"
#: What must not be shipped: tests, data sets, and what Python and numba write.
UNWANTED = re.compile(r"(^|/)(tests|data/networks|benchmarks)/|\.arff|\.bif|__pycache__|\.nb[ci]$")
DATA_FOLDER = re.compile(r"^(?:fewest-[^/]+/)?data/")


def complaints(names: list[str]) -> list[str]:
    """What is wrong with the list of files of a wheel (paths that begin with ``fewest/``)."""
    found = [f"{name} must not be shipped" for name in names if unwanted(name)]
    missing = sorted(expected() - set(names))
    return found + [f"{name} is missing" for name in missing]


def unwanted(name: str) -> bool:
    return bool(UNWANTED.search(name) or DATA_FOLDER.search(name))


def expected() -> set[str]:
    """Every file of the package, as it is in the checkout."""
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    names = {path.relative_to(PACKAGE.parent).as_posix() for path in files}
    return {name for name in names if not unwanted(name)}


def files(archive: Path) -> list[str]:
    """The paths in a wheel, or in a source archive without its leading folder."""
    if archive.suffix == ".whl":
        return zipfile.ZipFile(archive).namelist()
    with tarfile.open(archive) as opened:
        return [m.name.partition("/")[2] for m in opened.getmembers() if m.isfile()]


def main(folder: Path) -> int:
    archives = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    if len(archives) != 2:
        print(f"{folder} must hold one wheel and one source archive, but holds {archives}.")
        return 1
    wrong = 0
    for archive in archives:
        names = files(archive)
        found = complaints(names)
        print(f"{archive.name}: {len(names)} files, {archive.stat().st_size / 1e6:.2f} MB")
        print(*(f"  {complaint}" for complaint in found), sep="\n", end="\n" if found else "")
        wrong += len(found)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
