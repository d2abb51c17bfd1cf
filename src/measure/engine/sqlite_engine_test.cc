// The embedded engine finds what the exact one in memory finds, keeps pages as
// they were, and refuses files that are damaged.
#include "engine/sqlite_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

#include "base/file.h"
#include "base/math/pinned_math.h"
#include "base/test_dir.h"
#include "engine/sqlite_db.h"
#include "engine/test_engines.h"

namespace twinset {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Without waiting for the disk, as file systems do that see a file truncated.
void Put(const std::string& path, std::string_view bytes) {
  std::remove(path.c_str());
  std::ofstream(path, std::ios::binary) << bytes;
}

void Build(const std::string& path,
           const std::vector<EngineDocument>& documents,
           const std::string& rank = "bm25") {
  auto builder = CreateSqliteEngine(path, {rank});
  ASSERT_TRUE(builder) << builder.error().ToString();
  for (const EngineDocument& document : documents) {
    const auto added = (*builder)->Add(document);
    ASSERT_TRUE(added) << added.error().ToString();
  }
  const Status finished = (*builder)->Finish();
  ASSERT_TRUE(finished) << finished.error().ToString();
}

std::unique_ptr<Engine> Open(const std::string& path) {
  auto engine = OpenSqliteEngine(path, "test");
  EXPECT_TRUE(engine) << engine.error().ToString();
  return engine ? *std::move(engine) : nullptr;
}

EngineQuery Ask(std::vector<std::string> terms, bool all = true,
                uint32_t limit = 100) {
  return {std::move(terms), all, limit};
}

EngineDocument Document(const std::string& url,
                        std::vector<std::string> tokens) {
  EngineDocument document;
  document.page.url = url;
  document.tokens = std::move(tokens);
  return document;
}

// Terms of every awkward kind: quotes, operators of FTS5, spaces, bytes that
// are no text, empty, and long ones that differ at their ends alone.
std::vector<std::string> AwkwardTerms() {
  const std::string longest(40000, 'x');
  return {"plain",
          "AND",
          "or",
          "NOT",
          "NEAR",
          "\"",
          "a\"b",
          "*",
          "^a",
          "-",
          "t : x",
          "{t}",
          "(",
          "don't",
          "3.14",
          "\xc3\xa9t\xc3\xa9",
          "ete",
          "E",
          "e",
          std::string("a\0b", 3),
          std::string("a\0c", 3),
          "\x01",
          "a b",
          "a",
          "b",
          "\xff\xfe",
          "",
          longest + "1",
          longest + "2",
          std::string(255, 'y'),
          std::string(256, 'y'),
          "\xe6\xbc\xa2"};
}

TEST(SqliteEngine, FindsWhatTheExactEngineFinds) {
  const std::vector<std::string> awkward = AwkwardTerms();
  for (uint64_t seed = 1; seed <= (TWINSET_SLOW_BUILD ? 2 : 6); ++seed) {
    auto documents = RandomDocuments(seed, 300, 60);
    SplitMix64 random(seed);
    for (EngineDocument& document : documents) {
      for (uint64_t i = random.Below(4); i > 0; --i)
        document.tokens.push_back(awkward[random.Below(awkward.size())]);
    }
    documents.push_back(documents[5]);  // an address twice
    documents.back().tokens = {"second"};
    documents.push_back(Document("http://empty/", {}));
    const TestDir dir;
    const char* const ranks[] = {"bm25", "input", "field:r"};
    Build(dir / "index", documents, ranks[seed % 3]);
    const auto engine = Open(dir / "index");
    ASSERT_NE(engine, nullptr);
    MemoryEngine exact("exact", documents);
    EXPECT_EQ(engine->Info().documents,
              static_cast<int64_t>(exact.documents()));
    uint64_t found = 0;
    for (int i = 0; i < 300; ++i) {
      EngineQuery query;
      for (uint64_t j = random.Below(4); j > 0 || query.terms.empty(); --j) {
        query.terms.push_back(random.Below(3) == 0
                                  ? awkward[random.Below(awkward.size())]
                                  : "w" + std::to_string(random.Below(70)));
        if (j == 0) break;
      }
      query.conjunctive = random.Below(2) == 0;
      query.limit = 1000;
      const auto mine = engine->Query(query);
      const auto theirs = exact.Query(query);
      ASSERT_TRUE(mine) << mine.error().ToString();
      EXPECT_EQ(mine->hits, theirs->hits);
      EXPECT_EQ(mine->urls.size(), theirs->urls.size());
      EXPECT_EQ(
          std::set<std::string>(mine->urls.begin(), mine->urls.end()),
          std::set<std::string>(theirs->urls.begin(), theirs->urls.end()));
      found += mine->hits;
    }
    EXPECT_GT(found, 1000u);
  }
}

TEST(SqliteEngine, CountsAllAndShowsTheFirst) {
  const TestDir dir;
  Build(dir / "index", RandomDocuments(1, 500, 20), "input");
  const auto engine = Open(dir / "index");
  const auto all = engine->Query(Ask({"w1"}, true, 1000));
  ASSERT_TRUE(all);
  ASSERT_GT(all->hits, 50u);
  for (const uint32_t limit : {0u, 1u, 7u}) {
    const auto first = engine->Query(Ask({"w1"}, true, limit));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->hits, all->hits);
    EXPECT_EQ(first->urls, std::vector<std::string>(all->urls.begin(),
                                                    all->urls.begin() + limit));
  }
}

