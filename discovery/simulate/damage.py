"""Faults of the text: what happens to a fabric's description between the tool and the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from discovery.simulate.dice import Dice
from discovery.simulate.ibnetdiscover import header, write_records
from discovery.simulate.wiring import Wiring

NOISE = (
    "src/query_smp.c:196; umad (DR path slid 0; dlid 0; 0,1,{port} Attr 0x11:1) bad status 110; Connection timed out\n",
    "ibwarn: [{pid}] _do_madrpc: recv failed: Connection timed out\n",
    "ibwarn: [{pid}] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,{port})\n",
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text on its way: the header and the records, each of which is whole lines."""

    header: str
    records: tuple[str, ...]

    def encode(self) -> bytes:
        """The text as bytes."""
        return "".join((self.header, *self.records)).encode()


def _shuffled(text: Text, _amount: int, dice: Dice) -> Text:
    records = list(text.records)
    dice.shuffle(records)
    return Text(text.header, tuple(records))


def _headless(text: Text, _amount: int, _dice: Dice) -> Text:
    return Text("", text.records)


def _noisy(text: Text, amount: int, dice: Dice) -> Text:
    """Mix in lines of error output, each between two lines of a record."""
    records = list(text.records)
    for _ in range(amount):
        place = dice.below(len(records))
        lines = records[place].splitlines(keepends=True)
        noise = NOISE[dice.below(len(NOISE))].format(port=1 + dice.below(64), pid=1000 + dice.below(30000))
        lines.insert(1 + dice.below(len(lines)), noise)
        records[place] = "".join(lines)
    return Text(text.header, tuple(records))


def _truncated(text: Text, amount: int, dice: Dice) -> Text:
    """Break off in the middle of a line of a port; the last ``amount`` per cent of the records are lost."""
    keep = max(1, min(len(text.records) - 1, len(text.records) * (100 - amount) // 100))
    last = text.records[keep - 1]
    start = last.rstrip("\n").rfind("\n[") + 2
    cut = start + 1 + dice.below(max(1, len(last) - start - 2))
    return Text(text.header, (*text.records[: keep - 1], last[:cut]))


def _crlf(text: Text, _amount: int, _dice: Dice) -> Text:
    return Text(text.header.replace("\n", "\r\n"), tuple(one.replace("\n", "\r\n") for one in text.records))


Damager = Callable[[Text, int, Dice], Text]
DAMAGERS: dict[str, Damager] = {
    "shuffled": _shuffled,
    "missing-header": _headless,
    "stderr-noise": _noisy,
    "truncated": _truncated,
    "crlf": _crlf,
}
"""By name, in the order in which they happen whatever the order in which they were asked for."""


def damaged_texts(wiring: Wiring) -> dict[str, bytes]:
    """Write one ibnetdiscover text a plane with the wiring's damages done to it, by file name."""
    texts = {}
    for plane in range(wiring.planes):
        name = "ibnetdiscover.txt" if wiring.planes == 1 else f"ibnetdiscover-{plane}.txt"
        text = Text(header(wiring, plane), tuple(write_records(wiring, plane)))
        # A subnet that has lost every cable has no record left to damage.
        for damage in sorted(wiring.damages if text.records else (), key=lambda one: list(DAMAGERS).index(one.name)):
            text = DAMAGERS[damage.name](text, damage.amount, Dice(damage.seed + plane))
        texts[name] = text.encode()
    return texts
