"""What a recorded file is, judged by its content, and where in a capture it stands. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from discovery.probes import ibnetdiscover

HEAD = 64 * 1024
"""So many bytes are enough to tell what a file is, even when a terminal's prompts come first."""


class Kind(StrEnum):
    """What a recorded file holds, named after the probe that reads it."""

    IBNETDISCOVER = "ibnetdiscover"
    LLDP = "lldp"
    SNMP = "snmp"
    NVIDIA_SMI = "nvidia-smi"
    UFM = "ufm"
    SYSFS = "infiniband-sysfs"
    SYSNET = "net-sysfs"
    NODES = "nodes"
    UNKNOWN = "unknown"


_NOT_YET = "There is no probe for {what} yet; the file was recognised and left alone."
SILENT = {
    Kind.LLDP: _NOT_YET.format(what="LLDP"),
    Kind.SNMP: _NOT_YET.format(what="SNMP walks"),
    Kind.NVIDIA_SMI: _NOT_YET.format(what="nvidia-smi"),
    Kind.UFM: _NOT_YET.format(what="UFM"),
    Kind.SYSNET: _NOT_YET.format(what="network interfaces"),
}
"""Kinds that are recognised and not read, with what to tell about them."""

_GZIP = b"\x1f\x8b"
_PCAP = (b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d", b"\x0a\x0d\x0d\x0a")

_RULES: tuple[tuple[Kind, tuple[bytes, ...], bytes], ...] = (
    (
        Kind.UFM,
        (b"peer_node_name", b"system_guid", b"systemID"),
        rb'"(?:peer_node_name|system_guid|systemID)"\s*:',
    ),
    (
        Kind.NVIDIA_SMI,
        (b"nvidia_smi_log", b"NVSMI LOG"),
        rb"<nvidia_smi_log>|<!DOCTYPE nvidia_smi_log|={5,}NVSMI LOG={5,}",
    ),
    (
        Kind.NVIDIA_SMI,
        (b"GPU0", b"(UUID: "),
        rb"^\s+GPU0\s+(?:GPU1|NIC0|CPU Affinity|\x1b)|^GPU \d+: .*\(UUID: ",
    ),
    (
        Kind.NVIDIA_SMI,
        (b"uuid", b"fabric"),
        rb"^(?:[a-z_]+[._])*(?:index|name|uuid|serial)\s*,.*\b(?:uuid|fabric)",
    ),
    (Kind.LLDP, (b"lldp",), rb'(?:\A[^"]{0,400}|^\s*)"lldp\w*"\s*:|^\s*<lldp[\s>]'),
    (Kind.LLDP, (b"lldp.", b"LLDP neighbors:"), rb"^lldp\.[^=\n]+=|^LLDP neighbors:"),
    (Kind.SNMP, (b" =", b"|"), rb"^(?:\.1|iso)\.[0-9.]+ = ?|^\.?1\.[0-9.]+\|[0-9a-zA-Z]+\|"),
    (Kind.LLDP, (b"",), rb"\A\s*(?:[0-9a-fA-F]{2}[ :]?){14,}\s*$"),
)
"""Kind, words of which every match holds one, pattern. Most files hold none of the words, and then the pattern, which
takes a hundred times as long to search, need not even be compiled."""
_SYSFS = "/sys/class/infiniband/"
_SYSNET = "/sys/class/net/"
_SYS_FOLDER = re.compile(
    r"(?:^|/)sys(?:/class(?:/net(?:/[^/]+)?|/infiniband(?:/[^/]+(?:/ports(?:/[^/]+(?:/gids)?)?)?)?)?)?\Z"
)
_CLASS_LINK = re.compile(r"(?:^|/)sys/class/(?:infiniband|net)/[^/]+\Z")
_BELOW_HOSTS = re.compile(r"(?:.*/|^)hosts/(?P<node>[^/]+)/(?:[^/]+|sys/.+)\Z", re.DOTALL)
_HOLDS_SYS = re.compile(r"(?:^|/)(?P<node>[^/]+)/sys/class/.+\Z", re.DOTALL)


def kind_of(head: bytes) -> Kind:
    """What a file is that begins with these bytes (``HEAD`` of them are enough)."""
    if head.startswith(_PCAP):
        return Kind.LLDP
    for kind, words, pattern in _RULES:
        if any(word in head for word in words) and re.search(pattern, head, re.MULTILINE):
            return kind
    return Kind.IBNETDISCOVER if ibnetdiscover.recognises(head) else Kind.UNKNOWN


def is_compressed(head: bytes) -> bool:
    """Whether the bytes are gzip's: worth a sentence of its own."""
    return head.startswith(_GZIP)


def sysfs_path(path: str) -> str | None:
    """The part of a path behind ``sys/class/infiniband/``; None for other files."""
    return f"/{path}".partition(_SYSFS)[2] or None


def is_network_sysfs(path: str) -> bool:
    """Whether the file stands below ``sys/class/net/``."""
    return _SYSNET in f"/{path}"


def is_worth_walking(folder: str) -> bool:
    """Whether a folder can hold what we read: of a copied /sys, which is large and full of links, only a few can."""
    return "sys" not in folder.split("/") or _SYS_FOLDER.search(folder) is not None


def is_class_link(path: str) -> bool:
    """Whether a link at this place is followed in spite of standing in /sys: its devices are links themselves."""
    return _CLASS_LINK.search(path) is not None


def is_sysfs(path: str) -> bool:
    """Whether the file stands somewhere in a copied /sys."""
    return "/sys/class/" in f"/{path}" or "/sys/devices/" in f"/{path}"


def host_of(path: str) -> str | None:
    """The node a file was recorded on: the folder below ``hosts``, else the one that holds ``sys``, else None.

    Bytes that are no text (the system hands them out as lone surrogates) are spelled out: a node's name is text.
    """
    match = _BELOW_HOSTS.search(path) or _HOLDS_SYS.search(path)
    if match is None:
        return None
    node = match["node"]
    return node if node.isascii() else node.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def node_names(text: str) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...]]:
    """Names in a list of nodes, one a line, and the lines (number, text) that can't be names; # begins a comment."""
    names: dict[str, None] = {}
    refused: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if len(name) > 253 or " " in name or not name.isprintable():
            refused.append((number, name))
        else:
            names[name] = None
    return tuple(names), tuple(refused)
