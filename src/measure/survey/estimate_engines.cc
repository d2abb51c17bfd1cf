// twinset estimate relative, coverage: engines compared with one another.
#include "survey/estimate_engines.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "estimate/relative_size.h"
#include "sample/check.h"
#include "survey/estimate_rows.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

// Engines by name, numbered as they are met.
class Names {
 public:
  size_t Number(const std::string& name) {
    const auto [found, added] = numbers_.emplace(name, names_.size());
    if (added) names_.push_back(name);
    return found->second;
  }
  size_t Find(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? names_.size() : found->second;
  }
  const std::vector<std::string>& all() const { return names_; }
  size_t size() const { return names_.size(); }

 private:
  std::map<std::string, size_t> numbers_;
  std::vector<std::string> names_;
};

EstimatedValue Of(const char* name, const std::string& engine, double value) {
  return {.name = name, .of = engine, .value = value};
}

EstimateRange Range(const Interval& interval) {
  return {interval.low, interval.high};
}

Result<EstimateResult> TwoEngines(const EstimateOptions& options) {
  if (!options.a_in_b || !options.b_in_a) {
    return Fail(ErrorCode::kUsage, "there are no overlaps to compare", "",
                "give a file of overlaps, or --a-in-b K/N and --b-in-a K/N");
  }
  const Found a{options.a_in_b->found, options.a_in_b->looked};
  const Found b{options.b_in_a->found, options.b_in_a->looked};
  TWINSET_ASSIGN(const Estimated ratio, RelativeSizeOfTwo(a, b));
  EstimateResult result;
  result.estimate = ToValue("a_to_b", ratio);
  result.n = a.looked + b.looked;
  result.effective_n = static_cast<double>(a.found + b.found);
  if (a.found < 10 || b.found < 10)
    result.warnings.push_back(
        "fewer than 10 pages were found in one of them: the interval is rough");
  return result;
}

std::string ShareText(double share) {
  return PercentText(std::round(share * 1e3) / 1e3);
}

// Copies at other addresses are told where they are many.
void WarnOfCopies(const std::string& x, const std::string& y, double fraction,
                  double with_copies, bool count, EstimateResult* result) {
  if (!AreManyCopies(fraction, with_copies)) return;
  result->has_copies = true;
  result->warnings.push_back(
      ShareText(with_copies - fraction) + " of the pages of '" + x +
      "' have only a copy at another address in '" + y + "' and count as " +
      (count ? "found: the sizes are right only if both have equally many "
               "copies"
             : "absent; --count-copies counts them as found"));
}

// Takes the fraction that counts; without one with copies there is but one.
Status TakeFraction(const SampleRow& row, const std::string& where,
                    const EstimateOptions& options, EngineOverlap* overlap,
                    EstimateResult* notes) {
  constexpr char kWithCopies[] = "fraction_with_copies";
  TWINSET_ASSIGN(overlap->fraction,
                 NumberField(row, "fraction_of_x_in_y", where));
  if (!options.count_copies && FindField(row, kWithCopies) == nullptr)
    return {};
  TWINSET_ASSIGN(const double with_copies,
                 NumberField(row, kWithCopies, where));
  if (with_copies < overlap->fraction)
    return Fail(ErrorCode::kCorrupt,
                "fraction_with_copies is below fraction_of_x_in_y", where);
  WarnOfCopies(TextField(row, "x"), TextField(row, "y"), overlap->fraction,
               with_copies, options.count_copies, notes);
  if (options.count_copies) overlap->fraction = with_copies;
  return {};
}

