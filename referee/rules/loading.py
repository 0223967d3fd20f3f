"""A club's own rule set: a TOML file that starts from a preset and names what differs.

name = "Thursday club"
base = "bray"
die_on_checker = "valid"
auto_doubles = "unlimited"

[clock]
mode = "simple_delay"
delay_s = 10
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from referee.files import read_most
from referee.rules.presets import PRESETS, RulesError, preset
from referee.rules.ruleset import ClockRules, RuleSet

UNLIMITED = "unlimited"
_LARGEST_FILE = 100_000


def load_rules(name_or_path: str | Path) -> RuleSet:
    """The preset of that name, or the club's rule set in that TOML file.

    Raises `RulesError` with one sentence that names everything wrong with it.
    """
    if isinstance(name_or_path, str) and name_or_path in PRESETS:
        return preset(name_or_path)
    path = Path(name_or_path)
    if not str(name_or_path) or (path.suffix != ".toml" and not path.exists()):  # the path of an empty name is the folder one is in
        near = difflib.get_close_matches(str(name_or_path), PRESETS, 1)
        hint = f"did you mean ‘{near[0]}’? " if near else ""
        raise RulesError(f"there is no rule set ‘{name_or_path}’; {hint}the sets are {', '.join(PRESETS)}, or give a .toml file")
    try:
        data = read_most(path, _LARGEST_FILE)
        if len(data) > _LARGEST_FILE:
            raise RulesError(f"{path} is too large to be a rule set")
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise RulesError(f"cannot read the rule set {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RulesError(f"{path} is not a text file in UTF-8") from None
    return parse_rules(text, path.stem, str(path))


def parse_rules(text: str, name: str, where: str = "the rule set") -> RuleSet:
    """The rule set written in TOML ``text``; ``name`` is used when it gives none, ``where`` in messages. Raises `RulesError`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{where} is not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise RulesError(f"{where} is no rule set: what is in it is nested too deeply, or a number has too many digits") from None
    if not table:  # as of a file that was not kept whole
        raise RulesError(f"{where} is empty: write in it what differs from bray, or from the base that it names")
    wrong: list[str] = []
    base_name = table.pop("base", "bray")
    if not isinstance(base_name, str) or base_name not in PRESETS:
        wrong.append(f"base must be one of {', '.join(PRESETS)}")
        base_name = "bray"
    base = preset(base_name)
    clock = table.pop("clock", {})
    changes = _changes(table, base, "", wrong)
    if isinstance(clock, dict):
        changes["clock"] = replace(base.clock, **_changes(clock, base.clock, "clock.", wrong))
    else:
        wrong.append("clock must be a table, [clock]")
    changes.setdefault("name", name)
    if changes["name"] in PRESETS:
        wrong.append(f"there is a rule set ‘{changes['name']}’ already; give this one another name")
    rules = replace(base, **changes)
    if not wrong:
        wrong.extend(rules.defects())
    if wrong:
        raise RulesError(f"{where}: {'; '.join(wrong)}")
    return rules


def _changes(table: Mapping[str, Any], base: RuleSet | ClockRules, prefix: str, wrong: list[str]) -> dict[str, Any]:
    """The fields set in ``table``, each as its own type; what cannot be one is added to ``wrong``."""
    types = get_type_hints(type(base))
    names = [field.name for field in fields(base) if field.name != "clock"]
    changes: dict[str, Any] = {}
    for key, value in table.items():
        if key not in names:
            near = difflib.get_close_matches(key, names, 1)
            wrong.append(f"there is no choice ‘{prefix}{key}’" + (f", did you mean ‘{prefix}{near[0]}’?" if near else ""))
            continue
        try:
            changes[key] = value_as(types[key], value)
        except ValueError as error:
            wrong.append(f"{prefix}{key} must be {error}")
    return changes


def value_as(kind: Any, value: Any) -> Any:
    """``value``, as it is written, as ``kind``; ValueError names what it may be."""
    kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    allowed: list[str] = []
    for one in kinds:
        if one is bool:
            if isinstance(value, bool):
                return value
            allowed.append("true or false")
        elif one is int:
            if type(value) is int:
                return value
            allowed.append("a whole number")
        elif one is float:
            if type(value) in (int, float) and 0 <= value < 1e6:
                return float(value)
            allowed.append("a number of seconds")
        elif one is str:
            if isinstance(value, str) and 0 < len(value) <= 60 and value.isprintable():
                return value
            allowed.append("a text of 1 to 60 characters that can all be seen")
        elif one is type(None):
            if value == UNLIMITED:
                return None
            allowed.append(UNLIMITED)
        elif issubclass(one, Enum):
            if value in [member.value for member in one]:
                return one(value)
            allowed.extend(str(member.value) for member in one)
    raise ValueError(" or ".join(allowed) if len(allowed) < 3 else ", ".join(allowed[:-1]) + " or " + allowed[-1])
