#include "text/html/html_tag.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/ascii.h"
#include "text/html/html_tags.h"

namespace twinset {
namespace {

constexpr uint32_t kPlainBlock =
    kTagBlock | kTagSpecial | kTagClosesP | kTagBlockEnd;
constexpr uint32_t kHead = kPlainBlock | kTagHeading | kTagBreakout;
constexpr uint32_t kVoidSpecial = kTagVoid | kTagSpecial;
constexpr uint32_t kItem = kTagBlock | kTagSpecial;
constexpr uint32_t kTableCell = kTagCell | kTagSpecial | kTagScope | kTagMarker;
constexpr uint32_t kDropRaw = kTagDrop | kTagRaw | kTagSpecial;
constexpr uint32_t kInlineOut = kTagFormatting | kTagBreakout;

constexpr std::string_view kListed[] = {
    "",
#define TWINSET_HTML_TAG(enumerator, name, flags) name,
#include "text/html/html_tag_list.inc"
#undef TWINSET_HTML_TAG
};
constexpr size_t kRowCount = std::size(kListed);
static_assert(kRowCount == static_cast<size_t>(HtmlTag::kCount));

// Eight bytes, the first one lowest, ASCII letters made lower case.
constexpr uint64_t LowerBytes(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101u;
  const uint64_t low = bytes & (kOnes * 0x7F);
  // The high bit of each byte: from 'A' on; beyond 'Z'; ASCII.
  const uint64_t from_a = low + kOnes * (0x80 - 'A');
  const uint64_t beyond_z = low + kOnes * (0x7F - 'Z');
  const uint64_t upper = from_a & ~beyond_z & ~bytes & (kOnes * 0x80);
  return bytes | upper >> 2;
}

// The first eight bytes of a name in lower case, zeros behind its end.
constexpr uint64_t FirstBytes(std::string_view name) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < name.size() && i < 8; ++i) {
    bytes |= static_cast<uint64_t>(static_cast<unsigned char>(name[i]))
             << (8 * i);
  }
  return LowerBytes(bytes);
}

constexpr size_t kSlotBits = 10;
constexpr size_t SlotOf(uint64_t first, size_t size) {
  return ((first + size) * 0x9E3779B97F4A7C15u) >> (64 - kSlotBits);
}

struct Name {
  uint64_t first = 0;
  uint64_t size = 0;
};
struct Names {
  std::array<uint8_t, size_t{1} << kSlotBits> slots{};  // numbers of names
  std::array<Name, kRowCount> names{};
};
constexpr Names BuildNames() {
  Names built;
  for (size_t i = 1; i < kRowCount; ++i) {
    const std::string_view name = kListed[i];
    built.names[i] = {FirstBytes(name), name.size()};
    size_t at = SlotOf(built.names[i].first, name.size());
    while (built.slots[at] != 0) at = (at + 1) % built.slots.size();
    built.slots[at] = static_cast<uint8_t>(i);
  }
  return built;
}
constexpr Names kNames = BuildNames();

// Returns true iff the bytes behind the first eight agree; sizes are equal.
bool IsRest(std::string_view any_case, std::string_view lower) {
  for (size_t i = 8; i < lower.size(); ++i) {
    if (ToLowerAscii(any_case[i]) != lower[i]) return false;
  }
  return true;
}

inline HtmlTag LookUp(uint64_t first, std::string_view name) {
  for (size_t at = SlotOf(first, name.size());;
       at = (at + 1) % kNames.slots.size()) {
    const size_t row = kNames.slots[at];
    const Name& known = kNames.names[row];
    if (known.first == first && known.size == name.size() &&
        (name.size() <= 8 || IsRest(name, kListed[row]))) {
      return static_cast<HtmlTag>(row);
    }
    if (row == 0) return HtmlTag::kUnknown;
  }
}

}  // namespace

HtmlTag TagOf(std::string_view name) { return LookUp(FirstBytes(name), name); }

HtmlTag TagOfReadable(std::string_view name) {
  uint64_t first;
  std::memcpy(&first, name.data(), 8);
  if constexpr (std::endian::native == std::endian::big) {
    first = __builtin_bswap64(first);
  }
  if (name.size() < 8) first &= (uint64_t{1} << (8 * name.size())) - 1;
  return LookUp(LowerBytes(first), name);
}

std::string_view TagName(HtmlTag tag) {
  return kListed[static_cast<size_t>(tag)];
}

uint32_t NameHash(std::string_view name) {
  uint32_t hash = 0x811C9DC5u;  // FNV-1a
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(ToLowerAscii(c))) * 0x01000193u;
  }
  return hash;
}

namespace internal {

const uint32_t kTagFlags[static_cast<size_t>(HtmlTag::kCount)] = {
    0,
#define TWINSET_HTML_TAG(enumerator, name, flags) flags,
#include "text/html/html_tag_list.inc"
#undef TWINSET_HTML_TAG
};

}  // namespace internal

}  // namespace twinset
