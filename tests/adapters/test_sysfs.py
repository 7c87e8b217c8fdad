"""Adapters from recorded sysfs: what is there is kept, zeros and nonsense are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.identities import Guid, Witness
from discovery.probes.infiniband_sysfs import parse, wanted

WITNESS = Witness("infiniband-sysfs", "hosts/n1/sys", "n1")
FULL = {
    "mlx5_0/node_guid": "0c42:a103:00aa:0070\n",
    "mlx5_0/sys_image_guid": "0c42:a103:00aa:0070\n",
    "mlx5_0/hca_type": "MT4129\n",
    "mlx5_0/board_id": "MT_0000000838\n",
    "mlx5_0/ports/1/state": "4: ACTIVE\n",
    "mlx5_0/ports/1/rate": "400 Gb/sec (4X NDR)\n",
    "mlx5_0/ports/1/lid": "0x2a\n",
    "mlx5_0/ports/1/link_layer": "InfiniBand\n",
    "mlx5_0/ports/1/gids/0": "fe80:0000:0000:0000:0c42:a103:00aa:0071\n",
}


def test_a_full_recording() -> None:
    (adapter,) = parse(FULL, "n1", WITNESS)
    assert (adapter.node, adapter.device, adapter.link_layer) == ("n1", "mlx5_0", "InfiniBand")
    assert adapter.node_guid == adapter.system_guid == Guid(0x0C42A10300AA0070)
    assert adapter.port_guids == (Guid(0x0C42A10300AA0071),)
    assert adapter.facts == {
        "hca_type": "MT4129",
        "board_id": "MT_0000000838",
        "ports/1/state": "4: ACTIVE",
        "ports/1/rate": "400 Gb/sec (4X NDR)",
        "ports/1/lid": "0x2a",
        "ports/1/link_layer": "InfiniBand",
    }


def test_one_file_is_enough() -> None:
    (adapter,) = parse({"mlx5_3/node_guid": "0c42:a103:00aa:0070"}, "n1", WITNESS)
    assert (adapter.device, adapter.node_guid, adapter.system_guid) == ("mlx5_3", Guid(0x0C42A10300AA0070), None)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("0000:0000:0000:0000\n", id="zero"),
        pytest.param("", id="empty"),
        pytest.param("not a guid", id="nonsense"),
        pytest.param("0c42:a103:00aa", id="short"),
        pytest.param("\x00\x1b[2J", id="control-characters"),
    ],
)
def test_no_guid_is_no_guid(text: str) -> None:
    (adapter,) = parse({"mlx5_0/node_guid": text, "mlx5_0/sys_image_guid": text}, "n1", WITNESS)
    assert adapter.node_guid is None
    assert adapter.system_guid is None


@pytest.mark.parametrize(
    "gid",
    [
        pytest.param("fe80:0000:0000:0000:0000:0000:0000:0000", id="zero"),
        pytest.param("0000:0000:0000:0000:0000:ffff:0a00:0001", id="ipv4"),
        pytest.param("fe80::1", id="short"),
    ],
)
def test_a_gid_that_is_no_port_guid(gid: str) -> None:
    (adapter,) = parse({"mlx5_0/ports/1/gids/0": gid}, "n1", WITNESS)
    assert adapter.port_guids == ()


def test_mixed_link_layers_are_unknown() -> None:
    files = {"mlx5_0/ports/1/link_layer": "InfiniBand", "mlx5_0/ports/2/link_layer": "Ethernet"}
    (adapter,) = parse(files, "n1", WITNESS)
    assert adapter.link_layer is None


@pytest.mark.parametrize(
    ("path", "known"),
    [
        pytest.param("mlx5_0/node_guid", True, id="node-guid"),
        pytest.param("mlx5_0/ports/1/gids/0", True, id="first-gid"),
        pytest.param("mlx5_0/ports/1/gids/1", False, id="second-gid"),
        pytest.param("mlx5_0/ports/1/counters/port_rcv_data", False, id="counter"),
        pytest.param("mlx\udcff/node_guid", False, id="device-that-is-no-text"),
        pytest.param("mlx5_0", False, id="folder"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_only_what_is_known_is_read(path: str, known: bool) -> None:
    assert wanted(path) is known


@given(st.dictionaries(st.sampled_from(sorted(FULL)) | st.text(max_size=30), st.text(max_size=80)))
def test_any_files_give_adapters(files: dict[str, str]) -> None:
    for adapter in parse(files, "n1", WITNESS):
        assert adapter.node_guid is None or adapter.node_guid.value
