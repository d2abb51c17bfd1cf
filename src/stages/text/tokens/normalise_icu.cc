#include "text/tokens/normalise_icu.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/unicode_class.h"
#include "text/tokens/normalise.h"

namespace twinset {
namespace {

struct Normalisers {
  const icu::Normalizer2* fold = nullptr;  // NFKC_Casefold
  const icu::Normalizer2* nfc = nullptr;
  const icu::Normalizer2* nfd = nullptr;
};

const Normalisers& Icu() {
  static const Normalisers normalisers = [] {
    Normalisers n;
    UErrorCode status = U_ZERO_ERROR;
    n.fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
    n.nfc = icu::Normalizer2::getNFCInstance(status);
    n.nfd = icu::Normalizer2::getNFDInstance(status);
    return U_FAILURE(status) ? Normalisers() : n;
  }();
  return normalisers;
}

}  // namespace

Status CheckUnicodeVersion() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  if (version[0] != 15 || version[1] != 0) {
    return Fail(ErrorCode::kUnsupported,
                "ICU has Unicode " + std::to_string(version[0]) + "." +
                    std::to_string(version[1]) +
                    ", the spec is written for 15.0",
                {}, "use ICU 72, or --allow-unicode-mismatch");
  }
  if (Icu().fold == nullptr) {
    return Fail(ErrorCode::kUnsupported, "ICU has no normalisation data");
  }
  return {};
}

namespace normalise_internal {
namespace {

using kernels::CodePoint;
using kernels::DecodeUtf8;

// NFKC_Casefold of a long segment without ICU's quadratic reordering:
// NFKC_Casefold(X) is NFC of the concatenated NFKC_Casefold of its code points
// (Unicode 15.0, 3.13, toNFKC_Casefold), and NFC of a canonically equivalent
// text. So every code point is mapped and decomposed alone, runs of combining
// marks are put in canonical order by counting, and ICU composes what needs no
// more reordering.
class LongSegmentFolder {
 public:
  std::string Sorted(std::string_view segment) {
    const char *p = segment.data(), *end = p + segment.size();
    while (p < end) {
      const CodePoint c = DecodeUtf8(p, end);
      p += c.size;
      for (const UChar32 mark : Decomposed(static_cast<UChar32>(c.value))) {
        const uint8_t mark_class = u_getCombiningClass(mark);
        if (mark_class == 0) {
          FlushRun();
          Append(mark);
        } else {
          run_.push_back({mark, mark_class});
        }
      }
    }
    FlushRun();
    return std::move(sorted_);
  }

 private:
  struct Mark {
    UChar32 value;
    uint8_t combining_class;
  };

  const std::u32string& Decomposed(UChar32 c) {
    const auto [at, is_new] = decompositions_.try_emplace(c);
    if (is_new) {
      UErrorCode status = U_ZERO_ERROR;
      const icu::UnicodeString folded =
          Icu().fold->normalize(icu::UnicodeString(c), status);
      const icu::UnicodeString text = Icu().nfd->normalize(folded, status);
      for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
        at->second.push_back(static_cast<char32_t>(text.char32At(i)));
      }
    }
    return at->second;
  }

  // Stable counting sort by combining class.
  void FlushRun() {
    size_t begins[257] = {};
    for (const Mark& mark : run_) ++begins[mark.combining_class + 1];
    for (size_t i = 1; i < 257; ++i) begins[i] += begins[i - 1];
    ordered_.resize(run_.size());
    for (const Mark& mark : run_) {
      ordered_[begins[mark.combining_class]++] = mark.value;
    }
    for (const UChar32 value : ordered_) Append(value);
    run_.clear();
  }

  void Append(UChar32 c) { icu::UnicodeString(c).toUTF8String(sorted_); }

  std::unordered_map<UChar32, std::u32string> decompositions_;
  std::vector<Mark> run_;
  std::vector<UChar32> ordered_;
  std::string sorted_;
};

size_t NormaliseInto(const icu::Normalizer2* normalizer, std::string_view text,
                     char* out, size_t capacity) {
  icu::CheckedArrayByteSink sink(out, static_cast<int32_t>(capacity));
  UErrorCode status = U_ZERO_ERROR;
  normalizer->normalizeUTF8(
      0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink,
      nullptr, status);
  return static_cast<size_t>(sink.NumberOfBytesAppended());
}

}  // namespace

FoldTable::FoldTable()
    : folded_(new uint16_t[0x10000]()), boundary_(new uint8_t[0x10000 / 8]()) {
  const icu::Normalizer2* fold = Icu().fold;
  if (fold == nullptr) return;
  const auto set = [this](uint32_t c, char16_t folded) {
    boundary_[c >> 3] |= static_cast<uint8_t>(1u << (c & 7));
    folded_[c] = folded;
  };
  for (uint32_t c = 0; c < 0x10000; ++c) {
    const auto point = static_cast<UChar32>(c);
    if (c >= 0xD800 && c < 0xE000) continue;
    if (fold->isInert(point)) {
      set(c, static_cast<char16_t>(c));
      continue;
    }
    if (!fold->hasBoundaryBefore(point)) continue;
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString text =
        fold->normalize(icu::UnicodeString(point), status);
    const bool single = text.length() == 1 && !U16_IS_SURROGATE(text[0]);
    set(c, single ? text[0] : u'\0');
  }
  set(0x200B, u' ');
  set(0x2019, u'\'');
}

const FoldTable& FoldTable::Get() {
  static const FoldTable table;
  return table;
}

uint32_t FoldTable::Far(uint32_t c) {
  const icu::Normalizer2* fold = Icu().fold;
  return fold != nullptr && fold->isInert(static_cast<UChar32>(c)) ? c : 0;
}

bool FoldTable::FarBoundary(uint32_t c) {
  const icu::Normalizer2* fold = Icu().fold;
  return fold != nullptr && fold->hasBoundaryBefore(static_cast<UChar32>(c));
}

size_t FoldSegment(std::string_view segment, char* out, size_t capacity) {
  const Normalisers& icu = Icu();
  if (icu.fold == nullptr) {  // CheckUnicodeVersion says so
    if (segment.size() <= capacity) {
      std::memcpy(out, segment.data(), segment.size());
    }
    return segment.size();
  }
  if (segment.size() <= kLongSegmentBytes) {
    return NormaliseInto(icu.fold, segment, out, capacity);
  }
  return NormaliseInto(icu.nfc, LongSegmentFolder().Sorted(segment), out,
                       capacity);
}

}  // namespace normalise_internal
}  // namespace twinset
