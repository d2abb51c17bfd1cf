#include "twinset/run_view.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "base/test_words.h"
#include "explain/row_file.h"
#include "explain/run_places.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RowFile, ReadsRowsByTheirPlaces) {
  const TestDir dir;
  const std::string path = dir.path() + "/rows";
  const std::string large = "{\"id\":\"" + std::string(3 << 20, 'x') + "\"}";
  ASSERT_TRUE(WriteWholeFile(path, "{\"a\":1}\n" + large + "\n{}\n"));
  const auto rows = RowFile::Open(path);
  ASSERT_TRUE(rows);
  EXPECT_EQ(*rows->At(0), "{\"a\":1}");
  EXPECT_EQ(*rows->At(8), large);
  EXPECT_EQ(rows->At(3).error().code, ErrorCode::kUsage);
  EXPECT_EQ(rows->At(1 << 30).error().code, ErrorCode::kUsage);
  std::vector<uint64_t> places;
  const auto note = [&](uint64_t at, std::string_view) -> Result<bool> {
    places.push_back(at);
    return true;
  };
  ASSERT_TRUE(rows->ForEach(0, note));
  EXPECT_EQ(places, (std::vector<uint64_t>{0, 8, 9 + large.size()}));
  EXPECT_FALSE(rows->ForEach(5, note));
  ASSERT_TRUE(WriteWholeFile(path, "{}\n{\"a\":"));
  EXPECT_EQ(RowFile::Open(path)->ForEach(0, note).error().code,
            ErrorCode::kCorrupt);
  EXPECT_EQ(RowFile::Open(path)->At(3).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(RowFile::Open(path + "-none")->bytes(), 0u);
}

TEST(RowFile, FindsValuesAsTheyAreWritten) {
  const std::string id = "\"},\"b\":\"evil\\";
  const std::string row = Json{{"id", id}, {"b", "c"}, {"n", .5}}.dump();
  EXPECT_EQ(WrittenText(row, "id"), AsWritten(id));
  EXPECT_EQ(WrittenText(row, "b"), "c");
  EXPECT_FALSE(WrittenText(row, "n"));
  EXPECT_FALSE(WrittenText(row, "none"));
  EXPECT_FALSE(WrittenText("{\"id\":\"a\\", "id"));
  EXPECT_FALSE(WrittenText("{\"id\":", "id"));
  EXPECT_EQ(WrittenNumber(row, "n"), .5);
  EXPECT_EQ(WrittenNumber(row, "id"), 0);
  EXPECT_EQ(HostOfWritten(R"(http:\/\/a.example\/x)"), "a.example");
}

// 40 near copies of one text at two hosts, 3 equal ones of another, and one
// that is like none.
class RunViewTest : public testing::Test {
 protected:
  RunViewTest() {
    std::string rows;
    const auto add = [&](const std::string& id, const std::string& host,
                         const std::string& text) {
      rows +=
          Json{{"id", id}, {"url", "http://" + host + "/" + id}, {"text", text}}
              .dump() +
          "\n";
    };
    for (int i = 0; i < 40; ++i)
      add("<i>" + std::to_string(i),
          i % 2 == 0 ? "even.example" : "odd.example",
          NumberedWords(0, 100) + "number " + std::to_string(i));
    for (const char* id : {"x", "y", "z"}) add(id, "three.example", kThree);
    add("single", "one.example", NumberedWords(5000, 60) + "needle");
    EXPECT_TRUE(WriteWholeFile(input_, rows));
    DedupOptions options;
    options.input.inputs = {input_};
    options.out = run_;
    EXPECT_TRUE(Dedup(options));
  }

  std::unique_ptr<RunView> Open() const {
    RunViewOptions options;
    options.folder = run_;
    auto view = RunView::Open(options);
    EXPECT_TRUE(view);
    return view ? std::move(*view) : nullptr;
  }
  static std::string Page(const RunView& view, const RunViewAsked& asked) {
    const auto page = view.Draw(asked);
    return page ? *page : "error: " + page.error().message;
  }
  static size_t Rows(const std::string& page) {
    size_t rows = 0;
    const size_t body = page.rfind("<tbody>");
    for (size_t at = page.find("<tr>", body); at != page.npos;
         at = page.find("<tr>", at + 1))
      ++rows;
    return body == page.npos ? 0 : rows;
  }

