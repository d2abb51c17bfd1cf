#include "twinset/size_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "pipeline/made_up_texts.h"
#include "pipeline/pairs/lone_documents.h"
#include "pipeline/size_plan_parts.h"
#include "report/kept_page.h"
#include "store/scratch_folder.h"
#include "twinset/plain_words.h"
#include "twinset/shards.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr uint64_t kBytesADocument = 1400;
// More than the sample of a forecast.
constexpr uint64_t kMadeUpBytes = 16 << 20;
constexpr uint64_t kLeastCalibrated = 10'000, kUsuallyCalibrated = 100'000;
// As measured by bench/bench_plan.py on the machine that docs/scale.md names:
// methods that find every pair, and those by keys of sketches.
const std::vector<SizePoint>& OfAuthors(bool finds_every_pair) {
  static const std::vector<SizePoint> every = {
      {1e4, 1.49, 0}, {1e5, 1.05, 0}, {1e6, 1.18, 0}};
  static const std::vector<SizePoint> by_keys = {
      {1e4, 1.59, 0}, {1e5, 1.15, 0}, {1e6, 1.09, 0}};
  return finds_every_pair ? every : by_keys;
}

// What Spark takes, of texts of 1,400 bytes half of which are in a pair: for a
// byte of text, and what moves of a document and of its text
// (docs/methods/spark.md).
constexpr double kSparkSecondsAByte = .25e-6, kSparkBytesADocument = 400,
                 kSparkBytesAByte = .7;

using html::Cell;

// The shortest of several forecasts of the same run: a sample takes a tenth of
// a second, in which a machine may have other work.
Result<RunForecast> ShortestForecast(const DedupOptions& run,
                                     const ForecastSize& corpus) {
  constexpr int kTries = 5;
  RunForecast shortest;
  for (int i = 0; i < kTries; ++i) {
    TWINSET_ASSIGN(RunForecast forecast, ForecastDedup(run, corpus));
    if (i == 0 || forecast.least_seconds < shortest.least_seconds)
      shortest = std::move(forecast);
  }
  return shortest;
}

std::string MethodOf(const RunForecast& forecast) {
  return forecast.json["plan"]["method"].get<std::string>();
}

Json PointsJson(const SizeCalibration& calibration) {
  Json methods;
  for (const auto& [method, points] : calibration) {
    Json rows = Json::array();
    for (const SizePoint& point : points)
      rows.push_back({{"documents", point.documents},
                      {"seconds", point.seconds},
                      {"ratio", point.ratio}});
    methods[method] = std::move(rows);
  }
  return methods;
}

Result<SizeCalibration> ReadCalibration(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadWholeFile(path, 1 << 20));
  const Json json = Json::Parse(text);
  SizeCalibration calibration;
  if (json.is_object() && json["methods"].is_object()) {
    for (const auto& [method, rows] : json["methods"].items()) {
      for (const Json& row : rows) {
        const Json &documents = row["documents"], &ratio = row["ratio"];
        if (!documents.is_number() || !ratio.is_number() ||
            !(documents.get<double>() >= 1) || !(ratio.get<double>() > 0))
          continue;
        calibration[std::string(method)].push_back(
            {documents.get<double>(), ratio.get<double>(), 0});
      }
    }
  }
  if (!calibration.empty()) return calibration;
  return Fail(ErrorCode::kCorrupt, "this is no calibration", path,
              "make one: twinset plan --calibrate FILE");
}

uint64_t FreeBytes(const std::string& tmp) {
  std::error_code error;
  const auto space = std::filesystem::space(
      tmp.empty() ? std::filesystem::temp_directory_path(error)
                  : std::filesystem::path(tmp),
      error);
  return error ? 0 : space.available;
}

