"""Match records by file: which format a text is in, reading it, writing it."""

from __future__ import annotations

import gzip
import html
import io
import quopri
import re
import zlib
from dataclasses import replace
from pathlib import Path

from referee.records.columns import read_columns
from referee.records.fields import holds_unread, may_go_on
from referee.records.jsonrecord import read_json, write_json
from referee.records.mat import SETS, leaves_out_rolls, names_of, other_crawford, unsaid_by_hand, write_mat
from referee.records.record import Do, NotARecord, Parsed, Record
from referee.records.sgf import TAGS, read_sgf, write_sgf
from referee.records.snowie import write_snowie

SIZE_LIMIT = 32_000_000  # bytes
WRITERS = {".mat": write_mat, ".sgf": write_sgf, ".txt": write_snowie, ".json": write_json}

_SGF = re.compile(r"^\(\s*;\s*[A-Z]{1,2}\s*\[", re.M)
"""How a tree begins; any text may stand before the first."""
_QUOTED = re.compile(r"^(>(?: ?>)* ?)[ \t]*(?:\(\s*;|\d{1,6}[\s-]{0,9}(?:points?|pts?\.?)\s+match\b)", re.M | re.I)
"""How a record begins that is quoted in a letter, its marks apart."""
_SENT = re.compile(rb"(?:^[^\r\n]{69,74}[^\r\n=]=|=20)\r?\n", re.M)
"""How a line ends in a letter as it is sent (quoted-printable), where it goes on or its last blank would be lost; no ruled line does."""
_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html|pre|head|body)\b", re.I)
_JSON = re.compile(r'\{|\[\s*[]\[{"\d-]')
"""How JSON begins, our records or not; a header's tag, [Event ...], begins otherwise."""

_OTHERS = "this is a file of {}’s own: save the match there as .mat or as text, and take that file"
_KNOWN = {
    b"SQLite format 3\0": "this is a database of matches: ‘referee convert’ takes a match out of it, and that file can be checked",
    b"RGMH": _OTHERS.format("eXtreme Gammon"),
    b"OGXM": _OTHERS.format("OpenGammon"),
    b"PK\x03\x04": "this is a zip archive: unpack it, and take the match record in it",
}
"""What people bring that is no text, by how it begins, and what to do with it."""

ILLEGAL_LOST = "illegal plays that stood: .txt, .sgf and .json can carry them"
DOUBLES_LOST = "automatic doubles: only .sgf and .json can carry them"
POSITION_LOST = "positions set by hand that are none of thirty checkers: only .sgf and .json can carry them"
BY_HAND_LOST = "what was set by hand, for most programs: in .mat and .txt only GNU Backgammon and eXtreme Gammon look for it"
UNREAD_LOST = "where something could not be read, after which nobody knows how the checkers stand: only .json marks it"
CUBE_LOST = "a cube set by hand that shows more than 1 in the middle, or 1 beside a player: only .sgf and .json can carry it"
ROLLS_LOST = "rolls that were not played though one play was legal: only .sgf and .json have them, for other readers would play it"
JACOBY_LOST = "whether the Jacoby rule held: only .sgf and .json say it, and a reader may count gammons otherwise"
CRAWFORD_LOST = "that there is no Crawford game: .txt cannot say it, and a reader may take one for it"
OTHER_CRAWFORD_LOST = "which game was the Crawford game: .mat and .txt cannot say it, and a reader takes the first at match point for it"
NAMES_LOST = "the names in full: .mat and .txt hold 31 bytes of each, without a colon, and no two that are the same"
AWARDED_LOST = (
    "points that no game won (penalties, a score set by hand): the next game’s score holds them, but only .json says what they were"
)
RULED_LOST = "that a game was awarded, whatever its cube and its play give: only .json says so"
WINNER_LOST = "who won the match, which was not decided by the games in it: only .json says so"
TAGS_LOST = "the header’s tags (event, date ...): .txt has none, .sgf five of them"
REMARKS_LOST = "comments, marks and analyses: no record here holds them"
TWICE_LOST = "a header’s tag that is there more than once: .json keeps the last"
BESIDE = frozenset({"Player 1", "Player 2", "Crawford", "Jacoby", "Variation", "Game", "Match ID"})  # what every format says otherwise


def read_record(path: Path) -> Parsed:
    """The record in ``path``, whatever its ending says. Raises `NotARecord` (also for a file that cannot be read)."""
    return read_bytes(bytes_of(path))


def bytes_of(path: Path) -> bytes:
    """A file that may be a record. Raises `NotARecord` when it cannot be read or is too large; who catches it names the file."""
    try:
        if path.exists() and not path.is_file():
            raise NotARecord("this is a folder or a device, not a file: name one match record")
        if path.stat().st_size > SIZE_LIMIT:
            with path.open("rb") as file:
                _refuse_binary(file.read(4096))  # what it is says more than its size
            raise NotARecord("the file is too large to be a match record: name another")
        return path.read_bytes()
    except FileNotFoundError:
        raise NotARecord("there is no such file: check its name") from None
    except OSError as error:
        raise NotARecord(f"the file cannot be read ({error.strerror or error}): check that you may open it") from None


