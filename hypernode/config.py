"""Every setting, declared once with its reason. Pure: the shell reads the file and hands its text in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from hypernode import yamltext
from hypernode.planes import Planes

MOST_CHARACTERS = 1 << 20
"""A configuration file of more than 1 MiB is no configuration file."""


class ConfigError(Exception):
    """The operator must edit the configuration; names file, key, value and what is allowed."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Shrink:
    """When a fabric that lost nodes is held back instead of published."""

    share: float = 0.10
    """Part of the placed nodes (0 to 1) that may go at once. One rack of a ten-rack cluster may be switched off;
    a sweep that missed a director switch takes more."""
    nodes: int = 2
    """So many nodes (1 or more) must be gone before the share counts: a single dead node is never held back."""
    repeats: int = 3
    """Rounds (1 or more) in which the same loss must be seen before it is believed: a switch reboots in two."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of ``hypernode.yaml``."""

    tiers: tuple[str, ...] = ("leaf", "spine", "core")
    """Names of the tiers from the nodes upward (words of DNS letters); further ones are called core-2, core-3 and so on
    after the last. The defaults are what network engineers say."""
    store: str | None = None
    """Directory with one YAML file per HyperNode (a path). None: ``./hypernodes``."""
    nodes: str | None = None
    """File with the cluster's node names, one a line (a path). None: the capture's nodes.txt, else every named host."""
    shrink: Shrink = field(default_factory=Shrink)
    """Limits of the guard."""
    planes: Planes = field(default_factory=Planes)
    """Switches of storage and of compute networks, by patterns. The defaults leave it to structure."""


def parse(text: str, file: str) -> Settings:
    """Settings from the text of a YAML file; ConfigError names what is wrong. An empty file keeps every default."""
    if len(text) > MOST_CHARACTERS:
        raise ConfigError(f"{file} is larger than 1 MiB, so it is no configuration file.")
    return _settings(_load(text, file), file)


def _load(text: str, file: str) -> Mapping[str, Any]:
    try:
        loaded = yamltext.load(text)
    except yamltext.YamlError as error:
        where = f"{file} line {error.line}" if error.line else file
        raise ConfigError(f"{where} is not YAML: {error.problem}.", "Check quotes and indentation.") from error
    if loaded is None:
        return {}
    return _mapping(loaded, file, "the file")


def _mapping(value: object, file: str, key: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ConfigError(f"{file}: {key} is {_shown(value)}; allowed is a mapping of settings.")
    return value


def _settings(loaded: Mapping[str, Any], file: str) -> Settings:
    _known(loaded, Settings, file, "")
    read = dict(loaded)
    if "tiers" in read:
        read["tiers"] = _tiers(read["tiers"], file)
    for key in ("store", "nodes"):
        if key in read:
            read[key] = _path(read[key], file, key)
    if "shrink" in read:
        read["shrink"] = _shrink(_mapping(read["shrink"], file, "shrink"), file)
    if "planes" in read:
        read["planes"] = _planes(_mapping(read["planes"], file, "planes"), file)
    return Settings(**read)


def _known(loaded: Mapping[str, Any], kind: type, file: str, prefix: str) -> None:
    names = [one.name for one in fields(kind)]
    for key in loaded:
        if key not in names:
            import difflib

            near = difflib.get_close_matches(key, names, 1)
            hint = f"Did you mean {prefix}{near[0]}?" if near else ""
            allowed = ", ".join(prefix + name for name in names)
            raise ConfigError(f"{file}: unknown key {_shown(prefix + key)}; allowed are {allowed}.", hint)


def _tiers(value: object, file: str) -> tuple[str, ...]:
    words = value if isinstance(value, list) else []
    legal = [word for word in words if isinstance(word, str) and _is_label(word)]
    if not legal or len(legal) != len(words) or len(set(legal)) != len(legal):
        raise ConfigError(
            f"{file}: tiers is {_shown(value)}; allowed is a list of distinct words of a-z, 0-9 and '-', "
            "as [leaf, spine, core]."
        )
    return tuple(legal)


def _is_label(word: str) -> bool:
    letters = word.replace("-", "a")
    plain = letters.isascii() and letters.isalnum() and letters == letters.lower()
    return plain and len(word) <= 40 and word[0] != "-" and word[-1] != "-"


def _path(value: object, file: str, key: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and value and "\0" not in value:
        return value
    raise ConfigError(f"{file}: {key} is {_shown(value)}; allowed is a path.")


def _shrink(loaded: Mapping[str, Any], file: str) -> Shrink:
    _known(loaded, Shrink, file, "shrink.")
    read: dict[str, Any] = {}
    for key, value in loaded.items():
        if key == "share":
            legal = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
            allowed = "a number from 0 to 1"
        else:
            legal = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1_000_000
            allowed = "a whole number from 1 to 1000000"
        if not legal:
            raise ConfigError(f"{file}: shrink.{key} is {_shown(value)}; allowed is {allowed}.")
        read[key] = float(value) if key == "share" else value
    return Shrink(**read)


def _planes(loaded: Mapping[str, Any], file: str) -> Planes:
    _known(loaded, Planes, file, "planes.")
    read: dict[str, tuple[str, ...]] = {}
    for key, value in loaded.items():
        listed = value if isinstance(value, list) else [None]
        patterns = [one for one in listed if isinstance(one, str) and 0 < len(one) <= 253]
        if len(patterns) < len(listed):
            raise ConfigError(f"{file}: planes.{key} is {_shown(value)}; allowed is a list of patterns, as ['SLG*'].")
        read[key] = tuple(patterns)
    return Planes(**read)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
