"""
Who will default?
=================

A bank wants a score that its clerks can read: a few facts about an applicant, and the probability of default. The data are simulated, with 2000 loans and
20 columns, of which five matter. ``Lass0ClassifierCV`` chooses the columns by the deviance on held-out loans.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import RocCurveDisplay

import lass0

rng = np.random.default_rng(1)
n = 2000
loans = pd.DataFrame(
    {
        "income": rng.lognormal(3.5, 0.5, n),
        "age": rng.uniform(20, 70, n),
        "late_payments": rng.poisson(0.7, n),
        "years_in_job": rng.exponential(6, n),
        "own_home": rng.integers(0, 2, n),
        "open_accounts": rng.poisson(4, n),
    }
)
loans["debt"] = loans["income"] * rng.beta(2, 4, n)
loans["debt_ratio"] = loans["debt"] / loans["income"]
loans["utilisation"] = np.clip(0.6 * loans["debt_ratio"] + rng.normal(0.2, 0.15, n), 0, 1)
for j in range(11):
    loans[f"branch_{j}"] = rng.normal(size=n)
log_odds = (
    -4.2
    + 3.0 * loans["debt_ratio"]
    + 2.0 * loans["utilisation"]
    + 0.8 * loans["late_payments"]
    - 0.06 * loans["years_in_job"]
    - 0.5 * loans["own_home"]
)
defaults = rng.uniform(size=n) < 1 / (1 + np.exp(-log_odds))
default = pd.Series(np.where(defaults, "yes", "no"), name="default")

# The classes are sorted, and the probability is that of the second: "yes".
model = lass0.Lass0ClassifierCV(tune="k", max_k=10).fit(loans, default)
print(
    f"{model.k_} columns explain {100 * model.held_out_deviance_explained_:.0f} % of the deviance"
)
ratios = np.exp(model.coef_[0, model.support_])
for name, ratio, share in zip(model.get_feature_names_out(), ratios, model.frequencies_):
    print(f"{name:15} odds x {ratio:5.2f} per unit   in {100 * share:3.0f} % of the folds")

# %%
# The curves use predictions by models that have not seen the loan, so they are not optimistic.
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 4.3), layout="constrained")
lass0.plot_cv(model, ax=left)
RocCurveDisplay.from_predictions(defaults, model.held_out_decision_, ax=middle)
probability = 1 / (1 + np.exp(-model.held_out_decision_))
CalibrationDisplay.from_predictions(defaults, probability, n_bins=8, strategy="quantile", ax=right)
plt.show()
