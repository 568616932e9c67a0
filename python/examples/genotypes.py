"""
Genotypes: one byte per value
=============================

A genotype counts how often an allele occurs: 0, 1 or 2 times. An ``int8`` array of genotypes is eight times smaller than one of
doubles, and lass0 reads it without copying or converting it. Age and sex are included in every model; lass0 chooses the variants.
"""

import matplotlib.pyplot as plt
import numpy as np

import lass0

rng = np.random.default_rng(3)
people, variants = 1000, 5000
frequency = rng.uniform(0.1, 0.5, variants)
# Neighbours are inherited together: each variant equals the one before it in three of four people.
genotypes = np.empty((people, variants + 2), dtype=np.int8, order="F")
genotypes[:, 0] = rng.integers(20, 80, people)  # age
genotypes[:, 1] = rng.integers(0, 2, people)  # sex
for j in range(variants):
    fresh = rng.binomial(2, frequency[j], people)
    linked = rng.random(people) < 0.75
    genotypes[:, 2 + j] = np.where(linked & (j > 0), genotypes[:, 1 + j], fresh)
causal = np.array([500, 1500, 2500, 4000])
y = 0.02 * genotypes[:, 0] + 0.3 * genotypes[:, 1] + genotypes[:, causal] @ [0.8, -0.7, 0.6, 0.5]
y += rng.normal(size=people)

model = lass0.Lass0CV(include=[0, 1], rule="1se", max_k=15, n_jobs=-1).fit(genotypes, y)
print("causal:", *causal)
print("chosen:", *model.support_[2:])

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.vlines(causal, -1, 1, color="0.85", linewidth=6, label="causal")
ax.stem(model.support_[2:], model.coef_[model.support_[2:]], basefmt=" ", label="chosen")
ax.set(xlabel="variant", ylabel="coefficient", xlim=(0, variants + 2))
ax.legend(frameon=False)
plt.show()
