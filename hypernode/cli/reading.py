"""From paths to what the probes heard in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from discovery import capture, recorded
from discovery.capture import Kind
from discovery.findings import Finding, found
from discovery.identities import Witness
from discovery.observations import AdapterSeen, Sweep
from discovery.outcome import ProbeError
from discovery.probes import ibnetdiscover, infiniband_sysfs
from discovery.recorded import Entry, Recording, Trouble, Unreadable
from hypernode.cli.failure import Failure, Misuse
from hypernode.cli.memory import use_large_pages
from hypernode.cli.shell import Shell
from hypernode.cli.together import read_together


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Heard:
    """What the probes said about one set of paths."""

    sweeps: tuple[Sweep, ...]
    adapters: tuple[AdapterSeen, ...]
    nodes: tuple[str, ...] | None
    findings: tuple[Finding, ...]


def hear(paths: Sequence[str], nodes: str | None, shell: Shell) -> Heard:
    """Read everything below the paths; a file that somebody named must be readable, one in a folder may fail."""
    with shell.timed("find"):
        recording = existing(paths)
    with shell.timed("parse"):
        sweeps, deaf = _sweeps(recording)
    troubles = (*recording.troubles, *deaf)
    for trouble in troubles:
        if trouble.named:
            raise refusal(trouble)
    if not sweeps:
        raise _nothing(paths, recording, troubles)
    with shell.timed("adapters"):
        adapters, damaged = _adapters(recording)
    return Heard(sweeps, adapters, _nodes(paths, nodes), tuple(map(_finding, (*troubles, *damaged))))


def existing(paths: Sequence[str]) -> Recording:
    """All recorded files below the paths; Misuse for a path that does not exist."""
    for path in paths:
        if "\0" in path or not recorded.exists(path):
            dangling = "\0" not in path and os.path.islink(path)
            raise Misuse(f"{path or repr(path)}: {'the link leads nowhere' if dangling else 'no such file or folder'}.")
    return recorded.find(paths)


def refusal(trouble: Trouble) -> Failure:
    """The sentence for a file that somebody named and that cannot be used."""
    hint = trouble.hint
    if not trouble.known:
        hint = "Known are ibnetdiscover output in all its forms, ibdiagnet's, ibsim net files and captures of these."
    return Failure(f"{trouble.path}: {trouble.reason}.", hint)


def sweep_of(entry: Entry) -> Sweep:
    """What one ibnetdiscover file says; ProbeError or Unreadable."""
    witness = Witness("ibnetdiscover", entry.path, entry.node)
    return ibnetdiscover.parse(recorded.read(entry.path), witness, read_together)


def hosts_of(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Sysfs attributes by the node they were recorded on."""
    hosts: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind is Kind.SYSFS and entry.node is not None:
            hosts.setdefault(entry.node, []).append(entry)
    return hosts


def adapters_of(node: str, entries: Sequence[Entry]) -> tuple[tuple[AdapterSeen, ...], tuple[Trouble, ...]]:
    """Adapters of one node, and the attributes that could not be read."""
    files: dict[str, str] = {}
    troubles = []
    for entry in entries:
        try:
            files[capture.sysfs_path(entry.place) or ""] = recorded.attribute(entry.path)
        except Unreadable as error:
            troubles.append(Trouble(entry.path, str(error), error.hint, entry.named))
    witness = Witness(infiniband_sysfs.NAME, sysfs_folder(entries[0]), node)
    return infiniband_sysfs.parse(files, node, witness), tuple(troubles)


def sysfs_folder(entry: Entry) -> str:
    """The folder ``.../sys/class/infiniband`` that an attribute stands in."""
    return entry.path.removesuffix(capture.sysfs_path(entry.place) or "").rstrip("/")


def _sweeps(recording: Recording) -> tuple[tuple[Sweep, ...], tuple[Trouble, ...]]:
    sweeps, troubles = [], []
    texts = [entry for entry in sorted(recording.entries, key=lambda one: one.path) if entry.kind is Kind.IBNETDISCOVER]
    use_large_pages(sum(recorded.size(entry.path) for entry in texts))
    for entry in texts:
        try:
            sweeps.append(sweep_of(entry))
        except (ProbeError, Unreadable) as error:
            troubles.append(Trouble(entry.path, str(error).rstrip("."), error.hint, entry.named))
    return tuple(sweeps), tuple(troubles)


def _adapters(recording: Recording) -> tuple[tuple[AdapterSeen, ...], tuple[Trouble, ...]]:
    adapters: list[AdapterSeen] = []
    troubles: list[Trouble] = []
    for node, entries in sorted(hosts_of(recording.entries).items()):
        seen, damaged = adapters_of(node, entries)
        adapters += seen
        troubles += damaged
    return tuple(adapters), tuple(troubles)


def _nodes(paths: Sequence[str], file: str | None) -> tuple[str, ...] | None:
    if file is not None and not recorded.exists(file):
        raise Misuse(f"{file or repr(file)}: no such file, so there is no list of nodes.")
    files = [file] if file is not None else recorded.node_files(paths)
    names: dict[str, None] = {}
    for one in files:
        try:
            names.update(dict.fromkeys(recorded.node_list(one)))
        except Unreadable as error:
            raise Misuse(f"The list of nodes {one} cannot be used: {error}.", error.hint) from error
    return tuple(names) if files else None


def _nothing(paths: Sequence[str], recording: Recording, troubles: Sequence[Trouble]) -> Failure:
    silent = sorted({entry.kind.value for entry in recording.entries})
    hint = "Record the subnet first: ibnetdiscover > FILE."
    if troubles:
        return Failure(f"No ibnetdiscover output could be read; {troubles[0].path}: {troubles[0].reason}.", hint)
    holds = f"only {', '.join(silent)}" if silent else "nothing"
    return Failure(f"There is no ibnetdiscover output below {', '.join(paths)}: {holds} was found.", hint)


def _finding(trouble: Trouble) -> Finding:
    if not trouble.known:
        return found("unrecognised-file", trouble.path, source=trouble.path)
    return found("probe-failed", trouble.path, source=trouble.path, reason=trouble.reason, hint=trouble.hint)
