"""Bytes of unknown encoding -> UTF-8 bytes, and the name of the encoding."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from .errors import TableError

# Codecs that only map characters. Python's others unpack, unescape, or take quadratic time.
ENCODINGS = (
    "utf-8",
    "cp1252",
    "utf-16",
    "iso8859-1",
    "iso8859-15",
    "iso8859-2",
    "cp1250",
    "cp1251",
    "koi8-r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp437",
    "cp850",
    "mac-roman",
    "cp932",
    "shift_jis",
    "euc_jp",
    "gb18030",
    "big5",
    "cp949",
    "euc_kr",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "ascii",
)
_ALLOWED = {codecs.lookup(name).name: name for name in (*ENCODINGS, "utf-8-sig", "cp1257", "gbk")}
_OTHER_SCRIPTS = ["cp1251", "cp1253", "cp932", "gb18030", "cp949", "big5", "euc_jp", "cp1252"]
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 2**16
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")


def to_utf8(data: bytes, name: str, encoding: str | None) -> tuple[bytes, str, list[str]]:
    """UTF-8 bytes without byte-order mark, the encoding used, and notes about the guess."""
    notes: list[str] = []
    if encoding is None:
        encoding, notes = _guess(data, name)
    else:
        encoding = _known(encoding)
    if encoding == "utf-8":
        _check(data, name, "utf-8")
        text = data.removeprefix(codecs.BOM_UTF8)
    else:
        text = _check(data, name, encoding).removeprefix("\ufeff").encode("utf-8", "replace")
    # The mark of old DOS programs for the end of a file.
    text = text.rstrip(b"\x1a") if text[-1:] == b"\x1a" else text
    _refuse_binary(text, name)
    return text, encoding, notes


def first_lines(data: bytes, encoding: str = "utf-8", n_lines: int = 10) -> tuple[str, ...]:
    """The first lines of a file for display, cut at 200 characters, undecodable bytes as �."""
    text = data[:_SAMPLE].decode(encoding, "replace").removeprefix("\ufeff")
    lines = re.split(r"\r\n|\r|\n", text.rstrip())[:n_lines]
    return tuple(line if len(line) <= 200 else line[:199] + "…" for line in lines)


def _known(encoding: str) -> str:
    try:
        found = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        found = ""
    if found not in _ALLOWED:
        raise TableError(
            f"The encoding '{encoding[:30]}' is not one of those read here: "
            "choose utf-8, utf-16, cp1252 or another from the list."
        )
    return "utf-8" if found == "utf-8-sig" else _ALLOWED[found]


def _check(data: bytes, name: str, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{name} is not {encoding} text: line {line:,} holds the byte "
            f"0x{data[error.start]:02x} out of place; choose another encoding, or auto.",
            preview=first_lines(data, encoding),
        ) from None


def _guess(data: bytes, name: str) -> tuple[str, list[str]]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding, []
    wide = _utf16_without_mark(data[:_SAMPLE])
    if wide:
        return wide, [f"The text looks like {wide} without a byte-order mark."]
    try:
        data.decode("utf-8")
        return "utf-8", []
    except UnicodeDecodeError:
        pass
    _refuse_binary(data, name)
    encoding = _guess_legacy(data)
    return encoding, [
        f"The text is not UTF-8; it was read as {encoding}: choose another encoding if accents or "
        "letters look wrong."
    ]


def _guess_legacy(data: bytes) -> str:
    """An encoding that fits; Windows' Western one where nothing speaks against it."""
    # Only lines with bytes beyond ASCII tell legacy encodings apart.
    telling = re.findall(rb"[^\r\n]*[\x80-\xff][^\r\n]*", data[: 16 * _SAMPLE])
    sample = b"\n".join(telling)[:_SAMPLE]
    for encoding in [*_likely(sample), "cp1252"]:
        try:
            data.decode(encoding)
            return encoding
        except UnicodeDecodeError:
            continue
    return "iso8859-1"


def _likely(sample: bytes) -> list[str]:
    """Encodings from likely to unlikely; detectors confuse the Latin ones on short tables."""
    n_high = len(re.findall(rb"[\x80-\xff]", sample))
    n_pairs = len(re.findall(rb"[\x80-\xff](?=[\x80-\xff])", sample))
    # Accents are rare and lonely in Latin scripts; the letters of other scripts stand together.
    if n_pairs < 0.25 * n_high:
        western, central = (_odd_signs(sample, name) for name in ("cp1252", "cp1250"))
        return ["cp1250"] if central < western else ["cp1252", "cp1250"]
    matches = from_bytes(sample, cp_isolation=_OTHER_SCRIPTS, preemptive_behaviour=False)
    scored = {match.encoding: (match.chaos, -match.coherence) for match in matches}
    # Sorting is stable: among equals, the order of the candidates decides.
    return sorted((name for name in _OTHER_SCRIPTS if name in scored), key=scored.get)


def _odd_signs(sample: bytes, encoding: str) -> int:
    """Signs like ³ or ¿ right beside a letter, which a wrong encoding puts inside words."""
    text = sample.decode(encoding, "replace")
    beside = re.findall(r"(?<=[^\W\d_])[^\x00-\x7f]|[^\x00-\x7f](?=[^\W\d_])", text)
    return sum(not sign.isalpha() for sign in beside)


def _utf16_without_mark(sample: bytes) -> str | None:
    half = len(sample) // 2
    if half < 2:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _refuse_binary(data: bytes, name: str) -> None:
    sample = data[:_SAMPLE]
    zero = data.find(b"\0")
    if zero >= 0:
        line = data.count(b"\n", 0, zero) + 1
        raise TableError(
            f"{name} is not a text table: line {line:,} holds NUL bytes, as binary files do; "
            "export it as CSV again, or choose its format."
        )
    if len(_CONTROL.findall(sample)) > 0.02 * len(sample):
        raise TableError(
            f"{name} is not a text table: it is full of control characters, as binary files are; "
            "export it as CSV, or choose its format."
        )
