#include "pipeline/report/run_story.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "options/parameters.h"
#include "pipeline/read/unit_store.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/report/run_reading.h"
#include "pipeline/saved/saved_options.h"
#include "text/page/clean_text.h"
#include "twinset/methods.h"

namespace twinset {

namespace {

constexpr size_t kShownRows = 20;     // of quarantine, of sources
constexpr size_t kShownPassages = 3;  // of a pair
constexpr size_t kBins = 10'000;      // of similarities
// So much of a unit is compared with the others.
constexpr uint64_t kUnitCharacters = 8192;

// `row` of sources.jsonl.
void AddSide(const Json& row, RunStory* story) {
  story->sides[row.value("side", "") == "b"].Add(row.value("source", ""));
}

class Gathering {
 public:
  Gathering(const std::string& folder, const ReportOptions& given,
            RunStory* story)
      : folder_(folder),
        given_(given),
        story_(*story),
        sample_(story->threshold(), story->options.method.seed) {}

  Status Do() {
    if (story_.kind == RunStory::kDocuments) {
      TWINSET_TRY(BeginWithTypical());
      TWINSET_TRY(Clusters());
      TWINSET_TRY(Representatives());
    } else if (story_.kind == RunStory::kMatch) {
      TWINSET_TRY(Matches());
    } else {
      TWINSET_TRY(Units());
    }
    if (story_.kind != RunStory::kUnits) TWINSET_TRY(Pairs());
    if (story_.is_containment) TWINSET_TRY(Passages());
    TWINSET_TRY(ForEachResultRow(folder_, "quarantine", [&](const Json& row) {
      story_.quarantine.push_back(row);
      return story_.quarantine.size() < kShownRows;
    }));
    TWINSET_TRY(Sources());
    Texts();
    return {};
  }

 private:
  // The median similarity of what is not equal is typical: neither a pair that
  // the threshold just lets in nor a copy.
  Status BeginWithTypical() {
    std::vector<uint64_t> bins(kBins);
    uint64_t all = 0;
    TWINSET_TRY(ForEachResultNumber(
        folder_, "clusters", "similarity", [&](double similarity) {
          if (!(similarity >= 0 && similarity < 1)) return;
          ++bins[static_cast<size_t>(similarity * kBins)];
          ++all;
        }));
    uint64_t below = 0;
    for (size_t bin = 0; bin < kBins && all > 0; ++bin) {
      below += bins[bin];
      if (2 * below < all) continue;
      sample_.BeginNear((static_cast<double>(bin) + .5) / kBins);
      break;
    }
    return {};
  }

  // ---- documents ----

  struct Place {
    std::string source;
    uint64_t ordinal = 0;
  };

  Status Clusters() {
    std::map<std::string, size_t> largest;
    for (const Json& cluster : story_.summary["largest_clusters"]) {
      ShownCluster& shown = story_.clusters.emplace_back();
      shown.id = cluster["cluster"].get<std::string>();
      shown.size = cluster["size"].get<uint64_t>();
      largest.emplace(shown.id, story_.clusters.size() - 1);
    }
    return ForEachResultRow(folder_, "clusters", [&](const Json& row) {
      const auto id = row["id"].get<std::string>();
      const auto cluster = row["cluster"].get<std::string>();
      const bool stays = row["is_representative"] == true;
      const double similarity = row["similarity"].get<double>();
      const auto at = largest.find(cluster);
      if (at != largest.end()) {
        ShownCluster& shown = story_.clusters[at->second];
        shown.least = std::min(shown.least, similarity);
        if (stays) shown.url = row["url"].get<std::string>();
      }
      if (stays) {
        story_.counts.AddCluster(row["size"].get<uint64_t>());
      } else {
        ++story_.members;
        sample_.Add(cluster, id, similarity, row);
      }
      return true;
    });
  }

  // Where those stand that the drawn documents are like.
  Status Representatives() {
    std::vector<DrawnPair> pairs = sample_.Take();
    std::map<std::string, Place> places;
    for (const DrawnPair& pair : pairs) places[pair.a];
    for (const ShownCluster& cluster : story_.clusters) places[cluster.id];
    if (places.empty()) return {};
    TWINSET_TRY(ForEachResultRow(folder_, "clusters", [&](const Json& row) {
      if (row["is_representative"] != true) return true;
      const auto at = places.find(row["id"].get<std::string>());
      if (at != places.end()) at->second = PlaceOf(row);
      return true;
    }));
    const auto want = [&](const std::string& id) {
      const Place& place = places[id];
      return story_.texts.WantAt(place.source, place.ordinal, id);
    };
    for (DrawnPair& pair : pairs) {
      const Place right = PlaceOf(pair.row);
      ShownPair shown{std::move(pair), 0, 0};
      shown.left = want(shown.pair.a);
      shown.right =
          story_.texts.WantAt(right.source, right.ordinal, shown.pair.b);
      story_.pairs.push_back(std::move(shown));
    }
    for (ShownCluster& cluster : story_.clusters)
      cluster.text = want(cluster.id);
    return {};
  }

