"""An upload -> a table.

bytes + file name + options -> frame, options used, notes, digest

Nothing is executed, unpickled or written to disk; every size is checked before memory is taken.
What is wrong with a file is said by `TableError` in one sentence.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from lab.loading import one_at_a_time
from lab.words import counted

from .arrays import ArrayTable, read_numpy
from .containers import choose_file, files_of, gunzip, kind_of_zip, open_zip, unzip
from .delimited import TextTable, read_delimited
from .errors import TableError, shown
from .frames import missing_note
from .guesses import MISSING
from .labels import guess_label, spare_label
from .libsvm import looks_like_libsvm, read_libsvm
from .model import FORMATS, GUESS, LIMITS, Limits, ReadOptions, Table
from .signatures import GZIP, MATLAB, NUMPY, PARQUET, ZIP, refuse_unreadable
from .turning import read_turned


def read_table(
    data: bytes, name: str, options: ReadOptions = GUESS, limits: Limits = LIMITS
) -> Table:
    """The table in an uploaded file; `TableError` if there is none."""
    options = options.guessing()
    name = shown(name, 60) or "the file"
    if options.format is not None and options.format not in FORMATS:
        raise TableError(
            f"The format '{shown(options.format, 20)}' is not one of {', '.join(FORMATS)}: "
            "choose one of these."
        )
    if not data:
        raise TableError(f"{name} is empty: it holds no bytes at all.")
    if len(data) > limits.bytes:
        raise TableError(
            f"{name} has {len(data) / 1e6:,.1f} MB and the limit is {limits.bytes / 1e6:,.0f} MB: "
            "upload fewer rows or columns, or compress it as .gz or .zip."
        )
    digest = hashlib.sha256(data).hexdigest()
    table = _read(data, name, options, limits, digest)
    if options.label is not None and options.label not in table.names:
        raise TableError(
            f"{name} has no column '{shown(options.label, 30)}': choose the label among its "
            f"{counted(len(table.names), 'column')}.",
            preview=table.preview,
        )
    return table


def _read(data: bytes, name: str, options: ReadOptions, limits: Limits, digest: str) -> Table:
    notes: list[str] = []
    members: tuple[str, ...] = ()
    chosen = None
    if data.startswith(GZIP):
        data = gunzip(data, name, limits.decompressed)
        name = name[:-3] if name.lower().endswith(".gz") else name
        if data.startswith(GZIP):
            raise TableError(f"{name} is compressed twice: unpack it once and upload it again.")
        if not data:
            raise TableError(f"{name} is empty: it unpacks to no bytes at all.")
    if data.startswith(ZIP):
        archive = open_zip(data, name)
        kind = kind_of_zip(archive)
        if kind in ("ods", "office"):
            raise TableError(
                f"{name} is a document of an office program, not a table: save it as .xlsx or CSV."
            )
        if kind == "zip":
            members = files_of(archive)
            chosen = choose_file(archive, name, options.member)
            data = unzip(archive, chosen, name, limits.decompressed)
            if len(members) > 1:
                notes.append(
                    f"Read '{shown(chosen, 40)}', one of {len(members):,} files in {name}."
                )
            name = shown(chosen, 60)
            if not data:
                raise TableError(f"{name} in the archive is empty.", members=members)
            if data.startswith(GZIP) or (
                data.startswith(ZIP) and kind_of_zip(open_zip(data, name)) == "zip"
            ):
                raise TableError(
                    f"{name} is an archive within an archive: unpack it and upload the table.",
                    members=members,
                )
    try:
        inner = replace(options, member=None) if chosen is not None else options
        table = _read_plain(data, name, inner, limits, digest)
    except TableError as error:
        error.members = error.members or members
        raise
    if chosen is None:
        return replace(table, notes=(*notes, *table.notes))
    return replace(
        table,
        options=replace(table.options, member=chosen),
        notes=(*notes, *table.notes),
        members=members,
    )


def _read_plain(data, name, options: ReadOptions, limits: Limits, digest: str) -> Table:
    refuse_unreadable(data, name)
    kind = options.format or _format_of(data, name)
    _refuse_wrong_format(kind, data, name)
    reader = read_turned if options.transposed else read_delimited
    if kind == "csv":
        return _from_text(reader(data, name, options, limits), options, digest, kind)
    if kind == "excel":
        with one_at_a_time:
            from .excel import read_sheet

        text, sheet, sheets = read_sheet(data, name, options.member, limits)
        dialect = {"encoding": "utf-8", "delimiter": ",", "quote": '"', "decimal": "."}
        read = reader(text, name, replace(options, **dialect), limits)
        unused = dict.fromkeys(dialect)
        used = replace(read.options, member=sheet, **unused)
        first = f"Read the sheet '{shown(sheet, 40)}' of {counted(len(sheets), 'sheet')}."
        read = replace(read, options=used, notes=(first, *read.notes[1:]))
        return replace(_from_text(read, options, digest, kind), members=sheets)
    if kind == "parquet":
        with one_at_a_time:
            from .parquet import read_parquet

        frame, notes = read_parquet(data, name, limits)
        return _labelled(Table(frame, ReadOptions(format=kind), tuple(notes), digest), options)
    if kind == "libsvm":
        return _from_arrays(read_libsvm(data, name, limits), options, digest, kind)
    if kind == "mat":
        with one_at_a_time:
            from .matlab import read_matlab

        arrays = read_matlab(data, name, options.member, limits)
    else:
        arrays = read_numpy(data, name, options.member, limits)
    return _from_arrays(arrays, options, digest, kind)


def _format_of(data: bytes, name: str) -> str:
    if data.startswith(PARQUET):
        return "parquet"
    if data.startswith(NUMPY):
        return "npz"
    if data.startswith(MATLAB):
        return "mat"
    if data.startswith(ZIP):
        return "excel" if kind_of_zip(open_zip(data, name)) == "excel" else "npz"
    lower = name.lower()
    if lower.endswith((".libsvm", ".svmlight", ".svm")) or looks_like_libsvm(data):
        return "libsvm"
    for kind, endings in (
        ("parquet", (".parquet", ".pq")),
        ("mat", (".mat",)),
        ("npz", (".npz", ".npy")),
        ("excel", (".xlsx", ".xlsm")),
    ):
        if lower.endswith(endings):
            return kind
    return "csv"


def _refuse_wrong_format(kind: str, data: bytes, name: str) -> None:
    """A chosen format, or an ending, that the first bytes contradict."""
    begins = {
        "parquet": (PARQUET, "Parquet file"),
        "excel": (ZIP, "Excel workbook (.xlsx)"),
        "npz": ((ZIP, NUMPY), "NumPy file"),
        "mat": (b"", ""),
        "libsvm": (b"", ""),
        "csv": (b"", ""),
    }
    magic, what = begins[kind]
    if magic and not data.startswith(magic):
        raise TableError(
            f"{name} is not a {what}, for it does not begin like one: choose another format."
        )
    if kind in ("csv", "libsvm") and data.startswith((ZIP, PARQUET, NUMPY, MATLAB)):
        raise TableError(
            f"{name} is a binary file, not text: leave the format to be found, or choose it."
        )


def _from_text(read: TextTable, options: ReadOptions, digest: str, kind: str) -> Table:
    used = replace(
        read.options, format=kind, missing=MISSING if options.missing is None else options.missing
    )
    table = Table(read.frame, used, read.notes, digest, preview=read.preview, groups=read.groups)
    table = _labelled(table, options)
    if table.options.label is not None:
        table = spare_label(table, table.options.label, read.as_written)
    return replace(table, notes=(*table.notes, *missing_note(table.frame, read.n_short_rows)))


def _from_arrays(arrays: ArrayTable, options: ReadOptions, digest: str, kind: str) -> Table:
    used = ReadOptions(format=kind, member=arrays.member)
    table = Table(
        arrays.frame, used, arrays.notes, digest, sparse=arrays.sparse, members=arrays.members
    )
    return _labelled(table, options)


def _labelled(table: Table, options: ReadOptions) -> Table:
    if not options.labelled:
        return replace(table, options=replace(table.options, labelled=False))
    label = options.label if options.label in table.names else guess_label(table)
    return replace(table, options=replace(table.options, label=label))
