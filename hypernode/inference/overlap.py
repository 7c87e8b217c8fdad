"""Overlap of weighted sets, for many rows at once: which hosts share most of their leaves, which leaves their uplinks.

Rows with equal sets form one signature. Signatures are few even where rows are many, so only they are compared, and
only where a comparison can succeed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discovery.arrays import F64, I32, I64, U64, Bool
from discovery.distinct import summed
from discovery.lookup import alike

MOST = 0.5
"""Share from which on two sets belong together (DESIGN: at least one half)."""
BRIDGE = 0.5
"""A signature joins two groups only if it has this share of the smaller one's rows; a single host with a foot in each
of two racks is no reason to call them one."""

TYPICAL = 0.25
"""Only sets with this share of the rows of their cluster's largest one attract others: a damaged host is no pattern."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Incidence:
    """Which row touches which column, and how strongly: sorted by (row, column), each pair once."""

    rows: int
    row: I32
    col: I32
    weight: F64

    def where(self, kept: Bool) -> Incidence:
        """Only some of the pairs."""
        return Incidence(self.rows, self.row[kept], self.col[kept], self.weight[kept])

    @classmethod
    def of(cls, rows: int, row: I32, col: I32, weight: F64) -> Incidence:
        """Sum the weights of equal pairs."""
        row, col, weight, _ = summed(row, col, weight, int(col.max(initial=0)) + 1)
        return cls(rows, row, col, weight)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Signatures:
    """Distinct rows of an incidence: ``of_row`` (-1: empty row), and for each signature its set and its rows."""

    of_row: I32
    sets: tuple[dict[int, float], ...]
    size: I64


def signatures(incidence: Incidence) -> Signatures:
    """Group equal rows. Sums of mixed words find candidates; equality is then checked word by word."""
    of_row = np.full(incidence.rows, -1, np.int32)
    if not len(incidence.row):
        return Signatures(of_row, (), np.zeros(0, np.int64))
    start = np.flatnonzero(np.r_[True, incidence.row[1:] != incidence.row[:-1]])
    present = incidence.row[start]
    length = np.diff(np.r_[start, len(incidence.row)])
    words = _mixed(incidence.col.astype(np.uint64), incidence.weight.view(np.uint64))
    total = np.add.reduceat(words, start)
    first, inverse = alike(total)
    if not _equal_rows(incidence, start, length, first[inverse]):
        first, inverse = _one_by_one(incidence, start, length)
    of_row[present] = inverse
    col, weight = incidence.col.tolist(), incidence.weight.tolist()
    spans = zip(start[first].tolist(), length[first].tolist(), strict=True)
    sets = tuple(dict(zip(col[at : at + n], weight[at : at + n], strict=True)) for at, n in spans)
    return Signatures(of_row, sets, np.bincount(inverse, minlength=len(sets)))


def _mixed(col: U64, weight: U64) -> U64:
    """Well spread 64-bit words (splitmix64's finaliser) of (column, weight)."""
    word = (col + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) ^ weight
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


def _equal_rows(incidence: Incidence, start: I64, length: I64, like: I64) -> bool:
    """Whether each row equals the one it is said to be like."""
    if not np.array_equal(length, length[like]):
        return False
    offset = np.arange(len(incidence.row)) - np.repeat(start, length)
    other = np.repeat(start[like], length) + offset
    same = (incidence.col == incidence.col[other]) & (incidence.weight == incidence.weight[other])
    return bool(same.all())


def _one_by_one(incidence: Incidence, start: I64, length: I64) -> tuple[I64, I64]:
    """The exact slow way, for the day two sums collide."""
    known: dict[bytes, int] = {}
    first: list[int] = []
    inverse = np.zeros(len(start), np.int64)
    for row, (at, n) in enumerate(zip(start.tolist(), length.tolist(), strict=True)):
        key = incidence.col[at : at + n].tobytes() + incidence.weight[at : at + n].tobytes()
        inverse[row] = known.setdefault(key, len(known))
        if len(first) < len(known):
            first.append(row)
    return np.array(first, np.int64), inverse


def overlap(one: dict[int, float], other: dict[int, float]) -> float:
    """Weighted Jaccard overlap: shared over joint weight."""
    if len(one) > len(other):
        one, other = other, one
    shared = sum([min(weight, other[col]) for col, weight in one.items() if col in other])
    return shared / (sum(one.values()) + sum(other.values()) - shared)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Clusters:
    """The cluster of each set, numbered from 0 by falling size; and sets that fit several clusters alike."""

    of_set: tuple[int, ...]
    ties: dict[int, tuple[int, ...]]


_ByColumn = dict[int, dict[int, list[int]]]
"""Sets by column and by a member of their cluster."""


class _Joined:
    """Union-find over sets, with the rows below each root and its main set: the largest."""

    def __init__(self, size: Sequence[int]) -> None:
        self.parent = list(range(len(size)))
        self.size = list(size)
        self.main = list(range(len(size)))
        self._alone = tuple(size)

    def root(self, one: int) -> int:
        while self.parent[one] != one:
            self.parent[one] = self.parent[self.parent[one]]
            one = self.parent[one]
        return one

    def join(self, one: int, other: int) -> None:
        a, b = sorted((self.root(one), self.root(other)))
        if a != b:
            self.parent[b] = a
            self.size[a] += self.size[b]
            self.main[a] = max(self.main[a], self.main[b], key=lambda one: (self._alone[one], -one))


