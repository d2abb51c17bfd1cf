// twinset/corpora/assess.h: the sample (docs/methods/assessment.md).
#include "twinset/corpora/assess.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "assess/assess_page.h"
#include "assess/assessment.h"
#include "assess/label_draw.h"
#include "base/file.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/result_places.h"
#include "options/resources.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/report/run_reading.h"
#include "pipeline/saved/saved_options.h"
#include "report/kept_page.h"
#include "retrieval/duplicate_list.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {
namespace {

constexpr uint64_t kMostSample = 10000;
// A pair of a file in memory, with its ids.
constexpr uint64_t kBytesAFileByte = 6;

// A run or file of pairs, and how its texts are read.
struct AssessSource {
  std::string path;
  bool is_run = false, is_match = false;
  RunReading reading;
};

Status CheckOptions(const AssessOptions& options) {
  if (options.runs.empty())
    return Fail(ErrorCode::kUsage, "no run is given", {},
                "twinset assess RUN... --out DIR");
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "the page needs a folder", {},
                "add --out DIR");
  if (options.sample < 1 || options.sample > kMostSample ||
      options.per_stratum > kMostSample)
    return Fail(ErrorCode::kUsage, "a sample has 1 to 10,000 pairs");
  return RefuseReadOnce(options.runs);
}

Result<AssessSource> OpenRun(const AssessOptions& options,
                             const std::string& path) {
  AssessSource source{path, true, false, {}};
  const std::string file = path + "/summary.json";
  if (!FileExists(file) ||
      (!FileExists(path + "/pairs.jsonl") && !FileExists(path + "/pairs.csv")))
    return Fail(ErrorCode::kUsage, "it holds no pairs of a finished run", path,
                "give the folder of --out of dedup, match or recut, or a file "
                "of pairs");
  TWINSET_ASSIGN(const std::string text, ReadWholeFile(file, 64 << 20));
  const Json summary = Json::Parse(text);
  if (!summary["parameters"].is_object() || !summary["run"].is_object())
    return Fail(ErrorCode::kCorrupt, "the summary cannot be read", file);
  source.is_match = IsMatch(summary);
  TWINSET_ASSIGN(const PlanOptions plan,
                 OptionsOfParameters(summary["parameters"]));
  TWINSET_ASSIGN(source.reading,
                 ReadingOfRun(summary, plan,
                              {.inputs = options.input.inputs,
                               .against = options.against,
                               .networks = options.input.networks}));
  return source;
}

Result<AssessSource> OpenPairs(const AssessOptions& options,
                               const std::string& path) {
  AssessSource source{path, false, !options.against.empty(), {}};
  if (options.input.inputs.empty())
    return Fail(ErrorCode::kUsage,
                "a file of pairs does not say where the "
                "texts are",
                path, "add --in INPUT");
  TWINSET_ASSIGN(const uint64_t size, FileSize(path));
  if (size * kBytesAFileByte >
      MemoryBesideWindow(options.resources, options.input) / 2)
    return Fail(ErrorCode::kMemory,
                "the pairs do not fit into half of the memory", path,
                "give more --memory, or the folder of the run");
  PlanOptions plan;
  plan.input = options.input;
  plan.features = options.features;
  source.reading.options = plan;
  TWINSET_ASSIGN(source.reading.read_against, MakeReadOptions(options.input));
  if (!source.is_match) return source;
  TWINSET_ASSIGN(const auto first, ListInputs(options.input));
  source.reading.first_side = first.size();
  auto& inputs = source.reading.options.input.inputs;
  inputs.insert(inputs.end(), options.against.begin(), options.against.end());
  return source;
}

Status AddRunPairs(const AssessSource& source, LabelDraw* sample) {
  Status status;
  TWINSET_TRY(ForEachResultRow(source.path, "pairs", [&](const Json& row) {
    std::optional<double> similarity;
    if (row["similarity"].is_number())
      similarity = row["similarity"].get<double>();
    status = sample->Add(row.value("a", ""), row.value("b", ""), similarity,
                         row.value("duplicate_kind", ""));
    return status.has_value();
  }));
  return status;
}

