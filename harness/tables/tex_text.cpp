#include "harness/tables/tex_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "spca/base/unicode.h"

namespace spca {
namespace {

using Letters = std::map<std::string_view, std::string_view>;

/// Returns the letters that LaTeX has in mathematics only.
const Letters& tex_mathematics() {
  static const Letters letters = {
      {"α", "\\alpha"},     {"β", "\\beta"},       {"γ", "\\gamma"},
      {"δ", "\\delta"},     {"ε", "\\varepsilon"}, {"ζ", "\\zeta"},
      {"η", "\\eta"},       {"θ", "\\theta"},      {"ι", "\\iota"},
      {"κ", "\\kappa"},     {"λ", "\\lambda"},     {"μ", "\\mu"},
      {"ν", "\\nu"},        {"ξ", "\\xi"},         {"ο", "o"},
      {"π", "\\pi"},        {"ρ", "\\rho"},        {"ς", "\\varsigma"},
      {"σ", "\\sigma"},     {"τ", "\\tau"},        {"υ", "\\upsilon"},
      {"φ", "\\varphi"},    {"χ", "\\chi"},        {"ψ", "\\psi"},
      {"ω", "\\omega"},     {"ϵ", "\\epsilon"},    {"ϑ", "\\vartheta"},
      {"ϕ", "\\phi"},       {"ϱ", "\\varrho"},     {"ϖ", "\\varpi"},
      {"Α", "\\mathrm{A}"}, {"Β", "\\mathrm{B}"},  {"Γ", "\\Gamma"},
      {"Δ", "\\Delta"},     {"Ε", "\\mathrm{E}"},  {"Ζ", "\\mathrm{Z}"},
      {"Η", "\\mathrm{H}"}, {"Θ", "\\Theta"},      {"Ι", "\\mathrm{I}"},
      {"Κ", "\\mathrm{K}"}, {"Λ", "\\Lambda"},     {"Μ", "\\mathrm{M}"},
      {"Ν", "\\mathrm{N}"}, {"Ξ", "\\Xi"},         {"Ο", "\\mathrm{O}"},
      {"Π", "\\Pi"},        {"Ρ", "\\mathrm{P}"},  {"Σ", "\\Sigma"},
      {"Τ", "\\mathrm{T}"}, {"Υ", "\\Upsilon"},    {"Φ", "\\Phi"},
      {"Χ", "\\mathrm{X}"}, {"Ψ", "\\Psi"},        {"Ω", "\\Omega"},
      {"µ", "\\mu"},        {"⁰", "^{0}"},         {"¹", "^{1}"},
      {"²", "^{2}"},        {"³", "^{3}"},         {"⁴", "^{4}"},
      {"⁵", "^{5}"},        {"⁶", "^{6}"},         {"⁷", "^{7}"},
      {"⁸", "^{8}"},        {"⁹", "^{9}"},         {"⁺", "^{+}"},
      {"⁻", "^{-}"},        {"⁼", "^{=}"},         {"⁽", "^{(}"},
      {"⁾", "^{)}"},        {"ⁿ", "^{n}"},         {"ⁱ", "^{i}"},
      {"ᵀ", "^{T}"},        {"₀", "_{0}"},         {"₁", "_{1}"},
      {"₂", "_{2}"},        {"₃", "_{3}"},         {"₄", "_{4}"},
      {"₅", "_{5}"},        {"₆", "_{6}"},         {"₇", "_{7}"},
      {"₈", "_{8}"},        {"₉", "_{9}"},         {"₊", "_{+}"},
      {"₋", "_{-}"},        {"₌", "_{=}"},         {"₍", "_{(}"},
      {"₎", "_{)}"},        {"ₐ", "_{a}"},         {"ₑ", "_{e}"},
      {"ₒ", "_{o}"},        {"ₓ", "_{x}"},         {"ₕ", "_{h}"},
      {"ₖ", "_{k}"},        {"ₗ", "_{l}"},         {"ₘ", "_{m}"},
      {"ₙ", "_{n}"},        {"ₚ", "_{p}"},         {"ₛ", "_{s}"},
      {"ₜ", "_{t}"},        {"ᵢ", "_{i}"},         {"ⱼ", "_{j}"},
      {"ᵣ", "_{r}"},        {"ᵤ", "_{u}"},         {"ᵥ", "_{v}"},
      {"±", "\\pm"},        {"∓", "\\mp"},         {"×", "\\times"},
      {"÷", "\\div"},       {"·", "\\cdot"},       {"⋅", "\\cdot"},
      {"∗", "\\ast"},       {"∘", "\\circ"},       {"°", "^{\\circ}"},
      {"−", "-"},           {"√", "\\surd"},       {"∞", "\\infty"},
      {"≤", "\\leq"},       {"≥", "\\geq"},        {"⩽", "\\leq"},
      {"⩾", "\\geq"},       {"≠", "\\neq"},        {"≈", "\\approx"},
      {"≡", "\\equiv"},     {"∼", "\\sim"},        {"≃", "\\simeq"},
      {"≅", "\\cong"},      {"∝", "\\propto"},     {"≪", "\\ll"},
      {"≫", "\\gg"},        {"«", "\\ll"},         {"»", "\\gg"},
      {"∂", "\\partial"},   {"∇", "\\nabla"},      {"∑", "\\sum"},
      {"∏", "\\prod"},      {"∫", "\\int"},        {"∈", "\\in"},
      {"∉", "\\notin"},     {"⊂", "\\subset"},     {"⊆", "\\subseteq"},
      {"⊃", "\\supset"},    {"⊇", "\\supseteq"},   {"∪", "\\cup"},
      {"∩", "\\cap"},       {"∖", "\\setminus"},   {"∅", "\\emptyset"},
      {"∀", "\\forall"},    {"∃", "\\exists"},     {"¬", "\\neg"},
      {"∧", "\\wedge"},     {"∨", "\\vee"},        {"⊕", "\\oplus"},
      {"⊗", "\\otimes"},    {"⊙", "\\odot"},       {"⊤", "\\top"},
      {"⊥", "\\bot"},       {"←", "\\leftarrow"},  {"→", "\\rightarrow"},
      {"↑", "\\uparrow"},   {"↓", "\\downarrow"},  {"↔", "\\leftrightarrow"},
      {"⇐", "\\Leftarrow"}, {"⇒", "\\Rightarrow"}, {"⇔", "\\Leftrightarrow"},
      {"↦", "\\mapsto"},    {"‖", "\\Vert"},       {"∥", "\\parallel"},
      {"∣", "\\mid"},       {"⟨", "\\langle"},     {"⟩", "\\rangle"},
      {"⌊", "\\lfloor"},    {"⌋", "\\rfloor"},     {"⌈", "\\lceil"},
      {"⌉", "\\rceil"},     {"′", "^{\\prime}"},   {"″", "^{\\prime\\prime}"},
      {"ℓ", "\\ell"},       {"ℝ", "\\mathbf{R}"},  {"•", "\\bullet"},
      {"⋯", "\\cdots"},     {"⋮", "\\vdots"},      {"△", "\\triangle"},
      {"★", "\\star"}};
  return letters;
}

/// Returns the punctuation and signs that LaTeX has in text.
const Letters& tex_punctuation() {
  static const Letters letters = {
      {"–", "--"},       {"—", "---"},          {"‐", "-"},
      {"‑", "-"},        {"…", "\\ldots{}"},    {"‘", "`"},
      {"’", "'"},        {"“", "``"},           {"”", "''"},
      {"‚", ","},        {"„", ",,"},           {"†", "\\dag{}"},
      {"‡", "\\ddag{}"}, {"€", "\\texteuro{}"}, {"™", "\\texttrademark{}"},
      {"\u00a0", "~"},   {"\u2009", "\\,"},     {"\u202f", "\\,"},
      {"\u200b", ""}};
  return letters;
}

/// Returns whether plain LaTeX sets this letter of Latin-1 or Latin Extended-A from its UTF-8.
bool is_latin_of_tex(char32_t code, std::string_view letter) {
  constexpr std::string_view kInOtherFonts = "ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ";
  return code > U'\u00A0' && code < U'\u0180' &&
         kInOtherFonts.find(letter) == std::string_view::npos;
}

std::string tex_of_ascii(char letter) {
  switch (letter) {
    case '\\':
      return "\\textbackslash{}";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '|':
      return "$\\vert$";
    case '<':
    case '>':
      return {'$', letter, '$'};
    case '\n':
    case '\r':
    case '\t':
      return " ";  // an empty line would end the caption
    default:
      break;
  }
  const bool is_special = std::string_view("{}$&#%_").find(letter) != std::string_view::npos;
  return is_special ? std::string{'\\', letter} : std::string{letter};
}

/// Returns the source of one letter. pdfLaTeX stops at an unknown letter, so such a letter is
/// replaced by its code point.
std::string tex_of(char32_t code, std::string_view letter) {
  const bool is_control = code < U' ' && letter.find_first_of("\n\r\t") == std::string_view::npos;
  if (code < 0x7F && !is_control) {
    return tex_of_ascii(letter.front());
  }
  if (const auto found = tex_mathematics().find(letter); found != tex_mathematics().end()) {
    return fmt::format("${}$", found->second);
  }
  if (const auto found = tex_punctuation().find(letter); found != tex_punctuation().end()) {
    return std::string(found->second);
  }
  return is_latin_of_tex(code, letter)
             ? std::string(letter)
             : fmt::format("\\texttt{{U+{:04X}}}", static_cast<std::uint32_t>(code));
}

}  // namespace

std::string tex_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, length] = first_letter(text);
    out += tex_of(code, text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace spca
