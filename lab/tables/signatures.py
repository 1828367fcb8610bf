"""What a file is by its first bytes, so that a renamed picture is not read as a table."""

from __future__ import annotations

from .errors import TableError

HDF5 = b"\x89HDF\r\n\x1a\n"
GZIP, ZIP, PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
NUMPY, MATLAB = b"\x93NUMPY", b"MATLAB 5.0 MAT-file"

_UNREADABLE = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", None),
    (b"\xff\xd8\xff", "a JPEG picture", None),
    (b"GIF8", "a GIF picture", None),
    (b"II*\x00", "a TIFF picture", None),
    (b"MM\x00*", "a TIFF picture", None),
    (b"RIFF", "a RIFF media file", None),
    (b"%PDF-", "a PDF document", "copy the table into a spreadsheet and save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", "save it as .xlsx or CSV"),
    (HDF5, "an HDF5 or MATLAB 7.3 file", "save it in MATLAB with save -v7, or as CSV"),
    (b"MATLAB 7.3", "a MATLAB 7.3 file", "save it in MATLAB with save -v7, or as CSV"),
    (b"ARROW1\x00\x00", "a Feather file", "save it as Parquet or CSV"),
    (b"ORC", "an ORC file", "save it as Parquet or CSV"),
    (b"BZh", "a bzip2 archive", "unpack it, or compress it as .gz or .zip"),
    (b"\xfd7zXZ\x00", "an xz archive", "unpack it, or compress it as .gz or .zip"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it, or compress it as .gz or .zip"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it, or compress it as .gz or .zip"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it, or compress it as .gz or .zip"),
    (b"PK\x05\x06", "an empty zip archive", "add the table to it"),
    (b"SQLite format 3\x00", "an SQLite database", "export the table as CSV"),
    (b"RDX2\n", "an R data file", "save it in R with write.csv"),
    (b"RDX3\n", "an R data file", "save it in R with write.csv"),
    (b"\x7fELF", "a program", None),
    (b"MZ\x90\x00", "a Windows program", None),
    (b"<!doctype html", "a web page", "download the file itself instead of the page about it"),
    (b"<html", "a web page", "download the file itself instead of the page about it"),
    (b"<?xml", "an XML document", "save it as CSV"),
    (b"@relation", "an ARFF file", "save it in Weka as CSV"),
    (b"{\\rtf", "an RTF document", "save it as CSV"),
)
_PICKLE_NAMES = (".pkl", ".pickle", ".joblib", ".p", ".pt", ".pth")


def refuse_unreadable(data: bytes, name: str) -> None:
    """A sentence for files that hold no table we read; nothing for the others."""
    start = data[:600].lstrip(b"\xef\xbb\xbf \t\r\n")[:64]
    # Protocol 2 and later begin with 0x80, the protocol's number and an opcode.
    pickled = data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")
    if pickled or name.lower().endswith(_PICKLE_NAMES):
        raise TableError(
            f"{name} is a pickle, and reading a pickle can run any program hidden in it: "
            "save the table as CSV, Parquet or .npz instead."
        )
    lower = start.lower()
    for magic, what, fix in _UNREADABLE:
        if data.startswith(magic) or (magic[:1] in b"<@{" and lower.startswith(magic)):
            fix = fix or "choose a CSV, Excel, Parquet, LIBSVM, .mat or .npz file"
            raise TableError(f"{name} looks like {what}, not like a table: {fix}.")
    if start[:1] == b"{" or start[:2] == b"[{":
        raise TableError(f"{name} looks like JSON, not like a table: save it as CSV.")
