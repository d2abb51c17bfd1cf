#include "change/change_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "change/change_testing.h"
#include "twinset/corpora/change.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using test::DrawnWords;
using test::TextWeb;
using test::WriteWebs;

// Twelve pages each that differ in one word, are other texts, have moved, are
// gone, are new, and are the same.
std::vector<TextWeb> WebsOfAllKinds() {
  std::vector<TextWeb> webs(2);
  for (uint64_t i = 0; i < 12; ++i) {
    const auto of = [&](uint64_t kind) {
      return DrawnWords(100 * kind + i, 200);
    };
    const std::string n = std::to_string(i);
    webs[0]["https://a.org/near/" + n] = of(1) + "old" + n + " " + of(2);
    webs[1]["https://a.org/near/" + n] = of(1) + "young" + n + " " + of(2);
    webs[0]["https://a.org/changed/" + n] = of(3) + of(4);
    webs[1]["https://a.org/changed/" + n] = of(3) + of(5);
    webs[0]["https://a.org/from/" + n] = webs[1]["https://a.org/to/" + n] =
        of(6);
    webs[0]["https://a.org/gone/" + n] = of(7);
    webs[1]["https://a.org/new/" + n] = of(8);
    webs[0]["https://a.org/same/" + n] = webs[1]["https://a.org/same/" + n] =
        of(9);
  }
  return webs;
}

// The blocks of a page below the heading of a state, up to the next heading.
std::vector<Json> BlocksBelow(const std::string& page,
                              const std::string& heading) {
  std::vector<Json> blocks;
  bool inside = false;
  const Json whole = Json::Parse(page);
  for (const Json& block : whole["blocks"]) {
    if (block.contains("heading"))
      inside = block["heading"]["text"].get<std::string>().starts_with(heading);
    else if (inside)
      blocks.push_back(block);
  }
  return blocks;
}

// The first five by the hashes of their addresses.
std::vector<std::string> DrawnOf(const std::string& kind) {
  std::vector<std::pair<uint64_t, std::string>> order;
  for (int i = 0; i < 12; ++i) {
    const std::string url = "https://a.org/" + kind + "/" + std::to_string(i);
    order.emplace_back(Hash64(url, Mix64(1)), url);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> urls;
  for (size_t i = 0; i < 5; ++i) urls.push_back(order[i].second);
  return urls;
}

// The text of the pieces of one kind.
std::string TextOf(const Json& side, html::Piece::Kind kind) {
  std::string text;
  for (const Json& piece : side["text"])
    if (piece["kind"].get<uint64_t>() == kind)
      text += piece["text"].get<std::string>();
  return text;
}

std::string PageAfter(ChangeOptions options, uint64_t memory) {
  options.resources.memory_bytes = memory;
  options.overwrite = true;
  EXPECT_TRUE(MeasureChange(options));
  return ReadWholeFile(options.out + "/page.json", 10 << 20).value();
}

TEST(ChangeExamples, ThePageShowsFiveOfEachKindSideBySide) {
  const TestDir dir;
  const ChangeOptions options = WriteWebs(WebsOfAllKinds(), dir);
  const std::string page = PageAfter(options, 64 << 20);
  for (const auto& [heading, kind] :
       {std::pair{"Nearly the same: 5 of 12 pages", "near"},
        {"Changed: 5 of 12 pages", "changed"},
        {"Moved: 5 of 12 pages", "from"}}) {
    const bool moved = kind == std::string("from");
    std::vector<std::string> shown;
    for (const Json& block : BlocksBelow(page, heading)) {
      if (!block.contains("pair")) continue;
      const Json &left = block["pair"]["left"], &right = block["pair"]["right"];
      shown.push_back(left["name"].get<std::string>());
      EXPECT_EQ(
          right["name"].get<std::string>().find("/to/") != std::string::npos,
          moved);
      const std::string deleted = TextOf(left, html::Piece::kDeleted),
                        inserted = TextOf(right, html::Piece::kInserted);
      EXPECT_EQ(deleted.empty(), moved);
      if (kind != std::string("near")) continue;
      EXPECT_TRUE(deleted.starts_with("old")) << deleted;
      EXPECT_TRUE(inserted.starts_with("young")) << inserted;
    }
    EXPECT_EQ(shown, DrawnOf(kind)) << heading;
  }
  for (const auto& [heading, kind] : {std::pair{"Gone: 5 of 12 pages", "gone"},
                                      {"The same: 5 of 12 pages", "same"}}) {
    const std::vector<Json> blocks = BlocksBelow(page, heading);
    ASSERT_FALSE(blocks.empty()) << heading;
    std::vector<std::string> shown;
    for (const Json& row : blocks[0]["table"]["rows"]) {
      shown.push_back(row[0]["text"].get<std::string>());
      EXPECT_TRUE(row[1]["text"].get<std::string>().starts_with("w"));
    }
    EXPECT_EQ(shown, DrawnOf(kind)) << heading;
  }
  // Twelve came by themselves, twelve from another address.
  EXPECT_FALSE(BlocksBelow(page, "New: 5 of 24 pages").empty());
  EXPECT_TRUE(BlocksBelow(page, "Redirected").empty());
  EXPECT_EQ(page, PageAfter(options, 256 << 20));
}

}  // namespace
}  // namespace twinset