  static Place PlaceOf(const Json& row) {
    return {row["source"].get<std::string>(), row["ordinal"].get<uint64_t>()};
  }

  // ---- two sides ----

  Status ForEachMatch(const std::function<void(const Json&, double)>& body) {
    return ForEachResultRow(folder_, "best", [&](const Json& row) {
      body(row, row["similarity"].get<double>());
      return true;
    });
  }

  Status Matches() {
    TypicalPairs typical;
    TWINSET_TRY(ForEachMatch([&](const Json& row, double similarity) {
      typical.Count(similarity, row);
    }));
    typical.Choose(story_.is_containment);
    TWINSET_TRY(ForEachMatch([&](const Json& row, double similarity) {
      typical.Take(row["a"].get<std::string>(), row["b"].get<std::string>(),
                   similarity, row);
    }));
    story_.ungrouped = typical.others();
    story_.groups = std::move(typical).Groups();
    for (const PairGroup& group : story_.groups) {
      for (const DrawnPair& pair : group.shown) {
        story_.pairs.push_back({pair, story_.texts.WantId(0, pair.a),
                                story_.texts.WantId(1, pair.b)});
      }
    }
    return {};
  }

  Status Pairs() {
    return ForEachResultNumber(
        folder_, "pairs", "similarity",
        [&](double similarity) { story_.counts.AddPair(similarity); });
  }

  // The longest of each pair that is shown.
  Status Passages() {
    std::map<std::pair<std::string, std::string>, size_t> shown;
    for (size_t i = 0; i < story_.pairs.size(); ++i)
      shown[{story_.pairs[i].pair.a, story_.pairs[i].pair.b}] = i;
    std::vector<std::vector<Json>> longest(story_.pairs.size());
    TWINSET_TRY(ForEachResultRow(folder_, "passages", [&](const Json& row) {
      const auto at = shown.find(
          {row["a"].get<std::string>(), row["b"].get<std::string>()});
      if (at == shown.end()) return true;
      std::vector<Json>& of = longest[at->second];
      const auto longer = [](const Json& x, const Json& y) {
        return x["tokens"].get<uint64_t>() > y["tokens"].get<uint64_t>();
      };
      of.insert(std::upper_bound(of.begin(), of.end(), row, longer), row);
      if (of.size() > kShownPassages) of.pop_back();
      return true;
    }));
    story_.passages.resize(story_.pairs.size());
    for (size_t i = 0; i < longest.size(); ++i) {
      for (const Json& row : longest[i]) {
        const auto number = [&](const char* key) {
          return row[key].get<uint64_t>();
        };
        const ShownPair& pair = story_.pairs[i];
        story_.passages[i].push_back(
            {number("tokens"), row["similarity"].get<double>(),
             story_.texts.WantWindow(pair.left, number("a_begin"),
                                     number("a_end")),
             story_.texts.WantWindow(pair.right, number("b_begin"),
                                     number("b_end"))});
      }
    }
    return {};
  }

  // ---- units ----

  // Where the most frequent ones stand first. A list that lacks one leaves it
  // without a place.
  Status Units() {
    for (const Json& unit : story_.summary["most_frequent"]) {
      ShownUnit& shown = story_.units.emplace_back();
      shown.text = unit["text"].get<std::string>();
      shown.count = CountIn(unit, "count");
      shown.documents = CountIn(unit, "documents");
    }
    size_t open = story_.units.size();
    if (open == 0) return {};
    return ForEachResultRow(folder_, "units", [&](const Json& row) {
      // Where several are equally frequent, the first rows are meant, in order.
      const auto unit = std::find_if(
          story_.units.begin(), story_.units.end(), [&](const ShownUnit& of) {
            return of.document == SIZE_MAX &&
                   of.count == CountIn(row, "count") &&
                   of.documents == CountIn(row, "documents") &&
                   of.text == row.value("text", "");
          });
      if (unit == story_.units.end()) return true;
      unit->id = row["id"].get<std::string>();
      unit->begin = CountIn(row, "begin");
      unit->tokens = CountIn(row, "tokens");
      const uint64_t end = CountIn(row, "end");
      const uint64_t shown = CountCodePoints(unit->text);
      unit->is_cut = shown >= kExcerptCodePoints && end - unit->begin > shown;
      const Place place = PlaceOf(row);
      unit->document =
          story_.texts.WantAt(place.source, place.ordinal, unit->id);
      unit->window = story_.texts.WantWindow(unit->document, unit->begin, end,
                                             kUnitCharacters);
      return --open > 0;
    });
  }

