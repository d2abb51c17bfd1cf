#include "twinset/inspect.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/json.h"

namespace twinset {
namespace {

// The row as it is written from a tree of values.
std::string RowOfJson(const DocumentText& document,
                      const TextDetails& details) {
  Json links = Json::array();
  for (const DocumentLink& link : document.links) {
    links.push_back({{"href", link.href},
                     {"anchor", link.anchor},
                     {"rel", link.rel},
                     {"hidden", link.hidden}});
  }
  Json row = {{"id", document.id},
              {"text", document.text},
              {"title", document.title},
              {"language", document.language},
              {"language_declared", document.language_declared},
              {"charset", document.charset},
              {"canonical", document.canonical},
              {"base", document.base},
              {"robots", document.robots},
              {"redirect", document.redirect},
              {"redirect_seconds", nullptr},
              {"published", document.published},
              {"modified", document.modified},
              {"author", document.author},
              {"description", document.description},
              {"links", links},
              {"url", document.url},
              {"date", document.date},
              {"source", document.source},
              {"ordinal", document.ordinal}};
  if (document.redirect_seconds >= 0)
    row["redirect_seconds"] = document.redirect_seconds;
  if (document.truncated) row["truncated"] = true;
  if (document.page_kind != PageKind::kNone)
    row["page_kind"] = ChoiceName(document.page_kind);
  if (document.confidence >= 0) {
    row["confidence"] = document.confidence / 1000.0;
    row["unsure"] = document.unsure;
  }
  if (details.blocks && !document.confidence_reason.empty())
    row["confidence_reason"] = document.confidence_reason;
  if (details.blocks) {
    row["blocks"] = Json::array();
    for (const DocumentBlock& block : document.blocks) {
      row["blocks"].push_back({{"text", block.text},
                               {"kept", block.kept},
                               {"framed", block.framed},
                               {"score", block.score},
                               {"reason", block.reason},
                               {"source_begin", block.source_begin},
                               {"source_end", block.source_end}});
    }
  }
  if (details.tokens) row["tokens"] = document.tokens;
  return row.dump();
}

TEST(TextRow, IsTheRowOfAJsonTree) {
  DocumentText document;
  for (const bool full : {false, true}) {
    for (const bool asked : {false, true}) {
      TextDetails details;
      details.blocks = details.tokens = asked;
      EXPECT_EQ(TextRow(document, details), RowOfJson(document, details));
    }
    if (full) break;
    document.id = "a\"b\\c\x80";
    document.text = "line\nline\tcell \xE6\xBC\xA2 \x01";
    document.title = document.author = document.base = document.date = "t";
    document.redirect_seconds = 3;
    document.truncated = true;
    document.ordinal = UINT64_MAX;
    document.page_kind = PageKind::kForum;
    document.confidence = 731;
    document.unsure = true;
    document.confidence_reason = "few words";
    document.links = {{"h", "a", "r", true, false},
                      {"\n", "", "", false, true}};
    for (const double score : {0.0, 0.5, -1.0 / 3, 1e30, 1e-9, 12.0}) {
      DocumentBlock block;
      block.text = "b";
      block.kept = score > 0;
      block.framed = score == 0;
      block.score = score;
      block.source_end = 7;
      document.blocks.push_back(block);
    }
    document.tokens = {"one", "\"", ""};
  }
}

// Everything that is told, in order; of documents the row.
struct Told {
  std::vector<std::string> lines;
  Status status;
};

std::string Line(const RejectedRecord& record) {
  return "no: " + record.source + " " + record.id + " " + record.stage + " " +
         record.reason + " " + record.detail + " " +
         std::to_string(record.ordinal) + (record.quarantined ? " !" : "");
}

constexpr size_t kNever = SIZE_MAX;

Told OneByOne(const InputOptions& input, const TextDetails& details,
              size_t most) {
  Told told;
  size_t rows = 0;
  told.status = ForEachText(
      input, {}, details,
      [&](const DocumentText& document) {
        told.lines.push_back(TextRow(document, details));
        return ++rows < most;
      },
      [&](const RejectedRecord& record) {
        told.lines.push_back(Line(record));
      });
  return told;
}

Told Together(const InputOptions& input, const TextDetails& details,
              size_t most, const ResourceOptions& resources) {
  Told told;
  size_t rows = 0;
  const auto read = ForEachRendered(
      input, {}, details, resources,
      [&](const DocumentText& document) { return TextRow(document, details); },
      [&](std::string_view row) {
        told.lines.emplace_back(row);
        return ++rows < most;
      },
      [&](const RejectedRecord& record) {
        told.lines.push_back(Line(record));
      });
  if (!read) told.status = tl::unexpected(read.error());
  return told;
}

constexpr int kRows = TWINSET_SLOW_BUILD ? 200 : 600;  // of a file

class RenderedTexts : public testing::Test {
 protected:
  // Files of many batches: pages, texts, bad rows, binary data.
  void SetUp() override {
    SplitMix64 random(7);
    for (int file = 0; file < 6; ++file) {
      std::string rows;
      for (int i = 0; i < kRows; ++i) {
        std::string text;
        for (uint64_t n = random.Below(300); n > 0; --n)
          text += "word" + std::to_string(random.Below(1000)) + " ";
        if (i % 97 == 5) {
          rows += "{\"text\": 5}\n";
        } else if (i % 89 == 7) {
          rows += "{\"text\": \"\\u0000\\u0001\\u0002\\u0003\\u0004\"}\n";
        } else {
          rows += Json({{"text", text}}).dump() + "\n";
        }
      }
      Put("rows" + std::to_string(file) + ".jsonl", rows);
    }
    for (int i = 0; i < 40; ++i) {
      Put("page" + std::to_string(i) + ".html",
          "<title>t</title><p>Text of page " + std::to_string(i) +
              " with <a href=x>links</a>.<p>Der Text ist auf deutsch.");
    }
    input_.inputs = {dir_.path()};
  }
  void Put(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(WriteWholeFile(dir_ / name, bytes));
  }
  void ExpectSame(const TextDetails& details, size_t most) {
    const Told alone = OneByOne(input_, details, most);
    ResourceOptions resources;
    for (const int threads : {1, 2, 7}) {
      resources.threads = threads;
      resources.memory_bytes = threads == 2 ? uint64_t{64} << 20 : 0;
      const Told told = Together(input_, details, most, resources);
      EXPECT_EQ(told.lines, alone.lines) << threads;
      EXPECT_EQ(told.status.has_value(), alone.status.has_value());
      if (!alone.status && !told.status) {
        EXPECT_EQ(told.status.error().ToString(),
                  alone.status.error().ToString());
      }
    }
  }

