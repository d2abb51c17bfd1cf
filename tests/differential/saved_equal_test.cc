// What is saved equals what is made from scratch, over the registry: every
// method with every measure that it takes, and between them all pairs of
// shingle, scope, template, verification and kind of input. TWINSET_LONG=1
// takes the whole product.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "support/dedup_fixture.h"
#include "support/rows_of_everything.h"
#include "twinset/choices.h"
#include "twinset/methods.h"
#include "twinset/saved_run.h"

namespace twinset::testing {
namespace {

enum Axis { kShingle, kScope, kTemplate, kVerify, kKind, kAxes };
const std::vector<std::string> kValues[kAxes] = {
    {"word:5", "word:2", "char:7"},
    {"", "within", "across", "window"},
    {"drop", "keep"},
    {"exact", "text", "none"},
    {"rows", "pages", "folder", "warc"}};

struct Setting {
  std::string method;
  std::optional<Measure> measure;
  std::string values[kAxes];

  std::string Name() const {
    std::string name = method;
    if (measure) name += " " + std::string(ChoiceName(*measure));
    for (const std::string& value : values) name += "," + value;
    return name;
  }
};

bool ReadsParameter(const MethodInfo& method, const std::string& name) {
  return std::any_of(
      method.parameters.begin(), method.parameters.end(),
      [&](const MethodParameter& reads) { return reads.name == name; });
}

// A method without a measure comes as often as its values are many.
std::vector<Setting> MethodsAndMeasures() {
  std::vector<Setting> all;
  for (const MethodInfo& method : Methods()) {
    if (!ReadsParameter(method, "measure")) {
      all.insert(all.end(), 4, {method.name, {}, {}});
      continue;
    }
    for (const auto& [measure, name] : kChoices<Measure>)
      all.push_back({method.name, measure, {}});
  }
  return all;
}

// Each method and measure once, with values of which as many pairs as possible
// are new.
std::vector<Setting> PairwiseSettings() {
  std::vector<Setting> settings = MethodsAndMeasures();
  std::set<std::string> seen;
  const auto pairs_of = [](const Setting& setting) {
    std::vector<std::string> pairs;
    std::vector<std::string> all = {setting.method};
    if (setting.measure) all.emplace_back(ChoiceName(*setting.measure));
    for (int axis = 0; axis < kAxes; ++axis)
      all.push_back(std::to_string(axis) + setting.values[axis]);
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = i + 1; j < all.size(); ++j)
        pairs.push_back(all[i] + "|" + all[j]);
    return pairs;
  };
  SplitMix64 random(11);
  for (Setting& setting : settings) {
    Setting best;
    long most = -1;
    for (int tries = 0; tries < 60; ++tries) {
      Setting next = setting;
      for (int axis = 0; axis < kAxes; ++axis)
        next.values[axis] = kValues[axis][random.Below(kValues[axis].size())];
      const auto pairs = pairs_of(next);
      const long fresh = std::count_if(
          pairs.begin(), pairs.end(),
          [&](const std::string& pair) { return !seen.contains(pair); });
      if (fresh > most) {
        most = fresh;
        best = next;
      }
    }
    for (const std::string& pair : pairs_of(best)) seen.insert(pair);
    setting = best;
  }
  return settings;
}

std::vector<Setting> AllSettings() {
  std::vector<Setting> settings = MethodsAndMeasures();
  for (int axis = 0; axis < kAxes; ++axis) {
    std::vector<Setting> more;
    for (const Setting& setting : settings) {
      for (const std::string& value : kValues[axis]) {
        more.push_back(setting);
        more.back().values[axis] = value;
      }
    }
    settings = std::move(more);
  }
  return settings;
}

// Pages of three sites with their menus; some texts stand on several sites.
struct Pages {
  std::vector<std::string> urls, pages;

