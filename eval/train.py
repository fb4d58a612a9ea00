#!/usr/bin/env python3
"""Trains the block model of HTML extraction and says what it is worth on pages it has not seen.

    cargo run --release -p hadal-eval -- features DIR > rows.jsonl
    python3 eval/train.py DIR rows.jsonl src/core/text/page/html/model.txt

Needs numpy and lightgbm; nothing else of the project does. `rows.jsonl` has a line per block: page id, text, numbers.
A block is content when most of its words stand in the page's true text as part of a run of four words.
Pages, not blocks, are kept apart in the cross-validation, and each weighs the same.
"""
import collections
import json
import re
import sys

import lightgbm
import numpy

WORD = re.compile(r"\w+")
RUN = 4
FOLDS = 5
ROUNDS = 120
PARAMETERS = dict(
    objective="binary", num_leaves=15, learning_rate=0.07, min_data_in_leaf=40, feature_fraction=0.3,
    bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, max_bin=63, seed=1, num_threads=1, verbose=-1,
    force_col_wise=True, deterministic=True,
)


def words(text):
    return WORD.findall(text.lower())


def label(blocks, truth):
    """The share of each block's words that stand in the truth."""
    runs = {tuple(truth[i:i + RUN]) for i in range(len(truth) - RUN + 1)}
    page = [(no, word) for no, block in enumerate(blocks) for word in block]
    hit = [False] * len(page)
    for i in range(len(page) - RUN + 1):
        if tuple(word for _, word in page[i:i + RUN]) in runs:
            hit[i:i + RUN] = [True] * RUN
    found = collections.Counter(no for (no, _), is_hit in zip(page, hit) if is_hit)
    return [found[no] / len(block) if block else 0.0 for no, block in enumerate(blocks)]


def choose(chances, lengths):
    """The blocks of highest expected F1: the same rule as `select` of the extractor."""
    expected = sum(chance * length for chance, length in zip(chances, lengths))
    best, taken, right, size = 0.0, 0, 0.0, 0.0
    order = sorted(range(len(chances)), key=lambda no: -chances[no])
    for count, no in enumerate(order, 1):
        right += chances[no] * lengths[no]
        size += lengths[no]
        value = 2 * right / (size + expected) if size + expected else 0.0
        if value > best:
            best, taken = value, count
    return order[:taken]


def f1(found, truth):
    found, truth = collections.Counter(found), collections.Counter(truth)
    both = sum((found & truth).values())
    total = sum(found.values()) + sum(truth.values())
    return 2 * both / total if total else 1.0


def main(folder, rows, out):
    truth = {}
    for line in open(f"{folder}/truth.jsonl"):
        row = json.loads(line)
        truth[row["id"]] = row
    pages = collections.defaultdict(list)
    for line in open(rows):
        row = json.loads(line)
        pages[row["id"]].append((words(row["text"]), row["numbers"]))
    ids = sorted(pages)
    x, y, weight, fold, half = [], [], [], [], []
    shuffled = numpy.random.RandomState(0).permutation(ids)
    folds = {name: no % FOLDS for no, name in enumerate(shuffled)}
    halves = {name: no % 2 for no, name in enumerate(shuffled)}
    for name in ids:
        blocks = [block for block, _ in pages[name]]
        true = words(truth[name]["main_content"])
        total = len(true) + 0.5 * sum(map(len, blocks)) or 1
        x += [numbers for _, numbers in pages[name]]
        y += [int(share > 0.5) for share in label(blocks, true)]
        weight += [(1000 * len(block) / total) ** 0.5 + 0.02 for block in blocks]
        fold += [folds[name]] * len(blocks)
        half += [halves[name]] * len(blocks)
    x, y, weight, fold, half = (numpy.array(part) for part in (x, y, weight, fold, half))

    def train(these):
        return lightgbm.train(PARAMETERS, lightgbm.Dataset(x[these], y[these], weight=weight[these]), ROUNDS)

    def score(chances):
        kinds, at = collections.defaultdict(list), 0
        for name in ids:
            blocks = [block for block, _ in pages[name]]
            part = chances[at:at + len(blocks)]
            at += len(blocks)
            found = [word for no in choose(part, [len(block) for block in blocks]) for word in blocks[no]]
            value = f1(found, words(truth[name]["main_content"]))
            kinds[truth[name]["page_type"]].append(value)
            kinds["all"].append(value)
        return {kind: round(float(numpy.mean(values)), 3) for kind, values in sorted(kinds.items())}

    chances = numpy.zeros(len(y))
    for no in range(FOLDS):
        chances[fold == no] = train(fold != no).predict(x[fold == no])
    print(f"unseen pages ({FOLDS} folds):", score(chances))
    chances = numpy.zeros(len(y))
    for no in (0, 1):
        chances[half == no] = train(half != no).predict(x[half == no])
    print("each half, trained on the other:", score(chances))
    model = train(fold >= 0)
    print("pages it was trained on:", score(model.predict(x)))
    with open(out, "w") as file:
        for tree in model.model_to_string().split("Tree=")[1:]:
            fields = dict(line.split("=", 1) for line in tree.splitlines() if "=" in line)
            short = lambda key: " ".join("%.6g" % float(value) for value in fields[key].split())
            parts = [fields["split_feature"], short("threshold"), fields["left_child"], fields["right_child"], short("leaf_value")]
            file.write("|".join(parts) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
