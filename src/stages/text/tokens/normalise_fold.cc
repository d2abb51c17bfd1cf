#include "text/tokens/normalise_fold.h"

#include <utf8proc.h>

#include <algorithm>
#include <string>

#include "kernels/unicode_class.h"
#include "text/tokens/normalise.h"

namespace twinset {

Status CheckUnicodeVersion() {
  const std::string_view version = utf8proc_unicode_version();
  if (version == "15.0.0") return {};
  return Fail(ErrorCode::kUnsupported,
              "utf8proc has Unicode " + std::string(version) +
                  ", the spec is written for 15.0",
              {}, "use utf8proc 2.8");
}

namespace normalise_internal {
namespace {

using kernels::CodePoint;
using kernels::DecodeUtf8;

// A bound of what one code point becomes; Unicode promises 18.
constexpr size_t kMostPoints = 32;

// Default ignorable code points that no version of Unicode has assigned.
// Folding drops them as it does the assigned ones, which utf8proc knows.
bool IsIgnoredUnassigned(uint32_t c) {
  return c == 0x2065 || (c >= 0xFFF0 && c <= 0xFFF8) ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

// Writes the decomposition of `c` by the given rules, its marks in no order;
// returns of how many code points it is.
size_t Decompose(uint32_t c, int rules, int32_t (&parts)[kMostPoints]) {
  int boundary_class = 0;
  const ptrdiff_t count = utf8proc_decompose_char(
      static_cast<int32_t>(c), parts, kMostPoints,
      static_cast<utf8proc_option_t>(rules), &boundary_class);
  return static_cast<size_t>(
      std::clamp<ptrdiff_t>(count, 0, ptrdiff_t{kMostPoints}));
}

// The same for the NFD of the NFKC_Casefold of `c`.
size_t DecomposeFolded(uint32_t c, int32_t (&parts)[kMostPoints]) {
  if (IsIgnoredUnassigned(c)) return 0;
  return Decompose(c,
                   UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
                       UTF8PROC_IGNORE | UTF8PROC_STABLE,
                   parts);
}

uint8_t ClassOfMark(int32_t c) {
  return static_cast<uint8_t>(utf8proc_get_property(c)->combining_class);
}

// Puts the marks from points[begin) to points[end) into canonical order: a
// stable counting sort, because insertion is quadratic in the length of a run.
void OrderMarks(size_t begin, size_t end, std::vector<int32_t>* points) {
  size_t places[257] = {};
  const std::vector<int32_t> marks(
      points->begin() + static_cast<ptrdiff_t>(begin),
      points->begin() + static_cast<ptrdiff_t>(end));
  for (const int32_t mark : marks) ++places[ClassOfMark(mark) + 1];
  for (size_t i = 1; i < 257; ++i) places[i] += places[i - 1];
  for (const int32_t mark : marks)
    (*points)[begin + places[ClassOfMark(mark)]++] = mark;
}

// Orders and composes the decomposed code points from `begin` on, which are
// those between two boundaries. So U+11A7 stands nowhere but first: behind a
// Hangul syllable without a final consonant utf8proc would drop it.
void ComposeFrom(size_t begin, std::vector<int32_t>* points) {
  const size_t end = points->size();
  for (size_t at = begin; at < end;) {
    const size_t run = at;
    uint8_t last = 0;
    bool ordered = true;
    for (; at < end; ++at) {
      const uint8_t mark = ClassOfMark((*points)[at]);
      if (mark == 0) break;
      ordered = ordered && mark >= last;
      last = mark;
    }
    if (!ordered) OrderMarks(run, at, points);
    if (at < end) ++at;
  }
  const ptrdiff_t size = utf8proc_normalize_utf32(
      points->data() + begin, static_cast<ptrdiff_t>(end - begin),
      static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  points->resize(begin + static_cast<size_t>(std::max<ptrdiff_t>(size, 0)));
}

void SetBit(uint8_t* bits, uint32_t i) {
  bits[i >> 3] |= static_cast<uint8_t>(1u << (i & 7));
}

// Folds the code points of [p, end) up to the first boundary behind p, and
// returns that. NFKC_Casefold(X) is NFC of the concatenated NFKC_Casefold of
// its code points (Unicode 15.0, 3.13, toNFKC_Casefold). That is NFC already
// where a code point of the table has nothing behind it but quiet marks in
// order.
const char* FoldPart(const FoldTable& table, const char* p, const char* end,
                     std::vector<int32_t>* points) {
  const size_t begin = points->size();
  const char* at = p;
  uint8_t last = 0;
  bool quiet = true;
  while (at < end) {
    const CodePoint c = DecodeUtf8(at, end);
    if (at != p && table.BoundaryBefore(c.value)) break;
    const uint32_t folded = at == p ? table.Folded(c.value) : 0;
    const uint8_t mark = folded == 0 && quiet ? table.QuietMark(c.value) : 0;
    if (folded != 0) {
      points->push_back(static_cast<int32_t>(folded));
    } else if (mark != FoldTable::kIgnored) {
      quiet = quiet && mark != 0 && mark >= last;
      last = mark;
      points->push_back(static_cast<int32_t>(c.value));
    }
    at += c.size;
  }
  if (quiet) return at;
  points->resize(begin);
  int32_t parts[kMostPoints];
  while (p < at) {
    const CodePoint c = DecodeUtf8(p, end);
    p += c.size;
    if (table.IsPlain(c.value)) {
      points->push_back(static_cast<int32_t>(c.value));
    } else {
      const size_t count = DecomposeFolded(c.value, parts);
      points->insert(points->end(), parts, parts + count);
    }
  }
  ComposeFrom(begin, points);
  return at;
}

}  // namespace

FoldTable::FoldTable()
    : folded_(new uint32_t[kCodePoints]()),
      marks_(new uint8_t[kMarkPoints]()),
      boundary_(new uint8_t[kCodePoints / 8]()),
      plain_(new uint8_t[kCodePoints / 8]()) {
  FindSeconds();
  for (uint32_t c = 0; c < kCodePoints; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    Fold fold = Compute(c);
    if (c == 0x200B) fold = {.boundary = true, .folded = ' '};
    if (c == 0x2019) fold = {.boundary = true, .folded = '\''};
    if (fold.boundary) SetBit(boundary_.get(), c);
    if (fold.plain) SetBit(plain_.get(), c);
    folded_[c] = fold.folded;
    if (c < kMarkPoints) marks_[c] = fold.mark;
  }
}

// The last code points of what composes again when it is decomposed.
void FoldTable::FindSeconds() {
  int32_t parts[kMostPoints];
  std::vector<int32_t> points;
  for (uint32_t c = 0; c < kCodePoints; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const size_t count =
        Decompose(c, UTF8PROC_DECOMPOSE | UTF8PROC_STABLE, parts);
    if (count < 2) continue;
    points.assign(parts, parts + count);
    ComposeFrom(0, &points);
    if (points.size() == 1) seconds_.push_back(parts[count - 1]);
  }
  std::sort(seconds_.begin(), seconds_.end());
  seconds_.erase(std::unique(seconds_.begin(), seconds_.end()), seconds_.end());
}

FoldTable::Fold FoldTable::Compute(uint32_t c) const {
  int32_t parts[kMostPoints];
  const size_t count = DecomposeFolded(c, parts);
  if (count == 0) return {.mark = kIgnored};
  const uint8_t mark = ClassOfMark(parts[0]);
  const bool plain = count == 1 && parts[0] == static_cast<int32_t>(c);
  const bool second =
      std::binary_search(seconds_.begin(), seconds_.end(), parts[0]);
  if (mark != 0 || second)
    return {.plain = plain, .mark = plain && !second ? mark : uint8_t{0}};
  Fold fold = {.boundary = true, .plain = plain};
  std::vector<int32_t> points(parts, parts + count);
  if (count > 1) ComposeFrom(0, &points);
  if (points.size() == 1) fold.folded = static_cast<uint32_t>(points[0]);
  return fold;
}

const FoldTable& FoldTable::Get() {
  static const FoldTable table;
  return table;
}

void FoldSegment(std::string_view segment, std::vector<int32_t>* points) {
  points->clear();
  const FoldTable& table = FoldTable::Get();
  const char *p = segment.data(), *end = p + segment.size();
  while (p < end) p = FoldPart(table, p, end, points);
}

}  // namespace normalise_internal
}  // namespace twinset