TEST(SqliteEngine, RanksByInputOrField) {
  const TestDir dir;
  std::vector<EngineDocument> documents = {
      Document("http://a/", {"x"}), Document("http://b/", {"x", "x"}),
      Document("http://c/", {"x"}), Document("http://d/", {"x"})};
  documents[0].page.fields = {{"r", "1.5"}};
  documents[1].page.fields = {{"r", "\"-2\""}};
  documents[3].page.fields = {{"r", "1.5"}, {"s", "7"}};
  Build(dir / "input", documents, "input");
  EXPECT_THAT(Open(dir / "input")->Query(Ask({"x"}))->urls,
              ElementsAre("http://a/", "http://b/", "http://c/", "http://d/"));
  // Without a number: behind all others.
  Build(dir / "field", documents, "field:r");
  EXPECT_THAT(Open(dir / "field")->Query(Ask({"x"}))->urls,
              ElementsAre("http://a/", "http://d/", "http://b/", "http://c/"));
}

// BM25 by its formula, over all documents.
std::vector<std::string> RankedByFormula(
    const std::vector<EngineDocument>& documents,
    const std::vector<std::string>& terms) {
  double tokens = 0;
  for (const auto& document : documents)
    tokens += static_cast<double>(document.tokens.size());
  const auto total = static_cast<double>(documents.size());
  std::vector<std::pair<double, size_t>> scores;
  for (size_t i = 0; i < documents.size(); ++i) {
    double score = 0;
    for (const std::string& term : std::set(terms.begin(), terms.end())) {
      const auto frequency = [&](const EngineDocument& document) {
        return static_cast<double>(
            std::count(document.tokens.begin(), document.tokens.end(), term));
      };
      double with = 0;
      for (const auto& document : documents) with += frequency(document) > 0;
      const double idf =
          std::max(PinnedLog((total - with + 0.5) / (with + 0.5)), 1e-6);
      const double f = frequency(documents[i]);
      const double length = static_cast<double>(documents[i].tokens.size());
      score +=
          idf * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / (tokens / total)));
    }
    if (score > 0) scores.emplace_back(-score, i);
  }
  std::stable_sort(scores.begin(), scores.end(), [](auto& x, auto& y) {
    return x.first < y.first - 1e-12;  // equal scores by input order
  });
  std::vector<std::string> urls;
  for (const auto& [score, i] : scores) urls.push_back(documents[i].page.url);
  return urls;
}