Status TakeOverlap(const SampleRow& row, const std::string& where,
                   const EstimateOptions& options, Names* names,
                   std::vector<EngineOverlap>* overlaps,
                   EstimateResult* notes) {
  const std::string x = TextField(row, "x"), y = TextField(row, "y");
  if (x.empty() || y.empty())
    return Fail(ErrorCode::kCorrupt,
                "a row of overlaps names two engines in x and y", where);
  EngineOverlap overlap;
  overlap.x = names->Number(x);
  overlap.y = names->Number(y);
  TWINSET_TRY(TakeFraction(row, where, options, &overlap, notes));
  if (FindField(row, "n") != nullptr) {
    TWINSET_ASSIGN(overlap.looked, CountField(row, "n", where));
  }
  if (overlap.fraction > 1 || x == y)
    return Fail(
        ErrorCode::kCorrupt,
        x == y ? "an engine overlaps with itself" : "a fraction above 1",
        where);
  for (const EngineOverlap& other : *overlaps) {
    if (other.x == overlap.x && other.y == overlap.y)
      return Fail(ErrorCode::kCorrupt,
                  "the overlap of '" + x + "' and '" + y + "' stands twice",
                  where);
  }
  overlaps->push_back(overlap);
  return {};
}

// The library numbers engines; people name them.
Error Named(Error error, const Names& names) {
  for (size_t i = names.size(); i-- > 0;) {
    const std::string number = "engine " + std::to_string(i) + " ";
    const size_t at = error.message.find(number);
    if (at != error.message.npos)
      error.message.replace(at, number.size(), "'" + names.all()[i] + "' ");
  }
  return error;
}

void WarnOfOverlaps(const std::vector<EngineOverlap>& overlaps,
                    const Names& names, EstimateResult* result) {
  bool counted = true;
  for (const EngineOverlap& overlap : overlaps) {
    const std::string pair =
        "'" + names.all()[overlap.x] + "' in '" + names.all()[overlap.y] + "'";
    counted = counted && overlap.looked > 0;
    if (overlap.fraction == 0)
      result->warnings.push_back("no page of " + pair + ": zero overlap");
    const bool back = std::any_of(
        overlaps.begin(), overlaps.end(), [&](const EngineOverlap& other) {
          return other.x == overlap.y && other.y == overlap.x;
        });
    if (!back)
      result->warnings.push_back("pages of " + pair +
                                 " were looked for, but not the other way "
                                 "round: the pair does not count");
  }
  if (overlaps.size() < names.size() * (names.size() - 1))
    result->warnings.push_back(
        "not all pairs were compared: all_engines takes what is known of the "
        "others");
  if (!counted)
    result->warnings.push_back(
        "without the number of pages looked for (n) there are no intervals");
}

}  // namespace

Result<EngineSizes> SizesFromOverlaps(const EstimateOptions& options) {
  Names names;
  std::vector<EngineOverlap> overlaps;
  EngineSizes sizes;
  TWINSET_TRY(ReadTable(options, 0,
                        [&](const SampleRow& row, const std::string& where) {
                          return TakeOverlap(row, where, options, &names,
                                             &overlaps, &sizes.notes);
                        }));
  auto relative =
      RelativeSizesOfMany(names.size(), overlaps, BootstrapOf(options));
  if (!relative) {
    Error error = Named(std::move(relative).error(), names);
    error.where = options.inputs[0];
    return tl::unexpected(std::move(error));
  }
  sizes.relative = *std::move(relative);
  sizes.names = names.all();
  for (const EngineOverlap& overlap : overlaps) sizes.looked += overlap.looked;
  WarnOfOverlaps(overlaps, names, &sizes.notes);
  return sizes;
}

