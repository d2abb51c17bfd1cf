// Tables, pairs and spellings of addresses against maps of strings.
#include "urls/url_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/json.h"
#include "urls/address_pairs.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

std::vector<UrlRule> AllRules() {
  std::vector<UrlRule> rules;
  for (const auto& choice : kChoices<UrlRule>) rules.push_back(choice.value);
  return rules;
}

std::string AnyAddress(SplitMix64* random) {
  static const std::vector<std::vector<std::string>> kParts = {
      {"http://", "https://", "HTTP://"},
      {"", "www."},
      {"a.org", "A.org", "b.org.", "bücher.example"},
      {"", ":80", ":443"},
      {"/", "/x", "/x/", "/%78", "/x/../x"},
      {"", "?", "?b&a", "?a&b", "#f", "?utm_source=1"}};
  std::string url;
  for (const auto& part : kParts) url += part[random->Below(part.size())];
  return url;
}

// Numbers of a line say what the spellings say: equal keys and, within a key,
// equal forms.
TEST(UrlSpellerTest, NumbersAreEqualWhereSpellingsAre) {
  SplitMix64 random(4);
  for (const auto& rules :
       {AllRules(), std::vector<UrlRule>{UrlRule::kTrailingSlash},
        std::vector<UrlRule>{UrlRule::kRfc3986, UrlRule::kWww}}) {
    const UrlSpeller speller(rules);
    std::vector<std::string> addresses;
    std::vector<UrlLine> lines;
    for (int i = 0; i < 120; ++i) {
      addresses.push_back(AnyAddress(&random));
      std::string host;
      lines.push_back(speller.Spell(addresses.back(), &host));
    }
    size_t one_key = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const bool same_key = lines[i].key_high == lines[j].key_high &&
                              lines[i].key_low == lines[j].key_low;
        EXPECT_EQ(same_key, SpellForm(rules, kKeyForm, addresses[i]) ==
                                SpellForm(rules, kKeyForm, addresses[j]))
            << addresses[i] << " " << addresses[j];
        if (!same_key) continue;
        ++one_key;
        std::vector<size_t> forms = {kRawForm};
        for (size_t k = 0; k < rules.size(); ++k) {
          forms.push_back(AloneForm(rules[k]));
          if (SoFarForm(rules, k) != kKeyForm)
            forms.push_back(SoFarForm(rules, k));
        }
        for (const size_t form : forms)
          EXPECT_EQ(lines[i].forms[form] == lines[j].forms[form],
                    SpellForm(rules, form, addresses[i]) ==
                        SpellForm(rules, form, addresses[j]))
              << form << " " << addresses[i] << " " << addresses[j];
      }
    }
    EXPECT_GT(one_key, 0u);
  }
}

TEST(UrlSpellerTest, HostsAreNamesInLowerCaseWithoutFinalDot) {
  const UrlSpeller speller(AllRules());
  std::string a, b, c;
  const UrlLine x = speller.Spell("http://WWW.A.Org.:8080/x?y", &a);
  const UrlLine y = speller.Spell("https://www.a.org/", &b);
  const UrlLine z = speller.Spell("https://a.org/", &c);
  EXPECT_EQ(a, "www.a.org");
  EXPECT_EQ(a, b);
  EXPECT_EQ(x.host, y.host);
  EXPECT_EQ(c, "a.org");
  EXPECT_NE(y.host, z.host);
  EXPECT_EQ(HostName::Of(a).host, x.host);
}

TEST(HostNameTest, LongNamesKeepTheirEnd) {
  for (const size_t size : {size_t{1}, HostName::kMostBytes,
                            HostName::kMostBytes + 1, size_t{4000}}) {
    std::string name;
    while (name.size() < size)
      name += static_cast<char>('a' + name.size() % 26);
    const HostName host = HostName::Of(name);
    EXPECT_LE(host.view().size(), HostName::kMostBytes);
    if (size <= HostName::kMostBytes) {
      EXPECT_EQ(host.view(), name);
    } else {
      EXPECT_TRUE(host.view().starts_with("…"));
      EXPECT_TRUE(name.ends_with(host.view().substr(3)));
      EXPECT_GT(host.view().size(), HostName::kMostBytes - 4);
    }
  }
  // Names that differ only in what is cut are still two hosts.
  const std::string end(200, 'x');
  EXPECT_NE(HostName::Of("a" + end).host, HostName::Of("b" + end).host);
}

// ---- counts ----