TEST(SqliteEngine, RanksByTheFormulaOfBm25) {
  const TestDir dir;
  const auto documents = RandomDocuments(3, 80, 40);
  Build(dir / "index", documents);
  const auto engine = Open(dir / "index");
  for (const auto& terms : std::vector<std::vector<std::string>>{
           {"w1"}, {"w9", "w30"}, {"w0", "w35", "w12"}}) {
    const auto answer = engine->Query(Ask(terms, false));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->urls, RankedByFormula(documents, terms));
  }
}

TEST(SqliteEngine, KeepsPages) {
  const TestDir dir;
  EngineDocument document = Document("http://a/ \"x\"?q=\xc3\xa9", {"x"});
  document.page.title = "T";
  document.page.text = "line\nline \xe2\x82\xac";
  document.page.date = "2001-02-03";
  document.page.language = "de";
  document.page.fields = {{"spam", "true"},
                          {"words", "12"},
                          {"list", "[1,\"x\"]"},
                          {"plain", "\"text\""}};
  Build(dir / "index", {document, Document("http://b/", {"y"})});
  const auto engine = Open(dir / "index");
  const auto page = engine->Fetch(document.page.url);
  ASSERT_TRUE(page) << page.error().ToString();
  EXPECT_EQ(*page, document.page);
  EXPECT_EQ(engine->Fetch("http://b/")->text, "");
  const auto none = engine->Fetch("http://c/");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(engine->Query(Ask({"x"})));
}

TEST(SqliteEngine, TheFirstOfEqualAddressesCounts) {
  const TestDir dir;
  auto builder = CreateSqliteEngine(dir / "index", {});
  ASSERT_TRUE(builder);
  EXPECT_TRUE(*(*builder)->Add(Document("http://a/", {"x"})));
  EXPECT_FALSE(*(*builder)->Add(Document("http://a/", {"y"})));
  ASSERT_TRUE((*builder)->Finish());
  const auto engine = Open(dir / "index");
  EXPECT_EQ(engine->Query(Ask({"y"}))->hits, 0u);
  EXPECT_EQ(engine->Info().documents, 1);
}

TEST(SqliteEngine, AQueryWithoutTermsFindsNothing) {
  const TestDir dir;
  Build(dir / "index", RandomDocuments(1, 10, 5));
  const auto engine = Open(dir / "index");
  for (const bool all : {true, false}) {
    const auto answer = engine->Query(Ask({}, all));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->hits, 0u);
  }
}

TEST(SqliteEngine, TakesManyTermsAndRefusesTooMany) {
  const TestDir dir;
  Build(dir / "index", RandomDocuments(1, 10, 5));
  const auto engine = Open(dir / "index");
  std::vector<std::string> terms = {"w0"};
  while (terms.size() < 1000)
    terms.push_back("n" + std::to_string(terms.size()));
  const auto any = engine->Query(Ask(terms, false));
  ASSERT_TRUE(any) << any.error().ToString();
  EXPECT_EQ(any->hits, engine->Query(Ask({"w0"}))->hits);
  terms.resize(5000, "x");
  const auto refused = engine->Query(Ask(terms, false));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  // An error is of the one question.
  EXPECT_TRUE(engine->Query(Ask({"w0"})));
}

TEST(SqliteEngine, TheSameDocumentsGiveTheSameBytes) {
  const TestDir dir;
  const auto documents = RandomDocuments(9, 200, 50);
  Build(dir / "a", documents);
  Build(dir / "b", documents);
  EXPECT_EQ(*ReadWholeFile(dir / "a"), *ReadWholeFile(dir / "b"));
}

TEST(SqliteEngine, WithoutFinishNothingIsLeft) {
  const TestDir dir;
  {
    auto builder = CreateSqliteEngine(dir / "index", {});
    ASSERT_TRUE(builder);
    ASSERT_TRUE((*builder)->Add(Document("http://a/", {"x"})));
  }
  EXPECT_EQ(dir.FileCount(), 0u);
}

