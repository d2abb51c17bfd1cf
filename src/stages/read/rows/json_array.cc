#include "read/rows/json_array.h"

#include <algorithm>
#include <utility>

#include "read/json_check.h"
#include "read/record_base.h"
#include "read/utf8.h"

namespace twinset {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
// A check that stops so near to the end of what is there may be cut, not bad.
constexpr size_t kLongestToken = 16;
constexpr size_t kLongestSeparator = 256;
// A comma and the beginning of its element may stand in the end of what is
// there.
constexpr size_t kTail = 4 << 10;

// The key that stands behind the brace of an object, with its quotes; empty if
// none does.
std::string_view FirstKey(std::string_view object) {
  const size_t open = object.find_first_not_of(kSpace, 1);
  if (open == std::string_view::npos || object[open] != '"') return {};
  size_t end = open + 1;
  while (end < object.size() && object[end] != '"')
    end += object[end] == '\\' ? 2 : 1;
  return end < object.size() ? object.substr(open, end + 1 - open)
                             : std::string_view();
}

std::string BadText(const JsonCheck& check, uint64_t unused) {
  return std::string(check.message) + " in byte " +
         std::to_string(check.error_at + 1) +
         " of an element; not used: " + std::to_string(unused) + " bytes";
}

}  // namespace

Result<JsonArrayReader::Line> JsonArrayReader::Next() {
  stream_->Consume(std::exchange(taken_, 0));
  for (;;) {
    if (state_ == State::kEnd) return Line{};
    if (state_ == State::kLost) return Lost("damage in front");
    TWINSET_ASSIGN(const char next, SkipSpace());
    if (next == '\0' && stream_->AtGap()) return TakeFault({});
    const bool at_end = next == '\0';
    switch (state_) {
      case State::kOpen:
        if (at_end) return Line{};
        if (next != '[') return Lost("no array begins");
        stream_->Consume(1);
        state_ = State::kElement;
        continue;
      case State::kElement:
        if (at_end || next != ']') return Element();
        stream_->Consume(1);
        state_ = State::kClosed;
        continue;
      case State::kBehind:
        if (next == ',' || next == ']') {
          stream_->Consume(1);
          state_ = next == ',' ? State::kElement : State::kClosed;
          continue;
        }
        if (!at_end) return Lost("expected , or ] behind an element");
        break;
      default:
        if (!at_end) return Lost("more behind the array");
        state_ = State::kEnd;
        continue;
    }
    // Every element is there, and still the file was cut.
    state_ = State::kEnd;
    Line line;
    line.kind = Line::kBad;
    line.offset = stream_->offset();
    line.fault.detail = "the array is not closed";
    return line;
  }
}

// Consumes white space, which space_ then holds as far as it is short. The next
// byte, 0 in front of a gap or the end.
Result<char> JsonArrayReader::SkipSpace() {
  space_.clear();
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kHoldBack));
    if (stream_->offset() == 0 && view.starts_with(kUtf8Bom)) {
      stream_->Consume(kUtf8Bom.size());
      continue;
    }
    const size_t space = std::min(view.find_first_not_of(kSpace), view.size());
    if (space_.size() < kLongestSeparator) space_ += view.substr(0, space);
    const char next = space < view.size() ? view[space] : '\0';
    stream_->Consume(space);
    // A byte that is 0 is no end: it is damage like any other.
    if (space < view.size()) return next == '\0' ? '\1' : next;
    if (view.empty()) return '\0';
  }
}

Result<JsonArrayReader::Line> JsonArrayReader::Element() {
  for (uint64_t want = kHoldBack;;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(want));
    const StreamFault* fault = stream_->UpcomingFault();
    const bool last = view.size() < want;
    size_t size = 0;
    const JsonCheck check = CheckJsonValue(view, &size);
    // An array among objects: a bracket that should be something else, unless
    // no element stands in it.
    const bool is_array = !first_key_.empty() && view.starts_with('[');
    if (const size_t next = is_array ? FindElement(view, 0, last) : 0;
        next > 0 && (next < size || !check.ok)) {
      return BadUpTo(next, "an array among objects");
    }
    if (check.ok && (size < view.size() || last)) {
      if (fault && Poisons(*fault, stream_->offset() + size))
        return TakeFault(view);
      return Whole(view, size);
    }
    const bool is_cut = check.error_at + kLongestToken >= view.size();
    if (!last && (check.ok || is_cut) && view.size() <= max_element_) {
      want = std::min<uint64_t>(want + want / 4, max_element_ + kHoldBack);
      continue;
    }
    if (fault && is_cut && Cuts(*fault)) return TakeFault(view);
    JsonCheck told = check;
    if (!last && is_cut) told.message = "an element is too long";
    if (last && is_cut) told.message = "the file ends";
    const size_t next = FindElement(view, check.error_at, last);
    if (next > 0) return BadUpTo(next, BadText(told, next));
    const uint64_t begin = stream_->offset();
    const std::string detail = BadText(told, view.size());
    stream_->Consume(view.size() - (last ? 0 : kTail));
    TWINSET_ASSIGN(Line line, Lost(detail));
    if (line.kind == Line::kBad) line.offset = begin;
    return line;
  }
}

