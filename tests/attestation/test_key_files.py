"""Key files: made once, readable by their owner alone, and refused by name for everything else."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as formats
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from memory_provider.attestation import (
    CryptographyMissing,
    KeyFileError,
    SigningKey,
    create_key_file,
    read_key_file,
)
from memory_provider.attestation.keys import attester_key

from .signed import KEY


def write(path: Path, data: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(data)
    path.chmod(mode)
    return path


def pem(
    key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey,
    encryption: formats.KeySerializationEncryption | None = None,
) -> bytes:
    return key.private_bytes(
        formats.Encoding.PEM, formats.PrivateFormat.PKCS8, encryption or formats.NoEncryption()
    )


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_new_key_is_read_back_and_nobody_else_can(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "key.pem"
    before = os.umask(umask)
    try:
        made = create_key_file(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key_file(path).public == made.public
    assert read_key_file(path).sign(b"m") == made.sign(b"m")


def test_a_file_that_exists_is_never_touched(tmp_path: Path) -> None:
    path = write(tmp_path / "key.pem", b"precious")
    (tmp_path / "dangling").symlink_to(tmp_path / "elsewhere")
    for each in (path, tmp_path, tmp_path / "dangling"):
        with pytest.raises(KeyFileError, match="never overwritten"):
            create_key_file(each)
    assert path.read_bytes() == b"precious"
    assert not (tmp_path / "elsewhere").exists()


def test_a_key_that_cannot_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KeyFileError, match=r"cannot write the key file .*: No space left on device"):
        create_key_file(tmp_path / "key.pem")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o666, 0o601])
def test_a_key_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = write(tmp_path / "key.pem", KEY.to_pem(), mode)
    with pytest.raises(KeyFileError, match=rf"mode {mode:04o}\): chmod 600 it"):
        read_key_file(path)


def test_a_stricter_mode_is_fine(tmp_path: Path) -> None:
    assert read_key_file(write(tmp_path / "key.pem", KEY.to_pem(), 0o400)).public == KEY.public


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it holds no private key"),
        (b"\xff" * 100, "it holds no private key"),
        (KEY.to_pem()[:60], "it holds no private key"),
        (KEY.to_pem().replace(b"PRIVATE", b"PUBLIC"), "it holds no private key"),
        (bytes.fromhex(KEY.public.public_key), "it holds no private key"),
        (pem(ec.generate_private_key(ec.SECP256R1())), "another algorithm than Ed25519"),
        (
            pem(ed25519.Ed25519PrivateKey.generate(), formats.BestAvailableEncryption(b"tea")),
            "protected by a password",
        ),
    ],
    ids=["empty", "binary", "cut", "public", "raw", "another-curve", "password"],
)
def test_what_is_no_key_is_refused_and_not_shown(tmp_path: Path, data: bytes, why: str) -> None:
    path = write(tmp_path / "key.pem", data)
    with pytest.raises(KeyFileError, match=why) as refused:
        read_key_file(path)
    assert str(path) in str(refused.value)
    assert refused.value.__cause__ is None
    for line in data.splitlines():
        assert not line or line.decode("latin-1") not in str(refused.value)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match=r"cannot read .*No such file"):
        read_key_file(tmp_path / "none.pem")
    with pytest.raises(KeyFileError, match="no regular file"):
        read_key_file(tmp_path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(KeyFileError, match="no regular file"):
        read_key_file(tmp_path / "pipe")
    with pytest.raises(KeyFileError, match=r"cannot make .*No such file"):
        create_key_file(tmp_path / "nowhere" / "key.pem")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here")
def test_openssl_makes_and_reads_the_same_files(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "ed25519", "-out", path], check=True, capture_output=True
    )
    path.chmod(0o600)
    shown = subprocess.run(
        ["openssl", "pkey", "-in", path, "-pubout", "-outform", "DER"], check=True, capture_output=True
    )
    assert shown.stdout[-32:].hex() == read_key_file(path).public.public_key


def test_a_key_is_neither_shown_nor_copied() -> None:
    secret = KEY.to_pem().decode().splitlines()[1]
    assert repr(KEY) == f"SigningKey({KEY.public.key_id})"
    assert secret not in f"{KEY}{KEY!r}{KEY.public}"
    with pytest.raises(TypeError, match="stays in its process"):
        pickle.dumps(KEY)


def test_another_key_has_another_id() -> None:
    ids = {attester_key(bytes([number] * 32)).key_id for number in range(50)}
    assert len(ids) == 50
    assert SigningKey.generate().public != SigningKey.generate().public


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    path = write(tmp_path / "key.pem", KEY.to_pem())
    for name in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CryptographyMissing, match=r"memory-provider\[attestation\]"):
        read_key_file(path)
    with pytest.raises(CryptographyMissing):
        create_key_file(tmp_path / "new.pem")
    assert not (tmp_path / "new.pem").exists()