Result<EstimateResult> EstimateRelative(const EstimateOptions& options) {
  if (options.inputs.empty()) return TwoEngines(options);
  TWINSET_ASSIGN(EngineSizes sizes, SizesFromOverlaps(options));
  const RelativeSizes& relative = sizes.relative;
  // The one overlap of two engines gives the union.
  const bool bounded = sizes.names.size() > 2;
  EstimateResult result = std::move(sizes.notes);
  for (size_t x = 0; x < sizes.names.size(); ++x) {
    EstimatedValue size = Of("size", sizes.names[x], relative.sizes[x]);
    if (!relative.intervals.empty())
      size.interval = Range(relative.intervals[x]);
    result.values.push_back(size);
  }
  for (size_t x = 0; x < sizes.names.size(); ++x) {
    EstimatedValue share =
        Of("coverage", sizes.names[x], relative.sizes[x] / relative.all);
    if (!relative.share_intervals.empty())
      share.interval = Range(relative.share_intervals[x]);
    result.values.push_back(share);
  }
  result.estimate = {.name = "all_engines", .value = relative.all};
  if (!relative.intervals.empty())
    result.estimate.interval = Range(relative.all_interval);
  result.details = {{"residual", relative.residual},
                    {"equations", static_cast<double>(relative.equations)},
                    {"all_engines_least", relative.all_bounds.low},
                    {"all_engines_most", relative.all_bounds.high}};
  result.n = sizes.looked;
  result.effective_n = static_cast<double>(sizes.looked);
  if (bounded)
    result.warnings.push_back(
        "pairs alone do not give what all engines have together, only bounds: "
        "the intervals of all_engines and coverage reach from one to the "
        "other");
  return result;
}