// Every kind of line adds to what its bits say, and to nothing else.
TEST(UrlTableTest, CountsOfEveryKind) {
  UrlCounts sum;
  uint64_t lines = 0;
  for (uint32_t kind = 0; kind < 16; ++kind) {
    UrlCounts counts;
    AddCounts(HostTally{1, kind, 100 + kind}, &counts);
    const bool b = (kind & kTallyOfB) != 0, judged = (kind & kTallyJudged) != 0;
    const bool raw = (kind & kTallyRaw) != 0, found = (kind & kTallyFound) != 0;
    const uint64_t n = 100 + kind;
    EXPECT_EQ(counts.a, b ? 0 : n);
    EXPECT_EQ(counts.b, b ? n : 0);
    EXPECT_EQ(counts.a_raw, !b && raw ? n : 0);
    EXPECT_EQ(counts.b_found, b && found ? n : 0);
    EXPECT_EQ(counts.judged_a, !b && judged ? n : 0);
    EXPECT_EQ(counts.judged_a_found, !b && judged && found ? n : 0);
    EXPECT_EQ(counts.judged_b_raw, b && judged && raw ? n : 0);
    AddCounts(counts, &sum);
    lines += n;
  }
  EXPECT_EQ(sum.a + sum.b, lines);
}

TEST(UrlTableTest, RowsAreSumsInTheirOrder) {
  SplitMix64 random(8);
  for (const size_t most : {size_t{0}, size_t{5}, size_t{1000}}) {
    const TestDir dir;
    MemoryBudget budget(64 << 20);
    UrlTable table("t", dir.path(), 1 << 20, &budget);
    std::map<std::string, std::pair<uint64_t, uint64_t>> sums;
    for (int i = 0; i < 500; ++i) {
      const std::string name = "h" + std::to_string(random.Below(60)) + ".ü";
      UrlCounts counts;
      counts.a = random.Below(4);
      counts.b = random.Below(3);
      sums[name].first += counts.a;
      sums[name].second += counts.b;
      ASSERT_TRUE(table.Add(name, counts));
    }
    std::vector<std::pair<std::string, std::pair<uint64_t, uint64_t>>> expected(
        sums.begin(), sums.end());
    std::stable_sort(
        expected.begin(), expected.end(),
        [](const auto& x, const auto& y) { return x.second > y.second; });
    std::vector<UrlGroup> top;
    const auto names = table.Write(dir / "t.csv", false, most, &top);
    ASSERT_TRUE(names);
    EXPECT_EQ(*names, sums.size());
    ASSERT_EQ(top.size(), std::min(most, sums.size()));
    for (size_t i = 0; i < top.size(); ++i) {
      EXPECT_EQ(top[i].name, expected[i].first) << i;
      EXPECT_EQ(top[i].counts.a, expected[i].second.first);
      EXPECT_EQ(top[i].counts.b, expected[i].second.second);
    }
    const std::string csv = ReadWholeFile(dir / "t.csv").value();
    EXPECT_EQ(static_cast<size_t>(std::count(csv.begin(), csv.end(), '\n')),
              1 + sums.size());
  }
}

TEST(UrlTableTest, SharesOfNothingAreEmpty) {
  UrlGroup group;
  group.name = "a,b";
  group.judged = true;
  const std::string none = UrlTableRow(group);
  EXPECT_TRUE(none.starts_with("\"a,b\",0,0,0,,,,0,0,0,0,0,0,,,,0,0")) << none;
  group.counts.a = 4;
  group.counts.a_found = 1;
  group.judged = false;
  EXPECT_THAT(UrlTableRow(group), HasSubstr(",4,0,1,0.25,"));
  // As many cells as names, but for the comma of the name of the group.
  for (const bool judged : {false, true}) {
    const std::string header = UrlTableHeader(judged);
    group.judged = judged;
    const std::string row = UrlTableRow(group);
    EXPECT_EQ(std::count(row.begin(), row.end(), ',') - 1,
              std::count(header.begin(), header.end(), ','));
  }
  EXPECT_EQ(ShareOf(0, 0).share, 0);
  EXPECT_EQ(ShareOf(0, 0).high, 1);
  EXPECT_EQ(ShareOf(3, 3).share, 1);
}

