// Clean text to natural units that can be cut out of it: paragraphs, lines,
// sentences (docs/methods/units.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_UNITS_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_UNITS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "text/tokens/features.h"
#include "text/tokens/normalise.h"

namespace twinset {

// One unit: a segment (text/tokens/segment.h) with at least one token, and all
// that goes when it is cut out.
struct TextUnit {
  // Bytes of the clean text, on character boundaries: from its first character
  // (a quote or bullet in front of the first word is part of it) to the
  // beginning of what stays, its own end mark, line feed and the blank lines or
  // spaces behind it included. Units of a text do not overlap and ascend.
  uint32_t begin = 0, end = 0;
  uint64_t tokens = 0;
  // Its normalised tokens joined by one space: two units are equal if these
  // are. The end of the text that ForEachUnit collects.
  std::string_view normalised;
};

// Reusable buffers of one thread.
struct UnitScratch {
  FeatureScratch features;
  NormalisedMap map;
};

struct UnitCounts {
  uint64_t units = 0, tokens = 0, code_points = 0;  // of the whole text
};

// Calls `body` for every unit of `clean` in order; `unit` is kParagraph, kLine
// or kSentence. `clean` is as FeatureExtractor::Extract takes it. The
// normalised text of each unit is appended to *text before `body` is called,
// which may then append more or take it back; so it is held once. Memory beside
// that: a window of text (text/tokens/tokens.h). Time is linear.
UnitCounts ForEachUnit(std::string_view clean, ShingleKind::Unit unit,
                       TokenRule rule, UnitScratch* scratch, std::string* text,
                       const std::function<void(const TextUnit&)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_UNITS_H_
