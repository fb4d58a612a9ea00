#!/usr/bin/env python3
"""Trains the block model of HTML extraction and says what it is worth on sites it has not seen.

    cargo run --release -p hadal-eval -- features DIR > rows.jsonl
    python3 eval/train.py DIR rows.jsonl src/core/text/page/html/model.txt

Needs numpy and lightgbm; nothing else of the project does. `rows.jsonl` has a line per block: page id, text, numbers.
A block is content when most of its words stand in the page's true text as part of a run of four words, and not for the second
time; beside such blocks, one that has the missing words of the truth is content, too. In the cross-validation whole sites are
kept apart, not only pages, and each page weighs the same.
"""
import collections
import concurrent.futures
import json
import re
import sys
import urllib.parse

import lightgbm
import numpy

WORD = re.compile(r"\w+")
RUN = 4
FOLDS = 5
ROUNDS = 200
# The same as in `model.rs`.
POWER = 1.25
COPY_WORDS = 8
COPY_CHANCE = 0.05
# The number of a block that says whether it is code.
CODE = 30
PARAMETERS = dict(
    objective="binary", num_leaves=31, learning_rate=0.07, min_data_in_leaf=40, feature_fraction=0.3,
    bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, max_bin=63, seed=1, num_threads=1, verbose=-1,
    force_col_wise=True, deterministic=True,
)
# Below these a registrable name has three parts: `bbc.co.uk`.
SECOND_LEVEL = {"ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "or", "org"}


def words(text):
    return WORD.findall(text.lower())


def site(address):
    """The registrable name of an address; hosts of many blogs count as one site."""
    host = (urllib.parse.urlparse(address).hostname or "").lower()
    parts = host.split(".")
    count = 3 if len(parts) > 2 and len(parts[-1]) == 2 and parts[-2] in SECOND_LEVEL else 2
    return ".".join(parts[-count:]) or address


def found_in_runs(blocks, truth):
    """The share of each block's words that stand in the truth."""
    runs = {tuple(truth[i:i + RUN]) for i in range(len(truth) - RUN + 1)}
    page = [(no, word) for no, block in enumerate(blocks) for word in block]
    hit = [False] * len(page)
    for i in range(len(page) - RUN + 1):
        if tuple(word for _, word in page[i:i + RUN]) in runs:
            hit[i:i + RUN] = [True] * RUN
    found = collections.Counter(no for (no, _), is_hit in zip(page, hit) if is_hit)
    return [found[no] / len(block) if block else 0.0 for no, block in enumerate(blocks)]


def label(blocks, truth):
    """Which blocks are content: those that make up the true text, each part of it once."""
    chosen = [share > 0.5 for share in found_in_runs(blocks, truth)]
    missing = collections.Counter(truth)
    for block, is_chosen in zip(blocks, chosen):
        if is_chosen:
            missing.subtract(block)
    for no in reversed(range(len(blocks))):
        if chosen[no] and sum(missing[word] < 0 for word in blocks[no]) > 0.7 * len(blocks[no]):
            chosen[no] = False
            missing.update(blocks[no])
    for _ in range(2):
        for no, block in enumerate(blocks):
            if chosen[no] or not block or sum(chosen[max(0, no - 3):no + 4]) < 2:
                continue
            there = sum(min(count, max(missing[word], 0)) for word, count in collections.Counter(block).items())
            if there >= (0.8 if len(block) >= 4 else 1.0) * len(block):
                chosen[no] = True
                missing.subtract(block)
    return [int(is_chosen) for is_chosen in chosen]


def choose(chances, blocks, texts, code, power):
    """The blocks of highest expected F1: the same rule as in the extractor."""
    seen, raised = set(), []
    for chance, block, text, is_code in zip(chances, blocks, texts, code):
        is_copy = text in seen
        if len(text.split()) >= COPY_WORDS and not is_code:
            if not is_copy and chance > COPY_CHANCE:
                seen.add(text)
            raised.append(0.0 if is_copy else chance ** power)
        else:
            raised.append(chance ** power)
    expected = sum(chance * len(block) for chance, block in zip(raised, blocks))
    best, taken, right, size = 0.0, 0, 0.0, 0.0
    order = sorted(range(len(raised)), key=lambda no: -raised[no])
    for count, no in enumerate(order, 1):
        right += raised[no] * len(blocks[no])
        size += len(blocks[no])
        value = 2 * right / (size + expected) if size + expected else 0.0
        if value > best and raised[no] > 0:
            best, taken = value, count
    return order[:taken]


def score(found, truth):
    """F1, precision and recall of words."""
    found, truth = collections.Counter(found), collections.Counter(truth)
    both, all_found, all_true = sum((found & truth).values()), sum(found.values()), sum(truth.values())
    if not all_found and not all_true:
        return 1.0, 1.0, 1.0
    return 2 * both / (all_found + all_true), both / max(all_found, 1), both / max(all_true, 1)


def train(rows):
    x, y, weight = rows
    return lightgbm.train(PARAMETERS, lightgbm.Dataset(x, y, weight=weight), ROUNDS).model_to_string()


def compact(tree):
    """A tree as `model.rs` reads it: each question before its two answers."""
    fields = dict(line.split("=", 1) for line in tree.splitlines() if "=" in line)
    split, threshold, left, right, leaf = (
        fields.get(key, "").split() for key in ("split_feature", "threshold", "left_child", "right_child", "leaf_value"))
    parts, open_ = [], [0 if split else -1]
    while open_:
        at = open_.pop()
        if at < 0:
            parts.append("%.4g" % float(leaf[-at - 1]))
        else:
            parts.append("%s<%.5g" % (split[at], float(threshold[at])))
            open_ += [int(right[at]), int(left[at])]
    return " ".join(parts)


def read(rows):
    """The texts and the numbers of the blocks of each page."""
    texts, numbers = collections.defaultdict(list), collections.defaultdict(list)
    for line in open(rows):
        row = json.loads(line)
        texts[row["id"]].append(row["text"])
        numbers[row["id"]].append(numpy.array(row["numbers"], dtype=numpy.float32))
    return texts, numbers


class Pages:
    def __init__(self, folder, rows):
        self.truth = {row["id"]: row for row in map(json.loads, open(f"{folder}/truth.jsonl"))}
        self.ids = sorted(self.truth)
        self.texts, numbers = read(rows)
        self.code = {name: [row[CODE] > 0 for row in numbers[name]] for name in self.ids}
        self.blocks = {name: [words(text) for text in self.texts[name]] for name in self.ids}
        self.words = {name: words(self.truth[name]["main_content"]) for name in self.ids}
        sites = sorted({site(self.truth[name]["url"]) for name in self.ids})
        folds = {sites[at]: no % FOLDS for no, at in enumerate(numpy.random.RandomState(0).permutation(len(sites)))}
        print(f"{len(self.ids)} pages of {len(sites)} sites")
        self.x = numpy.concatenate([numpy.array(numbers[name]) for name in self.ids if numbers[name]])
        self.y, self.weight, self.fold = [], [], []
        for name in self.ids:
            blocks, true = self.blocks[name], self.words[name]
            total = len(true) + 0.5 * sum(map(len, blocks)) or 1
            self.y += label(blocks, true)
            self.weight += [(1000 * len(block) / total) ** 0.5 + 0.02 for block in blocks]
            self.fold += [folds[site(self.truth[name]["url"])]] * len(blocks)
        self.y, self.weight, self.fold = (numpy.array(part) for part in (self.y, self.weight, self.fold))

    def rows(self, these):
        return self.x[these], self.y[these], self.weight[these]

    def unseen(self):
        """The chance of every block by a model that has seen no page of its site."""
        chances = numpy.zeros(len(self.y))
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            models = pool.map(train, [self.rows(self.fold != no) for no in range(FOLDS)])
            for no, model in enumerate(models):
                chances[self.fold == no] = lightgbm.Booster(model_str=model).predict(self.x[self.fold == no], num_threads=1)
        return chances

    def report(self, what, chances, power):
        kinds, at = collections.defaultdict(list), 0
        for name in self.ids:
            blocks = self.blocks[name]
            part = chances[at:at + len(blocks)].tolist()
            at += len(blocks)
            taken = choose(part, blocks, self.texts[name], self.code[name], power)
            value = score([word for no in taken for word in blocks[no]], self.words[name])
            kinds[self.truth[name]["page_type"]].append(value)
            kinds["all"].append(value)
        print(f"{what}, power {power}")
        for kind, values in sorted(kinds.items()):
            print("  %-14s %5d  F1 %.3f  P %.3f  R %.3f" % (kind, len(values), *numpy.mean(values, axis=0)), flush=True)


def main(folder, rows, out):
    pages = Pages(folder, rows)
    chances = pages.unseen()
    for power in sorted({1.0, POWER, 1.5}):
        pages.report(f"unseen sites ({FOLDS} folds)", chances, power)
    model = train(pages.rows(pages.fold >= 0))
    pages.report("pages it was trained on", lightgbm.Booster(model_str=model).predict(pages.x, num_threads=1), POWER)
    with open(out, "w") as file:
        for tree in model.split("Tree=")[1:]:
            file.write(compact(tree) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
