"""
Correlated genes
================

Genes of one pathway are correlated: if one of them matters, the others seem to matter too. The Lasso selects several genes of
each pathway. A best subset selects one, and the list of stand-ins shows which others fit nearly as well.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LassoCV

import lass0

rng = np.random.default_rng(7)
samples, pathways, genes = 150, 40, 10
activity = rng.normal(size=(samples, pathways, 1))
expression = 0.95 * activity + 0.31 * rng.normal(size=(samples, pathways, genes))
X = pd.DataFrame(
    expression.reshape(samples, -1),
    columns=[f"p{pathway}.g{gene}" for pathway in range(pathways) for gene in range(genes)],
)
y = 2 * X["p3.g1"] - 1.5 * X["p10.g4"] + X["p25.g7"] + rng.normal(size=samples)

model = lass0.Lass0CV(rule="1se").fit(X, y)
lasso = LassoCV().fit(X, y)
print("lass0:", *model.get_feature_names_out())
print("Lasso:", np.count_nonzero(lasso.coef_), "genes")

ax = lass0.plot_alternatives(model)
ax.set_title("Which gene could stand in for which?")
plt.show()