ResultPage PageOf(const Json& json) {
  const auto number = [&](const char* name) {
    return json[name].get<double>();
  };
  const auto bytes = [&](const Json& value) {
    return BytesText(static_cast<uint64_t>(value.get<double>()));
  };
  KeptPage page("plan", "What a corpus would take");
  const std::string span = SecondsText(json["seconds"]["least"].get<double>()) +
                           " to " +
                           SecondsText(json["seconds"]["most"].get<double>());
  page.Add(html::Lead{json["use"].get<std::string>() +
                          ": this machine alone takes " + span + ".",
                      json["reason"].get<std::string>() + "."});
  html::Table table;
  table.caption = "One run";
  table.columns = {{"what"}, {"about"}};
  const auto row = [&](const char* name, const std::string& value) {
    table.rows.push_back({Cell::Text(name), Cell::Text(value)});
  };
  row("documents", NumberText(static_cast<uint64_t>(number("documents"))) +
                       ", " + bytes(json["bytes"]));
  row("time",
      span + " on " + CountText(json["threads"].get<uint64_t>(), "core"));
  row("cores x hours",
      FixedText(number("core_hours"), number("core_hours") < 1 ? 3 : 1));
  if (json["price"].is_number()) row("price", FixedText(number("price"), 2));
  row("memory", bytes(json["memory_bytes"]));
  row("disk", bytes(json["work_bytes"]) + " of work files, " +
                  bytes(json["result_bytes"]) + " of results");
  const Json& recall = json["recall_at_threshold"];
  row("finds", !recall.is_number() ? "no promise"
               : recall.get<double>() == 1
                   ? "every pair"
                   : FixedText(100 * recall.get<double>(), 2) +
                         " % of the pairs at the threshold, more above it");
  const Json& shards = json["shards"];
  row("in shards",
      CountText(shards["count"].get<uint64_t>(), "machine") +
          " read, one merges: " + SecondsText(shards["seconds"].get<double>()) +
          ", " + bytes(shards["travels_bytes"]) + " travel");
  row("merged in parts",
      NumberText(shards["parts"].get<uint64_t>()) +
          " parts: " + SecondsText(shards["seconds_in_parts"].get<double>()));
  const Json& spark = json["spark"];
  row("on Spark",
      spark.is_null()
          ? "only methods by keys of each document"
          : CountText(spark["cores"].get<uint64_t>(), "core") +
                " for as long as --hours says, " +
                FixedText(spark["core_hours"].get<double>(), 1) +
                " cores x hours" +
                (spark.contains("price")
                     ? " at " + FixedText(spark["price"].get<double>(), 2)
                     : "") +
                ", " + bytes(spark["shuffled_bytes"]) + " shuffled");
  row("as an index", SecondsText(json["index"]["seconds"].get<double>()) +
                         " to fill, " + bytes(json["index"]["bytes"]) +
                         ": for documents that come one at a time");
  page.Add(std::move(table));
  return ResultPage(std::move(page));
}

// What stands in for inputs that are not there yet.
Status MakeUpInputs(const ScratchFolder& work, uint64_t documents,
                    uint64_t bytes, DedupOptions* run) {
  const std::string path = work / "texts.jsonl";
  TWINSET_TRY(WriteMadeUpTexts(path, documents, bytes));
  run->input = InputOptions();
  run->input.inputs = {path};
  return {};
}

uint64_t BytesADocument(const ForecastSize& corpus) {
  if (corpus.bytes == 0 || corpus.documents == 0) return kBytesADocument;
  return std::clamp<uint64_t>(corpus.bytes / corpus.documents, 40, 1 << 20);
}

}  // namespace

double RatioAt(const std::vector<SizePoint>& points, double documents) {
  if (points.empty()) return 1;
  const auto after = std::find_if(
      points.begin(), points.end(),
      [&](const SizePoint& point) { return point.documents >= documents; });
  if (after == points.begin()) return after->ratio;
  if (after == points.end() && points.size() == 1) return points[0].ratio;
  const SizePoint& high = after == points.end() ? points.back() : *after;
  const SizePoint& low =
      after == points.end() ? points[points.size() - 2] : *(after - 1);
  double power = std::log(high.ratio / low.ratio) /
                 std::log(high.documents / low.documents);
  // Beyond what was measured the work of a document grows as it did, but does
  // not shrink.
  if (after == points.end()) power = std::clamp(power, 0.0, .1);
  return high.ratio * std::pow(documents / high.documents, power);
}

namespace {

// Spark takes it.
bool IsStaged(const DedupOptions& run) {
  const auto lone =
      LoneDocuments::Make(run, HashKey{.low = 1, .high = 1}, {"Spark", ""});
  return lone && lone->WhyNotStaged(run) == nullptr;
}

}  // namespace

