"""
Exactly k columns, proven
=========================

Sometimes the number of columns is given: a score with four questions, a panel with five markers. ``Lass0(k=...)`` uses exactly this many columns.
With ``prove=True``, branch and bound proves that no other choice fits better.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import lass0

X, y = load_diabetes(return_X_y=True, as_frame=True)
quadratic = make_pipeline(StandardScaler(), PolynomialFeatures(2, include_bias=False))
quadratic.set_output(transform="pandas")
X = quadratic.fit_transform(X).drop(columns="sex^2")

model = lass0.Lass0(k=5, prove=True, time_limit=60).fit(X, y)
print(model.status_)
for name, effect in zip(model.get_feature_names_out(), model.effects_):
    print(f"{name:10} {effect:6.1f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
table = lass0.path(X, y, max_k=12)
lass0.plot_path(table, ax=left)
lass0.plot_path(table, show="coef", ax=right)
plt.show()
