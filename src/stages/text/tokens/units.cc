#include "text/tokens/units.h"

#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/unicode_class.h"
#include "text/tokens/segment.h"
#include "text/tokens/tokens.h"

namespace twinset {
namespace {

size_t WhiteSpacePrefix(std::string_view text) {
  const char *p = text.data(), *const end = p + text.size();
  while (p < end) {
    const size_t space = WhiteSpaceAt(p, end);
    if (space == 0) break;
    p += space;
  }
  return static_cast<size_t>(p - text.data());
}

class UnitWalk {
 public:
  UnitWalk(std::string_view clean, ShingleKind::Unit unit, TokenRule rule,
           UnitScratch* scratch, std::string* text,
           const std::function<void(const TextUnit&)>& body)
      : clean_(clean),
        unit_(unit),
        rule_(rule),
        scratch_(scratch),
        text_(text),
        body_(body) {
    scratch_->map.Clear();
  }

  UnitCounts Do() {
    TokenStream stream(clean_, rule_, &scratch_->features, kTokenWindowBytes,
                       &scratch_->map);
    TokenWindow window;
    while (stream.Next(&window)) Add(window);
    if (open_.tokens > 0) {
      const std::string_view rest = stream.Rest();
      const auto boundary =
          FindSegmentBoundary(unit_, rest, terminated_, false);
      const size_t end = boundary ? boundary->end : rest.size();
      Close(end < rest.size() ? CleanAt(stream.RestBegin() + end)
                              : static_cast<uint32_t>(clean_.size()));
    }
    counts_.code_points = stream.code_points();
    return counts_;
  }

 private:
  void Add(const TokenWindow& window) {
    const bool sentences = unit_ == ShingleKind::kSentence;
    size_t gap_begin = 0;
    for (size_t i = 0; i < window.count; ++i) {
      const char* token = window.text + window.begins[i];
      const char* token_end = window.text + window.ends[i];
      const std::string_view gap(window.text + gap_begin,
                                 window.begins[i] - gap_begin);
      const bool single =
          sentences &&
          kernels::ClassOf(kernels::DecodeUtf8(token, token_end).value) ==
              kernels::CodePointClass::kSingle;
      // Most gaps are one space.
      if (open_.tokens == 0 || gap.size() != 1 || gap[0] != ' ' || terminated_)
        AddGap(gap, gap_begin, single);
      if (open_.tokens++ > 0) {
        *text_ += ' ';
      } else {
        text_begin_ = text_->size();
      }
      text_->append(token, token_end);
      if (sentences && rule_ == TokenRule::kWhitespace) {
        terminated_ =
            TerminatorAtEnd({token, static_cast<size_t>(token_end - token)});
      }
      gap_begin = window.ends[i];
    }
    counts_.tokens += window.count;
  }

  // What stands in front of a token, from normalised position `at` on: the end
  // of the open unit, or a part of it.
  void AddGap(std::string_view gap, size_t at, bool single) {
    const auto boundary = FindSegmentBoundary(unit_, gap, terminated_, single);
    if (open_.tokens == 0) {
      open_.begin = CleanAt(at + (boundary ? boundary->begin : Lead(gap)));
    } else if (boundary) {
      Close(CleanAt(at + boundary->end));
      // One character can hold the end of a unit and the beginning of the next.
      open_.begin = std::max(open_.begin, CleanAt(at + boundary->begin));
    }
  }

  // White space in front of the first unit that is no part of it.
  size_t Lead(std::string_view gap) const {
    const size_t space = WhiteSpacePrefix(gap);
    if (unit_ == ShingleKind::kSentence) return space;
    return gap.substr(0, space).rfind('\n') + 1;  // 0 if there is none
  }

  // Where the clean text of normalised position `at` begins; something stands
  // there.
  uint32_t CleanAt(size_t at) const {
    return scratch_->map.CleanBegin(static_cast<uint32_t>(at));
  }

  void Close(uint32_t end) {
    open_.end = std::max(end, open_.begin);
    open_.normalised = std::string_view(*text_).substr(text_begin_);
    ++counts_.units;
    body_(open_);
    const uint32_t next = open_.end;
    open_ = {};
    open_.begin = next;
  }

  std::string_view clean_;
  ShingleKind::Unit unit_;
  TokenRule rule_;
  UnitScratch* scratch_;
  std::string* text_;
  size_t text_begin_ = 0;  // of the open unit
  const std::function<void(const TextUnit&)>& body_;
  TextUnit open_;            // no tokens: none is open
  bool terminated_ = false;  // TerminatorAtEnd of the last token
  UnitCounts counts_;
};

}  // namespace

UnitCounts ForEachUnit(std::string_view clean, ShingleKind::Unit unit,
                       TokenRule rule, UnitScratch* scratch, std::string* text,
                       const std::function<void(const TextUnit&)>& body) {
  return UnitWalk(clean, unit, rule, scratch, text, body).Do();
}

}  // namespace twinset
