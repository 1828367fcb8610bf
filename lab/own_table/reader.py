"""Read model.json and predict, in plain Python: rows are mappings from column names to cells."""

import json
import math


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def scores(model, row):
    total = list(model["intercepts"])
    for each in model["inputs"]:
        cell = row.get(each["name"])
        gone = cell is None or cell == "" or cell != cell
        if "categories" in each:
            whole = isinstance(cell, float) and cell.is_integer()  # 3.0 is the category 3
            text = "(missing)" if gone else str(int(cell) if whole else cell)
            known = dict(zip(each["categories"], each["weights"], strict=True))
            values = known.get(text, [0.0] * len(total))
        else:
            x = math.log1p(float(cell)) if each.get("log") and not gone else cell
            x = ((each["fill"] if gone else float(x)) - each["centre"]) / each["scale"]
            values = [weight * x for weight in each["weights"]]
        total = [a + b for a, b in zip(total, values, strict=True)]
    return total


def predict(model, row):
    found, classes = scores(model, row), model["classes"]
    if not classes:
        return math.exp(found[0]) if model["kind"] == "count" else found[0]
    return classes[int(found[0] > 0) if len(classes) == 2 else found.index(max(found))]
