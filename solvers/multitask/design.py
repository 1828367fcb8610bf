"""X ⊗ I_T as a linear operator: all tasks in one product of matrices, never formed."""

from __future__ import annotations

import numpy as np

from ..design import Design


class TaskDesign:
    """XW for every task, W flattened row by row: entry j·T + t is feature j's weight in task t

    In the interface of `Design`. Only `columns` forms anything, and only what is asked for.
    """

    means = None
    # Blocks of zeros between the tasks: whoever asks for a dense matrix should count its entries.
    is_sparse = True
    dense = None
    in_memory = True

    def __init__(self, inner: Design, n_tasks: int):
        self.inner = inner
        self.n_tasks = n_tasks
        n_samples, n_features = inner.shape
        self.shape = (n_samples * n_tasks, n_features * n_tasks)

    def matvec(self, w) -> np.ndarray:
        return self.product(w.reshape(-1, self.n_tasks)).reshape(-1)

    def rmatvec(self, theta) -> np.ndarray:
        return self.adjoint(theta.reshape(-1, self.n_tasks)).reshape(-1)

    def remember(self, columns) -> None:
        """As of `Design`."""

    def product(self, W) -> np.ndarray:
        """XW, samples × tasks"""
        inner = self.inner
        product = inner.matrix @ W
        return product if not inner.is_sparse or inner.means is None else product - inner.means @ W

    def adjoint(self, Theta) -> np.ndarray:
        """XᵀΘ, features × tasks"""
        inner = self.inner
        product = inner.matrix.T @ Theta
        if inner.is_sparse and inner.means is not None:
            product = product - np.outer(inner.means, Theta.sum(axis=0))
        return product

    def columns(self, indices) -> np.ndarray:
        """Some columns of X ⊗ I_T as a dense Fortran-ordered array."""
        indices = np.asarray(indices)
        features, tasks = np.divmod(indices, self.n_tasks)
        dense = np.zeros((self.inner.shape[0], self.n_tasks, indices.size))
        dense[:, tasks, np.arange(indices.size)] = self.inner.columns(features)
        return np.asfortranarray(dense.reshape(self.shape[0], -1))

    def largest_eigenvalue(self, row_weights) -> float:
        """Of (X ⊗ I)ᵀ diag(row_weights) (X ⊗ I); the weights are the same for all tasks."""
        return self.inner.largest_eigenvalue(row_weights.reshape(-1, self.n_tasks)[:, 0])
