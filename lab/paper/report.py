"""The whole page as one printable HTML file, made from the results.

    python -m lab.paper.report                    writes paper_vs_measured.html
    python -m lab.paper.report somewhere.html

No scripts and nothing to load: claims with their context, their evidence as small pictures and how
to cite them, Fig. 2, Theorem 5 and Table 1, sets with groups of their own, the errata and what
became of every sentence of the paper. It is made anew whenever it is wanted, and kept nowhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lab import revision
from lab.accuracy import mixture_results as mixtures
from lab.accuracy import natural
from lab.paper import cite, claims, measured, picture, report_figures, sentences
from lab.paper.claims import Row
from lab.paper.errata import ERRATA, Erratum
from lab.paper.judges.verdicts import SIGNS
from lab.paper.markup import escaped, table
from lab.paper.tex import plain
from lab.results import shipped

_STYLE = """
body { font: 15px/1.45 "Source Sans 3", "Helvetica Neue", sans-serif; color: #10161D;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { font-family: Georgia, serif; line-height: 1.2; }
h2 { border-bottom: 1px solid #D5DBE1; margin-top: 2.5rem; }
article { break-inside: avoid; margin: 1.4rem 0; }
blockquote { margin: .4rem 0; padding-left: .8rem; border-left: 3px solid #D5DBE1; }
.verdict { font-weight: 600; } .small { color: #5F6B76; font-size: 13px; }
pre { font-size: 11px; white-space: pre-wrap; color: #5F6B76; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
td, th { border: 1px solid #D5DBE1; padding: .2rem .4rem; text-align: left; vertical-align: top; }
svg { max-width: 100%; height: auto; }
@media print { body { margin: 0; } a { color: inherit; } }
"""


# Where this page is in any installation, without the host that only a visitor's browser knows.
PATH = "/Paper_vs_measured"
TARGET = "paper_vs_measured.html"


def page(rows: Sequence[Row], results: measured.Results, base: str = PATH) -> str:
    """The report as HTML; `base` is the address of the page, to which results are cited."""
    made = datetime.now(UTC).date().isoformat()
    body = [
        "<h1>Paper vs measured</h1>",
        "<p>Huang and Liu, <em>Exclusive Sparsity Norm Minimization with Random Groups via Cone "
        "Projection</em>, arXiv:1510.07925, beside what this software measured.</p>",
        f"<p>{escaped(claims.answer(rows))}</p>",
        f'<p class="small">Version {escaped(revision.in_words())}; made {made} from results of '
        f"{escaped(_dates(results))}.</p>",
        *_claims(rows, results, base),
        *report_figures.sections(results),
        *_beyond("Sets with groups of their own", natural, natural.results(shipped())),
        *_beyond("Mixtures of metabolites", mixtures, mixtures.results(shipped())),
        "<h2>Errata</h2>",
        *map(_erratum, ERRATA),
        "<h2>Every sentence</h2>",
        f"<p>{escaped(sentences.answer())}</p>",
        table(sentences.table(sentences.units())),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<title>Paper vs measured</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _claims(rows: Sequence[Row], results: measured.Results, base: str) -> Iterable[str]:
    for topic in claims.TOPICS:
        yield f"<h2>{escaped(topic)}</h2>"
        for row in rows:
            if row.claim.topic == topic:
                yield _claim(row, results, base)


def _claim(row: Row, results: measured.Results, base: str) -> str:
    claim, found = row.claim, row.judgement
    parts = [
        f'<article id="{claim.key}"><h3>{escaped(claim.title)}</h3>',
        f'<p class="verdict">{SIGNS[row.verdict]} {escaped(row.verdict)}</p>',
        f"<blockquote>“{escaped(claim.quote)}” <span class=small>{escaped(claim.where)}</span>"
        "</blockquote>",
        *_context(row),
    ]
    for name, text in (
        ("Measured", row.sentence),
        ("", found.why),
        ("Strength of evidence", found.strength),
        ("What would change the verdict", found.changes),
    ):
        if text:
            label = f"<strong>{name}.</strong> " if name else ""
            parts.append(f"<p>{label}{escaped(text)}</p>")
    if found.evidence is not None and found.evidence.bars:
        parts.append(picture.svg(found.evidence))
    if claim.command:
        parts.append(f'<p class="small">Measured by <code>{escaped(claim.command)}</code>.</p>')
    address = f"{base}?paper_claim={claim.key}"
    parts.append(f'<p class="small">Address: <code>{escaped(address)}</code></p>')
    parts.append(f"<pre>{escaped(cite.of_claim(row, results, address))}</pre>")
    return "\n".join([*parts, "</article>"])


def _context(row: Row) -> Iterable[str]:
    """What stands around the quote in the paper."""
    unit = sentences.where_quoted(row.claim.key, row.claim.quote)
    if unit is not None:
        before, after = map(escaped, sentences.around(unit))
        said = f"{before} <strong>{escaped(unit.shown)}</strong> {after}"
        yield f'<p class="small">In its context: {said.strip()}</p>'


def _beyond(title: str, subject, rows: Sequence | None) -> Iterable[str]:
    """What the paper does not have: a subject's answer, its table and how it was made."""
    yield f"<h2>{escaped(title)}</h2>"
    if rows is None:
        yield "<p>Not yet measured.</p>"
        return
    for line in filter(None, subject.answer(rows).split("\n")):
        item = line.removeprefix("- ")
        yield f"<p>{escaped(line)}</p>" if item == line else f"<ul><li>{escaped(item)}</li></ul>"
    yield table(subject.table(rows))
    yield f'<p class="small">{escaped(subject.so_far(rows) + subject.NOTE)}</p>'


def _erratum(erratum: Erratum) -> str:
    """What is printed beside what is right, formulas as plain text, and what it comes to."""
    sides = {"printed": [plain(erratum.printed)], "right": [plain(erratum.right)]}
    return (
        f'<article><h3>{escaped(erratum.title)}</h3><p class="small">{escaped(erratum.where)}</p>'
        f"{table(sides)}<p>{escaped(erratum.demonstrate().finding)}</p></article>"
    )


def _dates(results: measured.Results) -> str:
    found = {
        content["environment"]["date"]
        for name in measured.COMMANDS
        if (content := getattr(results, name)) is not None and "environment" in content
    }
    return " to ".join(sorted({min(found), max(found)})) if found else "no date"


def main(arguments: Sequence[str] | None = None) -> Path:
    given = sys.argv[1:] if arguments is None else list(arguments)
    target = Path(given[0] if given else TARGET)
    results = measured.read()
    target.write_text(page(claims.judged(results), results), encoding="utf-8")
    return target


if __name__ == "__main__":
    sys.stdout.write(f"wrote {main()}\n")
