#include "text/html_tags.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace twinset {
namespace {

struct Row {
  const char* name;
  uint32_t flags;
};

constexpr uint32_t kPlainBlock =
    kTagBlock | kTagSpecial | kTagClosesP | kTagBlockEnd;
constexpr uint32_t kHead = kPlainBlock | kTagHeading | kTagBreakout;
constexpr uint32_t kVoidSpecial = kTagVoid | kTagSpecial;
constexpr uint32_t kItem = kTagBlock | kTagSpecial | kTagOptional;
constexpr uint32_t kTableCell =
    kTagCell | kTagSpecial | kTagScope | kTagMarker | kTagOptional;
constexpr uint32_t kDropRaw = kTagDrop | kTagRaw | kTagSpecial;
constexpr uint32_t kInlineOut = kTagFormatting | kTagBreakout;

constexpr Row kRows[] = {
    {"a", kTagFormatting},
    {"address", kPlainBlock},
    {"annotation-xml", kTagScope},
    {"applet", kTagSpecial | kTagScope | kTagMarker | kTagBlockEnd},
    {"area", kVoidSpecial},
    {"article", kPlainBlock},
    {"aside", kPlainBlock},
    {"audio", kTagMute},
    {"b", kInlineOut},
    {"base", kVoidSpecial},
    {"basefont", kVoidSpecial},
    {"bgsound", kVoidSpecial},
    {"big", kInlineOut},
    {"blockquote", kPlainBlock | kTagBreakout},
    {"body", kTagBlock | kTagSpecial | kTagBreakout},
    {"br", kVoidSpecial | kTagBlock | kTagBreakout},
    {"button", kTagSpecial | kTagBlockEnd},
    {"canvas", kTagMute},
    {"caption", kTagBlock | kTagSpecial | kTagScope | kTagMarker},
    {"center", kPlainBlock | kTagBreakout},
    {"code", kInlineOut},
    {"col", kVoidSpecial},
    {"colgroup", kTagSpecial},
    {"datalist", kTagMute},
    {"dd", kItem | kTagBreakout},
    {"desc", kTagScope},
    {"details", kPlainBlock},
    {"dialog", kTagBlock},
    {"dir", kPlainBlock | kTagContainer},
    {"div", kPlainBlock | kTagBreakout},
    {"dl", kPlainBlock | kTagContainer | kTagBreakout},
    {"dt", kItem | kTagBreakout},
    {"em", kInlineOut},
    {"embed", kVoidSpecial | kTagBreakout},
    {"fieldset", kPlainBlock},
    {"figcaption", kPlainBlock},
    {"figure", kPlainBlock},
    {"font", kTagFormatting},
    {"footer", kPlainBlock},
    {"foreignobject", kTagScope},
    {"form", kTagBlock | kTagSpecial | kTagClosesP},
    {"frame", kVoidSpecial},
    {"frameset", kTagSpecial},
    {"h1", kHead},
    {"h2", kHead},
    {"h3", kHead},
    {"h4", kHead},
    {"h5", kHead},
    {"h6", kHead},
    {"head", kTagSpecial | kTagBreakout},
    {"header", kPlainBlock},
    {"hgroup", kPlainBlock},
    {"hr", kVoidSpecial | kTagBlock | kTagClosesP | kTagBreakout},
    {"html", kTagBlock | kTagSpecial | kTagScope},
    {"i", kInlineOut},
    {"iframe", kDropRaw},
    {"image", kTagVoid},
    {"img", kVoidSpecial | kTagBreakout},
    {"input", kVoidSpecial},
    {"isindex", kVoidSpecial},
    {"keygen", kTagVoid},
    {"legend", kTagBlock},
    {"li", kItem | kTagBreakout},
    {"link", kVoidSpecial},
    {"listing", kPlainBlock | kTagPreserve | kTagBreakout},
    {"main", kPlainBlock},
    {"marquee", kTagSpecial | kTagScope | kTagMarker | kTagBlockEnd},
    {"math", kTagForeign},
    {"menu", kPlainBlock | kTagContainer | kTagBreakout},
    {"meta", kVoidSpecial | kTagBreakout},
    {"mi", kTagScope},
    {"mn", kTagScope},
    {"mo", kTagScope},
    {"ms", kTagScope},
    {"mtext", kTagScope},
    {"nav", kPlainBlock},
    {"nobr", kInlineOut},
    {"noembed", kDropRaw},
    {"noframes", kDropRaw},
    {"noscript", kTagDrop | kTagSpecial},
    {"object", kTagSpecial | kTagScope | kTagMarker | kTagBlockEnd},
    {"ol", kPlainBlock | kTagContainer | kTagBreakout},
    {"optgroup", kTagBlock | kTagOptional | kTagContainer},
    {"option", kTagBlock | kTagOptional},
    {"p", kTagBlock | kTagSpecial | kTagClosesP | kTagBreakout},
    {"param", kVoidSpecial},
    {"plaintext", kPlainBlock | kTagPreserve | kTagPlaintext},
    {"pre", kPlainBlock | kTagPreserve | kTagBreakout},
    {"rp", kTagMute | kTagOptional},
    {"rt", kTagOptional},
    {"ruby", kTagBreakout | kTagContainer},
    {"s", kInlineOut},
    {"script", kTagSpecial | kTagDrop | kTagScript},
    {"search", kTagBlock},
    {"section", kPlainBlock},
    {"select", kTagSpecial | kTagBlockEnd | kTagContainer},
    {"small", kInlineOut},
    {"source", kVoidSpecial},
    {"span", kTagBreakout},
    {"strike", kInlineOut},
    {"strong", kInlineOut},
    {"style", kDropRaw},
    {"sub", kTagBreakout},
    {"summary", kPlainBlock},
    {"sup", kTagBreakout},
    {"svg", kTagForeign | kTagDrop},
    {"table",
     kTagBlock | kTagSpecial | kTagScope | kTagContainer | kTagBreakout},
    {"tbody", kItem},
    {"td", kTableCell},
    {"template", kTagSpecial | kTagScope | kTagDrop},
    {"textarea", kTagSpecial | kTagRcdata | kTagPreserve},
    {"tfoot", kItem},
    {"th", kTableCell},
    {"thead", kItem},
    {"title", kTagSpecial | kTagRcdata | kTagDrop},
    {"tr", kItem},
    {"track", kVoidSpecial},
    {"tt", kInlineOut},
    {"u", kInlineOut},
    {"ul", kPlainBlock | kTagContainer | kTagBreakout},
    {"var", kTagBreakout},
    {"video", kTagMute},
    {"wbr", kVoidSpecial},
    {"xmp", kPlainBlock | kTagRaw | kTagPreserve},
};

constexpr size_t kSlots = 512;  // a power of two well above the number of rows
static_assert(std::size(kRows) * 2 < kSlots);

struct Slot {
  uint64_t key = 0;  // no name of the table hashes to 0
  uint32_t flags = 0;
};

constexpr size_t SlotOf(uint64_t key) { return (key ^ (key >> 29)) % kSlots; }

constexpr std::array<Slot, kSlots> BuildSlots() {
  std::array<Slot, kSlots> slots{};
  for (const Row& row : kRows) {
    const uint64_t key = TagKeyOf(row.name);
    size_t at = SlotOf(key);
    while (slots[at].key != 0) at = (at + 1) % kSlots;
    slots[at] = {key, row.flags};
  }
  return slots;
}

constexpr std::array<Slot, kSlots> kTable = BuildSlots();

}  // namespace

uint64_t TagKey(std::string_view name) {
  uint64_t key = 0xcbf29ce484222325u;
  for (const char c : name) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    key = (key ^ static_cast<unsigned char>(lower)) * 0x100000001b3u;
  }
  return key;
}

uint32_t TagFlags(uint64_t key) {
  for (size_t at = SlotOf(key); kTable[at].key != 0; at = (at + 1) % kSlots) {
    if (kTable[at].key == key) return kTable[at].flags;
  }
  return 0;
}

bool IsCanonicalRel(std::string_view rel) {
  constexpr std::string_view kSpace = " \t\n\f\r";
  constexpr std::string_view kWord = "canonical";
  for (size_t at = 0; (at = rel.find_first_not_of(kSpace, at)) != rel.npos;) {
    const size_t end = std::min(rel.find_first_of(kSpace, at), rel.size());
    const std::string_view word = rel.substr(at, end - at);
    if (std::equal(word.begin(), word.end(), kWord.begin(), kWord.end(),
                   [](char c, char lower) {
                     return (c >= 'A' && c <= 'Z' ? c + 32 : c) == lower;
                   })) {
      return true;
    }
    at = end;
  }
  return false;
}

}  // namespace twinset