// Every line is of one host, one domain and one top-level domain.
TEST(UrlTableTest, TablesOfAllLevelsSumUpToTheSame) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 1 << 20;
  sort.name = "tallies";
  ExternalSorter<HostTally> tallies(sort, &budget);
  sort.name = "names";
  sort.unique = true;
  ExternalSorter<HostName> names(sort, &budget);
  SplitMix64 random(3);
  uint64_t lines = 0;
  for (const char* host : {"a.example.com", "b.example.com", "example.com",
                           "x.co.uk", "y.x.co.uk", "localhost", "10.0.0.1"}) {
    const HostName name = HostName::Of(host);
    ASSERT_TRUE(names.Add(name));
    for (uint32_t kind = 0; kind < 4; ++kind) {
      const auto n = static_cast<uint32_t>(1 + random.Below(9));
      lines += n;
      ASSERT_TRUE(tallies.Add({name.host, kind, n}));
    }
  }
  ASSERT_TRUE(tallies.Finish() && names.Finish());
  UrlTables tables = {UrlTable("h", dir.path(), 1 << 20, &budget),
                      UrlTable("d", dir.path(), 1 << 20, &budget),
                      UrlTable("t", dir.path(), 1 << 20, &budget)};
  UrlCounts all;
  ASSERT_TRUE(FillUrlTables(&tallies, &names, *PublicSuffixes::Open(""), &all,
                            &tables));
  EXPECT_EQ(all.a + all.b, lines);
  for (auto& [table, count] : {std::pair(&tables.hosts, 7u),
                               {&tables.domains, 4u},
                               {&tables.top_levels, 4u}}) {
    std::vector<UrlGroup> groups;
    const auto names_of = table->Write("", false, 100, &groups);
    ASSERT_TRUE(names_of);
    EXPECT_EQ(*names_of, count);
    UrlCounts sum;
    for (const UrlGroup& group : groups) AddCounts(group.counts, &sum);
    EXPECT_EQ(sum, all);
  }
}

TEST(UrlTableTest, AHostWithoutANameIsABug) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 1 << 20;
  sort.name = "tallies";
  ExternalSorter<HostTally> tallies(sort, &budget);
  sort.name = "names";
  ExternalSorter<HostName> names(sort, &budget);
  const HostName a = HostName::Of("a.org");
  ASSERT_TRUE(names.Add(a));
  ASSERT_TRUE(tallies.Add({a.host - 1, 0, 1}));
  ASSERT_TRUE(tallies.Finish() && names.Finish());
  UrlTables tables = {UrlTable("h", dir.path(), 1 << 20, &budget),
                      UrlTable("d", dir.path(), 1 << 20, &budget),
                      UrlTable("t", dir.path(), 1 << 20, &budget)};
  UrlCounts all;
  const Status status =
      FillUrlTables(&tallies, &names, *PublicSuffixes::Open(""), &all, &tables);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInternal);
}

// ---- pairs ----

// A row for each two of one key, with the first rule that makes them one.
TEST(AddressPairsTest, PairsAreThoseOfEqualKeys) {
  SplitMix64 random(9);
  const std::vector<UrlRule> rules = AllRules();
  const UrlSpeller speller(rules);
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  AddressPairs pairs(dir.path(), 8 << 20, &budget);
  std::vector<std::pair<std::string, std::string>> a, b;  // id, address
  std::string host;
  for (int i = 0; i < 80; ++i) {
    a.emplace_back("ä" + std::to_string(i), AnyAddress(&random));
    ASSERT_TRUE(
        pairs.AddJudged(speller.Spell(a.back().second, &host), a.back().first));
  }
  pairs.EndOfA();
  for (int i = 0; i < 80; ++i) {
    b.emplace_back(i % 9 == 0 ? "" : "b" + std::to_string(i),
                   AnyAddress(&random));
    ASSERT_TRUE(
        pairs.AddOther(speller.Spell(b.back().second, &host), b.back().first));
  }
  const auto rows = pairs.Write(dir / "pairs.jsonl", rules);
  ASSERT_TRUE(rows) << rows.error().ToString();
  std::multiset<std::string> expected, found;
  for (const auto& [id_a, url_a] : a) {
    for (const auto& [id_b, url_b] : b) {
      if (id_b.empty() || SpellForm(rules, kKeyForm, url_a) !=
                              SpellForm(rules, kKeyForm, url_b))
        continue;
      std::string rule = "as-written";
      if (url_a != url_b) {
        size_t k = 0;
        while (SpellForm(rules, SoFarForm(rules, k), url_a) !=
               SpellForm(rules, SoFarForm(rules, k), url_b))
          ++k;
        rule = ChoiceName(rules[k]);
      }
      expected.insert(id_a + " " + id_b + " " + rule);
    }
  }
  const std::string text = ReadWholeFile(dir / "pairs.jsonl").value();
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const Json row = Json::Parse(text.substr(at, end - at));
    found.insert(row["a"].get<std::string>() + " " +
                 row["b"].get<std::string>() + " " +
                 row["rule"].get<std::string>());
    at = end + 1;
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(*rows, expected.size());
  EXPECT_GT(expected.size(), 30u);
}

TEST(AddressPairsTest, WithoutAJudgedAddressThereIsNoPair) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  AddressPairs pairs(dir.path(), 8 << 20, &budget);
  pairs.EndOfA();
  std::string host;
  const UrlSpeller speller(AllRules());
  ASSERT_TRUE(pairs.AddOther(speller.Spell("http://a.org/", &host), "b"));
  EXPECT_EQ(*pairs.Write(dir / "pairs.jsonl", AllRules()), 0u);
  EXPECT_EQ(ReadWholeFile(dir / "pairs.jsonl").value(), "");
}

}  // namespace
}  // namespace twinset
