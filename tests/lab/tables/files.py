"""Files of every format made in memory, and the ways they come damaged or hostile."""

from __future__ import annotations

import gzip
import io
import pickle
import struct
import zipfile
import zlib

import numpy as np
import pandas as pd
import scipy.io
from openpyxl import Workbook
from scipy import sparse


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def gzip_bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(bytes(10**6)) for _ in range(megabytes)]
    return b"".join(parts) + packer.flush()


def zip_bomb(megabytes: int) -> bytes:
    out = io.BytesIO()
    archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
    with archive, archive.open("table.csv", "w", force_zip64=True) as member:
        for _ in range(megabytes):
            member.write(bytes(10**6))
    return out.getvalue()


def lying_zip(content: bytes, claimed: int) -> bytes:
    """An archive whose directory claims another size than the member has."""
    data = bytearray(zipped({"table.csv": content}))
    size = struct.pack("<I", len(content))
    for place in (data.find(b"PK\x03\x04") + 22, data.find(b"PK\x01\x02") + 24):
        assert data[place : place + 4] == size
        data[place : place + 4] = struct.pack("<I", claimed)
    return bytes(data)


def encrypted_zip() -> bytes:
    data = bytearray(zipped({"table.csv": b"a,b\n1,2\n"}))
    data[data.find(b"PK\x03\x04") + 6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def xlsx(sheets: dict[str, list[list]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def xlsx_far_cell() -> bytes:
    book = Workbook()
    book.active["A1"], book.active["B1"] = "a", "b"
    book.active["A2"], book.active["B2"] = 1, 2
    book.active.cell(row=1_048_576, column=16_384, value=5)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def changed_zip(data: bytes, member: str, change) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files[member] = change(files[member])
    return zipped(files)


def xlsx_with_entities() -> bytes:
    def laugh(xml: bytes) -> bytes:
        laughs = "".join(
            f'<!ENTITY l{k} "{"&l" + str(k - 1) + ";" if k else "ha"}{"&l0;" * 9 if k else ""}">'
            for k in range(6)
        )
        head, _, rest = xml.partition(b"<worksheet")
        doctype = f"<!DOCTYPE worksheet [{laughs}]>".encode()
        return head + doctype + b"<worksheet" + rest.replace(b"<sheetData>", b"<sheetData>&l5;")

    return changed_zip(xlsx({"s": [["a", "b"], [1, 2]]}), "xl/worksheets/sheet1.xml", laugh)


def parquet(frame: pd.DataFrame, **options) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out, **options)
    return out.getvalue()


def npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def npy(array) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def npy_claiming(shape, dtype="<f8", body=b"") -> bytes:
    """A header that claims an array of that shape, and bytes that need not be one."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117)
    header += "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def sparse_npz(matrix) -> bytes:
    out = io.BytesIO()
    sparse.save_npz(out, matrix)
    return out.getvalue()


def mat(compressed: bool = True, **variables) -> bytes:
    out = io.BytesIO()
    scipy.io.savemat(out, variables, do_compression=compressed)
    return out.getvalue()


def mat_nested(depth: int) -> bytes:
    """A cell in a cell in a cell …, which a recursive reader follows until its stack ends."""
    element = _mat_element(b"", class_code=6, dims=(0, 0))
    for _ in range(depth):
        element = _mat_element(element, class_code=1, dims=(1, 1))
    return _mat_header() + element


def mat_bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9)
    n_bytes = megabytes * 10**6
    head = struct.pack("<II", 14, n_bytes + 56) + _mat_flags(6, (n_bytes // 8, 1), b"X")
    body = packer.compress(head + struct.pack("<II", 9, n_bytes))
    body += b"".join(packer.compress(bytes(10**6)) for _ in range(megabytes)) + packer.flush()
    return _mat_header() + struct.pack("<II", 15, len(body)) + body


def mat_claiming(dims: tuple[int, int], class_code: int = 4) -> bytes:
    """A variable that claims to be larger than its data."""
    return _mat_header() + _mat_element(struct.pack("<II", 1, 0), class_code, dims, b"X")


def _mat_header() -> bytes:
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"


def _mat_flags(class_code: int, dims: tuple[int, int], name: bytes) -> bytes:
    tag = struct.pack("<II", 1, len(name)) + name.ljust(-(-len(name) // 8) * 8, b"\0")
    return struct.pack("<IIII", 6, 8, class_code, 0) + struct.pack("<IIii", 5, 8, *dims) + tag


def _mat_element(content: bytes, class_code: int, dims, name: bytes = b"") -> bytes:
    body = _mat_flags(class_code, dims, name) + content
    return struct.pack("<II", 14, len(body)) + body


class Trap:
    """Unpickling it calls `sprung`, which fails the test that sees it."""

    def __reduce__(self):
        return sprung, ()


def sprung():
    raise AssertionError("a pickle was loaded")


def pickled(protocol: int = 4) -> bytes:
    return pickle.dumps(Trap(), protocol=protocol)


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(64)
