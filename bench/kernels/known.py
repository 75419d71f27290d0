# SPDX-License-Identifier: MIT
"""The statistics on lists whose results are known, from textbooks or by hand; status 1 where one
is otherwise."""
import sys

import scores

# (what, what it gives, what is right)
KNOWN = (
    ("median", scores.median([3, 1, 2]), 2),
    ("median of four", scores.median([4, 1, 2, 3]), 2.5),
    ("90th percentile", scores.quantile(range(11), 0.9), 9),
    ("between two", scores.quantile([0, 10], 0.25), 2.5),
    ("ranks", scores.ranks([30, 10, 20]), [3, 1, 2]),
    ("ranks with ties", scores.ranks([2, 1, 2, 2, 5]), [3, 1, 3, 3, 5]),
    ("Pearson", scores.pearson([1, 2, 3], [2, 4, 6]), 1),
    ("Pearson, opposite", scores.pearson([1, 2, 3], [3, 2, 1]), -1),
    ("Pearson, all equal", scores.pearson([1, 1, 1], [3, 2, 1]), None),
    # 1 - 6 (0 + 1 + 1 + 0) / (4 (16 - 1))
    ("Spearman", scores.spearman([1, 2, 3, 4], [10, 30, 20, 40]), 0.8),
    # Of 6 pairs 5 agree.
    ("Kendall", scores.kendall([1, 2, 3, 4], [10, 30, 20, 40]), 2 / 3),
    # 5 pairs agree, one is equal in X: 5 / sqrt(5 x 6).
    ("Kendall with a tie", scores.kendall([1, 1, 2, 3], [1, 2, 3, 4]), 5 / 30 ** 0.5),
    ("Kendall, all equal", scores.kendall([1, 1], [1, 2]), None),
    ("first choice", scores.choice([2, 1, 3], [10, 15, 30], 1), 1.5),
    ("best of two", scores.choice([2, 1, 3], [10, 15, 30], 2), 1),
    ("first of two that are tied", scores.choice([1, 1, 3], [10, 20, 5], 1), 3),
    ("at random", scores.choice([0, 0, 0], [10, 20, 30], 1), 2),
    # The pairs of 10, 20, 30 have the least 10, 10, 20.
    ("best of two at random", scores.choice([0, 0, 0], [10, 20, 30], 2), 4 / 3),
    ("one sure, one of two", scores.choice([1, 2, 2, 3], [20, 10, 40, 10], 2), 1.5),
    ("more than there are", scores.choice([1, 2], [20, 10], 5), 1),
    ("mean error", scores.Scores([110, 80], [100, 100]).mean, 15),
    ("bias", scores.Scores([110, 80], [100, 100]).bias, -5),
    ("within 25%", scores.Scores([110, 70], [100, 100]).within, 50),
)


def same(found, right):
    if isinstance(right, list):
        return len(found) == len(right) and all(map(same, found, right))
    return found == right if None in (found, right) else abs(found - right) < 1e-9


def main():
    wrong = [f"{what}: {found}, should be {right}" for what, found, right in KNOWN
             if not same(found, right)]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
