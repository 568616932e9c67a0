"""
Ten columns or five? The diabetes data
======================================

The data have 442 patients, ten columns, and the progression of the disease after one year. How many of the columns does a good
prediction need? The table of all sizes takes a few milliseconds, so look at it first. Cross-validation then says when more columns
stop helping.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

import lass0

X, y = load_diabetes(return_X_y=True, as_frame=True)

table = lass0.path(X, y)
print(table)

model = lass0.Lass0CV().fit(X, y)
print("chosen:", *model.get_feature_names_out())

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
lass0.plot_support(table, ax=left)
lass0.plot_cv(model, ax=right)
plt.show()
