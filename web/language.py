"""The languages of the pages. English sentences are the keys; `translations/*.po` have them in other languages.

A page's language is what its address asks for (``?lang=de``), else what was chosen on a page (a cookie), else what the browser
prefers. The catalogues are gettext's; they are read as they are when the program starts, so that nothing compiled can be out of date.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, has_request_context, request

FOLDER = Path(__file__).parent / "translations"
LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
COOKIE = "lang"
_BLANK = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Words:
    """A catalogue: by the English text, with its {blanks}, the text in ``language``. ``scripts``: those the pages' scripts use;
    ``finished``: those that the service and its devices have filled already when they are to be shown."""

    language: str
    texts: Mapping[str, str]
    scripts: frozenset[str] = frozenset()
    finished: frozenset[str] = frozenset()

    def __call__(self, text: str, /, **values: object) -> str:
        """``text`` in this language, its blanks filled when there are values; English where the catalogue has nothing."""
        found = self.texts.get(text, text)
        return _BLANK.sub(lambda blank: str(values.get(blank[1], blank[0])), found) if values else found

    def said(self, sentence: str) -> str:
        """A finished English sentence (a refusal, what the camera reports) in this language: looked up as it is, else by the text whose
        blanks it fills."""
        if not self.texts or not sentence:
            return sentence
        if sentence in self.texts:
            return self.texts[sentence]
        for pattern, text in _patterns(self.language):
            if fits := pattern.fullmatch(sentence):
                return self(text, **{name: self.said(value) for name, value in fits.groupdict().items()})
        parts = sentence.split("; ")  # several facts in one line
        return "; ".join(map(self.said, parts)) if len(parts) > 1 else sentence

    def page(self) -> dict[str, str]:
        """What the scripts of a page need of it."""
        return {text: found for text, found in self.texts.items() if text in self.scripts}


ENGLISH = Words("en", {})


@functools.cache
def words(language: str) -> Words:
    """The catalogue of a language; English has none."""
    file = FOLDER / f"{language}.po"
    if language == "en" or language not in LANGUAGES:
        return ENGLISH
    from babel.messages.pofile import read_po

    with file.open("rb") as lines:
        found = [one for one in read_po(lines, locale=language) if one.id and one.string and not one.fuzzy]
    texts = {str(one.id): str(one.string) for one in found}

    def of(where: str) -> frozenset[str]:
        return frozenset(str(one.id) for one in found if any(re.match(where, place) for place, _ in one.locations))

    return Words(language, texts, scripts=of("static/"), finished=of(r"\w+\.py"))


@functools.cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Texts with blanks as patterns of the sentences made from them, the most telling first."""
    texts = [text for text in words(language).finished if _BLANK.search(text)]
    found = []
    for text in sorted(texts, key=lambda text: -len(_BLANK.sub("", text))):
        seen: set[str] = set()
        parts = []
        for i, part in enumerate(_BLANK.split(text)):  # every second part is a blank's name
            parts.append(re.escape(part) if i % 2 == 0 else f"(?P={part})" if part in seen else f"(?P<{part}>(?:(?!; ).)*)")
            seen |= {part} if i % 2 else set()
        found.append((re.compile("".join(parts), re.DOTALL), text))
    return tuple(found)


def as_sentence(text: str) -> str:
    """What a device or a helper says, as a sentence of its own; nothing stays nothing."""
    text = text.strip()
    return text and text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def chosen() -> str:
    """The language of the present request; English outside of one."""
    if not has_request_context():
        return "en"
    for wish in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wish is not None and wish in LANGUAGES:
            return wish
    return request.accept_languages.best_match(list(LANGUAGES), default="en")


def spoken() -> Words:
    """The catalogue of the present request."""
    return words(chosen())


def speak(app: Flask) -> None:
    """Templates write their texts as ``_("English")``."""
    app.context_processor(lambda: {"_": spoken(), "language": chosen(), "languages": LANGUAGES, "page_words": spoken().page()})
