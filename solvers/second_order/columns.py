"""A few columns of the data, their products, and how the groups couple them."""

from __future__ import annotations

import numpy as np


class Columns:
    """Columns of a design, gathered as they are asked for: a dense, growing N × k array."""

    def __init__(self, design):
        self._design = design
        self.features = np.empty(0, dtype=np.intp)
        self.place = np.full(design.shape[1], -1, dtype=np.intp)
        self._store = np.empty((design.shape[0], 0), order="F")
        design.remember(self)

    @property
    def X(self) -> np.ndarray:
        return self._store[:, : self.features.size]

    def add(self, features) -> None:
        """Gather those features that are not here yet."""
        new = features[self.place[features] < 0]
        if not new.size:
            return
        held = self.features.size
        total = held + new.size
        self._store = _with_room(self._store, held, total, self._design.shape[1])
        self._store[:, held:total] = self._design.columns(new)
        self.place[new] = np.arange(held, total)
        self.features = np.concatenate([self.features, new])


class Model:
    """½ wᵀX̃ᵀHX̃w − cᵀw with H = diag(curvature) ≥ 0, on gathered columns

    `balanced` minimises over an intercept too: X̃ is X less its H-weighted column means. The
    products of the columns that have been in a support are kept, for as long as the curvature is.
    """

    def __init__(self, columns: Columns, curvature, balanced):
        self.columns, self.balanced = columns, balanced
        self.n_samples = curvature.size
        self.work = 0.0
        self._curvature, self._root = curvature, np.sqrt(curvature)
        self._total = float(curvature.sum()) or 1.0
        self._slot = np.full(columns.place.size, -1, dtype=np.intp)
        self._scaled = np.empty((curvature.size, 0), order="F")
        self._gram = np.empty((0, 0))
        self._held = self._multiplied = 0

    def image(self, places, w) -> np.ndarray:
        """HX̃w for weights on those columns."""
        return self.curved(self.columns.X[:, places] @ w)

    def curved(self, product) -> np.ndarray:
        """HX̃w from Xw, or from it and a constant where an intercept is minimised over."""
        image = self._curvature * product
        if self.balanced:
            image -= self._curvature * (image.sum() / self._total)
        return image

    def scaled(self, places) -> np.ndarray:
        """√H X̃ on those columns."""
        slots = self._slots(places)
        return self._scaled[:, slots]

    def gram(self, places) -> np.ndarray:
        """X̃ᵀHX̃ on those columns, as an array of its own."""
        slots = self._slots(places)
        if self._multiplied < self._held:
            self._multiply()
        # Twice as fast as one gather over both axes.
        return self._gram.take(slots, axis=0).take(slots, axis=1)

    def _slots(self, places) -> np.ndarray:
        new = places[self._slot[places] < 0]
        if new.size:
            X = self.columns.X[:, new]
            if self.balanced:
                X = X - (self._curvature @ X) / self._total
            held, total = self._held, self._held + new.size
            self._scaled = _with_room(self._scaled, held, total)
            self._scaled[:, held:total] = self._root[:, None] * X
            self._slot[new] = np.arange(held, total)
            self._held = total
        return self._slot[places]

    def _multiply(self) -> None:
        old, total = self._multiplied, self._held
        if total > len(self._gram):
            larger = np.empty((self._scaled.shape[1],) * 2)
            larger[:old, :old] = self._gram[:old, :old]
            self._gram = larger
        block = self._scaled[:, :total].T @ self._scaled[:, old:total]
        self._gram[:total, old:total] = block
        self._gram[old:total, :old] = block[:old].T
        self._multiplied = total
        self.work += MATRIX_PRODUCT * 2.0 * self.n_samples * total * (total - old)


OVERLAP_OVERHEAD = 4e6  # of the sparse matrices of overlapping groups, in operations
FEW_GROUPS = 8  # features of a support per group from which it is coupled group by group
MATRIX_PRODUCT = 0.2  # time of a flop in a product of matrices, in those of a factorisation,
DENSE_PRODUCT, SPARSE_PRODUCT = 3.0, 8.0  # and in a product of a matrix and a vector
SORT = 40.0  # operations per entry of a prox, which sorts each group
OVERHEAD = 5e6  # of one iteration of any kind, in operations


def _with_room(store, held, total, most=None) -> np.ndarray:
    """A store of columns with room for `total`, `held` of which are in use."""
    if total <= store.shape[1]:
        return store
    size = max(total, 2 * store.shape[1], 64)
    larger = np.empty((store.shape[0], size if most is None else min(size, most)), order="F")
    larger[:, :held] = store[:, :held]
    return larger


class Coupling:
    """A_SᵀA_S and Aᵀ(A|w|) for any non-negative incidence A, group by group or sparse."""

    def __init__(self, geometry):
        A = geometry.incidence
        self.positive = geometry.positive
        self._by_feature = A.T.tocsr()
        self._n_groups, n_features = A.shape
        self.overhead = OVERLAP_OVERHEAD if geometry.overlapping else 0.0
        self._label = self._value = None
        if not geometry.overlapping:
            # Unpenalised features have no entry.
            self._label, self._value = np.zeros(n_features, dtype=np.intp), np.zeros(n_features)
            self._label[A.indices] = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
            self._value[A.indices] = A.data

    def add_to(self, matrix, features, signs, lam) -> None:
        """matrix + λ σσᵀ ∘ A_SᵀA_S, in place"""
        if self._label is None:
            matrix += lam * self.sparse_matrix(features, signs).toarray()
            return
        label, value = self._label[features], self._value[features] * signs
        if self._n_groups * FEW_GROUPS > label.size:
            matrix += (label[:, None] == label) * (lam * value[:, None] * value)
            return
        order = np.argsort(label, kind="stable")
        for members in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
            inside = value[members]
            matrix[members[:, None], members] += lam * inside[:, None] * inside

    def sparse_matrix(self, features, signs):
        chosen = self._by_feature[features].multiply(signs[:, None]).tocsr()
        return (chosen @ chosen.T).tocsr()

    def totals(self, features, magnitudes) -> np.ndarray:
        """A|w|"""
        if self._label is None:
            return self._by_feature[features].T @ magnitudes
        values = self._value[features] * magnitudes
        return np.bincount(self._label[features], values, self._n_groups)

    def pull(self, features, v) -> np.ndarray:
        """|v| of those features, (v)₊ where w ≥ 0 is asked"""
        pull = np.abs(v)
        if self.positive is None:
            return pull
        return np.where(self.positive[features], np.maximum(v, 0.0), pull)

    def reach(self, features, totals) -> np.ndarray:
        """(Aᵀ totals) of those features"""
        if self._label is None:
            return self._by_feature[features] @ totals
        return self._value[features] * totals[self._label[features]]
