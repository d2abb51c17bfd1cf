// --kinds: what result rows say of a pair is what `explain` says of it.
#include <algorithm>
#include <functional>

#include "support/dedup_fixture.h"
#include "twinset/explain.h"
#include "twinset/saved_run.h"

namespace twinset::testing {
namespace {

std::string Page(const std::string& frame, const std::string& tag,
                 const std::string& text) {
  std::string page = "<html><body><nav>" + frame + "</nav><article>";
  for (size_t at = 0; at < text.size(); at += 200)
    page += "<" + tag + ">" + text.substr(at, 200) + "</" + tag + ">";
  return page + "</article></body></html>";
}

std::string Prose(uint64_t seed, int words) {
  SplitMix64 random(seed);
  std::string text;
  for (int i = 0; i < words; ++i)
    text += SyntheticCorpus::Word(random.Below(3000)) + " ";
  return text;
}

// Pages in groups whose members differ in every way that has a name: layout,
// frame, URLs, dates, numbers, an inserted block, order, and nothing.
struct Pages {
  std::vector<std::pair<std::string, std::string>> rows;  // id, HTML

  explicit Pages(uint64_t groups) {
    for (uint64_t g = 0; g < groups; ++g) {
      const std::string p = Prose(g + 1, 150), more = Prose(g + 1000, 12);
      const std::string frame = "<a href=/>Home</a> <a href=/news>News</a>";
      const auto add = [&](const std::string& name, const std::string& html) {
        rows.emplace_back(name + std::to_string(g), html);
      };
      add("a", Page(frame, "p", p + "at http://one.example/x on 2004-05-06"));
      add("url", Page(frame, "p", p + "at http://two.example/y on 2004-05-06"));
      add("date",
          Page(frame, "p", p + "at http://one.example/x on 2011-12-13"));
      add("number",
          Page(frame, "p", p + "at http://one.example/x on 2004-05-06 7 9"));
      add("more",
          Page(frame, "p", p + more + "at http://one.example/x on 2004-05-06"));
      add("layout", Page("<ul><li>Home<li>News<li>Mail</ul><hr>", "blockquote",
                         p + "at http://one.example/x on 2004-05-06"));
      add("frame", Page(frame + " <a href=/m>Mail</a> <a href=/s>Search</a>",
                        "p", p + "at http://one.example/x on 2004-05-06"));
      add("again",
          Page(frame, "p", p + "at http://one.example/x on 2004-05-06"));
    }
  }
  std::string Jsonl(
      const std::function<bool(const std::string&)>& takes) const {
    std::string lines;
    for (const auto& [id, html] : rows) {
      if (takes(id)) lines += Json{{"id", id}, {"html", html}}.dump() + "\n";
    }
    return lines;
  }
};

bool All(const std::string&) { return true; }

DedupOptions KindOptions(const std::string& input, const std::string& out) {
  DedupOptions options = OptionsFor(input, out);
  options.input.html_field = "html";
  options.kinds = true;
  options.method.threshold = 0.5;
  return options;
}

// What explain says of a and b, as a row has it.
void ExpectAsExplained(const std::string& a, const std::string& b,
                       const RunOptions& run, const FeatureOptions& features,
                       const Json& row) {
  const auto said = Explain({a, b, run.input, features});
  ASSERT_TRUE(said) << said.error().ToString();
  EXPECT_EQ(row["duplicate_kind"], ChoiceName(said->duplicate_kind)) << row;
  EXPECT_EQ(row["difference"], ChoiceName(said->difference)) << row;
  EXPECT_EQ(row["grade"], said->grade.probability) << row;
}

TEST(Kinds, RowsSayWhatExplainSays) {
  for (const ContentMode content : {ContentMode::kMain, ContentMode::kAll}) {
    const TemporaryFolder folder;
    Write(folder / "in.jsonl", Pages(3).Jsonl(All));
    DedupOptions options = KindOptions(folder / "in.jsonl", folder / "out");
    options.features.content = content;
    const DedupSummary summary = MustDedup(options);
    std::map<std::string, uint64_t> kinds, differences;
    const auto pairs = ReadRows(folder / "out/pairs.jsonl");
    ASSERT_GT(pairs.size(), 50u);
    for (const Json& row : pairs) {
      ++kinds[row["duplicate_kind"]];
      ++differences[row["difference"]];
      ExpectAsExplained(row["a"], row["b"], options, options.features, row);
    }
    EXPECT_GE(kinds.size(), content == ContentMode::kMain ? 3u : 2u);
    EXPECT_GE(differences.size(), 6u);
    ASSERT_TRUE(summary.judgements);
    EXPECT_EQ(summary.judgements->pairs, pairs.size());
    for (const auto& [kind, name] : kChoices<DuplicateKind>) {
      EXPECT_EQ(summary.judgements->kinds[static_cast<size_t>(kind)],
                kinds[std::string(name)])
          << name;
    }
    for (const auto& [kind, name] : kChoices<DifferenceKind>) {
      EXPECT_EQ(summary.judgements->differences[static_cast<size_t>(kind)],
                differences[std::string(name)])
          << name;
    }
    const Json json = Json::parse(Read(folder / "out/summary.json"));
    EXPECT_EQ(json["judgements"]["pairs"], pairs.size());
    EXPECT_EQ(json["judgements"]["difference"]["only dates and times"],
              differences["only dates and times"]);
    uint64_t graded = 0;
    for (const Json& count : json["judgements"]["grade_in_tenths"])
      graded += count.get<uint64_t>();
    EXPECT_EQ(graded, pairs.size());
    const auto clusters = ReadRows(folder / "out/clusters.jsonl");
    ASSERT_GT(clusters.size(), 20u);
    for (const Json& row : clusters) {
      ExpectAsExplained(row["cluster"], row["id"], options, options.features,
                        row);
    }
  }
}

TEST(Kinds, MatchSaysThemToo) {
  const TemporaryFolder folder;
  const Pages pages(3);
  const auto in_a = [](const std::string& id) { return id[0] == 'a'; };
  Write(folder / "a.jsonl", pages.Jsonl(in_a));
  Write(folder / "b.jsonl",
        pages.Jsonl([&](const std::string& id) { return !in_a(id); }));
  MatchOptions options = PageMatchOptions(folder);
  options.kinds = true;
  options.method.threshold = 0.5;
  const MatchSummary summary = MustMatch(options);
  RunOptions both = options;
  both.input.inputs.push_back(options.against[0]);
  const auto pairs = ReadRows(folder / "out/pairs.jsonl");
  ASSERT_GT(pairs.size(), 10u);
  for (const Json& row : pairs)
    ExpectAsExplained(row["a"], row["b"], both, options.features, row);
  for (const Json& row : ReadRows(folder / "out/best.jsonl"))
    ExpectAsExplained(row["a"], row["b"], both, options.features, row);
  ASSERT_TRUE(summary.judgements);
  EXPECT_EQ(summary.judgements->pairs, pairs.size());
}

TEST(Kinds, SameBytesOnAnyMachine) {
  const TemporaryFolder folder;
  Write(folder / "in.jsonl", Pages(TWINSET_SLOW_BUILD ? 8 : 40).Jsonl(All));
  DedupOptions options = KindOptions(folder / "in.jsonl", folder / "a");
  MustDedup(options);
  options.out = folder / "b";
  options.resources.threads = 4;
  options.resources.memory_bytes = 64 << 20;
  MustDedup(options);
  EXPECT_EQ(PromisedBytes(folder / "a"), PromisedBytes(folder / "b"));
}

// The other fields, and other files, do not change with --kinds.
TEST(Kinds, AddsFieldsAndNothingElse) {
  const TemporaryFolder folder;
  Write(folder / "in.jsonl", Pages(3).Jsonl(All));
  DedupOptions options = KindOptions(folder / "in.jsonl", folder / "with");
  MustDedup(options);
  options.out = folder / "without";
  options.kinds = false;
  EXPECT_FALSE(MustDedup(options).judgements);
  for (const char* name : {"pairs.jsonl", "clusters.jsonl"}) {
    auto with = ReadRows(folder / (std::string("with/") + name));
    const auto without = ReadRows(folder / (std::string("without/") + name));
    for (Json& row : with) {
      for (const char* field : {"duplicate_kind", "difference", "grade"})
        EXPECT_EQ(row.erase(field), 1u);
    }
    EXPECT_EQ(with, without);
  }
  for (const char* name : {"keep.txt", "drop.txt", "empty.txt"}) {
    EXPECT_EQ(Read(folder / (std::string("with/") + name)),
              Read(folder / (std::string("without/") + name)));
  }
}

// Methods that compare bytes have texts all the same.
TEST(Kinds, OfEqualBytes) {
  const TemporaryFolder folder;
  Write(folder / "in.jsonl", Pages(3).Jsonl(All));
  DedupOptions options = KindOptions(folder / "in.jsonl", folder / "out");
  options.method = {};
  options.method.name = "exact";
  MustDedup(options);
  const auto pairs = ReadRows(folder / "out/pairs.jsonl");
  ASSERT_EQ(pairs.size(), 3u);
  for (const Json& row : pairs) {
    EXPECT_EQ(row["duplicate_kind"], "exact duplicate");
    EXPECT_EQ(row["difference"], "identical text");
    EXPECT_EQ(row["grade"], 0.999);
  }
}

class SavedKinds : public ::testing::Test {
 protected:
  void SetUp() override {
    const Pages pages(4);
    const auto in_a = [](const std::string& id) { return id[0] == 'a'; };
    Write(folder_ / "all.jsonl", pages.Jsonl(All));
    Write(folder_ / "a.jsonl", pages.Jsonl(in_a));
    Write(folder_ / "b.jsonl",
          pages.Jsonl([&](const std::string& id) { return !in_a(id); }));
  }
  void Save(const std::string& input, bool kinds) {
    DedupOptions options = KindOptions(input, folder_ / "first");
    options.overwrite = true;
    options.kinds = kinds;
    options.save = folder_ / "saved";
    MustDedup(options);
  }
  RecutOptions RecutOf() {
    RecutOptions options;
    options.saved = folder_ / "saved";
    options.out = folder_ / "again";
    options.threshold = 0.7;
    options.overwrite = true;
    options.resources.memory_bytes = 256 << 20;
    return options;
  }
  TemporaryFolder folder_;
};

TEST_F(SavedKinds, ARecutSaysWhatTheRunWouldSay) {
  Save(folder_ / "all.jsonl", true);
  const auto summary = Recut(RecutOf());
  ASSERT_TRUE(summary) << summary.error().ToString();
  ASSERT_TRUE(summary->judgements);
  DedupOptions options = KindOptions(folder_ / "all.jsonl", folder_ / "fresh");
  options.method.threshold = 0.7;
  MustDedup(options);
  EXPECT_EQ(PromisedBytes(folder_ / "again")["pairs.jsonl"],
            PromisedBytes(folder_ / "fresh")["pairs.jsonl"]);
  EXPECT_EQ(PromisedBytes(folder_ / "again")["clusters.jsonl"],
            PromisedBytes(folder_ / "fresh")["clusters.jsonl"]);
}

TEST_F(SavedKinds, RefusedWhereTheTextsWereNotKept) {
  Save(folder_ / "a.jsonl", false);
  RecutOptions recut = RecutOf();
  recut.kinds = true;
  const auto again = Recut(recut);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
  EXPECT_NE(again.error().message.find("--kinds"), std::string::npos);
  recut.kinds = false;
  EXPECT_TRUE(Recut(recut));
  DedupOptions joined = KindOptions(folder_ / "b.jsonl", folder_ / "joined");
  joined.add = {folder_ / "saved"};
  const auto added = Dedup(joined);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kUsage);
}

TEST_F(SavedKinds, RunsThatJoinASavedOneHaveItsTexts) {
  Save(folder_ / "a.jsonl", true);
  DedupOptions joined = KindOptions(folder_ / "b.jsonl", folder_ / "joined");
  joined.add = {folder_ / "saved"};
  MustDedup(joined);
  RunOptions both = joined;
  both.input.inputs = {folder_ / "a.jsonl", folder_ / "b.jsonl"};
  const auto pairs = ReadRows(folder_ / "joined/pairs.jsonl");
  ASSERT_GT(pairs.size(), 20u);
  for (const Json& row : pairs)
    ExpectAsExplained(row["a"], row["b"], both, joined.features, row);
  auto match =
      FileOptionsFor<MatchOptions>(folder_ / "b.jsonl", folder_ / "matched");
  match.input.html_field = "html";
  match.kinds = true;
  match.method.threshold = 0.5;
  match.against = {folder_ / "saved"};
  MustMatch(match);
  both.input.inputs = {folder_ / "b.jsonl", folder_ / "a.jsonl"};
  const auto matched = ReadRows(folder_ / "matched/pairs.jsonl");
  ASSERT_GT(matched.size(), 10u);
  for (const Json& row : matched)
    ExpectAsExplained(row["a"], row["b"], both, match.features, row);
}

}  // namespace
}  // namespace twinset::testing
