"""Faults of what hosts and adapters call themselves."""

from __future__ import annotations

from dataclasses import replace

from discovery.fabric import Role
from discovery.simulate.choice import hca_cables, pick
from discovery.simulate.draft import Draft
from discovery.simulate.wiring import CONNECTX7, Expected

DOMAIN = "cluster.example.com"


def _adapters(draft: Draft, host: str) -> list[int]:
    return [place for place, device in enumerate(draft.devices) if device.host == host]


def _hosts(draft: Draft, at_least: int = 1) -> list[str]:
    """Names of the nodes with so many cables to leaves."""
    return [host for host, cables in hca_cables(draft).items() if len(cables) >= at_least]


def default_description(draft: Draft, count: int) -> None:
    """Let one adapter each of ``count`` hosts, which have others, show its factory description."""
    for host in pick(draft, "default-description", _hosts(draft, at_least=2), count):
        place = draft.dice.sample(_adapters(draft, host), 1)[0]
        draft.devices[place] = replace(draft.devices[place], description=CONNECTX7.name)
        draft.expected.append(Expected("default-description"))


def unnamed_host(draft: Draft, count: int) -> None:
    """Let all adapters of ``count`` hosts show their factory descriptions."""
    for host in pick(draft, "unnamed-host", _hosts(draft), count):
        for place in _adapters(draft, host):
            draft.devices[place] = replace(draft.devices[place], description=CONNECTX7.name)
        draft.hosts[host] = replace(draft.hosts[host], anonymous=True)
        draft.expected.append(Expected("default-description"))


def duplicate_hostname(draft: Draft, count: int) -> None:
    """Let ``count`` hosts call themselves like another host each."""
    names = pick(draft, "duplicate-hostname", _hosts(draft), 2 * count)
    for host, other in zip(names[:count], names[count:], strict=True):
        for place in _adapters(draft, host):
            device = draft.devices[place]
            draft.devices[place] = replace(device, description=f"{other} {device.device_name}")
        draft.hosts[host] = replace(draft.hosts[host], doubt="name", spelled=other)
        draft.hosts[other] = replace(draft.hosts[other], doubt="name")
        draft.expected.append(Expected("duplicate-hostname", (other,)))


def duplicate_guid(draft: Draft, count: int) -> None:
    """Give one adapter each of ``count`` hosts the GUIDs of an adapter of another host in the same subnet."""
    names = pick(draft, "duplicate-guid", _hosts(draft), 2 * count)
    for host, other in zip(names[:count], names[count:], strict=True):
        place, twin = _adapters(draft, host)[0], _adapters(draft, other)[0]
        draft.devices[place] = replace(
            draft.devices[place], guid=draft.devices[twin].guid, system=draft.devices[twin].system
        )
        for name in (host, other):
            draft.hosts[name] = replace(draft.hosts[name], doubt="guid")
        draft.expected.append(Expected("duplicate-guid"))


def fqdn(draft: Draft, _count: int) -> None:
    """Let every adapter call itself by its host's full domain name, while the nodes keep their short names."""
    for place, device in enumerate(draft.devices):
        if device.role == Role.ADAPTER and device.description.startswith(f"{device.host} "):
            text = f"{device.host}.{DOMAIN} {device.device_name}"
            draft.devices[place] = replace(device, description=text)


def few_agents(draft: Draft, count: int) -> None:
    """Let a capture hold what ``count`` hosts say of themselves, those first that need it to be recognised."""
    needy = sorted(draft.hosts.values(), key=lambda host: (not host.anonymous, not host.doubt))
    recorded = {host.name for host in needy[:count]}
    for name, host in draft.hosts.items():
        draft.hosts[name] = replace(host, recorded=name in recorded)
