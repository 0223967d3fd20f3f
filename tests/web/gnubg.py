"""GNU Backgammon's own reading of a match record."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").exists() else None)


def games(record: str, folder: Path) -> list[tuple[str, int]]:
    """(winner "left" or "right", points) of every game as gnubg exports them again."""
    if GNUBG is None:
        pytest.skip("GNU Backgammon is not on this machine (Debian: apt install gnubg)")
    (folder / "in.mat").write_text(record, encoding="utf-8")
    script = "set threads 1\nset confirm new off\nset confirm save off\nimport mat in.mat\nexport match mat out.mat\n"
    env = dict(os.environ, HOME=str(folder))
    run = subprocess.run([GNUBG, "-t", "-q", "-r"], input=script, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    out = folder / "out.mat"
    assert out.exists(), run.stdout + run.stderr
    found = []
    for line in out.read_text(encoding="utf-8").splitlines():
        won = re.search(r"Wins (\d+) point", line)
        if won:
            found.append(("left" if won.start() < 30 else "right", int(won.group(1))))
    return found
