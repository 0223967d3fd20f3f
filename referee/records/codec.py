"""Events as plain values (dicts, lists, numbers, strings) and back; the journal's payloads and our own match format use it.

Fields are written by name, so a field added later with a default keeps old rows readable; any other change of meaning raises
`VERSION` and must keep reading the old one.
"""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from referee.match.events import EVENT_TYPES, Event
from referee.rules.reason import Reason

VERSION = 1
"""Version of every payload written now."""


class CodecError(ValueError):
    """A payload that is not one of ours, or newer than this program; the message is half a sentence."""


def encode_event(event: Event) -> dict[str, Any]:
    """The fields of ``event`` as plain values, without its type."""
    return {field.name: encode(getattr(event, field.name)) for field in fields(event)}


def decode_event(type_name: str, version: int, payload: Any) -> Event:
    """The event written as ``payload``. Raises `CodecError`."""
    cls = EVENT_TYPES.get(type_name)
    if cls is None or version > VERSION:
        raise CodecError(f"holds a ‘{type_name}’ of version {version}, which this version of the program does not know")
    event: Event = _decode_dataclass(cls, payload)
    return event


def encode(value: Any) -> Any:
    """Any value an event may hold, as plain values."""
    if isinstance(value, Event):
        return {"type": type(value).type, **encode_event(value)}
    if isinstance(value, Reason):
        return {"code": value.code, "values": dict(value.values), "rule": value.rule}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    return value


def decode(hint: Any, value: Any) -> Any:
    """The value of type ``hint`` that `encode` wrote as ``value``. Raises `CodecError`."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in args:
            return None
        for arg in args:
            try:
                return decode(arg, value)
            except CodecError:
                continue
        raise CodecError(f"holds {value!r} where {hint} was expected")
    if origin is tuple:
        return _decode_tuple(args, value)
    if hint is Event:
        rest = dict(_mapping(value))
        return decode_event(str(rest.pop("type", "")), VERSION, rest)
    if hint is Reason:
        given = _mapping(value)
        values = tuple((str(key), decode(int | str, item)) for key, item in _mapping(given.get("values")).items())
        return Reason(decode(str, given.get("code")), values, decode(str, given.get("rule")))
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(value)
        except ValueError:
            raise CodecError(f"holds the unknown {hint.__name__.lower()} {value!r}") from None
    if is_dataclass(hint) and isinstance(hint, type):
        return _decode_dataclass(hint, value)
    if hint is float and type(value) is int and abs(value) < 2**53:  # larger ones are no time, and may be no float
        return float(value)
    if hint in (int, str, float, bool, type(None)) and type(value) is hint:
        return value
    raise CodecError(f"holds {value!r} where {getattr(hint, '__name__', hint)} was expected")


def _decode_tuple(args: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise CodecError(f"holds {value!r} where a list was expected")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(decode(args[0], item) for item in value)
    if len(args) != len(value):
        raise CodecError(f"holds a list of {len(value)} where {len(args)} were expected")
    return tuple(decode(arg, item) for arg, item in zip(args, value, strict=True))


def _decode_dataclass(cls: Any, value: Any) -> Any:
    given = dict(_mapping(value))
    made = {}
    hints = _hints(cls)
    for field in fields(cls):
        if field.name in given:
            made[field.name] = decode(hints[field.name], given.pop(field.name))
        elif field.default is MISSING:
            raise CodecError(f"lacks ‘{field.name}’")
    if given:
        raise CodecError(f"holds the unknown field ‘{next(iter(given))}’")
    try:
        return cls(**made)
    except ValueError as error:
        raise CodecError(str(error)) from None


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CodecError(f"holds {value!r} where named values were expected")
    return value


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)
