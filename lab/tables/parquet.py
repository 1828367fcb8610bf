"""Parquet -> frame, with its claims checked before anything is unpacked."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from lab.words import counted

from .dialect import too_wide
from .errors import TableError, quoted, shown
from .frames import is_counter, missing_note, plain, unique_names
from .model import Limits

_BATCH = 4096


def read_parquet(data: bytes, name: str, limits: Limits) -> tuple[pd.DataFrame, list[str]]:
    """Columns of numbers, text, truth values and dates; nested ones are left out and named.

    Text is read as codes into the distinct texts, so that a file of a few bytes cannot ask for a
    billion copies of one long text.
    """
    try:
        source = pq.ParquetFile(io.BytesIO(data))
        about, schema = source.metadata, source.schema_arrow
    # Arrow raises its own, Python's and system errors on damaged files.
    except Exception as error:
        raise _damaged(name, error) from None
    _check_claims(about, name, limits)
    kept = [f.name for f in schema if _is_plain(f.type)]
    left_out = [f.name for f in schema if not _is_plain(f.type)]
    if len(set(schema.names)) < len(schema.names):
        raise TableError(f"{name} has columns of the same name: rename them and save it again.")
    if not kept:
        raise TableError(f"{name} holds no columns of numbers, text or dates: save such columns.")
    text = [f.name for f in schema if _is_text(f.type)]
    try:
        source = pq.ParquetFile(io.BytesIO(data), read_dictionary=text)
        batches, held = [], 0
        for batch in source.iter_batches(_BATCH, columns=kept, use_threads=False):
            held += batch.nbytes
            if held > limits.decompressed:
                raise _too_large(name, limits)
            batches.append(batch)
        table = pa.Table.from_batches(batches) if batches else None
        if table is None or not table.num_rows:
            raise TableError(f"{name} holds {counted(len(kept), 'column')} but no rows: add rows.")
        _check_text(table, name, limits)
        notes: list[str] = []
        frame = _to_frame(table)
    except TableError:
        raise
    except Exception as error:
        raise _damaged(name, error) from None
    if left_out:
        notes.append(f"{quoted(left_out)} hold nested or binary values and were left out.")
    index = [
        c for c in frame.columns if str(c).startswith("__index_level_") and is_counter(frame[c])
    ]
    if index and frame.shape[1] > len(index):
        frame = frame.drop(columns=index)
        notes.append("The stored row numbers were left out.")
    frame.columns = unique_names(frame.columns, notes)
    return plain(frame), notes + missing_note(frame)


def _check_claims(about, name: str, limits: Limits) -> None:
    if about.num_columns > limits.columns:
        raise too_wide(name, about.num_columns, limits.columns)
    if about.num_rows < 0 or about.num_rows * max(about.num_columns, 1) > limits.cells:
        raise TableError(
            f"{name} has {about.num_rows:,} rows of {about.num_columns:,} columns, and the limit "
            f"is {limits.cells:,} cells: upload fewer rows or columns."
        )
    groups = (about.row_group(j) for j in range(about.num_row_groups))
    if sum(group.total_byte_size for group in groups) > limits.decompressed:
        raise _too_large(name, limits)


def _check_text(table: pa.Table, name: str, limits: Limits) -> None:
    """The size text columns will have when written out, from their codes alone."""
    total = 0
    for column in table.columns:
        if not pa.types.is_dictionary(column.type):
            continue
        for chunk in column.chunks:
            lengths = pa.compute.binary_length(chunk.dictionary).fill_null(0).to_numpy()
            codes = chunk.indices.drop_null().to_numpy()
            total += int(lengths[codes].sum())
    if total > limits.decompressed:
        raise _too_large(name, limits)


def _to_frame(table: pa.Table) -> pd.DataFrame:
    columns = []
    for field, column in zip(table.schema, table.columns, strict=True):
        kind = field.type
        if pa.types.is_dictionary(kind):
            column = column.cast(kind.value_type)
        if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
            column = column.cast(pa.float64())
        if pa.types.is_null(kind):
            values = pd.Series(np.full(len(column), np.nan))
        elif pa.types.is_dictionary(kind) or _is_text(kind):
            values = pd.Series(column.to_pylist(), dtype="str")
        else:
            values = column.to_pandas(date_as_object=False)
        columns.append(values.reset_index(drop=True))
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = table.schema.names
    return frame


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _is_plain(kind: pa.DataType) -> bool:
    return (
        _is_text(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_timestamp(kind)
        or pa.types.is_date(kind)
        or pa.types.is_null(kind)
    )


def _too_large(name: str, limits: Limits) -> TableError:
    return TableError(
        f"{name} unpacks to more than {limits.decompressed / 1e6:,.0f} MB, the limit: upload fewer "
        "rows or columns."
    )


def _damaged(name: str, error: Exception) -> TableError:
    return TableError(
        f"{name} is not a whole Parquet file ({shown(error)}): save it and upload it again."
    )
