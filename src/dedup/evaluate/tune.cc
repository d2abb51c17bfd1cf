// The choice of parameters, and the measurement that tests it
// (docs/methods/tune.md).
#include "twinset/tune.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/stop.h"
#include "candidate/bands.h"
#include "candidate/laws.h"
#include "candidate/tables.h"
#include "core/field_list.h"
#include "evaluate/evaluate_result.h"
#include "evaluate/tune_laws.h"
#include "evaluate/tune_page.h"
#include "methods/registry.h"
#include "options/parameters.h"
#include "store/scratch_folder.h"
#include "twinset/methods.h"

namespace twinset {

namespace {

constexpr int kMostTunedBits = 384;

// The law of the chosen parameters.
double Law(const TuneResult& result, CandidateLaw law, int bits,
           double similarity) {
  switch (law) {
    case CandidateLaw::kBands:
      return BandRecall(similarity, result.bands.bands, result.bands.rows);
    case CandidateLaw::kDistance:
      return HammingRecall(similarity, bits, result.distance);
    case CandidateLaw::kGroups:
      return GroupRecall(similarity, result.groups, result.group_size,
                         result.agree);
    default:
      break;
  }
  return 0;
}

Status ChooseBands(const TuneOptions& options, TuneResult* result) {
  const MethodOptions& method = options.method;
  if (options.rule == BandRule::kDatasketch) {
    result->bands = PlanBandsByError(method.threshold, method.permutations);
  } else {
    TWINSET_ASSIGN(
        result->bands,
        PlanBands(method.threshold, method.permutations, options.recall));
  }
  result->flags = "--permutations " + std::to_string(method.permutations) +
                  " --bands " + std::to_string(result->bands.bands) +
                  " --rows " + std::to_string(result->bands.rows);
  result->keys_per_document = static_cast<uint64_t>(result->bands.bands);
  return {};
}

// Designs of equal blocks for `distance` that are not too many tables.
void ListTables(const TuneOptions& options, TuneResult* result) {
  const int bits = options.method.bits;
  for (int blocks = result->distance + 1; blocks <= bits; ++blocks) {
    const std::string name = std::to_string(blocks);
    const auto design = ParseTableDesign(name, bits, result->distance);
    if (!design || design->tables.size() > 64) return;
    result->tables.push_back(
        {name, design->tables.size(), design->min_key_bits(), 0});
  }
}

Status ChooseDistance(const TuneOptions& options, TuneResult* result) {
  const int bits = options.method.bits;
  if (bits < 1 || bits > kMostTunedBits)
    return Fail(ErrorCode::kUsage, "--bits must be 1 to 384");
  int distance = 0;
  while (distance < bits - 1 && HammingRecall(options.method.threshold, bits,
                                              distance) < options.recall) {
    ++distance;
  }
  result->distance = distance;
  ListTables(options, result);
  result->flags = "--bits " + std::to_string(bits) + " --distance " +
                  std::to_string(distance);
  // Blocks of a few bits share their keys with everything.
  const bool short_keys =
      result->tables.empty() || result->tables.front().key_bits < 12;
  if (short_keys && bits <= 128) {
    result->flags += " --generator hamming";
    result->keys_per_document = 1;
  } else {
    result->keys_per_document = result->tables.empty()
                                    ? static_cast<uint64_t>(distance) + 1
                                    : result->tables.front().tables;
  }
  return {};
}

// The largest groups, then the fewest, that reach the recall.
Status ChooseGroups(const TuneOptions& options, TuneResult* result) {
  const MethodOptions& method = options.method;
  result->agree = method.agree == 0 ? 2 : method.agree;
  for (int size = method.permutations; size >= 1; --size) {
    for (int groups = result->agree;
         groups * size <= method.permutations && groups <= 64; ++groups) {
      if (GroupRecall(method.threshold, groups, size, result->agree) <
          options.recall) {
        continue;
      }
      result->groups = groups;
      result->group_size = size;
      result->flags = "--groups " + std::to_string(groups) + " --group-size " +
                      std::to_string(size) + " --agree " +
                      std::to_string(result->agree);
      return {};
    }
  }
  return Fail(ErrorCode::kUsage,
              "no groups within " + std::to_string(method.permutations) +
                  " permutations reach the recall at this threshold",
              "", "raise --permutations or lower --recall");
}

MethodOptions ChosenMethod(const TuneOptions& options, CandidateLaw law,
                           const TuneResult& result) {
  MethodOptions method = options.method;
  if (law == CandidateLaw::kBands) {
    method.bands = result.bands.bands;
    method.rows = result.bands.rows;
  } else if (law == CandidateLaw::kDistance) {
    method.distance = result.distance;
    // The same pairs, whatever finds them.
    if (method.bits <= 128) method.generator = "hamming";
  } else {
    method.groups = result.groups;
    method.group_size = result.group_size;
    method.agree = result.agree;
  }
  ForgetUnread(method.name, &method);
  return method;
}

// Keys of a document with many shingles, by the method's own generator. kUsage
// for parameters that the method does not take.
Result<uint64_t> KeysOf(const MethodOptions& options) {
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.name));
  TWINSET_ASSIGN(const MethodParts parts, method->make(options, nullptr));
  if (parts.generator == nullptr) return uint64_t{1};
  std::vector<uint64_t> shingles(4096);
  for (size_t i = 0; i < shingles.size(); ++i) shingles[i] = Mix64(i + 1);
  std::sort(shingles.begin(), shingles.end());
  const std::string_view view(reinterpret_cast<const char*>(shingles.data()),
                              shingles.size() * sizeof(uint64_t));
  std::vector<Sketch> sketches(parts.sketchers.size());
  for (size_t i = 0; i < sketches.size(); ++i)
    parts.sketchers[i]->Compute(view, &sketches[i]);
  std::vector<uint64_t> keys;
  parts.generator->Keys(sketches, 0, &keys);
  return keys.size();
}

