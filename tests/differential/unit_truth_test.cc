// --unit against a map over all units, on corpora whose units are known.
#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

// ---- a corpus whose units are known, and what must come of it ----

struct KnownUnit {
  std::string text;  // with what is cut with it
  std::string key;   // equal for equal units
  size_t tokens = 0;
};

using KnownDocument = std::vector<KnownUnit>;

struct KnownCorpus {
  std::vector<KnownDocument> documents;

  KnownCorpus(uint64_t seed, const std::string& unit, size_t count) {
    SplitMix64 random(seed);
    for (size_t d = 0; d < count; ++d) {
      KnownDocument& document = documents.emplace_back();
      for (uint64_t n = random.Below(8); n > 0; --n) {
        document.push_back(Unit(&random, unit, n == 1));
      }
    }
  }

  // One of 60 sequences of 1 to 12 words, in one of several spellings.
  static KnownUnit Unit(SplitMix64* random, const std::string& unit,
                        bool last) {
    SplitMix64 words(1000 + random->Below(60));
    KnownUnit made;
    made.tokens = 1 + words.Below(12) + 30 * (words.Below(4) / 3);
    const bool upper = random->Below(3) == 0;
    for (size_t w = 0; w < made.tokens; ++w) {
      const std::string word = SyntheticCorpus::Word(words.Below(3000));
      made.key += word + ' ';
      std::string written = word;
      if (upper) written[0] = static_cast<char>(written[0] - 32);
      const bool breaks = unit != "line" && random->Below(4) == 0;
      made.text += (w == 0 ? "" : breaks ? "\n" : " ") + written;
    }
    const std::string mark = random->Below(2) == 0 ? "." : "!";
    if (unit == "sentence") {
      made.text += mark + (last ? "" : random->Below(2) == 0 ? " " : "\n\n");
    } else {
      made.text += random->Below(2) == 0 ? mark : "";
      const std::string feed = unit == "line" ? "\n" : "\n\n";
      made.text += last ? "" : feed + (random->Below(4) == 0 ? " \n" : "");
    }
    return made;
  }

  std::string Text(size_t document) const {
    std::string text;
    for (const KnownUnit& unit : documents[document]) text += unit.text;
    return text;
  }
  std::string Jsonl() const {
    std::string lines;
    for (size_t d = 0; d < documents.size(); ++d) {
      Json row;
      row["id"] = "d" + std::to_string(d);
      row["text"] = Text(d);
      row["n"] = d;
      lines += row.dump() + "\n";
    }
    return lines;
  }
};

struct Expected {
  std::vector<std::string> cuts, units, written, empty;
  uint64_t tokens_cut = 0;
};

Expected Naive(const KnownCorpus& corpus, const std::string& action,
               size_t min_tokens) {
  struct Seen {
    std::string id;
    size_t unit = 0, count = 0, order = 0;
    std::set<size_t> documents;
  };
  std::map<std::string, Seen> all;
  Expected expected;
  for (size_t d = 0; d < corpus.documents.size(); ++d) {
    for (size_t u = 0; u < corpus.documents[d].size(); ++u) {
      Seen& seen = all[corpus.documents[d][u].key];
      if (seen.count++ == 0)
        seen = {"d" + std::to_string(d), u, 1, d * 1000 + u, {}};
      seen.documents.insert(d);
    }
  }
  std::map<size_t, std::string> units;
  for (size_t d = 0; d < corpus.documents.size(); ++d) {
    std::string left;
    size_t at = 0, tokens_left = 0;
    for (size_t u = 0; u < corpus.documents[d].size(); ++u) {
      const KnownUnit& unit = corpus.documents[d][u];
      const Seen& seen = all[unit.key];
      const bool repeated = seen.count > 1 && unit.tokens >= min_tokens;
      const bool first = seen.order == d * 1000 + u;
      const size_t end = at + unit.text.size();
      if (repeated && first) {
        Json row = {{"tokens", unit.tokens},
                    {"count", seen.count},
                    {"documents", seen.documents.size()},
                    {"id", seen.id},
                    {"unit", u},
                    {"begin", at},
                    {"end", end}};
        units[seen.order] = row.dump();
      }
      if (repeated &&
          (action == "drop-all" || (action == "keep-first" && !first))) {
        Json row = {{"id", "d" + std::to_string(d)},
                    {"ordinal", d},
                    {"unit", u},
                    {"begin", at},
                    {"end", end},
                    {"tokens", unit.tokens},
                    {"first_id", seen.id},
                    {"first_unit", seen.unit}};
        expected.cuts.push_back(row.dump());
        expected.tokens_cut += unit.tokens;
      } else {
        left += unit.text;
        tokens_left += unit.tokens;
      }
      at = end;
    }
    expected.written.push_back(left);
    if (tokens_left == 0) expected.empty.push_back("d" + std::to_string(d));
  }
  for (const auto& [order, row] : units) expected.units.push_back(row);
  return expected;
}

// The rows of a file without the fields that the reference does not have.
std::vector<std::string> RowsWithout(const std::string& path,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> rows;
  for (Json row : ReadRows(path)) {
    for (const std::string& name : names) row.erase(name);
    rows.push_back(row.dump());
  }
  return rows;
}

class UnitTruthTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(UnitTruthTest, LikeAMapOverAllUnits) {
  int run = 0;
  for (const std::string unit : {"paragraph", "line", "sentence"}) {
    for (const uint64_t seed : {1, 2}) {
      const KnownCorpus corpus(seed, unit, seed == 1 ? 40 : 400);
      Write(folder_ / "in.jsonl", corpus.Jsonl());
      for (const std::string action : {"keep-first", "drop-all", "list"}) {
        const size_t min_tokens = seed == 1 ? 1 : 5;
        const Expected expected = Naive(corpus, action, min_tokens);
        for (const int threads : {1, 4}) {
          const std::string out = folder_ / ("out" + std::to_string(++run));
          auto options = FileOptionsFor<CutOptions>(folder_ / "in.jsonl", out);
          options.unit = *FindChoice<UnitKind>(unit);
          options.unit_action = *FindChoice<UnitAction>(action);
          options.min_tokens = min_tokens;
          options.resources.threads = threads;
          options.resources.memory_bytes = threads == 1 ? 64 << 20 : 1 << 30;
          if (action != "list") options.write = out + "-written";
          MustCut(options);
          EXPECT_EQ(RowsWithout(out + "/cuts.jsonl",
                                {"source", "source_begin", "source_end"}),
                    expected.cuts);
          EXPECT_EQ(
              RowsWithout(out + "/units.jsonl", {"text", "source", "ordinal"}),
              expected.units);
          EXPECT_EQ(ReadLines(out + "/empty.txt"), expected.empty);
          const Json summary = Json::parse(Read(out + "/summary.json"));
          EXPECT_EQ(summary["units"]["cut"], expected.cuts.size());
          EXPECT_EQ(summary["units"]["repeated"], expected.units.size());
          EXPECT_EQ(summary["units"]["tokens_cut"], expected.tokens_cut);
          if (action == "list") continue;
          const auto rows = ReadRows(options.write + "/in.jsonl");
          ASSERT_EQ(rows.size(), expected.written.size());
          for (size_t d = 0; d < rows.size(); ++d)
            ASSERT_EQ(rows[d]["text"], expected.written[d]) << unit << d;
        }
        if (seed == 2) {
          EXPECT_GT(expected.units.size(), 30u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace twinset::testing
