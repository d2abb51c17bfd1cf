#include "evaluate/evaluate_count.h"

#include <algorithm>

#include "base/keyed_hash.h"
#include "pipeline/read/ingest.h"

namespace twinset {

namespace {

// Adds one to `field` of the counts that the hosts of the pair belong to.
template <typename Counts>
Status Count(PagedArray<uint64_t>* hosts, uint64_t a, uint64_t b,
             uint64_t PairCounts::*field, Counts* counts) {
  ++(counts->all.*field);
  TWINSET_ASSIGN(const uint64_t of_a, hosts->Get(a));
  TWINSET_ASSIGN(const uint64_t of_b, hosts->Get(b));
  if (of_a == 0 || of_b == 0) return {};
  PairCounts& apart = of_a == of_b ? counts->same : counts->other;
  ++(apart.*field);
  return {};
}

}  // namespace

Status ForEachJudged(const Run& base, const TruthSource& truth,
                     const std::function<Status(const VerifiedPair&)>& body) {
  if (truth.judged == nullptr)
    return ForEachRecord<VerifiedPair>(base, truth.file, body);
  for (const JudgedPair& pair : truth.judged->pairs)
    TWINSET_TRY(body({pair.a, pair.b, pair.value}));
  return {};
}

Status ForEachFound(
    const Run& base, const TruthSource& truth, const std::string& file,
    const std::function<Status(const VerifiedPair& pair, double value)>& body) {
  size_t next = 0;
  return ForEachRecord<VerifiedPair>(
      base, file, [&](const VerifiedPair& pair) -> Status {
        if (truth.judged == nullptr) return body(pair, pair.score);
        const auto& judged = truth.judged->pairs;
        while (next < judged.size() &&
               std::tie(judged[next].a, judged[next].b) <
                   std::tie(pair.a, pair.b)) {
          ++next;
        }
        const bool listed = next < judged.size() && judged[next].a == pair.a &&
                            judged[next].b == pair.b;
        if (!listed && truth.labels()) return {};
        return body(pair, listed ? judged[next].value : 0);
      });
}

size_t SimilarityBin(double score) {
  const double place = score * 100 + 1e-9;
  if (!(place > 0)) return 0;
  return std::min<size_t>(static_cast<size_t>(place), kSimilarityBins - 1);
}

void PairSample::Add(uint64_t a, uint64_t b, double value) {
  if (size_ == 0) return;
  const SampledPair pair{Mix64(Mix64(a + 1) ^ (b + 1)), a, b, value};
  if (heap_.size() == size_) {
    if (!(pair < heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
  heap_.push_back(pair);
  std::push_heap(heap_.begin(), heap_.end());
}

std::vector<SampledPair> PairSample::Take() {
  std::sort(heap_.begin(), heap_.end(),
            [](const SampledPair& x, const SampledPair& y) {
              return std::tie(x.a, x.b) < std::tie(y.a, y.b);
            });
  return std::move(heap_);
}

Result<PagedArray<uint64_t>> LoadHosts(Run* base) {
  TWINSET_ASSIGN(auto hosts, PagedArray<uint64_t>::Create(
                                 base->Path("hosts.tmp"),
                                 std::max<uint64_t>(1, base->documents()),
                                 base->Share(16), &base->budget));
  const ScopeField scope{ScopeField::kHost, "host", 0};
  Document document;
  TWINSET_TRY(ForEachDocument(
      *base, [&](uint64_t number, const DocumentInfo& info) -> Status {
        document.provenance.url = info.provenance.url;
        const std::string host = ScopeValue(scope, document, "", "");
        return host.empty()
                   ? Status()
                   : hosts.Set(number,
                               EqualityHash::OfProcess().Short(host) | 1);
      }));
  return hosts;
}

Result<std::vector<TruthCounts>> CountTruth(
    Run* base, const TruthSource& truth, const std::vector<double>& thresholds,
    size_t sample, PagedArray<uint64_t>* hosts, SimilarityBins* bins) {
  std::vector<TruthCounts> counts(thresholds.size());
  std::vector<PairSample> differ(thresholds.size(), PairSample(sample));
  std::vector<PairSample> equal(thresholds.size(), PairSample(sample / 4));
  TWINSET_TRY(
      ForEachJudged(*base, truth, [&](const VerifiedPair& pair) -> Status {
        if (!truth.labels()) ++(*bins)[SimilarityBin(pair.score)];
        for (size_t i = 0; i < thresholds.size(); ++i) {
          if (!truth.IsTrue(pair.score, thresholds[i])) continue;
          TWINSET_TRY(
              Count(hosts, pair.a, pair.b, &PairCounts::real, &counts[i]));
          const bool is_equal = !truth.labels() && pair.score >= 1;
          (is_equal ? equal : differ)[i].Add(pair.a, pair.b, pair.score);
        }
        return {};
      }));
  for (size_t i = 0; i < thresholds.size(); ++i) {
    counts[i].sample = differ[i].Take();
    for (const SampledPair& pair : equal[i].Take())
      counts[i].sample.push_back(pair);
    std::sort(counts[i].sample.begin(), counts[i].sample.end(),
              [](const SampledPair& x, const SampledPair& y) {
                return std::tie(x.a, x.b) < std::tie(y.a, y.b);
              });
  }
  return counts;
}

Result<MethodCounts> CountMethod(Run* base, const TruthSource& truth,
                                 const TruthCounts& of_truth,
                                 const std::string& file, double threshold,
                                 size_t sample, PagedArray<uint64_t>* hosts) {
  MethodCounts counts;
  counts.all.real = of_truth.all.real;
  counts.same.real = of_truth.same.real;
  counts.other.real = of_truth.other.real;
  counts.sample_found.assign(of_truth.sample.size(), false);
  PairSample wrong(sample);
  size_t next_sampled = 0;
  const auto before = [](const auto& x, const VerifiedPair& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  };
  const auto same = [](const auto& x, const VerifiedPair& y) {
    return x.a == y.a && x.b == y.b;
  };
  TWINSET_TRY(ForEachFound(
      *base, truth, file,
      [&](const VerifiedPair& pair, double value) -> Status {
        if (!truth.labels()) ++counts.found[SimilarityBin(value)];
        TWINSET_TRY(Count(hosts, pair.a, pair.b, &PairCounts::found, &counts));
        if (!truth.IsTrue(value, threshold)) {
          wrong.Add(pair.a, pair.b, value);
          return {};
        }
        TWINSET_TRY(
            Count(hosts, pair.a, pair.b, &PairCounts::correct, &counts));
        const auto& sampled = of_truth.sample;
        while (next_sampled < sampled.size() &&
               before(sampled[next_sampled], pair)) {
          ++next_sampled;
        }
        if (next_sampled < sampled.size() && same(sampled[next_sampled], pair))
          counts.sample_found[next_sampled] = true;
        return {};
      }));
  counts.wrong = wrong.Take();
  return counts;
}

Result<Recapture> MergeCaptures(Run* base,
                                const std::vector<std::string>& files,
                                double floor, double threshold,
                                const std::string& merged) {
  const size_t count = files.size();
  if (count > 64) {
    return Fail(ErrorCode::kUsage,
                "at most 64 methods can be compared without truth");
  }
  std::vector<RunReader<VerifiedPair>> readers;
  std::vector<VerifiedPair> heads(count);
  std::vector<bool> open(count);
  for (size_t i = 0; i < count; ++i) {
    TWINSET_ASSIGN(auto reader, OpenRun<VerifiedPair>(*base, files[i]));
    readers.push_back(std::move(reader));
    TWINSET_ASSIGN(const bool more, readers[i].Next(&heads[i]));
    open[i] = more;
  }
  TWINSET_ASSIGN(auto writer, CreateRun<VerifiedPair>(*base, merged));
  Recapture result;
  const std::vector<Captures> strata(kSimilarityBins);
  result.against_others.assign(count, strata);
  result.of_two.assign(count * (count - 1) / 2, strata);
  std::vector<bool> caught(count);
  for (;;) {
    const VerifiedPair* least = nullptr;
    for (size_t i = 0; i < count; ++i) {
      if (open[i] && (least == nullptr || heads[i] < *least)) least = &heads[i];
    }
    if (least == nullptr) break;
    const VerifiedPair pair = *least;
    size_t times = 0;
    for (size_t i = 0; i < count; ++i) {
      caught[i] = open[i] && heads[i].a == pair.a && heads[i].b == pair.b;
      if (!caught[i]) continue;
      ++times;
      TWINSET_ASSIGN(const bool more, readers[i].Next(&heads[i]));
      open[i] = more;
    }
    if (pair.score >= floor) TWINSET_TRY(writer.Append(pair));
    if (pair.score < threshold) continue;
    ++result.seen;
    const size_t bin = SimilarityBin(pair.score);
    size_t two = 0;
    for (size_t i = 0; i < count; ++i) {
      const bool others = times > (caught[i] ? 1u : 0u);
      Captures& one = result.against_others[i][bin];
      one.n1 += caught[i];
      one.n2 += others;
      one.m += caught[i] && others;
      for (size_t j = i + 1; j < count; ++j, ++two) {
        Captures& both = result.of_two[two][bin];
        both.n1 += caught[i];
        both.n2 += caught[j];
        both.m += caught[i] && caught[j];
      }
    }
  }
  TWINSET_TRY(writer.Finish());
  return result;
}

}  // namespace twinset
