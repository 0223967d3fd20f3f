"""Pictures kept as evidence: found again as they were, never more than may be, never outside their folder."""

from __future__ import annotations

from pathlib import Path

from referee.match.events import Evidence
from referee.records.pictures import Pictures


def test_a_picture_is_found_again_only_as_it_was_kept(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "a.db")
    kept = pictures.keep(3, b"jpeg")
    assert kept is not None
    assert pictures.keep(3, b"jpeg") == kept, "the same picture is kept once"
    assert pictures.read(kept) == b"jpeg"
    (pictures.folder / kept.file).write_bytes(b"another")
    assert pictures.read(kept) is None
    pictures.remove(3)
    assert pictures.read(kept) is None


def test_a_name_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"x")
    pictures = Pictures(tmp_path / "a.db")
    pictures.keep(1, b"jpeg")
    sha256 = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    assert pictures.read(Evidence("../secret", sha256)) is None
    assert pictures.read(Evidence(str(secret), sha256)) is None
    assert pictures.read(Evidence("\0", sha256)) is None


def test_the_oldest_finished_matches_make_room(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "a.db", limit=250)
    for match in (1, 2, 3, 4):
        pictures.keep(match, bytes([match]) * 100)
    assert pictures.prune([1, 2, 3]) == (1, 2)
    assert pictures.used() == 200
    assert pictures.prune([3]) == ()


def test_a_picture_that_cannot_be_kept_holds_nothing_up(tmp_path: Path) -> None:
    (tmp_path / "a.db-pictures").write_text("in the way")
    assert Pictures(tmp_path / "a.db").keep(1, b"jpeg") is None
