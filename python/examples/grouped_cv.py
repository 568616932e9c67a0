"""
Rows that belong together: cross-validation with groups
=======================================================

Twenty visits of one patient are not twenty patients. If some visits of a patient are in the training rows and others are held out,
columns that only identify the patient look useful. With ``groups``, a patient is either in the training rows or in the held-out rows.
"""

import matplotlib.pyplot as plt
import numpy as np

import lass0

rng = np.random.default_rng(11)
patients, visits, columns = 30, 20, 60
patient = np.repeat(np.arange(patients), visits)
X = rng.normal(size=(patients * visits, columns))
X[:, 20:] = (
    rng.normal(size=(patients, 40))[patient] + 0.1 * X[:, 20:]
)  # 40 columns that identify the patient
y = X[:, :3] @ [1.0, -1.0, 0.5] + 2 * rng.normal(size=patients)[patient] + rng.normal(size=len(X))

naive = lass0.Lass0CV().fit(X, y)
grouped = lass0.Lass0CV().fit(X, y, groups=patient)
print(f"without groups: {naive.k_} columns, error {-naive.best_score_:.2f}")
print(f"with groups:    {grouped.k_} columns, error {-grouped.best_score_:.2f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), sharey=True, layout="constrained")
lass0.plot_cv(naive, ax=left).set_title("visits at random")
lass0.plot_cv(grouped, ax=right).set_title("patients kept together")
plt.show()