def read_bytes(data: bytes) -> Parsed:
    """The record in a file's bytes, gzipped or not. Raises `NotARecord`."""
    text = _unquoted(_unmarked(text_of(data)))
    start = text.lstrip("\ufeff \t\r\n")[:200]
    if start.startswith("(") or _SGF.search(text):
        return read_sgf(text)
    if _JSON.match(start):
        return read_json(text)
    return read_columns(text)


def text_of(data: bytes) -> str:
    """A file's text, gzipped or not, in whatever encoding. Raises `NotARecord` when it is none."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(SIZE_LIMIT)
        except (OSError, EOFError, zlib.error):
            raise NotARecord("the file is compressed and damaged: copy it again") from None
    if not data.strip():
        raise NotARecord("the file is empty: copy it again, or name another")
    _refuse_binary(data)
    return _decode(quopri.decodestring(data) if _SENT.search(data) else data)


def _unmarked(text: str) -> str:
    """What a saved web page shows, without its tags: the record in it."""
    if not _PAGE.match(text):
        return text
    shown = re.sub(r"(?i)<br\s*/?>(?:\r?\n)?|</(?:p|div|tr|li|h\d)>", "\n", text)
    return html.unescape(re.sub(r"<[^<>]*>", "", shown))


def _unquoted(text: str) -> str:
    """The text without the marks that a letter puts before every line it quotes."""
    found = _QUOTED.search(text)
    return re.sub(rf"(?m)^{re.escape(found[1].rstrip())} ?", "", text) if found is not None else text


def _refuse_binary(data: bytes) -> None:
    """Raises `NotARecord` for what does not begin like text."""
    for start, what in _KNOWN.items():
        if data.startswith(start):
            raise NotARecord(what)
    if data[:1] == b"{" and b"\x1f\x8b" in data[:400]:  # a line of JSON, then a compressed document
        raise NotARecord(_OTHERS.format("BGBlitz"))
    if b"\0" in data[:4096] and _wide(data) is None:
        raise NotARecord("this is a binary file, not a match record in text: name a .mat, .sgf, .txt or .json")


def _decode(data: bytes) -> str:
    if (wide := _wide(data)) is not None:
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # what older Windows programs write


def _wide(data: bytes) -> str | None:
    """The encoding of text in 16 bits, with its mark or, in Western letters, without; None when it is none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = data[:400]
    for high, name in ((0, "utf-16-be"), (1, "utf-16-le")):
        if len(start) >= 8 and 3 * start[high::2].count(0) > len(start) and all(start[1 - high :: 2]):
            return name
    return None


def lost_in(record: Record, ending: str) -> tuple[str, ...]:
    """What a file of this ending cannot carry of ``record``, one sentence each."""
    actions = [a for g in record.games for a in g.actions]
    position_lost, cube_lost = unsaid_by_hand(record)
    columns, names = ending in (".mat", ".txt"), [name for name, _ in record.tags]
    lost = {
        ILLEGAL_LOST: ending == ".mat" and any(a.do is Do.ROLL and a.position is not None for a in actions),
        DOUBLES_LOST: columns and any(g.cube != 1 for g in record.games),
        POSITION_LOST: columns and position_lost,
        BY_HAND_LOST: columns and any(a.do in SETS for a in actions),
        UNREAD_LOST: ending != ".json" and any(a.do is Do.UNREAD or (holds_unread(a) and may_go_on(a)) for a in actions),
        CUBE_LOST: columns and cube_lost,
        ROLLS_LOST: columns and leaves_out_rolls(record),
        JACOBY_LOST: columns and not record.length and record.jacoby is not None,
        CRAWFORD_LOST: ending == ".txt" and record.crawford is False and record.length > 1,
        OTHER_CRAWFORD_LOST: columns and other_crawford(record),
        NAMES_LOST: columns and any(name and name != kept for name, kept in zip(record.names, names_of(record), strict=True)),
        AWARDED_LOST: ending != ".json" and any(any(g.awarded) for g in record.games),
        RULED_LOST: ending != ".json" and any(g.ruled for g in record.games),
        WINNER_LOST: ending != ".json" and record.length and record.winner is not None and not _won_by_games(record),
        TAGS_LOST: (ending == ".txt" and names) or (ending == ".sgf" and not set(names) <= {*TAGS.values(), *BESIDE}),
        TWICE_LOST: ending == ".json" and len(set(names)) < len(names),
    }
    return tuple(text for text, is_lost in lost.items() if is_lost)


def _won_by_games(record: Record) -> bool:
    """Whether the last game took its winner to the match's length, as every format tells it."""
    last = replace(record.games[-1], awarded=(0, 0)) if record.games else None
    return last is not None and max(last.score_after(last.winner, last.points)) >= record.length