  Pages(size_t begin, size_t end) {
    const SyntheticCorpus corpus(3, 48, 60);
    for (size_t i = begin; i < end; ++i) {
      const std::string site = std::to_string(i % 3);
      urls.push_back("http://site" + site + ".example/" + std::to_string(i));
      std::string menu;
      for (int entry = 0; entry < 12; ++entry)
        menu += " entry" + site + std::to_string(entry);
      pages.push_back("<html><body><p>menu of site " + site + menu + "</p><p>" +
                      corpus.texts[i] + "</p></body></html>");
    }
  }
};

class SavedEqualTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "old.rows", RowsOfEverything(7, 40, 30));
    Write(folder_ / "new.rows", RowsOfEverything(7, 28, 30));
    WritePages("old", Pages(0, 30));
    WritePages("new", Pages(22, 48));
  }

  void WritePages(const std::string& name, const Pages& pages) {
    std::string rows, warc;
    std::filesystem::create_directory(folder_ / (name + ".folder"));
    for (size_t i = 0; i < pages.pages.size(); ++i) {
      const std::string date =
          "2020-0" + std::to_string(1 + i % 9) + "-02T03:04:05Z";
      rows +=
          Json{{"url", pages.urls[i]}, {"date", date}, {"html", pages.pages[i]}}
              .dump() +
          "\n";
      const std::string body =
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + pages.pages[i];
      warc +=
          "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:" + name +
          std::to_string(i) + ">\r\nWARC-Target-URI: " + pages.urls[i] +
          "\r\nWARC-Date: " + date +
          "\r\nContent-Type: application/http; msgtype=response\r\n"
          "Content-Length: " +
          std::to_string(body.size()) + "\r\n\r\n" + body + "\r\n\r\n";
      Write(folder_ / (name + ".folder/" + std::to_string(i) + ".html"),
            pages.pages[i]);
    }
    Write(folder_ / (name + ".pages"), rows);
    Write(folder_ / (name + ".warc"), warc);
  }

  DedupOptions Options(const Setting& setting,
                       const std::vector<std::string>& names,
                       const std::string& out) {
    DedupOptions options = OptionsFor("", folder_ / out);
    const std::string& kind = setting.values[kKind];
    options.input.inputs.clear();
    for (const std::string& name : names)
      options.input.inputs.push_back(folder_ / (name + "." + kind));
    if (kind == "rows" || kind == "pages")
      options.input.format = InputFormat::kJsonl;
    if (kind == "pages") options.input.html_field = "html";
    options.features.content = ContentMode::kAll;
    options.features.shingle = setting.values[kShingle];
    if (setting.values[kTemplate] == "keep")
      options.features.template_blocks = TemplateRule::kKeep;
    options.method.name = setting.method;
    if (setting.measure) options.method.measure = *setting.measure;
    options.method.threshold = 0.3;
    options.method.verify = setting.values[kVerify] != "none";
    options.method.verify_text = setting.values[kVerify] == "text";
    const std::string& scope = setting.values[kScope];
    if (scope == "within") options.within = "host";
    if (scope == "across") options.across = "source";
    if (scope == "window") options.window = "date:90d";
    options.overwrite = true;
    return options;
  }

  // False when there is no such run.
  bool Save(const Setting& setting) {
    DedupOptions options = Options(setting, {"old"}, "first");
    options.save = folder_ / "saved";
    const auto saved = Dedup(options);
    if (!saved) {
      EXPECT_EQ(saved.error().code, ErrorCode::kUsage)
          << saved.error().ToString();
      return false;
    }
    const Json json = Json::parse(saved->json.dump());
    bands_ = json["parameters"].value("bands", 0);
    rows_ = json["parameters"].value("rows", 0);
    return true;
  }

  // What a run begins with that names the saved run `saved`.
  DedupOptions Begun(const std::string& saved, const Setting& setting,
                     const std::string& out) {
    const auto begun = OptionsOfSavedRun(folder_ / saved);
    EXPECT_TRUE(begun) << begun.error().ToString();
    DedupOptions options = begun ? *begun : DedupOptions();
    options.input.inputs = {folder_ / ("new." + setting.values[kKind])};
    options.out = folder_ / out;
    options.add = {folder_ / saved};
    options.resources.threads = 1;
    options.resources.memory_bytes = 256 << 20;
    options.overwrite = true;
    return options;
  }

  std::map<std::string, std::string> Bytes(const std::string& out) {
    return PromisedBytes(folder_ / out);
  }

  void ExpectAdded(const Setting& setting) {
    DedupOptions added = Begun("saved", setting, "added");
    added.reconsider = true;
    MustDedup(added);
    MustDedup(Options(setting, {"old", "new"}, "whole"));
    EXPECT_EQ(Bytes("added"), Bytes("whole"));
  }

  // Rows of the pairs whose documents are both among `ids`.
  static std::vector<std::string> PairsAmong(const std::set<std::string>& ids,
                                             const std::string& path) {
    std::vector<std::string> found;
    for (const Json& row : ReadRows(path))
      if (ids.contains(row["a"]) && ids.contains(row["b"]))
        found.push_back(row.dump());
    return found;
  }

  static std::set<std::string> Lines(const std::string& path) {
    const auto lines = ReadLines(path);
    return {lines.begin(), lines.end()};
  }

  // What was decided stays, and is decided so again.
  void ExpectKept(const Setting& setting) {
    DedupOptions kept = Begun("saved", setting, "kept");
    kept.save = folder_ / "both";
    const auto summary = Dedup(kept);
    ASSERT_TRUE(summary) << summary.error().ToString();
    std::set<std::string> old = Lines(folder_ / "first/keep.txt");
    const auto dropped = Lines(folder_ / "first/drop.txt");
    old.insert(dropped.begin(), dropped.end());
    EXPECT_EQ(PairsAmong(old, folder_ / "kept/pairs.jsonl"),
              PairsAmong(old, folder_ / "first/pairs.jsonl"));
    std::set<std::string> dropped_now;
    for (const std::string& id : ReadLines(folder_ / "kept/drop.txt"))
      if (old.contains(id)) dropped_now.insert(id);
    EXPECT_EQ(dropped_now, dropped);
    RecutOptions recut;
    recut.saved = folder_ / "both";
    recut.out = folder_ / "recut";
    recut.overwrite = true;
    const auto again = Recut(recut);
    ASSERT_TRUE(again) << again.error().ToString();
    auto now = Bytes("recut"), before = Bytes("kept");
    now.erase("summary.json");
    before.erase("summary.json");
    EXPECT_EQ(now, before);
    // The two together can be decided anew, as if nothing had been kept.
    std::filesystem::create_directory(folder_ / "none");
    Write(folder_ / "none/empty.jsonl", "");
    DedupOptions anew = Begun("both", setting, "anew");
    anew.input.inputs = {folder_ / "none/empty.jsonl"};
    anew.reconsider = true;
    MustDedup(anew);
    auto decided = Bytes("anew"), whole = Bytes("whole");
    for (const char* name : {"summary.json", "sources.jsonl"}) {
      decided.erase(name);
      whole.erase(name);
    }
    EXPECT_EQ(decided, whole);
  }

  void ExpectMatched(const Setting& setting) {
    if (setting.measure == Measure::kContainment) return;
    MatchOptions match;
    const DedupOptions options = Options(setting, {"new"}, "read");
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions>(
        options, &match);
    match.window = options.window;
    match.against = {folder_ / ("old." + setting.values[kKind])};
    const auto read = Match(match);
    ASSERT_TRUE(read) << read.error().ToString();
    pairs_ += read->pairs;
    const DedupOptions begun = Begun("saved", setting, "asked");
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions>(
        begun, &match);
    match.window = begun.window;
    match.against = {folder_ / "saved"};
    const auto asked = Match(match);
    ASSERT_TRUE(asked) << asked.error().ToString();
    EXPECT_EQ(Bytes("asked"), Bytes("read"));
  }

  void ExpectRecut(const Setting& setting) {
    // No pair of estimates is compared, and which sizes may be a pair depends
    // on the threshold that the candidates were made for.
    if (setting.values[kVerify] == "none") return;
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    recut.overwrite = true;
    recut.threshold = 0.6;
    recut.keep = {"shortest"};
    const auto again = Recut(recut);
    // Copies are equal or not, at no threshold.
    if (!again && again.error().message.find("does not read --threshold") !=
                      std::string::npos)
      return;
    DedupOptions options = Options(setting, {"old"}, "whole");
    options.method.threshold = 0.6;
    options.method.bands = bands_;
    options.method.rows = bands_ == 0 ? 0 : rows_;
    options.keep = {"shortest"};
    const auto whole = Dedup(options);
    ASSERT_EQ(again.has_value(), whole.has_value())
        << (again ? whole.error() : again.error()).ToString();
    if (!again) return;
    auto now = Bytes("recut"), scratch = Bytes("whole");
    now.erase("summary.json");  // counts of other candidates
    scratch.erase("summary.json");
    EXPECT_EQ(now, scratch);
  }

  void Expect(const Setting& setting) {
    SCOPED_TRACE(setting.Name());
    if (!Save(setting)) return;
    ++runs_;
    ExpectAdded(setting);
    ExpectKept(setting);
    ExpectMatched(setting);
    ExpectRecut(setting);
  }

  TemporaryFolder folder_;
  int bands_ = 0, rows_ = 0;
  uint64_t runs_ = 0, pairs_ = 0;
};

TEST_F(SavedEqualTest, EqualsWhatIsMadeFromScratch) {
  const bool is_long = std::getenv("TWINSET_LONG") != nullptr;
  std::vector<Setting> settings = is_long ? AllSettings() : PairwiseSettings();
  // A part of them in CI, which takes seconds; the whole takes minutes.
  if (!is_long) {
    constexpr size_t kStep = 20;
    for (size_t i = 0; kStep * i < settings.size(); ++i)
      settings[i] = settings[kStep * i];
    settings.resize((settings.size() + kStep - 1) / kStep);
  }
  for (const Setting& setting : settings) {
    Expect(setting);
    if (HasFailure()) return;  // what fails once fails often
  }
  EXPECT_GT(runs_, settings.size() / 3);
  EXPECT_GT(pairs_, 5 * runs_);
}

}  // namespace
}  // namespace twinset::testing
