#include "pipeline/report/run_story.h"

#include <algorithm>
#include <map>
#include <utility>

#include "options/parameters.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/report/run_reading.h"
#include "pipeline/saved/saved_options.h"
#include "twinset/methods.h"

namespace twinset::inline v1 {

namespace {

constexpr size_t kShownRows = 20;     // of quarantine, of sources
constexpr size_t kShownPassages = 3;  // of a pair
constexpr size_t kBins = 10'000;      // of similarities

class Gathering {
 public:
  Gathering(const std::string& folder, const ReportOptions& given,
            RunStory* story)
      : folder_(folder),
        given_(given),
        story_(*story),
        sample_(story->threshold(), story->options.method.seed) {}

  Status Do() {
    if (story_.kind != RunStory::kUnits) TWINSET_TRY(BeginWithTypical());
    if (story_.kind == RunStory::kDocuments) {
      TWINSET_TRY(Clusters());
      TWINSET_TRY(Representatives());
    } else if (story_.kind == RunStory::kMatch) {
      TWINSET_TRY(Matches());
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
    const bool is_match = story_.kind == RunStory::kMatch;
    TWINSET_TRY(
        ForEachResultNumber(folder_, is_match ? "best" : "clusters",
                            "similarity", [&](double similarity) {
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

  Status Matches() {
    TWINSET_TRY(ForEachResultRow(folder_, "best", [&](const Json& row) {
      sample_.Add(row["a"].get<std::string>(), row["b"].get<std::string>(),
                  row["similarity"].get<double>(), row);
      return true;
    }));
    for (DrawnPair& pair : sample_.Take()) {
      ShownPair shown{std::move(pair), 0, 0};
      shown.left = story_.texts.WantId(0, shown.pair.a);
      shown.right = story_.texts.WantId(1, shown.pair.b);
      story_.pairs.push_back(std::move(shown));
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
    auto reading = ReadingOfRun(story_.summary, story_.options, given_.inputs,
                                given_.against);
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

Result<RunStory> GatherRun(const std::string& folder, Json summary,
                           const ReportOptions& given) {
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
  TWINSET_TRY(Gathering(folder, given, &story).Do());
  return story;
}

}  // namespace twinset::inline v1