JsonArrayReader::Line JsonArrayReader::BadUpTo(size_t next,
                                               std::string detail) {
  Line line;
  line.kind = Line::kBad;
  line.offset = stream_->offset();
  line.fault.detail = std::move(detail);
  taken_ = next;
  state_ = State::kElement;
  return line;
}

JsonArrayReader::Line JsonArrayReader::Whole(std::string_view view,
                                             size_t size) {
  Line line;
  line.kind = size > max_element_ ? Line::kTooLong : Line::kLine;
  line.offset = stream_->offset();
  line.text = view.substr(0, size);
  line.size = size;
  taken_ = size;
  state_ = State::kBehind;
  if (!space_.empty()) separator_ = space_;
  if (const std::string_view key = FirstKey(line.text);
      view[0] == '{' && !key.empty() && key.size() <= kLongestSeparator)
    first_key_ = key;
  return line;
}

// Where in `view` an element begins that is not the damaged one in front, whose
// check stopped at `from`; 0 if none does.
size_t JsonArrayReader::FindElement(std::string_view view, size_t from,
                                    bool last) {
  // What begins in front of the place where the check stopped was part of
  // something sound, but for the quote that ended a string too late.
  const size_t first_quote = from - std::min<size_t>(from, 1);
  for (size_t at = view.find_first_of(",\n"); at != std::string_view::npos;
       at = view.find_first_of(",\n", at + 1)) {
    const size_t open = view.find_first_not_of(kSpace, at + 1);
    if (open == std::string_view::npos || view[open] != '{') continue;
    const size_t quote = view.find_first_not_of(kSpace, open + 1);
    if (quote == std::string_view::npos || quote < first_quote) continue;
    const bool same_key =
        first_key_.empty() || view.substr(quote).starts_with(first_key_);
    const bool same_line = separator_.find('\n') != std::string::npos &&
                           view.substr(at + 1, open - at - 1) == separator_;
    if (!same_key && !same_line) continue;
    if (rescanned_ > 8 * (stream_->offset() + view.size()) + 16 * max_element_)
      return 0;
    size_t size = 0;
    const JsonCheck check = CheckJsonValue(view.substr(open), &size);
    rescanned_ += check.ok ? size : check.error_at;
    const bool is_cut =
        !check.ok && open + check.error_at + kLongestToken >= view.size();
    if (check.ok || (is_cut && !last)) return open;
  }
  return 0;
}

// Passes over what cannot be read, up to an element, a gap or the end.
Result<JsonArrayReader::Line> JsonArrayReader::Lost(std::string detail) {
  Line line;
  line.kind = Line::kBad;
  line.offset = stream_->offset();
  line.fault.detail = std::move(detail);
  state_ = State::kLost;
  for (;;) {
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kHoldBack));
    const bool last = view.size() < kHoldBack;
    if (const size_t next = FindElement(view, 0, last); next > 0) {
      stream_->Consume(next);
      space_ = separator_;
      state_ = State::kElement;
      return line;
    }
    stream_->Consume(view.size() - (last ? 0 : kTail));
    TWINSET_TRY(CheckSkipped(stream_->offset() - line.offset, max_skip_));
    if (!last) continue;
    if (stream_->AtGap()) {
      line = TakeFault({});
    } else {
      state_ = State::kEnd;
    }
    return line;
  }
}

JsonArrayReader::Line JsonArrayReader::TakeFault(std::string_view view) {
  Line line = LineReader::TakeFault(stream_, view, &swallowed_);
  if (Cuts(line.fault) && state_ != State::kOpen) state_ = State::kLost;
  return line;
}

}  // namespace twinset
