"""The whole page as one printable HTML file, made from the results.

    python -m lab.paper.report                    writes paper_vs_measured.html
    python -m lab.paper.report somewhere.html

No scripts and nothing to load: claims with their evidence as small pictures, sets with groups of
their own, the errata and what became of every sentence of the paper.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lab import revision
from lab.accuracy import mixture_results as mixtures
from lab.accuracy import natural
from lab.paper import claims, measured, picture, sentences
from lab.paper.claims import Row
from lab.paper.errata import ERRATA, Erratum
from lab.paper.judges.verdicts import SIGNS
from lab.results import shipped

_STYLE = """
body { font: 15px/1.45 "Source Sans 3", "Helvetica Neue", sans-serif; color: #10161D;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { font-family: Georgia, serif; line-height: 1.2; }
h2 { border-bottom: 1px solid #D5DBE1; margin-top: 2.5rem; }
article { break-inside: avoid; margin: 1.4rem 0; }
blockquote { margin: .4rem 0; padding-left: .8rem; border-left: 3px solid #D5DBE1; }
.verdict { font-weight: 600; } .small { color: #5F6B76; font-size: 13px; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
td, th { border: 1px solid #D5DBE1; padding: .2rem .4rem; text-align: left; vertical-align: top; }
svg { max-width: 100%; height: auto; }
@media print { body { margin: 0; } a { color: inherit; } }
"""


def page(rows: Sequence[Row], results: measured.Results) -> str:
    """The report as HTML."""
    made = datetime.now(UTC).date().isoformat()
    body = [
        "<h1>Paper vs measured</h1>",
        "<p>Huang and Liu, <em>Exclusive Sparsity Norm Minimization with Random Groups via Cone "
        "Projection</em>, arXiv:1510.07925, beside what this software measured.</p>",
        f"<p>{_text(claims.answer(rows))}</p>",
        f'<p class="small">Version {_text(revision.in_words())}; made {made} from results of '
        f"{_text(_dates(results))}.</p>",
        *_claims(rows),
        *_beyond("Sets with groups of their own", natural, natural.results(shipped())),
        *_beyond("Mixtures of metabolites", mixtures, mixtures.results(shipped())),
        "<h2>Errata</h2>",
        *map(_erratum, ERRATA),
        "<h2>Every sentence</h2>",
        f"<p>{_text(sentences.answer())}</p>",
        _table(sentences.table(sentences.units())),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<title>Paper vs measured</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _claims(rows: Sequence[Row]) -> Iterable[str]:
    for topic in claims.TOPICS:
        yield f"<h2>{_text(topic)}</h2>"
        for row in rows:
            if row.claim.topic == topic:
                yield _claim(row)


def _claim(row: Row) -> str:
    claim, found = row.claim, row.judgement
    parts = [
        f'<article id="{claim.key}"><h3>{_text(claim.title)}</h3>',
        f'<p class="verdict">{SIGNS[row.verdict]} {_text(row.verdict)}</p>',
        f"<blockquote>“{_text(claim.quote)}” <span class=small>{_text(claim.where)}</span>"
        "</blockquote>",
    ]
    for name, text in (
        ("Measured", row.sentence),
        ("", found.why),
        ("Strength of evidence", found.strength),
        ("What would change the verdict", found.changes),
    ):
        if text:
            label = f"<strong>{name}.</strong> " if name else ""
            parts.append(f"<p>{label}{_text(text)}</p>")
    if found.evidence is not None and found.evidence.bars:
        parts.append(picture.svg(found.evidence))
    if claim.command:
        parts.append(f'<p class="small">Measured by <code>{_text(claim.command)}</code>.</p>')
    return "\n".join([*parts, "</article>"])


def _beyond(title: str, subject, rows: Sequence | None) -> Iterable[str]:
    """What the paper does not have: a subject's answer, its table and how it was made."""
    yield f"<h2>{_text(title)}</h2>"
    if rows is None:
        yield "<p>Not yet measured.</p>"
        return
    yield from (f"<p>{_text(line)}</p>" for line in subject.answer(rows).split("\n") if line)
    yield _table(subject.table(rows))
    yield f'<p class="small">{_text(subject.so_far(rows) + subject.NOTE)}</p>'


def _erratum(erratum: Erratum) -> str:
    finding = erratum.demonstrate().finding
    return (
        f"<article><h3>{_text(erratum.title)}</h3><p>{_text(finding)} "
        f'<span class="small">{_text(erratum.where)}</span></p></article>'
    )


def _table(columns: Mapping[str, Sequence]) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name in columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_text(str(cell))}</td>" for cell in row) + "</tr>"
        for row in zip(*columns.values(), strict=True)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _dates(results: measured.Results) -> str:
    found = {
        content["environment"]["date"]
        for name in measured.COMMANDS
        if (content := getattr(results, name)) is not None and "environment" in content
    }
    return " to ".join(sorted({min(found), max(found)})) if found else "no date"


def _text(text: str) -> str:
    return html.escape(text, quote=True)


def main(arguments: Sequence[str] | None = None) -> Path:
    given = sys.argv[1:] if arguments is None else list(arguments)
    target = Path(given[0] if given else "paper_vs_measured.html")
    results = measured.read()
    target.write_text(page(claims.judged(results), results), encoding="utf-8")
    return target


if __name__ == "__main__":
    sys.stdout.write(f"wrote {main()}\n")
