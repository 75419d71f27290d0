# SPDX-License-Identifier: MIT
"""How well predictions agree with measurements, and what a choice by them is worth."""
import math


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def quantile(values, part):
    """Of the sorted VALUES the one at PART (0 to 1) of the way, between two of them linearly."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values):
    return quantile(values, 0.5)


def ranks(values):
    """1 for the least; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in range(first, last + 1):
            found[order[place]] = (first + last) / 2 + 1
        first = last + 1
    return found


def pearson(x, y):
    """None where all of X or all of Y are equal."""
    mean_x, mean_y = mean(x), mean(y)
    both = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    alone = math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    return both / alone if alone > 0 else None


def spearman(x, y):
    return pearson(ranks(x), ranks(y))


def sign(value):
    return (value > 0) - (value < 0)


def kendall(x, y):
    """Tau-b: pairs that are equal in X or Y count in neither way."""
    agree, in_x, in_y = 0, 0, 0
    for i, (a, b) in enumerate(zip(x, y)):
        for c, d in zip(x[:i], y[:i]):
            one, other = sign(a - c), sign(b - d)
            agree += one * other
            in_x += one != 0
            in_y += other != 0
    return agree / math.sqrt(in_x * in_y) if in_x and in_y else None


def least_of(sample, pool):
    """The least of SAMPLE different ones of POOL, taken at random: its expected value."""
    ordered, total = sorted(pool), 0.0
    n = len(ordered)
    for i, value in enumerate(ordered):
        if n - 1 - i >= sample - 1:
            total += value * math.comb(n - 1 - i, sample - 1)
    return total / math.comb(n, sample)


def choice(predicted, measured, most):
    """The least time among the MOST that are predicted to be quickest, over the least of all. Where
    equal predictions leave it open which these are, its expected value."""
    ordered = sorted(zip(predicted, measured))
    last = ordered[min(most, len(ordered)) - 1][0]
    sure = [time for guess, time in ordered if guess < last]
    tied = [time for guess, time in ordered if guess == last]
    least = min(sure, default=math.inf)
    expected = least_of(min(most, len(ordered)) - len(sure), [min(least, time) for time in tied])
    return expected / min(measured)


class Scores:
    """Of PREDICTED times, held against MEASURED ones; errors in per cent."""

    def __init__(self, predicted, measured):
        self.n = len(measured)
        self.errors = [100 * (p / m - 1) for p, m in zip(predicted, measured)]
        sizes = [abs(error) for error in self.errors]
        self.mean, self.bias = mean(sizes), mean(self.errors)
        self.median, self.high = median(sizes), quantile(sizes, 0.9)
        self.within = 100 * sum(size <= 25 for size in sizes) / self.n
        self.rank(predicted, measured)

    def rank(self, predicted, measured):
        self.pearson = pearson(predicted, measured)
        self.spearman, self.kendall = spearman(predicted, measured), kendall(predicted, measured)
        self.first, self.five = choice(predicted, measured, 1), choice(predicted, measured, 5)


class Ranking(Scores):
    """Of what orders launches, and says no time."""

    def __init__(self, predicted, measured):  # pylint: disable=super-init-not-called
        self.n = len(measured)
        self.mean = self.bias = self.median = self.high = self.within = None
        self.rank(predicted, measured)