StageShares SharesOf(const Json& stage_seconds, bool by_keys) {
  StageShares shares;
  double all = 0;
  for (const auto& [name, span] : stage_seconds.items()) {
    const std::string stage(name);
    const double seconds = span["least"].get<double>();
    (stage == "read"                               ? shares.read
     : stage == (by_keys ? "candidate" : "verify") ? shares.pairs
     : stage == "candidate" || stage == "verify" || stage == "cluster" ||
             stage == "list" || stage == "result"
         ? shares.rest
         : shares.order) += seconds;
    all += seconds;
  }
  for (double* share :
       {&shares.read, &shares.order, &shares.pairs, &shares.rest})
    *share /= std::max(1e-9, all);
  return shares;
}

namespace {

// So many that what they divide takes a quarter of what they do not.
double CountFor(double divided, double rest, double most) {
  return std::clamp(std::ceil(4 * divided / std::max(.05, rest)), 2.0, most);
}

Json ShardsOf(const StageShares& shares, double seconds, double work) {
  constexpr double kCopyBytesASecond = 200e6;
  const double merge = shares.order + shares.pairs + shares.rest;
  const double count = CountFor(shares.read, merge, kMostShards);
  const double before =
      seconds * shares.read / count + work / kCopyBytesASecond;
  // Each part puts the documents in their order once more.
  const double undivided = 2 * shares.order + shares.rest;
  const double parts = CountFor(shares.pairs, undivided, kMostParts);
  return {{"count", static_cast<uint64_t>(count)},
          {"seconds", before + seconds * merge},
          {"travels_bytes", static_cast<uint64_t>(work)},
          {"parts", static_cast<uint64_t>(parts)},
          {"seconds_in_parts",
           before + seconds * (undivided + shares.pairs / parts)}};
}

Json SparkOf(const Json& plan, double most_hours) {
  const double text = plan["bytes"].get<double>();
  const double hours = kSparkSecondsAByte * text / 3600;
  const double shuffled =
      kSparkBytesADocument * plan["documents"].get<double>() +
      kSparkBytesAByte * text;
  return {{"core_hours", hours},
          {"cores", static_cast<uint64_t>(std::ceil(hours / most_hours))},
          {"shuffled_bytes", static_cast<uint64_t>(shuffled)}};
}

}  // namespace

void Decide(const StageShares& shares, bool on_spark, double most_hours,
            double disk, Json* plan) {
  const double seconds = ((*plan)["seconds"]["least"].get<double>() +
                          (*plan)["seconds"]["most"].get<double>()) /
                         2;
  const double work = (*plan)["work_bytes"].get<double>();
  const double room = work + (*plan)["result_bytes"].get<double>();
  const Json shards = ShardsOf(shares, seconds, work);
  const Json spark = on_spark ? SparkOf(*plan, most_hours) : Json();
  const auto takes = [&](const char* how) {
    return shards[how].get<double>() <= 3600 * most_hours;
  };
  const bool fits = room <= disk;
  const std::string hours = SecondsText(3600 * most_hours);
  const std::string needs = BytesText(static_cast<uint64_t>(room));
  const std::string machines =
      CountText(shards["count"].get<uint64_t>(), "machine");
  std::string use, reason;
  if (fits && seconds <= 3600 * most_hours) {
    use = "One machine does it";
    reason = "There is room for the " + needs +
             " of work files and results, and it takes less than " + hours;
  } else if (fits && takes("seconds")) {
    use = "Shards do it in time";
    reason = "One machine takes more than " + hours + ", and " + machines +
             " that read with one that merges do not";
  } else if (fits && takes("seconds_in_parts")) {
    use = "Shards and a merge in parts do it in time";
    reason = "One machine takes more than " + hours + ", and " + machines +
             " that read, " + NumberText(shards["parts"].get<uint64_t>()) +
             " that join and one that merges do not";
  } else if (!spark.is_null()) {
    use = "Spark does it";
    reason = (fits ? "One machine takes more than " + hours + ", shards too"
                   : "Work files and results take " + needs +
                         ", and one machine has room for " +
                         BytesText(static_cast<uint64_t>(disk))) +
             "; " + CountText(spark["cores"].get<uint64_t>(), "core") +
             " of a cluster take " + hours;
  } else if (!fits) {
    use = "One machine needs more disk";
    reason = "Work files and results take " + needs +
             ", and there is room for " +
             BytesText(static_cast<uint64_t>(disk)) +
             "; the merge of shards needs as much, and Spark takes methods by "
             "keys of each document";
  } else {
    use = "Nothing here does it in " + hours;
    reason =
        "Shards make reading wide, parts of a merge what is compared, and what "
        "is left is done on one machine: give it more cores or more time, or "
        "take a method by keys of each document, which runs on Spark too";
  }
  (*plan)["shards"] = shards;
  (*plan)["spark"] = spark;
  (*plan)["use"] = std::move(use);
  (*plan)["reason"] = std::move(reason);
}

