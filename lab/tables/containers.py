"""gzip and zip, unpacked in memory and never beyond the limit."""

from __future__ import annotations

import io
import zipfile
import zlib

from .errors import TableError, quoted, shown
from .signatures import GZIP

_TABULAR = (
    *(".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".xlsx", ".parquet", ".libsvm", ".svm"),
    *(".mat", ".npz", ".npy"),
)
_STREAMS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


def gunzip(data: bytes, name: str, limit: int) -> bytes:
    """All members of a gzip file one after the other; at most `limit` bytes are ever held."""
    out, held = [], 0
    rest = data
    while rest.startswith(GZIP):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            part = unpacker.decompress(rest, limit - held + 1)
        except zlib.error:
            raise _damaged(name, "gzip") from None
        held += len(part)
        if held > limit:
            raise _too_large(name, limit)
        if not unpacker.eof:
            raise _damaged(name, "gzip")
        out.append(part)
        rest = unpacker.unused_data
    return b"".join(out)


def open_zip(data: bytes, name: str) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    # A damaged directory can fail anywhere in zipfile.
    except Exception:
        raise _damaged(name, "zip") from None
    if not all(archive.namelist()):  # a file without a name
        raise _damaged(name, "zip")
    return archive


def kind_of_zip(archive: zipfile.ZipFile) -> str:
    """excel, npz, ods, or zip for an archive of files."""
    names = archive.namelist()
    if "[Content_Types].xml" in names and any(n.startswith("xl/") for n in names):
        return "excel"
    if any(n.startswith("word/") or n.startswith("ppt/") for n in names):
        return "office"
    if "mimetype" in names and "content.xml" in names:
        return "ods"
    if names and all(n.endswith(".npy") for n in names):
        return "npz"
    return "zip"


def files_of(archive: zipfile.ZipFile) -> tuple[str, ...]:
    """Names of the files in an archive that may be tables; hidden ones are left out."""
    names = dict.fromkeys(info.filename for info in archive.infolist() if not info.is_dir())
    return tuple(
        n for n in names if not n.startswith("__MACOSX/") and not n.split("/")[-1].startswith(".")
    )


def choose_file(archive: zipfile.ZipFile, name: str, member: str | None) -> str:
    """The member asked for, or the largest that has the name of a table."""
    names = files_of(archive)
    if not names:
        raise TableError(f"{name} is a zip archive without files: add the table to it.")
    if member is not None:
        if member not in names:
            raise TableError(
                f"{name} holds no file '{shown(member)}', only {quoted(names)}: choose one of "
                "these.",
                members=names,
            )
        return member
    tabular = [n for n in names if n.lower().removesuffix(".gz").endswith(_TABULAR)] or list(names)
    return max(tabular, key=lambda n: archive.getinfo(n).file_size)


def unzip(archive: zipfile.ZipFile, member: str, name: str, limit: int) -> bytes:
    """One member, at most `limit` bytes: no more than the declared size is ever unpacked."""
    info = archive.getinfo(member)
    if info.flag_bits & 0x1:
        raise TableError(f"{name} is protected by a password: unpack it and upload the table.")
    if info.compress_type not in _STREAMS:
        raise TableError(
            f"'{shown(member)}' in {name} is compressed in a way that is not read here: "
            "make the zip again with the usual deflate method, or upload the table itself."
        )
    if info.file_size > limit:
        raise _too_large(name, limit)
    try:
        with archive.open(info) as stream:
            return stream.read(limit)
    # A damaged archive can fail anywhere between zipfile and zlib.
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError):
        raise _damaged(name, "zip") from None


def check_members(archive: zipfile.ZipFile, name: str, limit: int) -> None:
    """Refuse an archive that another library will unpack, if it is too large or unusual."""
    infos = archive.infolist()
    if sum(info.file_size for info in infos) > limit:
        raise _too_large(name, limit)
    if any(info.flag_bits & 0x1 for info in infos):
        raise TableError(f"{name} is protected by a password: remove it and upload it again.")
    if any(info.compress_type not in _STREAMS for info in infos):
        raise _damaged(name, "zip")


def _too_large(name: str, limit: int) -> TableError:
    return TableError(
        f"{name} unpacks to more than {limit / 1e6:,.0f} MB, the limit: upload fewer rows or "
        "columns."
    )


def _damaged(name: str, kind: str) -> TableError:
    return TableError(
        f"{name} begins like a {kind} file but is cut off or damaged: make it and upload it again."
    )
