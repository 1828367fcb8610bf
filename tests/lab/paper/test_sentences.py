"""Every sentence of the paper's source has its place in the committed list."""

import re
from pathlib import Path

import pytest

from lab.paper import claims, sentences
from lab.paper.tex import bare, plain
from tests.lab.paper.paper_source import paper_source, printed_numbers
from tests.lab.paper.paper_source import sentences as split


@pytest.fixture(scope="module")
def source() -> str:
    return paper_source()


def test_every_unit_of_the_source_is_listed_in_order(source):
    numbers = printed_numbers(source)
    found, listed = split(source), sentences.units()
    for there, unit in zip(found, listed, strict=False):
        text = plain(there.text, numbers, formulas=False)
        assert there.line == unit.line
        if unit.checkable:
            assert text == unit.text
        else:
            assert text.startswith(unit.begins)
    assert len(found) == len(listed) > 300


def test_no_word_of_the_body_is_left_out(source):
    """What the splitter drops is markup: the words of its units are those of the body."""
    body = source[source.index(r"\begin{abstract}") : source.index(r"\end{document}")]
    kept = " ".join(unit.text for unit in split(source))
    count = {}
    for name, text in (("body", body), ("kept", kept)):
        text = re.sub(r"(?<!\\)%.*", "", text)
        text = re.sub(r"\\(?:sub)?section\*?\{[^\n]*", " ", text)
        text = re.sub(
            r"\\(?:label|begin|end|ref|eqref|cite\w*|vspace|bibliography\w*)\b", " ", text
        )
        count[name] = len(re.findall(r"(?<![\\A-Za-z:_{])[a-z]{4,}\b", text))
    assert count["kept"] >= 0.985 * count["body"]


def test_a_unit_is_judged_or_says_why_not():
    for unit in sentences.units():
        judged = bool(unit.claims or unit.errata)
        assert judged == (not unit.reason)
        assert bool(unit.text) == judged and bool(unit.begins) != judged
        assert unit.reason in {"", *sentences.reasons()}


def test_theorems_and_lemmas_share_a_counter(source):
    numbers = printed_numbers(source)
    assert [numbers[f"lem:{k}"] for k in ("dual", "projl1cone", "projection_inf")] == [
        "Lemma 1",
        "Lemma 2",
        "Lemma 3",
    ]
    assert (numbers["thm:esvm-re"], numbers["thm:even"]) == ("Theorem 4", "Theorem 5")
    assert numbers["alg:projection_inf"] == "Algorithm 3"
    assert numbers["sec:exp:esvm"] == "Section 5.2"
    # The first formula is the norm, the second FISTA's problem, the third its proximal step.
    assert (numbers["eq:slnr"], numbers["eq:prox"]) == ("(2)", "(3)")
    assert numbers["alg:step:prox"] == "Step 3"


def test_the_tree_calls_theorems_and_lemmas_by_their_printed_numbers(source):
    printed = set(printed_numbers(source).values())
    root = Path(__file__).resolve().parents[3]
    files = [root / "README.md", root / "CHANGELOG.md"]
    for folder, kind in (("solvers", "py"), ("lab", "py"), ("lab", "js"), ("docs", "md")):
        files += sorted((root / folder).rglob(f"*.{kind}"))
    named = re.compile(r"\b(?:Theorem|Lemma) \d+")
    unknown = {
        f"{path.relative_to(root)}: {name}"
        for path in files
        for name in named.findall(path.read_text(encoding="utf-8"))
        if name not in printed
    }
    assert unknown == set()


def test_every_numbered_statement_has_a_proof_and_nothing_else_has(source):
    """What the claim that everything is proved is judged by."""
    stated = re.findall(r"\\begin\{(?:lemma|theorem)\}\s*\\label\{([^}]*)\}", source)
    supplement = source[source.index("Supplemental Materials: Proofs") :]
    proved = re.findall(r"Proofs? to (?:Lemma|Theorem)~\\ref\{([^}]*)\}", supplement)
    assert sorted(proved) == sorted(stated) and len(stated) == 5
    assert supplement.count(r"\begin{proof}") == 5


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"with rate $O(1/k^2)$ \citep{x}.", "with rate O(1/k²)."),
        (r"${\lambda \over 2}\|\w\|_e^2$", "λ/2 ‖w‖e²"),
        (r"``hinge loss'' due to \eqref{eq:a}", "“hinge loss” due to (7)"),
        (r"Lemma~\ref{lem:a} and Section \ref{sec:b}", "Lemma 2 and Section 3.1"),
        (r"$\frac{1+t}{1-t}$ in $(0,1)$", "(1+t)/(1-t) in (0,1)"),
        (r"$-\zeta b \ge \lVert a\rVert_\infty$", "-ζ b ≥ ‖a‖_∞"),
        (r"$\frac12 + \frac sn(1-\varepsilon)$", "1/2 + s/n (1-ε)"),
        (r"see \begin{align} x &= 1 \end{align} there", "see [formula] there"),
    ],
)
def test_tex_becomes_plain_text(tex, text):
    numbers = {"eq:a": "(7)", "lem:a": "Lemma 2", "sec:b": "Section 3.1"}
    assert plain(tex, numbers, formulas=False) == text


def test_spellings_of_the_same_words_agree():
    assert bare("O(1/k²)") == bare(plain("$O(1/k^2)$"))
    assert bare("‖w‖_e²") == bare(plain(r"$\|\w\|_e^2$")) == bare("‖w‖e²")
    assert bare("ℓ1") == bare(plain(r"$\ell_1$"))
    assert bare("a claim") != bare("another claim")


def test_context_is_what_stands_around():
    unit = next(unit for unit in sentences.units() if "nonsmooth" in unit.claims)
    before, after = sentences.around(unit)
    assert before.startswith("The reason lies on that λ/2")
    assert after.startswith("To directly apply the FISTA framework")
    assert sentences.around(sentences.units()[0])[0] == ""


def test_a_claims_context_is_where_its_quote_stands():
    """Not the first place that it is judged by, which may be an algorithm."""
    for claim in claims.CLAIMS:
        unit = sentences.where_quoted(claim.key, claim.quote)
        longest = bare(max(claim.quote.split("…"), key=len))
        if len(longest) >= 25 and "[formula]" not in unit.text:
            said = bare(unit.text)
            assert longest[:25] in said or longest[-25:] in said, claim.key
    unit = sentences.where_quoted("lemma_2", claims.BY_KEY["lemma_2"].quote)
    assert unit.text.startswith("Algorithm 2 exactly solves")
    assert max(len(text) for text in sentences.around(unit)) < 260


def test_the_answer_counts():
    every = sentences.units()
    said = [int(number) for number in re.findall(r"\d+", sentences.answer())]
    assert said[0] == len(every) == sum(said[1:])
    columns = sentences.table(every)
    assert {len(column) for column in columns.values()} == {len(every)}