Status AddFilePairs(const AssessSource& source, LabelDraw* sample,
                    std::vector<std::string>* warnings) {
  IdTable ids;
  LineCounts counts;
  DuplicateReading reading;
  reading.two_collections = source.is_match;
  TWINSET_ASSIGN(DuplicateList list,
                 ReadDuplicateFiles({source.path}, reading, &ids, &counts));
  if (!list.groups.empty())
    return Fail(ErrorCode::kUsage, "groups are no pairs", source.path,
                "give rows of a, b and similarity");
  const auto by_ids = [](const DuplicateLink& x, const DuplicateLink& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  std::stable_sort(list.links.begin(), list.links.end(), by_ids);
  list.links.erase(std::unique(list.links.begin(), list.links.end(),
                               [](const auto& x, const auto& y) {
                                 return x.a == y.a && x.b == y.b;
                               }),
                   list.links.end());
  for (const DuplicateLink& link : list.links) {
    std::optional<double> similarity;
    // NaN: not said.
    if (link.similarity == link.similarity) similarity = link.similarity;
    TWINSET_TRY(sample->Add(ids[link.a], ids[link.b], similarity, {}));
  }
  uint64_t left_out = 0;
  for (const auto& [reason, count] : counts.left_out) left_out += count;
  if (left_out > 0)
    warnings->push_back(std::to_string(left_out) + " lines of " +
                        NameText(source.path) +
                        " are no pairs: " + counts.problems.front());
  return {};
}

class AssessDrawing {
 public:
  AssessDrawing(const AssessOptions& options, AssessResult* result)
      : options_(options), result_(result) {
    assessment_.seed = options.seed;
    assessment_.strata = options.strata;
  }

  Status Draw(const AssessSource& source) {
    const uint64_t most =
        options_.per_stratum > 0 ? options_.per_stratum : options_.sample;
    LabelDraw sample(options_.strata, most, options_.seed);
    TWINSET_TRY(source.is_run
                    ? AddRunPairs(source, &sample)
                    : AddFilePairs(source, &sample, &result_->warnings));
    std::vector<PairStratum> strata = sample.Take();
    if (strata.empty())
      return Fail(ErrorCode::kUsage, "there is no pair to judge", source.path);
    std::vector<uint64_t> sizes;
    for (const PairStratum& stratum : strata) sizes.push_back(stratum.pairs);
    const std::vector<uint64_t> shares =
        options_.per_stratum > 0
            ? std::vector<uint64_t>(sizes.size(), options_.per_stratum)
            : ShareOut(sizes, options_.sample);
    const size_t method = assessment_.methods.size();
    assessment_.methods.push_back({NameText(source.path), {}});
    for (size_t i = 0; i < strata.size(); ++i) {
      std::vector<DrawnForLabels>& drawn = strata[i].drawn;
      drawn.resize(std::min<size_t>(drawn.size(), shares[i]));
      assessment_.methods.back().strata.push_back(
          {strata[i].name, strata[i].pairs, drawn.size()});
      for (const DrawnForLabels& pair : drawn)
        drawn_[{pair.draw, pair.a, pair.b}].drawings.push_back(
            {method, i, pair.similarity});
    }
    return {};
  }

  // Gives every pair to the first of its methods, whose texts are then read.
  Status ReadTexts(const std::vector<AssessSource>& sources) {
    const uint64_t bytes = drawn_.size() * 2 * TextAgain::kMostBytes;
    if (bytes > MemoryBesideWindow(options_.resources, options_.input) / 2)
      return Fail(ErrorCode::kMemory,
                  "the texts of the sample may not fit into half of the memory",
                  {}, "give more --memory, or a smaller --sample");
    texts_.resize(sources.size());
    for (size_t i = 0; i < sources.size(); ++i)
      TWINSET_TRY(ReadTextsOf(sources[i], i));
    return {};
  }

  // The page of the pairs whose texts were found; the rest is left out.
  Result<std::string> MakePage(const std::vector<AssessSource>& sources) {
    std::vector<std::unique_ptr<FeatureExtractor>> extractors;
    for (const AssessSource& source : sources) {
      TWINSET_ASSIGN(auto extractor,
                     MakeExtractor(source.reading.options.features));
      extractors.push_back(std::move(extractor));
    }
    std::vector<const Drawn*> found;
    for (const auto& [key, drawn] : drawn_) {
      const TextsAgain& texts = texts_[drawn.method()];
      if (texts[drawn.left].is_found && texts[drawn.right].is_found) {
        assessment_.pairs.push_back({key.a, key.b, drawn.drawings});
        found.push_back(&drawn);
        continue;
      }
      ++result_->missing;
      for (const PairDrawing& one : drawn.drawings)
        --assessment_.methods[one.method].strata[one.stratum].drawn;
    }
    if (found.empty())
      return Fail(ErrorCode::kUsage, "no text of the pairs was found",
                  options_.runs.front(), "add --in INPUT");
    AssessPage page(assessment_);
    for (const Drawn* drawn : found) {
      const TextsAgain& texts = texts_[drawn->method()];
      page.Add(SideOf(texts[drawn->left]), SideOf(texts[drawn->right]),
               *extractors[drawn->method()]);
    }
    return std::move(page).Finish();
  }

  const Assessment& assessment() const { return assessment_; }

 private:
  struct Drawn {
    std::vector<PairDrawing> drawings;
    size_t left = 0, right = 0;  // texts of its first method
    size_t method() const { return drawings.front().method; }
  };
  // By the draw: the order of the page says nothing of strata.
  struct Key {
    uint64_t draw = 0;
    std::string a, b;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  static AssessSide SideOf(const TextAgain& text) {
    return {text.title, text.url.empty() ? text.id : text.url, text.text,
            text.is_whole};
  }

  Status ReadTextsOf(const AssessSource& source, size_t method) {
    TextsAgain& texts = texts_[method];
    // Clusters know the places of documents, also where ids repeat.
    std::map<std::string, std::pair<std::string, uint64_t>> places;
    for (const auto& [key, drawn] : drawn_) {
      if (drawn.method() != method) continue;
      places[key.a];
      places[key.b];
    }
    if (source.is_run && !source.is_match) {
      TWINSET_TRY(
          ForEachResultRow(source.path, "clusters", [&](const Json& row) {
            const auto at = places.find(row.value("id", ""));
            if (at != places.end())
              at->second = {row.value("source", ""),
                            row["ordinal"].get<uint64_t>()};
            return true;
          }));
    }
    const auto want = [&](const std::string& id, int side) {
      const auto& [file, ordinal] = places[id];
      return file.empty() || source.is_match ? texts.WantId(side, id)
                                             : texts.WantAt(file, ordinal, id);
    };
    for (auto& [key, drawn] : drawn_) {
      if (drawn.method() != method) continue;
      drawn.left = want(key.a, 0);
      drawn.right = want(key.b, source.is_match ? 1 : 0);
    }
    RunReading reading = source.reading;
    reading.on_progress = options_.on_progress;
    const Status read = texts.Read(reading);
    if (!read && read.error().code == ErrorCode::kUsage) return read;
    if (!read)
      result_->warnings.push_back("some texts could not be read: " +
                                  read.error().ToString());
    return {};
  }

  const AssessOptions& options_;
  AssessResult* result_;
  Assessment assessment_;
  std::map<Key, Drawn> drawn_;
  std::vector<TextsAgain> texts_;  // of each method
};

// What was drawn from what.
KeptPage PageOf(const AssessResult& result) {
  KeptPage page("assess", "Pairs to judge");
  page.Add(html::Lead{CountText(result.pairs, "pair waits", "pairs wait") +
                          " for a judgement on " + NameText(result.to_judge) +
                          ".",
                      ""});
  html::Table table{"Pairs of each stratum",
                    {{"method"}, {"stratum"}, {"pairs", true}, {"drawn", true}},
                    {}};
  for (const AssessMethod& method : result.methods)
    for (const AssessStratum& stratum : method.strata)
      table.rows.push_back(
          {html::Cell::Text(method.name), html::Cell::Text(stratum.name),
           html::Cell::Count(stratum.pairs), html::Cell::Count(stratum.drawn)});
  page.Add(std::move(table));
  return page;
}

}  // namespace

Json v1::SummaryJson(const AssessResult& result) {
  return FieldsToJson(result);
}

Result<AssessResult> v1::DrawAssessment(const AssessOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  std::vector<std::string> inputs = options.runs;
  inputs.insert(inputs.end(), options.input.inputs.begin(),
                options.input.inputs.end());
  inputs.insert(inputs.end(), options.against.begin(), options.against.end());
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(OutRequest("assess", options), inputs));
  AssessResult result;
  std::vector<AssessSource> sources;
  for (const std::string& path : options.runs) {
    const bool is_folder = FileExists(path + "/.");
    TWINSET_ASSIGN(AssessSource source, is_folder ? OpenRun(options, path)
                                                  : OpenPairs(options, path));
    sources.push_back(std::move(source));
  }
  AssessDrawing drawing(options, &result);
  for (const AssessSource& source : sources) TWINSET_TRY(drawing.Draw(source));
  TWINSET_TRY(drawing.ReadTexts(sources));
  TWINSET_ASSIGN(const std::string page, drawing.MakePage(sources));
  result.methods = drawing.assessment().methods;
  result.pairs = drawing.assessment().pairs.size();
  result.digest = drawing.assessment().Digest();
  result.to_judge = options.out + "/assess.html";
  if (result.missing > 0)
    result.warnings.push_back(
        std::to_string(result.missing) +
        " drawn pairs are left out: a text was not found in the inputs");
  result.parameters = {options.strata, options.sample, options.per_stratum,
                       options.seed};
  result.page = ResultPage(PageOf(result));
  TWINSET_TRY(folder.Begin({"assess.html", "sample.json", "summary.json"}));
  TWINSET_TRY(WriteWholeFile(options.out + "/sample.json",
                             drawing.assessment().Text()));
  TWINSET_TRY(WriteWholeFile(result.to_judge, page));
  TWINSET_TRY(WriteWholeFile(options.out + "/summary.json",
                             SummaryJson(result).dump(2) + "\n"));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