  // ---- sources ----

  void AddSource(const Json& row) {
    ++story_.all_sources;
    const char* lost = row.contains("tokens_cut") ? "tokens_cut" : "dropped";
    const auto more = [&](const Json& x, const Json& y) {
      return x[lost].get<uint64_t>() > y[lost].get<uint64_t>();
    };
    auto& sources = story_.sources;
    sources.insert(std::upper_bound(sources.begin(), sources.end(), row, more),
                   row);
    if (sources.size() > kShownRows) sources.pop_back();
  }

  Status Sources() {
    TWINSET_TRY(ForEachResultRow(folder_, "sources", [&](const Json& row) {
      AddSource(row);
      AddSide(row, &story_);
      return true;
    }));
    if (story_.all_sources > 0) return {};
    for (const Json& row : story_.summary["sources"]) AddSource(row);
    story_.all_sources +=
        story_.summary["other_sources"]["sources"].get<uint64_t>();
    return {};
  }

  // ---- texts ----

  void Texts() {
    if (story_.texts.size() == 0) return;
    auto reading = ReadingOfRun(story_.summary, story_.options, given_);
    if (reading) {
      reading->on_progress = given_.on_progress;
      if (story_.texts.Read(*reading) && story_.texts.missing() == 0) return;
    }
    const bool is_all = story_.texts.missing() == story_.texts.size();
    const Json& run = story_.summary["run"];
    // Its inputs need not be there any more.
    if (run.contains("recut") || run.contains("saved_run")) {
      story_.no_texts =
          std::string(
              "Documents were taken from a saved run, which keeps no "
              "texts: ") +
          (is_all ? "none is shown." : "only those of inputs are shown.") +
          " The command twinset report DIR INPUT... says where the inputs are.";
      return;
    }
    story_.no_texts =
        is_all ? "The inputs could not be read again, so no text is shown."
               : "Some documents were not found again in the inputs, so their "
                 "texts are not shown.";
  }

  const std::string& folder_;
  const ReportOptions& given_;
  RunStory& story_;
  PairDraw sample_;
};

}  // namespace

void RunSide::Add(const std::string& source) {
  if (++inputs == 1) {
    first = source;
    folder = source;
  } else if (inputs == 2) {
    second = source;
  }
  while (!folder.empty() && !source.starts_with(folder + '/')) {
    const size_t slash = folder.rfind('/');
    folder.resize(slash == folder.npos ? 0 : slash);
  }
}

namespace {

Result<RunStory> BeginStory(Json summary) {
  RunStory story;
  story.summary = std::move(summary);
  if (story.summary.contains("units")) {
    story.kind = RunStory::kUnits;
  } else if (IsMatch(story.summary)) {
    story.kind = RunStory::kMatch;
  }
  TWINSET_ASSIGN(story.options,
                 OptionsOfParameters(story.summary["parameters"]));
  for (const MethodInfo& method : Methods()) {
    if (method.name == story.options.method.name)
      story.is_exact = Reads(method, "level");
  }
  story.is_containment = story.kind == RunStory::kMatch &&
                         story.options.method.measure == Measure::kContainment;
  return story;
}

}  // namespace

Result<RunStory> StoryOfSummary(const std::string& folder, Json summary) {
  TWINSET_ASSIGN(RunStory story, BeginStory(std::move(summary)));
  TWINSET_TRY(ForEachResultRow(folder, "sources", [&](const Json& row) {
    AddSide(row, &story);
    return true;
  }));
  return story;
}

Result<RunStory> GatherRun(const std::string& folder, Json summary,
                           const ReportOptions& given) {
  TWINSET_ASSIGN(RunStory story, BeginStory(std::move(summary)));
  TWINSET_TRY(Gathering(folder, given, &story).Do());
  return story;
}

}  // namespace twinset
