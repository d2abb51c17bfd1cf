#include "pipeline/template/section_menus.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "text/page/clean_text.h"

namespace twinset {

namespace {

constexpr uint64_t kMenuStream = 0x756e656d;  // "menu"

bool IsShort(std::string_view text) {
  // A code point has at most four bytes.
  return text.size() <= kEntryCodePoints ||
         (text.size() <= 4 * kEntryCodePoints &&
          CountCodePoints(text) <= kEntryCodePoints);
}

// Calls `body` with what stands between white space.
template <typename Body>
void EachWord(std::string_view text, const Body& body) {
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && IsAsciiSpace(text[at])) ++at;
    const size_t begin = at;
    while (at < text.size() && !IsAsciiSpace(text[at])) ++at;
    if (at > begin) body(text.substr(begin, at - begin));
  }
}

// A hash of three hashes in order; not 0.
uint64_t Mixed(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t mixed = Mix64(Mix64(Mix64(a) + b) + c);
  return mixed == 0 ? 1 : mixed;
}

}  // namespace

MenuRows::MenuRows(const HashKey& key_of_run)
    : key_(KeyStream(key_of_run, kMenuStream).NextKey()) {}

const std::vector<MenuRow>& MenuRows::Of(const SpooledPage& page) {
  rows_.clear();
  is_entry_.assign(page.blocks.size(), false);
  uint32_t in_a_row = 0;  // entries that end with this block
  for (uint32_t i = 0; i < page.blocks.size(); ++i) {
    const SpooledBlock& block = page.blocks[i];
    const bool is_short = IsShort(page.TextOf(block));
    is_entry_[i] = block.hash != 0 && (is_short || block.linked);
    in_a_row = is_entry_[i] ? in_a_row + 1 : 0;
    if (in_a_row > 0 && !is_short) Add(page, i + 1, 1);
    if (in_a_row >= kMenuRow) Add(page, i + 1, kMenuRow);
  }
  return rows_;
}

void MenuRows::Add(const SpooledPage& page, uint32_t end, uint32_t blocks) {
  bytes_.clear();
  AppendLE(&bytes_, page.site);
  for (uint32_t i = end - blocks; i < end; ++i)
    AppendLE(&bytes_, page.blocks[i].hash);
  rows_.push_back({end - blocks, blocks, SipHash13(key_, bytes_)});
}

uint64_t MenuRows::RestOf(const SpooledPage& page) const {
  uint64_t smallest = 0, before = 0, last = 0, words = 0;
  for (uint32_t i = 0; i < page.blocks.size(); ++i) {
    const SpooledBlock& block = page.blocks[i];
    if (!block.kept || block.framed || is_entry_[i]) continue;
    EachWord(page.TextOf(block), [&](std::string_view word) {
      const uint64_t hash = Hash64(word);
      const uint64_t three = Mixed(before, last, hash);
      before = last;
      last = hash;
      ++words;
      smallest = smallest == 0 ? three : std::min(smallest, three);
    });
  }
  return words < kRestWords ? 0 : smallest;
}

}  // namespace twinset