def cluster(sets: Sequence[dict[int, float]], size: Sequence[int]) -> Clusters:
    """Join sets that overlap by half or more, transitively, the largest first; a small set never bridges two clusters.

    Sets must be in a canonical order (it breaks ties of size). O(pairs that share one of their rarest columns).
    """
    indexed = _rare_columns(sets)
    hubs = _hubs(sets)
    order = sorted(range(len(sets)), key=lambda one: (one in hubs, -size[one], one))
    joined = _Joined(size)
    by_column: _ByColumn = defaultdict(lambda: defaultdict(list))
    ties: dict[int, tuple[int, ...]] = {}
    for one in order:
        matches = _matches(one, sets, indexed, by_column, joined)
        best = max(matches.values(), default=0.0)
        fitting = [root for root, share in matches.items() if share == best]
        if len(matches) == 1 or (one not in hubs and _bridges(one, matches, sets, joined)):
            for root in matches:
                joined.join(root, one)
        elif len(fitting) == 1:
            joined.join(fitting[0], one)
        elif fitting:
            ties[one] = tuple(fitting)
            continue
        root = joined.root(one)
        if size[one] < TYPICAL * size[root]:
            continue
        for column in indexed[one]:
            by_column[column][root].append(one)
    return _numbered(joined, order, ties)


def _hubs(sets: Sequence[dict[int, float]]) -> set[int]:
    """Sets that are a part of two larger ones which don't overlap: what all have in common (storage, say) is no group
    of its own that the others could join."""
    holders: dict[int, list[int]] = defaultdict(list)
    for one, mine in enumerate(sets):
        for column in mine:
            holders[column].append(one)
    hubs = set()
    for one, mine in enumerate(sets):
        near = min((holders[column] for column in mine), key=len)
        wider = [sets[other] for other in near if len(sets[other]) > len(mine) and mine.keys() <= sets[other].keys()]
        wider = [other for other in wider if overlap(mine, other) >= MOST]
        if any(overlap(wider[0], other) < MOST for other in wider[1:]):
            hubs.add(one)
    return hubs


def _bridges(one: int, matches: dict[int, float], sets: Sequence[dict[int, float]], joined: _Joined) -> bool:
    """Whether a set may join all the clusters it matches: not a small one, and none with fewer columns than they have
    (hosts with nothing but storage are no reason to call all who use it one group)."""
    large = [root for root in matches if joined.size[one] >= BRIDGE * joined.size[root]]
    wide = all(len(sets[one]) >= len(sets[joined.main[root]]) for root in matches)
    return bool(matches) and wide and len(large) >= len(matches) - 1


def _rare_columns(sets: Sequence[dict[int, float]]) -> list[list[int]]:
    """For each set the columns through which a match must be found: without its most shared columns that together
    weigh less than half (sets that overlap by half share at least half of each one's weight)."""
    count: dict[int, int] = defaultdict(int)
    for one in sets:
        for column in one:
            count[column] += 1
    indexed = []
    for one in sets:
        columns = sorted(one, key=lambda column: (-count[column], column))
        spare = MOST * sum(one.values())
        skipped = 0
        for column in columns[:-1]:
            spare -= one[column]
            if spare <= 0:
                break
            skipped += 1
        indexed.append(columns[skipped:])
    return indexed


def _matches(
    one: int,
    sets: Sequence[dict[int, float]],
    indexed: list[list[int]],
    by_column: _ByColumn,
    joined: _Joined,
) -> dict[int, float]:
    """The clusters so far that hold a set overlapping this one by half or more, with the best overlap; where there is
    none, those that hold a set of the same columns, whatever the weights.

    One match is enough to join a cluster; only where two clusters match is the best overlap of each looked for.
    """
    mine = sets[one]
    near: dict[int, dict[int, None]] = {}
    matches: dict[int, float] = {}
    for column in indexed[one]:
        for start, members in by_column.get(column, {}).items():
            root = joined.root(start)
            if root in matches:
                continue
            tried = near.setdefault(root, {})
            for other in members:
                if other not in tried and (share := overlap(mine, sets[other])) >= MOST:
                    matches[root] = share
                    break
                tried[other] = None
    if len(matches) > 1:
        for root in matches:
            rivals = [by_column.get(column, {}) for column in indexed[one]]
            others = {o for by_root in rivals for s, m in by_root.items() if joined.root(s) == root for o in m}
            matches[root] = max(overlap(mine, sets[other]) for other in others)
    if not matches:
        return {root: MOST for root, tried in near.items() if any(sets[other].keys() == mine.keys() for other in tried)}
    return matches


def _numbered(joined: _Joined, order: list[int], ties: dict[int, tuple[int, ...]]) -> Clusters:
    roots = dict.fromkeys(joined.root(one) for one in order if one not in ties)
    number = {root: place for place, root in enumerate(sorted(roots, key=lambda root: (-joined.size[root], root)))}
    of_set = tuple(-1 if one in ties else number[joined.root(one)] for one in range(len(order)))
    fitting = {one: tuple(sorted({number[joined.root(root)] for root in roots})) for one, roots in ties.items()}
    return Clusters(of_set, fitting)


def end_of(group: int, target: dict[int, int]) -> int:
    """Follow joins to the group that stays; a ring of joins ends in its lowest number."""
    seen = [group]
    while target[seen[-1]] not in seen:
        seen.append(target[seen[-1]])
    return min(seen[seen.index(target[seen[-1]]) :])
