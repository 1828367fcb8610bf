"""TeX of the paper as plain text: what a reader would type, formulas in Unicode where they fit.

    plain(r"with rate $O(1/k^2)$ \\citep{x}")  ->  "with rate O(1/k²)"

Display formulas are text as well, only longer; layout, citations and labels leave no trace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

# The paper's own macros, and the commands that its sentences use.
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **{name: name for name in ("max", "min", "log", "exp", "argmin")},
        **dict(w="w", u="u", v="v", x="x", y="y", a="a", c="c", d="d", bfXi="ξ", R="ℝ", G="𝒢"),
        **dict(locp="LOCP", licp="LICP", pcp="PCP", admm="ADMM", fista="FISTA", E="E", P="P"),
        **dict(PB="P_Ber(p)", PU="P_Unif(k)", I="I", ell="ℓ", infty="∞", leq="≤", geq="≥", ge="≥"),
        **dict(le="≤", neq="≠", times="×", cdot="·", cdots="…", odot="⊙", subset="⊂", nabla="∇"),
        **dict(subseteq="⊆", forall="∀", top="ᵀ", bot="⊥", perp="⊥", sum="Σ", Rightarrow="⇒"),
        **dict(alpha="α", beta="β", gamma="γ", delta="δ", epsilon="ε", zeta="ζ", lambda_="λ"),
        **dict(sigma="σ", phi="φ", Omega="Ω", langle="⟨", rangle="⟩", quad=" ", qquad=" "),
        **dict(mid="|", pm="±", varepsilon="ε", varphi="φ", Phi="Φ"),
        **dict(Bigg="", left="", right="", small="", nonumber="", bf="", STATE="·", RETURN="·"),
    }
)
_SYMBOLS = MappingProxyType({**_WORDS, "lambda": "λ", "in": "∈", "1": "1", "0": "0"})
_RAISED = str.maketrans("0123456789+-*()nkgidjst⊤ᵀ", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻*⁽⁾ⁿᵏᵍⁱᵈʲˢᵗᵀᵀ")
_LOWERED = str.maketrans("0123456789+-eij∞", "₀₁₂₃₄₅₆₇₈₉₊₋ₑᵢⱼ∞")
# Of the raised letters only these are in the fonts that readers have.
_RAISABLE = set("0123456789+-*nkgT")
_LOWERABLE = set("0123456789+-ij")


FORMULA = "[formula]"
_DISPLAY = re.compile(
    r"\\\[.*?\\\]|\{?\\begin\{(equation\*?|align\*?)\}.*?\\end\{\1\}\}?", re.DOTALL
)
_WRAPPERS = re.compile(
    r"\\(?:emph|text|underline|mathbb|mathcal|mathrm|overline|bar|mbox|caption)\s*\{([^{}]*)\}"
)
_KINDS = re.compile(r"(Section|Lemma|Theorem|Algorithm|Figure|Table|Step)[s~ ]*$")


def without_comments(tex: str) -> str:
    return re.sub(r"(?<!\\)%.*", "", tex)


def plain(tex: str, numbers: Mapping[str, str] = MappingProxyType({}), formulas=True) -> str:
    """The text of a piece of the source, one line.

    `numbers` says what a label prints as; without `formulas` each display is "[formula]".
    """
    text = re.sub(r"[~ ]?\\cite\w*(?:\[[^\]]*\])?\{[^}]*\}", "", without_comments(tex))
    text = re.sub(r"\\label\{[^}]*\}", "", text)
    text = _referred(text, numbers)
    if not formulas:
        text = _DISPLAY.sub(f" {FORMULA} ", text)
    text = re.sub(r"\\\[|\\\]", " ", text)
    text = re.sub(r"\\(?:begin|end)\{[^}]*\}(?:\s*\[[^\]]*\])?", " ", text)
    while _WRAPPERS.search(text):
        text = _WRAPPERS.sub(r"\1", text)
    text = text.replace("``", "“").replace("''", "”").replace("~", " ").replace(r"\\", " ")
    text = text.replace(r"\|", "‖").replace("--", "–").replace("&", " ").replace("$", "")
    text = re.sub(r"\\lVert\s*|\s*\\rVert(?![A-Za-z])", "‖", text)
    text = re.sub(r"\\frac\s*(\w)(\w)", r"\\frac{\1}{\2}", text)
    text = _fractions(text)
    text = re.sub(r"\\sqrt\s*\{((?:[^{}]|\{[^{}]*\})*)\}", r"√(\1)", text)
    text = re.sub(r"\\([A-Za-z]+|[01])(?![A-Za-z])", _symbol, text)
    text = re.sub(r"\\([#%{}_,;:! ])", _escaped, text)
    text = re.sub(r"\^\{([^{}]*)\}|\^(\S)", _raise, text)
    text = re.sub(r"_\{([^{}]*)\}|_(\S)", _lower, text)
    text = re.sub(r"[{}]", "", text).replace("⦃", "{").replace("⦄", "}")
    text = re.sub(r"(?<=\w)(log|exp) ", r" \1 ", text).replace("√(k)", "√k")
    text = re.sub(r"\s+([.,;:?)])", r"\1", re.sub(r"\s+", " ", text))
    return re.sub(r"\(\s+", "(", text).strip()


def _referred(text: str, numbers: Mapping[str, str]) -> str:
    """Labels as the numbers they print, without repeating the word before them."""

    def number(found: re.Match) -> str:
        printed = numbers.get(found.group(2), "[…]").strip("()")
        if found.group(1):
            return f"({printed.rsplit(' ', 1)[-1]})"
        spoken = _KINDS.search(text[: found.start()])
        return printed.rsplit(" ", 1)[-1] if spoken else printed

    return re.sub(r"\\(eq)?ref\{([^}]*)\}", number, text)


def bare(text: str) -> str:
    """Only letters and digits, lower case: two spellings of the same words agree in it."""
    lowered = text.translate(_ORDINARY).casefold()
    return re.sub(r"[^a-z0-9α-ω∞ℓ]", "", lowered)


_ORDINARY = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ⁿᵏᵍᵀₑᵢⱼₘⁱ", "01234567890123456789nkgteijmi")


def _fractions(text: str) -> str:
    """{a \\over b} and \\frac{a}{b} as a/b, the innermost first."""
    atom = r"((?:[^{}]|\{[^{}]*\})*)"
    before = None
    while before != text:
        before = text
        text = re.sub(r"\\frac\{" + atom + r"\}\{" + atom + r"\}", _over, text)
        text = re.sub(r"\{([^{}]*?)\\over\b([^{}]*)\}", _over, text)
    return text


def _over(found: re.Match) -> str:
    above, below = (part.strip() for part in found.groups())
    short = re.compile(r"\\?\w+(?:\^\w)?")
    above = above if short.fullmatch(above) else f"({above})"
    below = below if short.fullmatch(below) else f"({below})"
    return f" {above}/{below} "


def _symbol(found: re.Match) -> str:
    name = found.group(1)
    after = " " if name.isalpha() and len(name) > 1 and name in ("log", "exp", "max", "min") else ""
    return _SYMBOLS.get(name, " ") + after


def _escaped(found: re.Match) -> str:
    return {"{": "⦃", "}": "⦄", ",": " ", ";": " ", ":": " ", "!": "", " ": " "}.get(
        found.group(1), found.group(1)
    )


def _raise(found: re.Match) -> str:
    inner = (found.group(1) or found.group(2)).strip()
    if inner and set(inner) <= _RAISABLE | {"ᵀ"}:
        return inner.translate(_RAISED)
    return f"^{inner}" if len(inner) == 1 else f"^({inner})"


def _lower(found: re.Match) -> str:
    inner = (found.group(1) or found.group(2)).strip()
    if inner and set(inner) <= _LOWERABLE:
        return inner.translate(_LOWERED)
    if inner in ("2,1", "1,2", "e"):
        return inner
    return f"_{inner}" if re.fullmatch(r"\w+|[∞,\d]+", inner) else f"_({inner})"