Status Choose(const TuneOptions& options, CandidateLaw law,
              TuneResult* result) {
  const MethodOptions& method = options.method;
  if (!(method.threshold > 0 && method.threshold <= 1) ||
      !(options.recall > 0 && options.recall <= 1)) {
    return Fail(ErrorCode::kUsage,
                "--threshold and --recall must be above 0 and at most 1");
  }
  if (method.permutations < 1 || method.permutations > 4096) {
    return Fail(ErrorCode::kUsage, "tune looks at 1 to 4096 permutations", "",
                "give a smaller --permutations");
  }
  if (law != CandidateLaw::kBands && options.rule != BandRule::kCheapest) {
    return Fail(ErrorCode::kUsage,
                "--rule " + std::string(ChoiceName(options.rule)) +
                    " is for methods with bands, not " + method.name);
  }
  switch (law) {
    case CandidateLaw::kBands:
      return ChooseBands(options, result);
    case CandidateLaw::kDistance:
      return ChooseDistance(options, result);
    case CandidateLaw::kGroups: {
      TWINSET_TRY(ChooseGroups(options, result));
      TWINSET_ASSIGN(result->keys_per_document,
                     KeysOf(ChosenMethod(options, law, *result)));
      return {};
    }
    case CandidateLaw::kCopies:
      return TuneCopies(options, result);
    case CandidateLaw::kLexicons:
      return TuneLexicons(options, result);
    case CandidateLaw::kNone:
      break;
  }
  return Fail(ErrorCode::kUsage, "tune knows no law of method " + method.name,
              "", "use " + MethodsWith([](const Method& other) {
                    return other.law != CandidateLaw::kNone;
                  }));
}

Status CheckMethod(MethodOptions* method) {
  TWINSET_ASSIGN(const Method* row, FindSketchMethod(method->name));
  method->name = row->info.name;
  MethodOptions read = *method;
  if (row->law ==
      CandidateLaw::kGroups) {  // here the most that groups may take
    read.permutations = MethodOptions().permutations;
    std::erase(read.given, "permutations");
  }
  if (row->law == CandidateLaw::kCopies) {  // here the length that is asked for
    read.bits = MethodOptions().bits;
    std::erase(read.given, "bits");
  }
  return CheckParameters(row->info, read);
}