  TestDir dir_;
  InputOptions input_;
};

TEST_F(RenderedTexts, AreThoseOfOneThreadInOrder) {
  ASSERT_GT(OneByOne(input_, {}, kNever).lines.size(), 6u * kRows);
  ExpectSame({}, kNever);
  TextDetails all;
  all.tokens = all.language = all.facts = all.blocks = true;
  ExpectSame(all, kNever);
  input_.languages = {"de"};
  ExpectSame({}, kNever);
}

TEST_F(RenderedTexts, StopWhereAskedTo) {
  for (const size_t most : {1, 2, 41, 700}) ExpectSame({}, most);
}

// What stands before the input that cannot be read is told first.
TEST_F(RenderedTexts, AnErrorComesInItsPlace) {
  Put("rows3.csv", "id,name\n1,a\n");
  const Told alone = OneByOne(input_, {}, kNever);
  ASSERT_FALSE(alone.status);
  ASSERT_GT(alone.lines.size(), 3u * kRows);
  ExpectSame({}, kNever);
  ExpectSame({}, 3);
}

TEST_F(RenderedTexts, TooLittleMemoryIsRefused) {
  ResourceOptions resources;
  resources.memory_bytes = 1 << 20;
  const Told told = Together(input_, {}, kNever, resources);
  ASSERT_FALSE(told.status);
  EXPECT_EQ(told.status.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
