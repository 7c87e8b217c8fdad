"""``hypernode observe PATH...``: what each recorded file says by itself, before anything is joined."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from discovery.capture import SILENT, Kind
from discovery.observations import AdapterSeen
from discovery.outcome import ProbeError
from discovery.probes import ibnetdiscover
from discovery.recorded import Entry, Recording, Unreadable
from hypernode.cli import answer, options, reading
from hypernode.cli.failure import FAILED
from hypernode.cli.shell import Shell


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("paths", metavar="PATH", nargs="+", help="recorded output: files, captures or their folders")
    options.output(parser, "json", "yaml")


def run(args: argparse.Namespace, shell: Shell) -> int:
    """Print what was heard; exit 1 where nothing was, and for a named file that is of no known kind."""
    recording = reading.existing(args.paths)
    for trouble in recording.troubles:
        if trouble.named:
            raise reading.refusal(trouble)
    with shell.timed("parse"):
        rows = sorted(_rows(recording), key=lambda row: str(row["file"]))
    if args.output == "json":
        answer.write(answer.as_json(rows))
    elif args.output == "yaml":
        answer.write(answer.as_yaml(rows))
    else:
        from hypernode.screen import console, observed

        observed.show(console.console(), rows)
    failed_only = rows and all(row["outcome"] == "failed" for row in rows)
    return FAILED if failed_only or not rows else 0


def _rows(recording: Recording) -> Iterator[dict[str, Any]]:
    for entry in recording.entries:
        if entry.kind is Kind.IBNETDISCOVER:
            yield _sweep(entry)
    silent = {_source(entry): entry.kind for entry in recording.entries if entry.kind in SILENT}
    for file, kind in silent.items():
        yield _row(file, kind, "silent", SILENT[kind])
    for node, entries in reading.hosts_of(recording.entries).items():
        seen, _ = reading.adapters_of(node, entries)
        yield _row(reading.sysfs_folder(entries[0]), Kind.SYSFS, "heard", None) | {
            "node": node,
            "adapters": [_adapter(adapter) for adapter in seen],
        }
    for trouble in recording.troubles:
        yield _row(trouble.path, None, "failed", trouble.reason)


def _source(entry: Entry) -> str:
    """What one row is about: a file, and of a copied /sys the folder of the class."""
    before, found, _ = entry.path.rpartition("/sys/class/net/")
    return f"{before}{found}".rstrip("/") if found and entry.kind is Kind.SYSNET else entry.path


def _sweep(entry: Entry) -> dict[str, Any]:
    try:
        sweep = reading.sweep_of(entry)
    except (ProbeError, Unreadable) as error:
        return _row(entry.path, entry.kind, "failed", str(error))
    notes = sweep.notes
    return _row(entry.path, entry.kind, "heard", None, notes.unread) | {
        "dialect": sweep.dialect,
        **ibnetdiscover.summary(sweep),
        "stderrLines": notes.stderr_lines,
        "truncatedAt": notes.truncated,
        "unreadSample": [{"line": line.number, "text": line.text} for line in notes.unread_sample],
        "time": sweep.witness.time,
    }


def _row(file: str, kind: Kind | None, outcome: str, reason: str | None, unread: int = 0) -> dict[str, Any]:
    probe = kind.value if kind else None
    return {"file": file, "probe": probe, "outcome": outcome, "reason": reason, "unreadLines": unread}


def _adapter(adapter: AdapterSeen) -> dict[str, Any]:
    return {
        "device": adapter.device,
        "nodeGuid": str(adapter.node_guid) if adapter.node_guid else None,
        "systemImageGuid": str(adapter.system_guid) if adapter.system_guid else None,
        "portGuids": [str(guid) for guid in adapter.port_guids],
        "linkLayer": adapter.link_layer,
    }
