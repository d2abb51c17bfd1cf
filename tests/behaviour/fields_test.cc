// Fields of records: hosts and canonical addresses, presets, and what `dedup`
// says of fields that no record has.
#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

const char kTextA[] =
    "the quick brown fox jumps over the lazy dog and runs away into the deep "
    "wood";
const char kTextB[] =
    "an entirely different sentence about compilers linkers loaders and other "
    "tools";

std::string Row(const std::string& id, const std::string& text,
                const std::string& more = "") {
  return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"" + more + "}\n";
}

class FieldsTest : public ::testing::Test {
 protected:
  DedupSummary Run(const std::string& input,
                   const std::function<void(DedupOptions*)>& set = {}) {
    Write(folder_ / "in.jsonl", input);
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.overwrite = true;
    if (set) set(&options);
    return MustDedup(options);
  }
  std::vector<std::string> Lines(const std::string& name) {
    return ReadLines(folder_ / ("out/" + name));
  }
  Json Summary() { return Json::parse(Read(folder_ / "out/summary.json")); }
  TemporaryFolder folder_;
};

using Names = std::vector<std::string>;

TEST_F(FieldsTest, AHostIsWhatTheUrlParserSaysItIs) {
  const auto pairs = [&](const std::string& x, const std::string& y) {
    return Run(Row("a", kTextA, R"(,"url":")" + x + '"') +
                   Row("b", kTextA, R"(,"url":")" + y + '"'),
               [](DedupOptions* o) { o->within = "host"; })
        .pairs;
  };
  EXPECT_EQ(pairs("http://[2001:db8::1]/", "http://[2001:db8::2]/"), 0u);
  EXPECT_EQ(pairs("http://[2001:db8::1]/", "http://[2001:DB8:0::1]:80/x"), 1u);
  EXPECT_EQ(pairs("http://a.example:8080/", "https://me:pw@A.Example/x"), 1u);
  EXPECT_EQ(pairs("http://a.example/", "http://a.example@b.example/"), 0u);
  EXPECT_EQ(pairs("http://a.example?x://b/", "http://a.example#y@c"), 1u);
  EXPECT_EQ(pairs("http://bücher.example/", "http://b%c3%bccher.example"), 1u);
  EXPECT_EQ(pairs("http://bücher.example/", "http://bucher.example"), 0u);
}

// More values than the table of the counts holds, some of them often; against
// counts of the rows, on any number of threads and with little memory.
TEST_F(FieldsTest, StatisticsByValueAreThoseOfTheDocuments) {
  constexpr int kDocuments = 10000;
  SplitMix64 random(5);
  std::string input;
  // Documents, bytes, kept.
  std::map<std::string, std::array<uint64_t, 3>> want;
  for (int i = 0; i < kDocuments; ++i) {
    const bool is_copy = i % 10 == 9;  // of the row before
    const std::string text =
        "text number " + std::to_string(i - is_copy) + " of its own words";
    const std::string value = random.Below(3) == 0
                                  ? "often" + std::to_string(random.Below(4))
                                  : "v" + std::to_string(i / 2);
    input +=
        Row("d" + std::to_string(i), text, R"(,"m":{"s":")" + value + "\"}");
    auto& counts = want[value];
    counts[0] += 1;
    counts[1] += text.size();
    counts[2] += !is_copy;
  }
  std::string first;
  for (const int threads : {1, 4}) {
    Run(input, [&](DedupOptions* o) {
      o->stats_by = {"m.s", "source"};
      o->keep = {"first"};
      o->resources.threads = threads;
      o->resources.memory_bytes = threads == 1 ? 64 << 20 : 512 << 20;
    });
    const std::string bytes = Read(folder_ / "out/stats.jsonl");
    if (threads == 1) first = bytes;
    EXPECT_EQ(bytes, first);
  }
  const auto rows = ReadRows(folder_ / "out/stats.jsonl");
  ASSERT_EQ(rows.size(), want.size() + 1);
  EXPECT_GT(want.size(), 4096u);
  uint64_t before = ~uint64_t{0};
  for (size_t i = 0; i < want.size(); ++i) {
    const Json& row = rows[i];
    const auto& counts = want[row["value"].get<std::string>()];
    EXPECT_EQ(row["documents"], counts[0]);
    EXPECT_EQ(row["payload_bytes"], counts[1]);
    EXPECT_EQ(row["kept"], counts[2]);
    EXPECT_EQ(row["duplicates"], counts[0] - counts[2]);
    EXPECT_EQ(row["identical"], counts[0] - counts[2]);
    EXPECT_LE(row["documents"].get<uint64_t>(), before);
    before = row["documents"].get<uint64_t>();
  }
  EXPECT_EQ(rows.back()["documents"], kDocuments);
  const Json field = Summary()["stats_by"][0];
  EXPECT_EQ(field["values"], want.size());
  EXPECT_EQ(field["largest"].size(), 100u);
  uint64_t sum = field["others"]["documents"].get<uint64_t>();
  for (const Json& row : field["largest"])
    sum += row["documents"].get<uint64_t>();
  EXPECT_EQ(sum, uint64_t{kDocuments});
}