TEST(SqliteEngine, RefusesWhatIsNoEngine) {
  const TestDir dir;
  EXPECT_EQ(OpenSqliteEngine(dir / "none", "n").error().code, ErrorCode::kIo);
  Put(dir / "text", std::string(5000, 'x'));
  EXPECT_EQ(OpenSqliteEngine(dir / "text", "n").error().code,
            ErrorCode::kCorrupt);
  Put(dir / "empty", "");
  EXPECT_EQ(OpenSqliteEngine(dir / "empty", "n").error().code,
            ErrorCode::kCorrupt);
  {
    auto other = SqliteDb::Create(dir / "other");
    ASSERT_TRUE(other);
    ASSERT_TRUE(other->Execute("CREATE TABLE pages(id)"));
  }
  const auto refused = OpenSqliteEngine(dir / "other", "n");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().ToString(), HasSubstr("not an engine"));
  EXPECT_THAT(refused.error().ToString(), HasSubstr("engine build"));
  EXPECT_EQ(CreateSqliteEngine(dir / "x", {"best"}).error().code,
            ErrorCode::kUsage);
  EXPECT_EQ(CreateSqliteEngine(dir / "x", {"field:"}).error().code,
            ErrorCode::kUsage);
}

TEST(SqliteEngine, RefusesAnotherVersionAndOtherTables) {
  const TestDir dir;
  const auto change = [&](const std::string& name, const std::string& sql) {
    Build(dir / name, RandomDocuments(1, 5, 5));
    const auto bytes = *ReadWholeFile(dir / name);
    Put(dir / (name + ".new"), bytes);
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((dir / (name + ".new")).c_str(), &db), SQLITE_OK);
    const int done = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    EXPECT_EQ(done, SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  };
  change("version", "PRAGMA user_version=9");
  EXPECT_EQ(OpenSqliteEngine(dir / "version.new", "n").error().code,
            ErrorCode::kUnsupported);
  change("view", "DROP TABLE pages; CREATE VIEW pages AS SELECT 1 AS id");
  EXPECT_EQ(OpenSqliteEngine(dir / "view.new", "n").error().code,
            ErrorCode::kCorrupt);
  change("missing", "DROP TABLE urls");
  EXPECT_EQ(OpenSqliteEngine(dir / "missing.new", "n").error().code,
            ErrorCode::kCorrupt);
  change("about", "DELETE FROM about");
  EXPECT_EQ(OpenSqliteEngine(dir / "about.new", "n").error().code,
            ErrorCode::kCorrupt);
  change("page", "UPDATE pages SET text = 'other' WHERE id = 1");
  const auto engine = Open(dir / "page.new");
  ASSERT_NE(engine, nullptr);
  const auto page = engine->Fetch("http://h0/0");
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::kCorrupt);
}

// Damage anywhere is an error or harmless; it never ends the program.
TEST(SqliteEngine, SurvivesDamage) {
  const TestDir dir;
  Build(dir / "index", RandomDocuments(2, 60, 30));
  const std::string whole = *ReadWholeFile(dir / "index");
  SplitMix64 random(5);
  for (int i = 0; i < (TWINSET_SLOW_BUILD ? 60 : 200); ++i) {
    std::string bytes = whole;
    if (i % 4 == 0) {
      bytes.resize(random.Below(bytes.size()));
    } else {
      for (int j = 0; j <= i % 16; ++j)
        bytes[random.Below(bytes.size())] ^=
            static_cast<char>(1 + random.Below(255));
    }
    Put(dir / "damaged", bytes);
    const auto engine = OpenSqliteEngine(dir / "damaged", "n");
    if (!engine) continue;
    for (int j = 0; j < 10; ++j) {
      const std::string term = "w" + std::to_string(j * 3);
      const auto answer = (*engine)->Query(Ask({term}));
      if (!answer) continue;
      for (const std::string& url : answer->urls) {
        const auto page = (*engine)->Fetch(url);
        // What is fetched is what was stored.
        if (page) {
          EXPECT_THAT(page->title, HasSubstr("Page "));
        }
      }
    }
  }
}

TEST(SqliteEngine, WhereNothingCanBeWrittenIsAnError) {
  const TestDir dir;
  EXPECT_EQ(CreateSqliteEngine(dir / "no/such/folder", {}).error().code,
            ErrorCode::kIo);
}

}  // namespace
}  // namespace twinset
