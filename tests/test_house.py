"""The house rules: imports flow one way, types hold, files stay one idea long."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("referee", "vision", "hardware", "web")


def _run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *args], cwd=ROOT, capture_output=True, text=True, timeout=600)


def test_imports_flow_one_way() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    "tool", [("ruff", "check", "."), ("mypy",), ("mypy", "--platform", "win32", "--cache-dir", ".mypy_cache/win32")], ids=lambda t: t[0]
)
def test_is_clean(tool: tuple[str, ...]) -> None:
    run = _run(*tool)
    assert run.returncode == 0, run.stdout + run.stderr


def test_files_stay_short() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if (lines := len(path.read_text().splitlines())) > 450
    }
    assert not long, f"split these by idea: {long}"


def test_only_the_named_places_know_json() -> None:
    allowed = (
        "referee/records/", "web/access.py", "web/cli/", "web/demo/", "web/live.py", "web/readings.py", "web/runtime/saw.py",
        "vision/boardfile.py", "vision/training/",
    )
    found = [
        name
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not (name := path.relative_to(ROOT).as_posix()).startswith(allowed)
        and any(line.strip().startswith(("import json", "from json")) for line in path.read_text().splitlines())
    ]
    assert not found


def test_the_map_names_every_file_of_the_match_and_none_that_is_not_there() -> None:
    named = set(re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    assert {path.name for path in (ROOT / "referee" / "match").rglob("*.py")} - {"__init__.py"} <= named
    assert named <= {path.name for package in (*PACKAGES, "tests") for path in (ROOT / package).rglob("*.py")}


def test_every_page_is_found_from_the_readme_and_no_link_leads_nowhere() -> None:
    found, to_read = set[Path](), [ROOT / "README.md"]
    while to_read:
        page = to_read.pop()
        assert page.is_file(), f"a link to {page} leads nowhere"
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        to_read += [(page.parent / link).resolve() for link in links if "://" not in link]
    assert set((ROOT / "docs").glob("*.md")) <= found
