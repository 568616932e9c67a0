"""What a rival answers: a model for each point of its path (a lambda, a size k, or the rule of
cross-validation).

As text, the same from every rival: a line "point column coefficient" for each non-zero, all counted
from 0, and "point -1 0" once for each point that was computed, so that an empty model and a missing
one differ.
"""


def write(path, models):
    """`models` maps a point to (columns, coefficients)."""
    with open(path, "w") as file:
        for point, (columns, values) in models.items():
            file.write(f"{point} -1 0\n")
            for column, value in zip(columns, values):
                file.write(f"{point} {column} {float(value)!r}\n")


def read(path):
    """{point: {column: coefficient}}"""
    models = {}
    with open(path) as file:
        for line in file:
            point, column, value = line.split()
            model = models.setdefault(int(point), {})
            if int(column) >= 0 and float(value) != 0:
                model[int(column)] = float(value)
    return models


def from_matrix(coefficients):
    """The models in the columns of a dense or sparse p x m matrix; points 0 .. m-1."""
    from scipy.sparse import csc_matrix

    matrix = csc_matrix(coefficients)
    matrix.eliminate_zeros()
    bounds = list(zip(matrix.indptr[:-1], matrix.indptr[1:]))
    return {point: (matrix.indices[a:b], matrix.data[a:b]) for point, (a, b) in enumerate(bounds)}