namespace {

struct SharedRow {
  std::string engine;  // that the page was drawn from
  Json engines;        // those that have it
  Json matched;        // how it was found in each; null where that is not told
  double weight = 1;
};

struct Shared {
  Names names;
  std::vector<SharedRow> rows;
  uint64_t missing = 0, strange = 0;
  uint64_t found = 0, copied = 0;  // in another engine; only a copy
  bool biased = false, chain = false;
};

// The engines of a row, as the text of the JSON list; the own one first.
Status TakeShared(const SampleRow& row, const std::string& own,
                  Shared* shared) {
  const std::string* list = FindField(row, "engines");
  const std::string* unchecked = FindField(row, "unchecked");
  std::string engine = TextField(row, "engine");
  if (engine.empty()) engine = own;
  Json names = list == nullptr ? Json() : Json::Parse(*list);
  if (!names.is_array() || engine.empty() ||
      (unchecked != nullptr && *unchecked != "[]")) {
    ++shared->missing;
    return {};
  }
  shared->names.Number(engine);
  const std::string* matched = FindField(row, "matched");
  shared->rows.push_back({std::move(engine), std::move(names),
                          matched == nullptr ? Json() : Json::Parse(*matched),
                          row.weight});
  return {};
}

Result<Shared> ReadShared(const std::vector<std::string>& inputs) {
  Shared shared;
  for (const std::string& path : inputs) {
    // The header comes first, but is known at the end: two readings.
    const auto header =
        ReadSample(path, [](const SampleRow&) { return Status(); });
    if (!header) return tl::unexpected(header.error());
    shared.biased = shared.biased || header->weights == "none";
    shared.chain = shared.chain || header->chain;
    TWINSET_TRY(ReadSample(path, [&](const SampleRow& row) {
      return TakeShared(row, header->engine, &shared);
    }));
  }
  if (shared.names.size() < 2 || shared.names.size() > 64) {
    return Fail(ErrorCode::kUsage,
                "joint coverage is of 2 to 64 engines, these samples are of " +
                    std::to_string(shared.names.size()),
                inputs[0], "draw with 'twinset sample A B ... --check'");
  }
  return shared;
}

// Adds the engines that have only a copy of the page.
void AddCopies(const SharedRow& row, bool count, Shared* shared,
               SharedPage* page) {
  if (!row.matched.is_object()) return;
  for (const auto& [name, how] : row.matched.items()) {
    const size_t at = shared->names.Find(name);
    if (how != PageMatchName(PageMatch::kContent) ||
        at == shared->names.size()) {
      continue;
    }
    ++shared->copied;
    if (count) page->engines |= uint64_t{1} << at;
  }
}

// The pages drawn from each engine, with the engines that have them as bits.
std::vector<std::vector<SharedPage>> SamplesOf(bool count_copies,
                                               Shared* shared) {
  std::vector<std::vector<SharedPage>> samples(shared->names.size());
  for (const SharedRow& row : shared->rows) {
    SharedPage page{row.weight, 0};
    for (const Json& name : row.engines) {
      const size_t at = name.is_string()
                            ? shared->names.Find(name.get<std::string>())
                            : shared->names.size();
      if (at < shared->names.size()) {
        page.engines |= uint64_t{1} << at;
        shared->found += shared->names.all()[at] != row.engine;
      } else {
        ++shared->strange;
      }
    }
    AddCopies(row, count_copies, shared, &page);
    samples[shared->names.Find(row.engine)].push_back(page);
  }
  return samples;
}

std::vector<EstimatedValue> ValuesByEngine(
    const JointCoverage& found, const std::vector<std::string>& names) {
  std::vector<EstimatedValue> values;
  for (size_t x = 0; x < names.size(); ++x) {
    values.push_back(Of("size", names[x], found.sizes[x]));
    values.back().interval = Range(found.size_intervals[x]);
  }
  for (size_t x = 0; x < names.size(); ++x) {
    values.push_back(Of("coverage", names[x], found.shares[x]));
    values.back().interval = Range(found.share_intervals[x]);
  }
  for (size_t x = 0; x < names.size(); ++x)
    values.push_back(Of("alone", names[x], found.alone[x]));
  return values;
}

// Why the numbers may be wrong, and which intervals would be.
void Qualify(const Shared& shared, bool count_copies, EstimateResult* result) {
  if (shared.chain) {
    const std::string why =
        "the draws of a walk depend on one another: intervals by draws are "
        "too narrow";
    Withhold(why, &result->estimate);
    for (EstimatedValue& value : result->values) Withhold(why, &value);
  }
  if (shared.biased)
    result->warnings.push_back(
        "a sampler was biased and its rows have no weights: so is this");
  const auto found = static_cast<double>(shared.found),
             copied = static_cast<double>(shared.copied);
  if (AreManyCopies(found, found + copied)) {
    result->has_copies = true;
    result->warnings.push_back(
        std::to_string(shared.copied) +
        " times another engine has only a copy of a page at another address; " +
        (count_copies ? "it counts as found: the sizes are right only if all "
                        "have equally many copies"
                      : "it counts as absent; --count-copies counts it as "
                        "found"));
  }
  if (shared.strange > 0)
    result->warnings.push_back(
        "pages are in engines of which no page was drawn; those do not count");
  if (shared.missing > 0)
    result->warnings.push_back(
        std::to_string(shared.missing) +
        " rows do not say in which engines the page is, and do not count");
}

}  // namespace

Result<EstimateResult> EstimateCoverage(const EstimateOptions& options) {
  TWINSET_ASSIGN(Shared shared, ReadShared(options.inputs));
  const auto samples = SamplesOf(options.count_copies, &shared);
  BootstrapOptions drawing = BootstrapOf(options);
  drawing.replicas = static_cast<uint32_t>(std::min<uint64_t>(
      drawing.replicas,
      std::max<uint64_t>(100, 20000000 / shared.rows.size())));
  auto found = FindJointCoverage(samples, drawing);
  if (!found)
    return tl::unexpected(Named(std::move(found).error(), shared.names));
  EstimateResult result;
  result.estimate = {.name = "all_engines", .value = found->all};
  if (drawing.replicas > 0)
    result.estimate.interval = Range(found->all_interval);
  result.values = ValuesByEngine(*found, shared.names.all());
  result.details = {{"residual", found->residual}};
  result.n = shared.rows.size();
  result.effective_n = static_cast<double>(shared.rows.size());
  result.missing = shared.missing;
  Qualify(shared, options.count_copies, &result);
  return result;
}

}  // namespace twinset