  const std::string kThree = NumberedWords(1000, 80);
  const TestDir dir_;
  const std::string input_ = dir_.path() + "/in.jsonl",
                    run_ = dir_.path() + "/run";
};

TEST_F(RunViewTest, ListsClustersBySizeKindAndHost) {
  const auto view = Open();
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->clusters(), 2u);
  EXPECT_EQ(view->pairs(), 40u * 39 / 2 + 3);
  const std::string home = Page(*view, {});
  EXPECT_THAT(home, HasSubstr("2 clusters, the largest first"));
  EXPECT_THAT(home, HasSubstr("Similarity of the pairs"));
  EXPECT_THAT(home, Not(HasSubstr("<i>")));
  struct Case {
    RunViewAsked asked;
    bool large, small;
  };
  for (const auto& [asked, large, small] :
       {Case{{.host = "odd.example"}, true, false},
        Case{{.host = "three.example"}, false, true},
        Case{{.host = "one.example"}, false, false},
        Case{{.kind = "equal"}, false, true},
        Case{{.kind = "near"}, true, false}, Case{{.least = 3}, true, true},
        Case{{.least = 4}, true, false}, Case{{.least = 41}, false, false},
        Case{{.most = 3}, false, true}, Case{{.most = 2}, false, false},
        Case{{.host = "odd.example", .least = 40, .most = 40}, true, false},
        Case{{.kind = "layout duplicate"}, false, false}}) {
    const std::string page = Page(*view, asked);
    EXPECT_EQ(page.find("id=%3Ci%3E") != page.npos, large);
    EXPECT_EQ(page.find("/cluster?id=x") != page.npos ||
                  page.find("/cluster?id=y") != page.npos ||
                  page.find("/cluster?id=z") != page.npos,
              small);
  }
  EXPECT_EQ(view->Draw({.kind = "nonsense"}).error().code, ErrorCode::kUsage);
}

TEST_F(RunViewTest, ShowsAClusterPageByPage) {
  const auto view = Open();
  std::string first = Page(*view, {.host = "odd.example"});
  const size_t at = first.find("/cluster?id=") + 12;
  const std::string id =
      "<i>" + first.substr(at + 7, first.find('"', at) - at - 7);
  RunViewAsked asked{.page = RunViewPage::kCluster, .id = id};
  first = Page(*view, asked);
  EXPECT_THAT(first, HasSubstr("40 documents that are alike"));
  EXPECT_EQ(Rows(first), 25u);
  EXPECT_THAT(first, HasSubstr("from=25"));
  asked.from = 25;
  const std::string second = Page(*view, asked);
  EXPECT_EQ(Rows(second), 15u);
  EXPECT_THAT(second, Not(HasSubstr("from=50")));
  EXPECT_EQ(
      view->Draw({.page = RunViewPage::kCluster, .id = "single"}).error().code,
      ErrorCode::kNotFound);
}

TEST_F(RunViewTest, FindsDocuments) {
  const auto view = Open();
  RunViewAsked asked{.page = RunViewPage::kDocuments, .text = "<i>1"};
  EXPECT_EQ(Rows(Page(*view, asked)), 11u);
  asked.host = "odd.example";
  EXPECT_EQ(Rows(Page(*view, asked)), 6u);
  asked.kind = "equal";
  EXPECT_EQ(Rows(Page(*view, asked)), 0u);
  EXPECT_EQ(Rows(Page(*view, {.page = RunViewPage::kDocuments,
                              .text = "three.example"})),
            3u);
  asked = {
      .page = RunViewPage::kDocuments, .text = "w1001 w1002", .in_texts = true};
  EXPECT_EQ(Rows(Page(*view, asked)), 3u);
  EXPECT_THAT(Page(*view, asked), HasSubstr("<mark>w1001 w1002</mark>"));
  // It is in no cluster.
  asked.text = "needle";
  EXPECT_THAT(Page(*view, asked), HasSubstr("http://one.example/single"));
  asked.text = "number";
  const std::string many = Page(*view, asked);
  EXPECT_EQ(Rows(many), 25u);
  asked.from = 25;
  EXPECT_THAT(many, HasSubstr("from=25"));
  EXPECT_EQ(Rows(Page(*view, asked)), 15u);
}

