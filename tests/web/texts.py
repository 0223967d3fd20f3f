"""Every text people read on the pages, collected from where it is written, and the catalogues kept in step with it.

`python -m tests.web.texts` adds what is new to every catalogue, with nothing said for it yet, and takes out what is no longer used.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import marshmallow as ma
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract
from marshmallow import fields, validate

from referee.board.position import Seat
from referee.match.shown import sentences, wording
from referee.records import formats, whole
from referee.records.gnubg import MISSING
from referee.rules.agreement import questions_of
from referee.rules.plain import sentence_of, settled
from referee.rules.presets import PRESETS
from referee.rules.ruleset import NO_RACCOONS, TurnEnd
from vision.pictures import UNNAMED
from web.cli._service import CLUBS_OWN
from web.errors import CODES
from web.language import FOLDER, LANGUAGES
from web.pages import NAVIGATION
from web.runtime.said import ENDED, NOTHING_FOUND

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_ONE = re.compile(rf"\bt\(\s*{_TEXT}")
_MANY = re.compile(rf"\btn\([^\"]*?{_TEXT},\s*{_TEXT}")
_EITHER = re.compile(rf"\bt\([^\"()]*\?\s*{_TEXT}\s*:\s*{_TEXT}")
_RAISED = {
    "Problem": 2, "CameraError": 0, "BoardNotFound": 0, "SourceError": 0, "SourceLost": 0,
    "TrayError": 0, "JournalError": 0, "NoRoom": 0, "NoAnalysis": 0, "NotATower": 0, "ValidationError": 0, "say": 1, "NotationError": 0,
    "AccessError": 0, "IdError": 0, "PictureError": 0, "RulesError": 0, "_stands": 1,
}
"""Calls whose argument (by its place) is a sentence for people."""
_SAID_IN = ("web", "web/api", "web/runtime", "vision", "vision/camera", "vision/finder", "hardware", "referee/records", "referee/board")

_DATED = tuple(f'"{name}' for name in ("POT-", "PO-", "Last-", "Report-", "Generated-", "Project-", "Language-Team"))
_MAKERS = (
    ("archive.py", "_meaning"), ("errors.py", "_title"), ("errors.py", "NO_PICTURE"), ("api/analysis.py", "_SAID"),
    ("runtime/said.py", "HEALTH"), ("runtime/said.py", "summary"), ("runtime/said.py", "_doubt"), ("runtime/said.py", "_DOUBTS"),
    ("runtime/said.py", "_IN_DOUBT"), ("runtime/said.py", "starting"), ("runtime/said.py", "ENDED"), ("runtime/said.py", "GLARE"),
    ("runtime/said.py", "WAITS"), ("runtime/said.py", "LOST"), ("runtime/said.py", "OTHER_WAY"), ("runtime/said.py", "SLOW"),
)
"""Functions and tables of the service whose texts are sentences for people."""

Found = dict[str, set[str]]


def collect() -> Found:
    """Every English text, with the files it is in."""
    found: Found = {}
    for text, place in (*_templates(), *_scripts(), *_wording(), *_rules(), *_sentences(), *_records(), *_fields()):
        found.setdefault(text, set()).add(place)
    return found


def _records() -> Iterator[tuple[str, str]]:
    for module in (formats, whole):
        for name, text in vars(module).items():
            if name.endswith("_LOST"):
                yield text, f"{module.__name__.rpartition('.')[2]}.py"


def _fields() -> Iterator[tuple[str, str]]:
    """What is wrong with a field of a request: marshmallow's sentences, as far as the schemas use them, and our own."""
    kinds = (fields.String, fields.Integer, fields.Float, fields.Boolean, fields.Dict)
    made = (*(kind() for kind in kinds), fields.Enum(Seat), fields.List(fields.Raw()), fields.Nested(ma.Schema))
    limits = (validate.Range(0, 1).message_all, validate.Length.message_max, validate.Length.message_equal)
    for told in (ma.Schema().error_messages, *(kind.error_messages for kind in made)):
        yield from ((text, "errors.py") for text in told.values())
    yield from ((text, "errors.py") for text in limits)
    for file in sorted(WEB.rglob("*.py")):
        for call in _calls(file):
            yield from ((text, file.name) for one in call.keywords if one.arg == "error" for text in _template(one.value))


def _templates() -> Iterator[tuple[str, str]]:
    for file in sorted((WEB / "templates").glob("*.html")):
        with file.open("rb") as lines:
            for _, _, text, _ in babel_extract(lines, ["_"], [], {}):
                first = text[0] if isinstance(text, tuple) else text  # behind a text with blanks stands what fills them
                if first:
                    yield first, f"templates/{file.name}"
    for _, name in NAVIGATION:
        yield name, "pages.py"


def _scripts() -> Iterator[tuple[str, str]]:
    for file in sorted((WEB / "static" / "js").glob("*.js")):
        source = file.read_text(encoding="utf-8")
        for pattern in (_ONE, _MANY, _EITHER):
            for call in pattern.finditer(source):
                for text in call.groups():
                    yield ast.literal_eval(f'"{text}"'), f"static/js/{file.name}"


def _wording() -> Iterator[tuple[str, str]]:
    said = sentences
    for table in (said.SENTENCES, said.EVENTS, said.EXPECTED, said.PUT_BACK, said.AUTHORITY, said.CAME, said.CLOCKS):
        for text in table.values():
            if re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", text)):  # "{high}-{low}" reads the same everywhere
                yield text, "wording"
    for call in _calls(Path(wording.__file__)):
        if isinstance(call.func, ast.Name) and call.func.id == "translate":
            yield from ((text, "wording") for text in _template(call.args[0]))


