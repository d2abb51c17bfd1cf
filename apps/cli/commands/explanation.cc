#include "cli/commands/explanation.h"

#include <fmt/format.h>

#include "cli/diff_text.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr size_t kMostDiffLines = 60;

std::string DocumentLine(std::string_view name, const DocumentText& document,
                         uint64_t shingles) {
  std::string line = fmt::format("{}  {}  {}", name, Printable(document.id),
                                 CountText(shingles, "shingle"));
  if (!document.title.empty())
    line += fmt::format("  \"{}\"", Printable(document.title));
  return line + "\n";
}

std::string MeasureLine(std::string_view name, double value,
                        const std::string& note) {
  std::string line = fmt::format("  {:<12} {:.4f}", name, value);
  if (!note.empty()) line += "   " + note;
  return line + "\n";
}

std::string StandardErrorText(const std::optional<double>& value) {
  return value ? fmt::format(", standard error {:.4f}", *value) : "";
}

// What the sketches of the method say, one line each.
std::string SketchLines(const Explanation& e) {
  if (e.sketches.empty() && e.method.empty()) return {};
  if (e.sketches.empty()) {
    return fmt::format(
        "  {:<12} none     {} learns from a corpus first: name it with --in\n",
        "estimate", Printable(e.method));
  }
  std::string text;
  for (const SketchPair& pair : e.sketches) {
    const std::string what =
        pair.compared == "bits"
            ? fmt::format("{} of {} bits are equal", NumberText(pair.equal),
                          NumberText(pair.of))
        : pair.compared == "members"
            ? fmt::format("{} of the {} values of both are in both",
                          NumberText(pair.equal), NumberText(pair.of))
            : fmt::format("{} of {} values are equal", NumberText(pair.equal),
                          NumberText(pair.of));
    const char* const label = text.empty() ? "estimate" : "";
    if (pair.is_estimate)
      text += MeasureLine(label, pair.estimate,
                          fmt::format("by {}: {}{}", Printable(pair.name), what,
                                      StandardErrorText(pair.standard_error)));
    else
      text += fmt::format(
          "  {:<12} none     {} finds candidates and estimates nothing: {}\n",
          label, Printable(pair.name), what);
    if (!pair.modulus.empty())
      text += fmt::format("  {:<12} modulo {}\n", "", pair.modulus);
  }
  return text;
}

// How far two texts are from each other. Where the distance is known only to be
// so large or larger, the measure beside it is the most that it can be.
std::string ChangesText(uint64_t distance, const char* unit, bool is_exact) {
  return (is_exact ? "" : "at most: at least ") + CountText(distance, unit) +
         " to change";
}

// Sketches that are one signature say only whether it is the same one, which is
// no share of anything.
std::string EstimateLine(const SketchEstimate& estimate) {
  if (!estimate.standard_error &&
      (estimate.estimate == 0 || estimate.estimate == 1)) {
    return fmt::format(
        "  {:<12} {:<6}   {}: the signatures {}\n", "",
        estimate.estimate == 1 ? "equal" : "differ", estimate.method,
        estimate.estimate == 1 ? "are equal, which says little of the texts"
                               : "differ, which says little of the texts");
  }
  return MeasureLine(
      "", estimate.estimate,
      estimate.method + StandardErrorText(estimate.standard_error));
}

std::string Measures(const Explanation& e) {
  const uint64_t all = e.shingles_x + e.shingles_y - e.common;
  std::string text =
      MeasureLine("jaccard", e.jaccard,
                  fmt::format("{} of the {} shingles of both are in both",
                              NumberText(e.common), NumberText(all)));
  text += MeasureLine("containment", e.containment_ab, "of X in Y");
  text += MeasureLine("", e.containment_ba, "of Y in X");
  text += MeasureLine("dice", e.dice, "");
  text += MeasureLine("cosine", e.cosine, "of how often each word occurs");
  text += MeasureLine("", e.cosine_tf, "of how often each shingle occurs");
  text += MeasureLine("", e.cosine_sets, "of which shingles occur");
  text += MeasureLine("s3", e.s3, "");
  if (e.layout)
    text += MeasureLine("layout", *e.layout, "of the paths of their elements");
  text += MeasureLine("edit", e.edit,
                      ChangesText(e.edit_distance, "word", e.edit_exact));
  text += MeasureLine(
      "", e.edit_chars,
      ChangesText(e.edit_chars_distance, "character", e.edit_chars_exact));
  text += MeasureLine("hamming", e.hamming_tokens,
                      "of the places have the same word; 0 for different "
                      "lengths");
  text +=
      MeasureLine("", e.hamming_chars, "of the places have the same character");
  text += SketchLines(e);
  for (const PairScore& score : e.scores) {
    text += MeasureLine("", score.value,
                        score.name + ": " + score.meaning +
                            StandardErrorText(score.standard_error));
  }
  for (const SketchEstimate& estimate : e.estimates)
    text += EstimateLine(estimate);
  return text;
}

// What differs, and how it shows in the alignment.
std::string DifferenceText(const Explanation& e) {
  std::string text(ChoiceName(e.difference));
  if (!e.kind_of_difference.empty() && e.kind_of_difference != "none")
    text += " (aligned: " + Printable(e.kind_of_difference) + ")";
  return text;
}

}  // namespace

std::string ExplanationText(const Explanation& e) {
  std::string text = DocumentLine("X", e.x, e.shingles_x) +
                     DocumentLine("Y", e.y, e.shingles_y);
  text += fmt::format(
      "\n{}\n  they share   {}\n  they differ  {}\n"
      "A reader would call them near-duplicates with probability {:.3f}:\n{}"
      "\n\n",
      ChoiceName(e.kind), ChoiceName(e.duplicate_kind), DifferenceText(e),
      e.grade.probability, Printable(e.grade.reason));
  text += Measures(e);
  const std::string diff =
      DiffText(e.diff, StdoutTakesColour(), kMostDiffLines);
  return diff.empty() ? text : text + "\n" + diff;
}

}  // namespace twinset::cli
