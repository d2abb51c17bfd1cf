// explain --steps of methods whose values are equal or not: copies, profiles,
// fuzzy fingerprints, prefixes.
#include <algorithm>

#include "methods/steps.h"
#include "report/step_drawings.h"
#include "sketch/fuzzy.h"
#include "sketch/text_profile.h"

namespace twinset {

namespace {

constexpr const char* kScriptNames[kPrefixScripts] = {
    "Latin", "Cyrillic",         "Greek",  "Hebrew", "Arabic",
    "Indic", "South-East Asian", "Hangul", "Han",    "other"};

std::string ViewOf(const StepSketches& sketches, size_t document) {
  return sketches.views[document][sketches.ViewOf(0)];
}

// Which digits of the first two documents are equal, scheme by scheme.
void DrawDigits(const StepInput& input, const StepSketches& sketches,
                StepText* text) {
  if (input.documents.size() < 2) return;
  SlotRows slots{"The digits of the two documents",
                 input.documents[0].name,
                 input.documents[1].name,
                 "scheme",
                 "digit",
                 "an equal value",
                 {}};
  for (int scheme = 0; scheme < kFuzzySchemes; ++scheme) {
    // By script; one that a document does not use has no digits there.
    const auto a = FuzzyDigitsOf(ViewOf(sketches, 0), scheme);
    const auto b = FuzzyDigitsOf(ViewOf(sketches, 1), scheme);
    SlotRows::Row row{"scheme " + std::to_string(scheme + 1), {}};
    for (const FuzzyDigits& of_a : a) {
      for (const FuzzyDigits& of_b : b) {
        if (of_a.script != of_b.script) continue;
        for (size_t i = 0; i < of_a.digits.size(); ++i)
          row.equal.push_back(of_a.digits[i] == of_b.digits[i]);
      }
    }
    if (!row.equal.empty()) slots.rows.push_back(std::move(row));
  }
  if (!slots.rows.empty()) text->Draw(DrawSlots(slots));
}

// The features of each document in their order, and its prefix.
void DrawPrefixes(const StepInput& input, const StepSketches& sketches,
                  StepText* text) {
  MarkLines marks{"The features in their order, and which are compared",
                  "first",
                  "last",
                  "behind the prefix",
                  "in the prefix",
                  "in the prefix of another document too",
                  "feature",
                  {}};
  const SketchLayout layout = sketches.parts.sketchers[0]->layout();
  std::vector<std::vector<std::string>> keys;
  for (const auto& own : sketches.of)
    keys.push_back(WrittenValues(layout, own[0]));
  for (size_t d = 0; d < keys.size(); ++d) {
    const size_t features =
        std::max(sketches.Hashes(d, 0).size(), keys[d].size());
    std::vector<MarkLines::Kind> kinds(features, MarkLines::kLeftOut);
    for (size_t i = 0; i < keys[d].size(); ++i) {
      kinds[i] = MarkLines::kKept;
      for (size_t other = 0; other < keys.size(); ++other)
        if (other != d && std::find(keys[other].begin(), keys[other].end(),
                                    keys[d][i]) != keys[other].end())
          kinds[i] = MarkLines::kShared;
    }
    marks.lines.push_back(LineOfKinds(input.documents[d].name, kinds));
  }
  text->Draw(DrawMarks(marks));
}

}  // namespace

MethodSteps::Add CopySteps(std::string how) {
  return [how = std::move(how)](const StepInput& input,
                                const StepSketches& sketches,
                                StepText* text) -> Status {
    text->Paragraph(
        "What is compared: " + std::string(ChoiceName(sketches.options.level)) +
        ". " + how + " Equal fingerprints propose a pair; the bytes decide.");
    std::vector<std::vector<std::string>> rows;
    for (size_t d = 0; d < input.documents.size(); ++d) {
      const std::string bytes = ViewOf(sketches, d);
      rows.push_back({Plain(input.documents[d].name),
                      std::to_string(bytes.size()), Plain(bytes)});
    }
    text->Table({"document", ">bytes", "begin"}, rows, /*whole=*/true);
    text->DrawNothing(
        "There is nothing to draw: the values of two documents are equal or "
        "not, which the tables tell.");
    return {};
  };
}

Status AddProfileSteps(const StepInput& input, const StepSketches& sketches,
                       StepText* text) {
  text->Paragraph(
      "Tokens of three characters or more are counted, and the counts rounded "
      "down to multiples of a hundredth of the greatest, or of 2. What is left "
      "above 0, from the most frequent on, is hashed by MD5.");
  for (size_t d = 0; d < input.documents.size(); ++d) {
    const std::string profile = TextProfile(ViewOf(sketches, d));
    std::vector<std::vector<std::string>> rows;
    for (size_t at = 0; at < profile.size();) {
      const size_t end = std::min(profile.find('\n', at), profile.size());
      const size_t space = profile.rfind(' ', end - 1);
      rows.push_back({Plain(std::string_view(profile).substr(at, space - at)),
                      profile.substr(space + 1, end - space - 1)});
      at = end + 1;
    }
    text->Paragraph("**" + Plain(input.documents[d].name) +
                    "**: " + std::to_string(rows.size()) + " tokens" +
                    (rows.empty() ? "; all tokens are hashed instead." : ":"));
    if (!rows.empty()) text->Table({"token", ">count"}, rows);
  }
  text->DrawNothing(
      "There is nothing to draw: two profiles are equal or not, which the "
      "tables tell.");
  return {};
}

Status AddFuzzySteps(const StepInput& input, const StepSketches& sketches,
                     StepText* text) {
  text->Paragraph(
      "Words are counted by their first letter. A digit is 1 where their share "
      "is above a bound near the usual one, else 0; each scheme has its own "
      "bound. In Latin the digits stand for the letters a to z, and one for "
      "all others. Read as a number, the first digit the lowest, they are the "
      "value of the scheme.");
  std::vector<std::vector<std::string>> rows;
  for (int scheme = 0; scheme < kFuzzySchemes; ++scheme) {
    for (size_t d = 0; d < input.documents.size(); ++d) {
      for (const FuzzyDigits& of_script :
           FuzzyDigitsOf(ViewOf(sketches, d), scheme)) {
        std::string digits;
        for (const uint8_t digit : of_script.digits)
          digits += static_cast<char>('0' + digit);
        rows.push_back({std::to_string(scheme + 1),
                        Plain(input.documents[d].name),
                        kScriptNames[static_cast<size_t>(of_script.script)],
                        "`" + digits + "`"});
      }
    }
  }
  text->Table({">scheme", "document", "script", "digits"}, rows);
  DrawDigits(input, sketches, text);
  return {};
}

Status AddPrefixSteps(const StepInput& input, const StepSketches& sketches,
                      StepText* text) {
  text->Paragraph(
      "All features are put in one order. Two documents that reach the "
      "threshold of " +
      Decimal(sketches.options.threshold) +
      " have so much in common that the beginnings of both, the shorter the "
      "higher the threshold, share a feature: only such pairs are compared. "
      "The values are the hashes of those beginnings; they estimate nothing.");
  DrawPrefixes(input, sketches, text);
  return {};
}

}  // namespace twinset
