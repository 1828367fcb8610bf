"""Sets whose features come in groups of their own."""

import numpy as np
import pytest

from lab.data.datasets import DATA_FOLDER_VARIABLE, load
from lab.data.natural import NATURAL, NaturalSpec


def test_a_set_is_read_with_its_groups_and_classes(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"nutrimouse\.npz is not in"):
        load(NaturalSpec("nutrimouse_diet"))
    np.savez(
        tmp_path / "nutrimouse.npz",
        X=np.arange(12.0, dtype="float32").reshape(4, 3),
        genotype=np.array(["wt", "ppar", "wt", "ppar"]),
        diet=np.array(["sun", "lin", "coc", "sun"]),
        groups=np.array(["gene", "lipid", "gene"]),
        names=np.array(["a", "b", "c"]),
    )
    data = load(NaturalSpec("nutrimouse_genotype"))
    assert [list(group) for group in data.groups.lists()] == [
        [0, 2],
        [1],
    ]
    assert data.group_names == ("gene", "lipid") and data.class_names == ("ppar", "wt")
    assert data.y.tolist() == [1, 0, 1, 0] and data.names == ("a", "b", "c")
    assert "4 × 3, 2 groups: gene 2, lipid 1" in data.description
    assert load(NaturalSpec("nutrimouse_diet")).class_names == ("coc", "lin", "sun")
    with pytest.raises(ValueError, match="there is no name 'iris'"):
        load(NaturalSpec("iris"))
    assert set(NATURAL) >= {"mfeat", "tcga_breast"}