Status MeasureOnCorpus(const TuneOptions& options, CandidateLaw law,
                       TuneResult* result) {
  TWINSET_ASSIGN(const ScratchFolder scratch,
                 ScratchFolder::Below(options.resources.tmp, ".twinset-tune-"));
  EvaluateOptions evaluate;
  evaluate.input = options.input;
  evaluate.features = options.features;
  evaluate.methods = {
      {result->method, options.features, ChosenMethod(options, law, *result)}};
  evaluate.thresholds = {options.method.threshold};
  evaluate.floor = std::min(options.floor, options.method.threshold);
  evaluate.sample = 0;
  evaluate.resources = options.resources;
  evaluate.resources.tmp.clear();
  evaluate.out = scratch / "evaluation";
  evaluate.on_progress = options.on_progress;
  evaluate.stop = options.stop;
  std::optional<RunFolders> folders;
  TWINSET_ASSIGN(const Evaluation evaluation,
                 RunEvaluation(evaluate, &folders));
  const EvaluationEntry& entry = evaluation.entries.front();
  result->warnings = EvaluationWarnings(evaluation);
  TuneMeasured& measured = result->measured.emplace();
  measured.documents = evaluation.documents;
  measured.true_pairs = entry.counts.all.real;
  measured.found_pairs = entry.counts.all.correct;
  const double documents =
      static_cast<double>(std::max<uint64_t>(1, measured.documents));
  double expected = 0;
  for (TunePoint& point : result->curve) {
    const size_t bin = SimilarityBin(point.similarity);
    point.is_measured = true;
    if (point.similarity < evaluate.floor) continue;
    point.pairs = evaluation.bins[bin];
    point.found = entry.counts.found[bin];
    // At the middle of the bin; equal features are always found.
    const double middle = std::min(1.0, point.similarity + 0.005);
    expected += static_cast<double>(point.pairs) *
                Law(*result, law, options.method.bits, middle);
  }
  measured.expected_candidates_per_document = expected / documents;
  measured.measured_candidates_per_document =
      static_cast<double>(entry.counts.all.found) / documents;
  for (TuneTables& tables : result->tables) {
    const auto design =
        ParseTableDesign(tables.design, options.method.bits, result->distance);
    if (design)
      tables.candidates_per_document =
          ExpectedCandidates(*design, measured.documents);
  }
  return {};
}

}  // namespace

Result<TuneResult> v1::Tune(const TuneOptions& given) try {
  TuneOptions options = given;
  if (options.floor == 0)
    options.floor = std::max(0.3, options.method.threshold - 0.3);
  TWINSET_TRY(CheckMethod(&options.method));
  TuneResult result;
  result.asked = options;
  result.asked.on_progress = nullptr;
  result.asked.stop = nullptr;
  result.method = options.method.name;
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.method.name));
  const CandidateLaw law = method->law;
  if (IsOfLawAlone(law) && !options.input.inputs.empty()) {
    return Fail(ErrorCode::kUsage,
                "the law of method " + result.method +
                    " is of numbers alone: no INPUT goes with it",
                "", "measure the method with 'twinset evaluate'");
  }
  TWINSET_TRY(CheckQuestions(options, law));
  TWINSET_TRY(Choose(options, law, &result));
  if (IsOfLawAlone(law)) {
    result.page = ResultPage(TunePage(result));
    return result;
  }
  result.expected_recall =
      Law(result, law, options.method.bits, options.method.threshold);
  for (int i = 0; i <= 100; ++i) {
    const double similarity = static_cast<double>(i) / 100;
    result.curve.push_back(
        {similarity, Law(result, law, options.method.bits, similarity)});
  }
  if (!options.input.inputs.empty())
    TWINSET_TRY(MeasureOnCorpus(options, law, &result));
  result.page = ResultPage(TunePage(result));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Json v1::SummaryJson(const TuneResult& result) { return FieldsToJson(result); }

}  // namespace twinset