Result<SizePlan> v1::PlanSize(const SizePlanOptions& options) try {
  if (options.corpus.documents == 0) {
    return Fail(ErrorCode::kUsage, "of how many documents is not said", {},
                "add --documents N");
  }
  SizeCalibration calibration;
  if (!options.calibration.empty()) {
    TWINSET_ASSIGN(calibration, ReadCalibration(options.calibration));
  }
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.run.resources.tmp, "twinset-plan-"));
  DedupOptions run = options.run;
  run.stop = options.stop;
  ForecastSize corpus = options.corpus;
  const uint64_t each = BytesADocument(corpus);
  if (run.input.inputs.empty()) {
    TWINSET_TRY(MakeUpInputs(work, kMadeUpBytes / each + 1, each, &run));
    corpus.bytes = 0;  // the texts are as long as those of the corpus
  }
  TWINSET_ASSIGN(const RunForecast forecast, ShortestForecast(run, corpus));
  if (!forecast.has_sample) {
    return Fail(ErrorCode::kUsage, "nothing is known of the inputs", {},
                "give files, or none");
  }
  const Json& expected = forecast.json["expected"];
  const std::string method = MethodOf(forecast);
  const bool finds_every_pair =
      forecast.json["plan"]["finds_every_pair"] == true;
  // A method that was not measured is taken for one that was.
  const auto found = calibration.find(method);
  const auto& points =
      calibration.empty()
          ? OfAuthors(finds_every_pair)
          : (found != calibration.end() ? found : calibration.begin())->second;
  const auto documents = static_cast<double>(options.corpus.documents);
  // The forecast has widened the sum of its stages by a fifth.
  const double of_sample = forecast.least_seconds / .8;
  const double seconds = of_sample * RatioAt(points, documents);
  const double largest = points.empty() ? 0 : points.back().documents;
  const auto threads = forecast.json["plan"]["threads"].get<uint64_t>();
  // As forecasts have it of stages that sort: all that was measured stayed in
  // memory.
  const bool on_disk = static_cast<double>(forecast.work_bytes) >
                       forecast.json["plan"]["memory_bytes"].get<double>();
  const double least = .75 * seconds, most = (on_disk ? 3 : 1.25) * seconds;
  const double core_hours =
      (least + most) / 2 * static_cast<double>(threads) / 3600;
  const auto text = static_cast<double>(options.corpus.bytes > 0
                                            ? options.corpus.bytes
                                            : each * options.corpus.documents);
  SizePlan plan;
  plan.warnings = forecast.warnings;
  plan.json = {
      {"twinset", kVersion},
      {"documents", options.corpus.documents},
      {"bytes", static_cast<uint64_t>(text)},
      {"method", method},
      {"threads", threads},
      {"seconds", {{"least", least}, {"most", most}}},
      {"core_hours", core_hours},
      {"price", options.price_per_core_hour > 0
                    ? Json(core_hours * options.price_per_core_hour)
                    : Json()},
      {"memory_bytes", forecast.memory_bytes},
      {"work_bytes", forecast.work_bytes},
      {"result_bytes", forecast.result_bytes},
      {"recall_at_threshold", forecast.json["plan"]["recall_at_threshold"]},
      {"pairs", expected["pairs"]},
      // docs/benchmarks-index.md.
      {"index",
       {{"seconds", documents / 40'000},
        {"bytes", static_cast<uint64_t>(130 * documents + .6 * text)}}},
      {"basis",
       {{"forecast_seconds", of_sample},
        {"largest_measured", largest},
        {"sample_documents", forecast.json["sample"]["documents"]}}}};
  const uint64_t disk = options.disk_bytes > 0
                            ? options.disk_bytes
                            : FreeBytes(options.run.resources.tmp);
  Decide(SharesOf(expected["stage_seconds"], !finds_every_pair), IsStaged(run),
         options.most_hours, static_cast<double>(disk), &plan.json);
  Json& spark = plan.json["spark"];
  if (!spark.is_null() && options.price_per_core_hour > 0)
    spark["price"] =
        spark["core_hours"].get<double>() * options.price_per_core_hour;
  if (on_disk)
    plan.warnings.push_back(
        "work files do not fit into memory, which takes up to three times as "
        "long; no such run was measured");
  if (documents > 10 * largest) {
    plan.warnings.push_back(
        "the largest run that was measured has " +
        CountText(static_cast<uint64_t>(largest), "document") +
        ": the rest is extrapolated");
  }
  plan.page = PageOf(plan.json);
  return plan;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<SizePlan> v1::Calibrate(const SizePlanOptions& options) try {
  TWINSET_TRY(CheckResultFile({.path = options.calibration,
                               .flag = "--calibrate",
                               .overwritable = false},
                              {}));
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.run.resources.tmp, "twinset-plan-"));
  const uint64_t largest = options.corpus.documents > 0
                               ? options.corpus.documents
                               : kUsuallyCalibrated;
  DedupOptions run = options.run;
  run.stop = options.stop;
  TWINSET_TRY(
      MakeUpInputs(work, largest, BytesADocument(options.corpus), &run));
  std::vector<std::string> methods = {run.method.name};
  if (run.method.name.empty()) {
    TWINSET_ASSIGN(const RunForecast forecast, ForecastDedup(run));
    methods = {MethodOf(forecast)};
    if (forecast.json.contains("by_sketches"))
      methods.push_back(
          forecast.json["by_sketches"]["method"].get<std::string>());
  }
  SizeCalibration calibration;
  html::Table table;
  table.caption = "What runs have taken";
  table.columns = {{"method"},
                   {"documents", true},
                   {"seconds", true},
                   {"of the forecast", true}};
  for (const std::string& method : methods) {
    run.method.name = method;
    for (uint64_t size = std::min(kLeastCalibrated, largest);;
         size = std::min(10 * size, largest)) {
      // A machine is not as fast each minute: each run has a forecast of its
      // own, and the one in the middle counts.
      std::array<SizePoint, 3> tries;
      for (SizePoint& point : tries) {
        run.limit = 0;
        run.out.clear();
        run.on_progress = {};
        TWINSET_ASSIGN(const RunForecast forecast,
                       ShortestForecast(run, {.documents = size}));
        run.limit = size;
        run.out = work / "out";
        run.overwrite = true;
        run.on_progress = options.on_progress;
        TWINSET_ASSIGN(const DedupSummary done, Dedup(run));
        point = {static_cast<double>(size),
                 done.seconds / (forecast.least_seconds / .8), done.seconds};
      }
      std::sort(tries.begin(), tries.end(),
                [](const auto& x, const auto& y) { return x.ratio < y.ratio; });
      const SizePoint& middle = tries[1];
      calibration[method].push_back(middle);
      table.rows.push_back({Cell::Text(method), Cell::Count(size),
                            Cell::Fixed(middle.seconds, 2),
                            Cell::Fixed(middle.ratio, 2)});
      if (size >= largest) break;
    }
  }
  SizePlan plan;
  plan.json = {{"twinset", kVersion}, {"methods", PointsJson(calibration)}};
  TWINSET_TRY(WriteWholeFile(options.calibration, plan.json.dump(2) + "\n"));
  KeptPage page("plan", "What runs of known sizes take here");
  page.Add(html::Lead{
      "Plans can rest on this machine now.",
      "They do with --calibration " + NameText(options.calibration) + "."});
  page.Add(std::move(table));
  plan.page = ResultPage(std::move(page));
  return plan;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
