#include "text/tokens/normalise.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"
#include "kernels/kernels.h"
#include "kernels/unicode_class.h"
#include "text/tokens/normalise_fold.h"
#include "text/tokens/python_text.h"

namespace twinset {

using kernels::CodePoint;
using kernels::DecodeUtf8;
using normalise_internal::FoldSegment;
using normalise_internal::FoldTable;

// ---- map --------------------------------------------------------------------

void NormalisedMap::Add(uint64_t normalised, uint64_t clean, bool linear) {
  const auto at = static_cast<uint32_t>(normalised);
  const auto from = static_cast<uint32_t>(clean);
  if (linear && !pieces_.empty() && pieces_.back().linear &&
      at - pieces_.back().normalised == from - pieces_.back().clean) {
    return;  // goes on
  }
  pieces_.push_back({at, from, linear});
}

size_t NormalisedMap::PieceOf(uint32_t at) const {
  const auto behind = std::upper_bound(
      pieces_.begin(), pieces_.end(), at,
      [](uint32_t a, const NormalisedPiece& p) { return a < p.normalised; });
  return static_cast<size_t>(behind - pieces_.begin()) - 1;
}

void NormalisedMap::Advance(uint32_t bytes) {
  if (pieces_.empty() || bytes == 0) return;
  pieces_.erase(pieces_.begin(),
                pieces_.begin() + static_cast<ptrdiff_t>(PieceOf(bytes)));
  NormalisedPiece& first = pieces_.front();  // begins at or before the cut
  if (first.linear) first.clean += bytes - first.normalised;
  first.normalised = bytes;
  for (NormalisedPiece& piece : pieces_) piece.normalised -= bytes;
}

uint32_t NormalisedMap::CleanBegin(uint32_t at) const {
  const NormalisedPiece& piece = pieces_[PieceOf(at)];
  return piece.linear ? piece.clean + (at - piece.normalised) : piece.clean;
}

uint32_t NormalisedMap::CleanEnd(uint32_t end) const {
  const size_t i = PieceOf(end - 1);
  if (pieces_[i].linear)
    return pieces_[i].clean + (end - pieces_[i].normalised);
  return i + 1 < pieces_.size() ? pieces_[i + 1].clean : clean_end_;
}

// ---- normaliser
// ---------------------------------------------------------------

namespace {

// The code points that are replaced before or after NFKC_Casefold. Neither they
// nor their replacements take part in any composition, so segments end on both
// sides of them.
bool IsReplaced(uint32_t c) { return c == 0x200B || c == 0x2019; }

bool IsHigh(char c) { return static_cast<uint8_t>(c) >= 0x80; }

// From this size on a run of code points beyond the table goes back to it.
constexpr size_t kSegmentBytes = 64;
constexpr size_t kMaxSegmentBytes = 1024;

// Writes `c` < 0x110000, at most 4 bytes; returns how many.
size_t EncodeUtf8(uint32_t c, char* out) {
  const auto tail = [c](int shift) {
    return static_cast<char>(0x80 | (c >> shift & 63));
  };
  if (c < 0x80) {
    out[0] = static_cast<char>(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = static_cast<char>(0xC0 | c >> 6);
    out[1] = tail(0);
    return 2;
  }
  if (c < 0x10000) {
    out[0] = static_cast<char>(0xE0 | c >> 12);
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | c >> 18);
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

}  // namespace

// Where a step writes to.
struct Normaliser::Output {
  std::string* buffer;
  size_t* size;
  NormalisedMap* map;

  // Room for `more` bytes and the padding behind the valid ones.
  char* Room(size_t more) const {
    const size_t need = *size + more + kernels::kPaddingBytes;
    if (buffer->size() < need) {
      buffer->resize(std::max(need, buffer->size() + buffer->size() / 2));
    }
    return buffer->data() + *size;
  }
  void Wrote(size_t bytes, size_t clean, bool linear) const {
    if (map != nullptr) map->Add(*size, clean, linear);
    *size += bytes;
  }
};

void Normaliser::Step(size_t more, std::string* out, size_t* size,
                      NormalisedMap* map) {
  const Output output{out, size, map};
  const size_t goal = *size + std::max<size_t>(more, 1);
  output.Room(0);
  while (at_ < clean_.size() && *size < goal) {
    if (!IsHigh(clean_[at_])) {
      AsciiSpan(goal - *size, output);
    } else if (rule_ == NormaliseRule::kCopy) {
      HighSpanCopied(goal, output);
    } else if (rule_ == NormaliseRule::kLower) {
      HighSpanLower(goal, output);
    } else {
      HighSpan(goal, output);
    }
  }
  output.Room(0);
  if (map != nullptr) map->SetCleanEnd(at_);
}

// ASCII from at_ on, at most `limit` bytes of it. An ASCII character is always
// a boundary, so only the last one can be changed, by a mark behind it.
void Normaliser::AsciiSpan(size_t limit, const Output& out) {
  const std::string_view view = clean_.substr(at_, limit);
  char* to = out.Room(view.size());
  size_t bytes = kernels::LowerAscii(view, to);
  if (rule_ == NormaliseRule::kCopy) {
    std::memcpy(to, view.data(), bytes);
  } else if (rule_ == NormaliseRule::kUnicode && at_ + bytes < clean_.size() &&
             IsHigh(clean_[at_ + bytes])) {
    const CodePoint next =
        DecodeUtf8(clean_.data() + at_ + bytes, clean_.data() + clean_.size());
    if (!FoldTable::Get().BoundaryBefore(next.value)) --bytes;
  }
  if (bytes == 0) return Segment(out);
  out.Wrote(bytes, at_, true);
  at_ += bytes;
  code_points_ += bytes;
}

// A run of code points >= 0x80, until the output has `goal` bytes. Most become
// one other code point, whatever their neighbours, unless the next one is not a
// boundary.
void Normaliser::HighSpan(size_t goal, const Output& out) {
  const FoldTable& table = FoldTable::Get();
  const char* const end = clean_.data() + clean_.size();
  CodePoint c = DecodeUtf8(clean_.data() + at_, end);
  while (*out.size < goal) {
    if (!c.valid) {
      Replaced(c.size, out);
    } else {
      const char* next_at = clean_.data() + at_ + c.size;
      const bool next_high = next_at < end && IsHigh(*next_at);
      const CodePoint next =
          next_high ? DecodeUtf8(next_at, end) : CodePoint{0, 0, true};
      const uint32_t folded = table.Folded(c.value);
      if (folded == 0 || (next_high && !IsReplaced(c.value) &&
                          !table.BoundaryBefore(next.value))) {
        return Segment(out);
      }
      const size_t bytes = EncodeUtf8(folded, out.Room(4));
      out.Wrote(bytes, at_, bytes == c.size);
      at_ += c.size;
      ++code_points_;
      if (!next_high) return;
      c = next;
      continue;
    }
    if (at_ == clean_.size() || !IsHigh(clean_[at_])) return;
    c = DecodeUtf8(clean_.data() + at_, end);
  }
}

void Normaliser::HighSpanCopied(size_t goal, const Output& out) {
  const char* const end = clean_.data() + clean_.size();
  while (*out.size < goal && at_ < clean_.size() && IsHigh(clean_[at_])) {
    const CodePoint c = DecodeUtf8(clean_.data() + at_, end);
    if (!c.valid) {
      Replaced(c.size, out);
      continue;
    }
    std::memcpy(out.Room(4), clean_.data() + at_, c.size);
    out.Wrote(c.size, at_, true);
    at_ += c.size;
    ++code_points_;
  }
}

void Normaliser::HighSpanLower(size_t goal, const Output& out) {
  const char* const end = clean_.data() + clean_.size();
  while (*out.size < goal && at_ < clean_.size() && IsHigh(clean_[at_])) {
    const CodePoint c = DecodeUtf8(clean_.data() + at_, end);
    if (!c.valid) {
      Replaced(c.size, out);
      continue;
    }
    uint32_t lower[2];
    const size_t count = LowerCase(clean_, at_, c.value, lower);
    size_t bytes = 0;
    char* to = out.Room(8);
    for (size_t i = 0; i < count; ++i)
      bytes += EncodeUtf8(lower[i], to + bytes);
    out.Wrote(bytes, at_, bytes == c.size);
    at_ += c.size;
    ++code_points_;
  }
}

// U+FFFD for `clean_bytes` malformed bytes.
void Normaliser::Replaced(uint32_t clean_bytes, const Output& out) {
  const size_t bytes = EncodeUtf8(0xFFFD, out.Room(4));
  out.Wrote(bytes, at_, false);
  at_ += clean_bytes;
  ++code_points_;
}

// End of the text to normalise together from at_ on, which is at least one
// code point: a boundary. `minimal`: the first boundary.
size_t Normaliser::SegmentEnd(bool minimal) const {
  const FoldTable& table = FoldTable::Get();
  const char* const end = clean_.data() + clean_.size();
  size_t at = at_ + DecodeUtf8(clean_.data() + at_, end).size;
  while (at < clean_.size() && IsHigh(clean_[at])) {
    const CodePoint c = DecodeUtf8(clean_.data() + at, end);
    if (!c.valid || IsReplaced(c.value)) break;
    const size_t size = at - at_;
    if (table.BoundaryBefore(c.value) &&
        (minimal || size >= kMaxSegmentBytes ||
         (size >= kSegmentBytes && table.Folded(c.value) != 0))) {
      break;
    }
    at += c.size;
  }
  return at;
}

void Normaliser::Segment(const Output& out) {
  const size_t end = SegmentEnd(out.map != nullptr);
  const std::string_view segment = clean_.substr(at_, end - at_);
  FoldSegment(segment, &points_);
  char* const to = out.Room(4 * points_.size());
  size_t bytes = 0;
  for (const int32_t point : points_)
    bytes += EncodeUtf8(static_cast<uint32_t>(point), to + bytes);
  out.Wrote(bytes, at_, false);
  at_ = end;
  for (const char c : segment) {
    code_points_ += !IsContinuation(c);
  }
}

std::string Normalise(std::string_view clean, NormaliseRule rule,
                      NormalisedMap* map) {
  Normaliser normaliser(clean, rule);
  std::string out;
  size_t size = 0;
  normaliser.Step(SIZE_MAX / 2, &out, &size, map);
  out.resize(size);
  return out;
}

}  // namespace twinset
