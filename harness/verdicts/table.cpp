#include "harness/verdicts/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/base/unicode.h"

namespace spca {
namespace {

std::string render_text(const Table& table) {
  std::vector<std::vector<std::string>> rows = {table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  const std::vector<std::string> lines = align_columns(rows, ColumnAlignment::kRight);
  std::size_t widest = 0;
  for (const std::string& line : lines) {
    widest = std::max(widest, count_letters(line));
  }
  std::string out = table.title.empty() ? "" : table.title + "\n";
  out += lines.front() + "\n" + std::string(widest, '-') + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    out += lines[i] + "\n";
  }
  for (const std::string& note : table.notes) {
    out += note + "\n";
  }
  return out;
}

/// `text` with each of the letters of `special` replaced by what `replacement` gives for it.
template <class Replacement>
std::string escaped(const std::string& text, std::string_view special, Replacement replacement) {
  std::string out;
  for (const char letter : text) {
    if (special.find(letter) == std::string_view::npos) {
      out += letter;
    } else {
      out += replacement(letter);
    }
  }
  return out;
}

using Letters = std::map<std::string_view, std::string_view>;

/// Letters that LaTeX has as mathematics alone.
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

const Letters& tex_words() {
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

/// Whether LaTeX, as it comes, sets this letter of Latin-1 or Latin Extended-A from its UTF-8.
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

/// One letter. What pdfLaTeX would stop at is named instead.
std::string tex_of(char32_t code, std::string_view letter) {
  const bool is_control = code < U' ' && letter.find_first_of("\n\r\t") == std::string_view::npos;
  if (code < 0x7F && !is_control) {
    return tex_of_ascii(letter.front());
  }
  if (const auto found = tex_mathematics().find(letter); found != tex_mathematics().end()) {
    return fmt::format("${}$", found->second);
  }
  if (const auto found = tex_words().find(letter); found != tex_words().end()) {
    return std::string(found->second);
  }
  return is_latin_of_tex(code, letter)
             ? std::string(letter)
             : fmt::format("\\texttt{{U+{:04X}}}", static_cast<std::uint32_t>(code));
}

std::string tex(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, length] = first_letter(text);
    out += tex_of(code, text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

std::string csv(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    return text;
  }
  return fmt::format("\"{}\"", escaped(text, "\"", [](char) { return "\"\""; }));
}

template <class Escape>
std::string joined(const std::vector<std::string>& words, Escape escape,
                   std::string_view separator) {
  std::string line;
  for (std::size_t j = 0; j < words.size(); ++j) {
    line += (j == 0 ? "" : std::string(separator)) + escape(words[j]);
  }
  return line;
}

std::string render_markdown(const Table& table) {
  std::string out =
      table.title.empty() ? "" : fmt::format("**{}**\n\n", markdown_text(table.title));
  out += fmt::format("| {} |\n|:--", joined(table.header, markdown_text, " | "));
  for (std::size_t j = 1; j < table.header.size(); ++j) {
    out += "|--:";
  }
  out += "|\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += fmt::format("| {} |\n", joined(row, markdown_text, " | "));
  }
  for (const std::string& note : table.notes) {
    out += fmt::format("\n{}\n", markdown_text(note));
  }
  return out;
}

/// Header and rows alone: a title or a note would be read as data.
std::string render_csv(const Table& table) {
  std::string out = joined(table.header, csv, ",") + "\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += joined(row, csv, ",") + "\n";
  }
  return out;
}

/// For the package booktabs.
std::string render_tex(const Table& table) {
  std::string out = "\\begin{table}\n\\centering\n";
  if (!table.title.empty()) {
    out += fmt::format("\\caption{{{}}}\n", tex(table.title));
  }
  out += fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\n",
                     std::string(table.header.size() - 1, 'r'));
  out += joined(table.header, tex, " & ") + " \\\\\n\\midrule\n";
  for (const std::vector<std::string>& row : table.rows) {
    // The end of the row before would take these for its own arguments.
    out += !row[0].empty() && (row[0][0] == '[' || row[0][0] == '*') ? "{}" : "";
    out += joined(row, tex, " & ") + " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : table.notes) {
    out += fmt::format("\\par\\footnotesize {}\n", tex(note));
  }
  return out + "\\end{table}\n";
}

}  // namespace

std::string markdown_text(const std::string& text) {
  return escaped(text, "\\`*_[]<>|", [](char letter) { return std::string{'\\', letter}; });
}

TableFormat table_format_from_name(const std::string& name) {
  const std::vector<std::string> names = {"text", "md", "csv", "tex"};
  const auto position = std::find(names.begin(), names.end(), name);
  if (position == names.end()) {
    throw InputError(fmt::format("--format: found \"{}\"{}; accepted: {}", name,
                                 did_you_mean(name, names), join(names)));
  }
  return static_cast<TableFormat>(position - names.begin());
}

std::string render(const Table& table, TableFormat format) {
  SPCA_CHECK(!table.header.empty(), "a table without columns");
  for (const std::vector<std::string>& row : table.rows) {
    SPCA_CHECK(row.size() == table.header.size(), "a row as long as the header");
  }
  switch (format) {
    case TableFormat::kText:
      return render_text(table);
    case TableFormat::kMarkdown:
      return render_markdown(table);
    case TableFormat::kCsv:
      return render_csv(table);
    case TableFormat::kTex:
      break;
  }
  return render_tex(table);
}

}  // namespace spca