TEST_F(FieldsTest, APageIsItsOwnCanonicalHoweverItIsWritten) {
  const auto page = [](const std::string& link) {
    return "<link rel=canonical href='" + link + "'><p>" + kTextA;
  };
  const auto row = [&](const std::string& id, const std::string& link) {
    return R"({"id":")" + id + R"(","html":")" + page(link) +
           R"(","url":"http://a.example/x/)" + id + "\"}\n";
  };
  for (const char* link :
       {"http://A.example:80/x/b", "b", "../x/b", "/x/b", "//a.example/x/b"}) {
    Run(row("a", "http://a.example/x/c") + row("b", link), [](DedupOptions* o) {
      o->input.html_field = "html";
      o->keep = {"canonical"};
    });
    EXPECT_EQ(Lines("keep.txt"), Names{"b"}) << link;
  }
}

// Only damage is a failure; what the options leave out is told.
TEST_F(FieldsTest, NoDocumentIsToldAndNoSuccessWhereAllIsQuarantined) {
  DedupSummary summary = Run("[1,2]\n");
  EXPECT_FALSE(summary.complete);
  EXPECT_EQ(summary.warnings,
            Names{"the input has no document: 1 record was quarantined because "
                  "of bad-json (not an object)"});
  summary = Run(Row("a", kTextA),
                [](DedupOptions* o) { o->input.languages = {"ja"}; });
  EXPECT_TRUE(summary.complete);
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find("1 record was skipped"),
            std::string::npos);
}

TEST_F(FieldsTest, AFieldThatNoDocumentHasIsAnError) {
  const std::string rows =
      Row("a", kTextA, ",\"url\":\"http://a/\",\"score\":1") +
      Row("b", kTextB, ",\"lang\":\"en\",\"in\":{\"n\":[{\"x\":1}]}");
  const auto error = [&](const std::function<void(DedupOptions*)>& set) {
    Write(folder_ / "in.jsonl", rows);
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    set(&options);
    const auto summary = Dedup(options);
    EXPECT_FALSE(summary);
    // Nothing is there that the corrected command would be refused for.
    EXPECT_FALSE(FileExists(folder_ / "out"));
    if (summary) return std::string();
    EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
    return summary.error().ToString();
  };
  const std::string have =
      "the rows have id, text, url, score, lang, in.n.*.x)";
  EXPECT_EQ(error([](DedupOptions* o) { o->input.id_field = "ids"; }),
            "no document has the field \"ids\" of --id-field (did you mean "
            "'id'? " +
                have);
  EXPECT_EQ(error([](DedupOptions* o) { o->input.date_field = "birthday"; }),
            "no document has the field \"birthday\" of --date-field (" + have);
  EXPECT_EQ(error([](DedupOptions* o) { o->input.url_field = "uri"; }),
            "no document has the field \"uri\" of --url-field (did you mean "
            "'url'? " +
                have);
  EXPECT_EQ(error([](DedupOptions* o) { o->keep = {"max:scor"}; }),
            "no document has the field \"scor\" of --keep (did you mean "
            "'score'? " +
                have);
  EXPECT_EQ(error([](DedupOptions* o) { o->within = "field:language"; }),
            "no document has the field \"language\" of --within (" + have);
  EXPECT_EQ(error([](DedupOptions* o) { o->across = "in.n.0.y"; }),
            "no document has the field \"in.n.0.y\" of --across (did you mean "
            "'in.n.*.x'? " +
                have);
  EXPECT_EQ(error([](DedupOptions* o) { o->features.site = "langu"; }),
            "no document has the field \"langu\" of --site (did you mean "
            "'lang'? " +
                have);
  EXPECT_EQ(error([](DedupOptions* o) { o->input.text_field = "txet"; }),
            "no record has a text in the field \"txet\" of --text-field (did "
            "you mean 'text'? " +
                have);
}

TEST_F(FieldsTest, AWrongNameInAllTablesIsAnErrorToo) {
  Write(folder_ / "in.csv", "id,text\n1,one two\n");
  DedupOptions options = OptionsFor(folder_ / "in.csv", folder_ / "out");
  options.input.text_field = "txt";
  const auto summary = Dedup(options);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
  EXPECT_NE(summary.error().ToString().find("did you mean 'text'?"),
            std::string::npos)
      << summary.error().ToString();
  EXPECT_FALSE(FileExists(folder_ / "out"));
}

TEST_F(FieldsTest, AFieldThatOnlySomeDocumentsHaveIsAWarningWithCounts) {
  const std::string rows =
      Row("a", kTextA, ",\"url\":\"http://a/\",\"score\":1") +
      Row("b", kTextB, ",\"lang\":\"en\"") + Row("c", kTextB);
  const DedupSummary summary = Run(rows, [](DedupOptions* o) {
    o->input.url_field = "url";
    o->keep = {"max:score"};
    o->within = "lang";
  });
  EXPECT_EQ(summary.warnings,
            (Names{"2 of 3 documents do not have the field \"score\" of --keep",
                   "2 of 3 documents do not have the field \"lang\" of "
                   "--within"}));
  EXPECT_EQ(Summary()["warnings"].size(), 2u);
  EXPECT_EQ(Run(Row("a", kTextA), [](DedupOptions* o) { o->within = "host"; })
                .warnings,
            Names{"no document has an address, which --within or --across "
                  "host compares"});
}

TEST_F(FieldsTest, FieldsNamedBesideAPresetCountMore) {
  Run(R"({"id":"a","text":"one two","link":"http://x/"})"
      "\n",
      [](DedupOptions* o) {
        o->input.preset = FieldPreset::kJsonl;
        o->input.url_field = "link";
        o->keep = {"shortest-url"};
      });
  EXPECT_EQ(Summary()["keep_missing"]["shortest-url"], 0);
}

}  // namespace
}  // namespace twinset::testing