TEST_F(RunViewTest, ShowsPairsSideBySide) {
  const auto view = Open();
  RunViewAsked pairs{.page = RunViewPage::kPairs};
  EXPECT_EQ(Rows(Page(*view, pairs)), 25u);
  pairs.kind = "equal";
  EXPECT_EQ(Rows(Page(*view, pairs)), 3u);
  pairs = {.page = RunViewPage::kPairs, .low = 1};
  EXPECT_EQ(Rows(Page(*view, pairs)), 3u);
  pairs.high = .5;
  EXPECT_THAT(Page(*view, pairs), HasSubstr("There is no such pair"));
  RunViewAsked pair{.page = RunViewPage::kPair, .id = "<i>1", .other = "<i>2"};
  const std::string page = Page(*view, pair);
  EXPECT_THAT(page, HasSubstr("<ins>1</ins>"));
  EXPECT_THAT(page, HasSubstr("<del>2</del>"));
  EXPECT_EQ(view->Draw({.page = RunViewPage::kPair, .id = "<i>1", .other = "?"})
                .error()
                .code,
            ErrorCode::kNotFound);
  const std::string document =
      Page(*view, {.page = RunViewPage::kDocument, .id = "y"});
  EXPECT_THAT(document, HasSubstr("w1001 w1002"));
  EXPECT_THAT(document, HasSubstr("/pair?a=x&amp;b=y"));
}

TEST_F(RunViewTest, SaysWhereTextsAreMissing) {
  const auto view = Open();
  ASSERT_TRUE(RenameFile(input_, dir_.path() + "/moved.jsonl"));
  const RunViewAsked pair{
      .page = RunViewPage::kPair, .id = "<i>1", .other = "<i>2"};
  EXPECT_THAT(Page(*view, pair), HasSubstr("--in INPUT says where they are"));
  EXPECT_THAT(Page(*view, {.page = RunViewPage::kDocuments,
                           .text = "needle",
                           .in_texts = true}),
              HasSubstr("could not be read again"));
  RunViewOptions options;
  options.folder = run_;
  options.inputs = {dir_.path() + "/moved.jsonl"};
  const auto moved = RunView::Open(options);
  ASSERT_TRUE(moved);
  EXPECT_THAT(Page(**moved, pair), Not(HasSubstr("--in INPUT")));
}

TEST_F(RunViewTest, ShowsAMatch) {
  MatchOptions options;
  options.input.inputs = {input_};
  options.against = {input_};
  options.out = dir_.path() + "/match";
  ASSERT_TRUE(Match(options));
  RunViewOptions opened;
  opened.folder = options.out;
  const auto view = RunView::Open(opened);
  ASSERT_TRUE(view);
  EXPECT_THAT(Page(**view, {}), HasSubstr("are found there"));
  EXPECT_EQ(Rows(Page(**view, {.page = RunViewPage::kPairs})), 25u);
  EXPECT_THAT(
      Page(**view,
           {.page = RunViewPage::kPair, .id = "single", .other = "single"}),
      HasSubstr("Both have the same words."));
}

TEST_F(RunViewTest, RefusesWhatIsNoRunAndWhatIsDamaged) {
  RunViewOptions options;
  options.folder = dir_.path();
  EXPECT_EQ(RunView::Open(options).error().code, ErrorCode::kUsage);
  options.folder = run_;
  ASSERT_TRUE(WriteWholeFile(run_ + "/clusters.csv", "id\n"));
  EXPECT_EQ(RunView::Open(options).error().code, ErrorCode::kUnsupported);
  ASSERT_TRUE(RemoveFile(run_ + "/clusters.csv"));
  ASSERT_TRUE(WriteWholeFile(run_ + "/pairs.jsonl", "{\"a\":\"x\"}\n"));
  EXPECT_EQ(RunView::Open(options).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace twinset
