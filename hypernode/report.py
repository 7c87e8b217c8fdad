"""Answers as plain values, in the shapes that programs may rely on: fields are added, never changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from discovery.fabric import Fabric, Role
from discovery.findings import Finding
from discovery.join import switch_name
from hypernode.infer import Inference

_ROLES = {
    "switches": Role.SWITCH,
    "channelAdapters": Role.ADAPTER,
    "aggregationNodes": Role.AGGREGATION,
    "routers": Role.ROUTER,
    "gateways": Role.GATEWAY,
}


def of_fabric(fabric: Fabric) -> dict[str, Any]:
    """One fabric in numbers."""
    roles = np.bincount(fabric.devices.role, minlength=max(Role) + 1)
    return {
        "kind": fabric.kind,
        "name": fabric.name,
        "switches": int(roles[Role.SWITCH]),
        "hosts": sum(1 for name in fabric.hosts.name if name),
        "nodes": sum(1 for name in fabric.hosts.node if name),
        "links": len(fabric.links.a),
        **{key: int(roles[role]) for key, role in _ROLES.items() if key != "switches"},
        "sources": sorted({witness.source for witness in fabric.witnesses}),
    }


def switch_ids(fabric: Fabric) -> dict[str, str]:
    """The GUID of each switch by the name that findings use; names that several switches share are left out."""
    devices = fabric.devices
    rows = np.flatnonzero(devices.role == Role.SWITCH).tolist()
    ids = [f"{int(devices.guid[row]):016x}" for row in rows]
    names = [switch_name(devices.name[row], int(devices.guid[row])) for row in rows]
    shared = {name for name, count in Counter(names).items() if count > 1}
    return {name: guid for name, guid in zip(names, ids, strict=True) if name not in shared}


def of_finding(finding: Finding) -> dict[str, Any]:
    """One finding."""
    return {
        "kind": finding.kind,
        "severity": finding.severity.value,
        "objects": list(finding.objects),
        "message": finding.message,
        "hint": finding.hint,
        "nodes": list(finding.nodes),
    }


def of_discovery(fabric: Fabric, inference: Inference, findings: Iterable[Finding]) -> dict[str, list[dict[str, Any]]]:
    """What is told beside the HyperNodes: nodes without a place, findings, fabrics."""
    return {
        "unplaced": [
            {"node": one.node, "reason": one.reason, "message": one.message}
            for one in sorted(inference.unplaced, key=lambda one: one.node)
        ],
        "findings": of_findings(findings),
        "fabrics": [of_fabric(fabric)],
    }


def of_findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings, sorted."""
    return [of_finding(finding) for finding in sorted(findings)]