def _rules() -> Iterator[tuple[str, str]]:
    yield CLUBS_OWN, "_service.py"
    yield _sentence(NO_RACCOONS), "table.py"
    yield from ((sentence_of("turn_end", end), "rules") for end in TurnEnd)
    yield from ((sentence_of("aids", shown), "rules") for shown in (True, False))
    for name in PRESETS:
        yield PRESETS[name].title, "rules"
        for line in settled(PRESETS[name].rules):
            yield line, "rules"
        for question in questions_of(PRESETS[name].rules):
            yield question["title"], "rules"
            for answer in question["answers"]:
                yield answer["text"], "rules"


def _sentences() -> Iterator[tuple[str, str]]:
    """What devices, the service and its helpers say: made in English, put into other languages when shown."""
    for _, text in CODES.values():
        yield text, "errors.py"
    files = [file for folder in _SAID_IN for file in sorted((ROOT / folder).glob("*.py"))]
    for file in (*files, ROOT / "referee" / "rules" / "agreement.py"):
        for call in _calls(file):
            place = _RAISED.get(call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", ""))
            if place is not None and len(call.args) > place:
                for text in _template(call.args[place]):
                    yield _sentence(text), file.name
    for call in (one for file in ("ids.py", "matchid.py") for one in _calls(ROOT / "referee" / "board" / file)):
        if isinstance(call.func, ast.Name) and call.func.id == "decode":  # the name of the ID that is no such
            yield from ((text, "ids.py") for text in _template(call.args[2]))
    for text in _made(ROOT / "vision" / "following.py", "MOVED"):
        yield text, "following.py"
    for text in _made(ROOT / "vision" / "camera" / "sharpness.py", "TOO_SOFT"):
        yield text, "sharpness.py"
    for text in _made(ROOT / "vision" / "camera" / "source.py", "_breaks_off"):
        yield _sentence(text), "source.py"
    for text in _made(ROOT / "vision" / "reader.py", "DICE_LAY"):
        yield text, "reader.py"
    for text in _made(ROOT / "vision" / "reader.py", "_another_size"):
        yield _sentence(text), "reader.py"
    for maker in ("_heif", "_too_large"):
        yield from ((_sentence(text), "pictures.py") for text in _made(ROOT / "vision" / "pictures.py", maker))
    yield UNNAMED[:1].upper() + UNNAMED[1:], "pictures.py"
    for maker in ("_nothing", "_why", "_do", "_what", "CORNERS", "STANDS"):  # what was missed, and behind a semicolon what to do
        for text in _made(ROOT / "vision" / "finder" / "search.py", maker):
            missed = text[:1].upper() + text[1:] if maker in ("_nothing", "_why") else text
            yield missed + "." * (maker == "_do" or ": " in text), "search.py"
    yield f"{MISSING}.", "analysis.py"
    yield from ((text, "said.py") for text in (f"{ENDED} {{why}}", NOTHING_FOUND, f"{NOTHING_FOUND} {{why}}"))
    for text in _made(ROOT / "hardware" / "link.py", "why_not"):
        yield _sentence(text), "link.py"
    for file, maker in _MAKERS:
        for text in _made(WEB / file, maker):
            yield text, Path(file).name


def _made(file: Path, maker: str) -> Iterator[str]:
    """Texts in a function that makes sentences, or in a table of them."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        named = node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
        if named != maker:
            continue
        outer = [part for part in ast.walk(node) if isinstance(part, ast.JoinedStr)]
        inside = {id(part) for one in outer for part in ast.walk(one)}
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Expr):
            inside.add(id(node.body[0].value))  # what the function itself says of itself
        for part in ast.walk(node):
            if isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and id(part) not in inside):
                yield from (text for text in _template(part) if " " in text.strip() and text[0] != " ")


def _template(node: ast.expr) -> Iterable[str]:
    """A text with blanks, of a literal, an f-string or a choice between such."""
    if isinstance(node, ast.IfExp):
        return [*_template(node.body), *_template(node.orelse)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value] if re.search("[A-Za-z]{2}", node.value) else []
    if isinstance(node, ast.JoinedStr):
        parts: list[str] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
            elif isinstance(part, ast.FormattedValue):
                inner = part.value
                name = inner.id if isinstance(inner, ast.Name) else inner.attr if isinstance(inner, ast.Attribute) else "x"
                parts.append(f"{{{name}{len(parts) if f'{{{name}}}' in parts else ''}}}")
        text = "".join(parts)
        return [text] if re.search("[A-Za-z]{3}", re.sub(r"\{\w+\}", "", text)) else []
    return []


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _calls(file: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))


def catalogue(language: str) -> Catalog:
    file = FOLDER / f"{language}.po"
    if not file.exists():
        return Catalog(language)
    with file.open("rb") as lines:
        return read_po(lines, locale=language)


def update(language: str) -> None:
    """Brings a catalogue into step with what is collected."""
    head = "# What the pages say, in another language. See tests/web/texts.py."
    old, new = catalogue(language), Catalog(language, header_comment=head, fuzzy=False)
    for text, places in sorted(collect().items(), key=lambda item: (min(item[1]), item[0])):
        known = old.get(text)
        new.add(text, known.string if known is not None else "", locations=[(place, None) for place in sorted(places)])
    made = io.BytesIO()
    write_po(made, new, width=0)
    lines = [line for line in made.getvalue().decode().splitlines() if not line.startswith(("#, ", *_DATED))]
    (FOLDER / f"{language}.po").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    for language in LANGUAGES:
        if language != "en":
            update(language)
