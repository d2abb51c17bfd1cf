#include "retrieval/retrieval_measures.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>

#include "base/math/pinned_math.h"
#include "base/stop.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

struct MeasureRow {
  std::string_view name;  // a depth follows where it ends in '_'
  RetrievalMeasure measure;
};
constexpr MeasureRow kMeasures[] = {
    {"map", RetrievalMeasure::kMap},
    {"ndcg", RetrievalMeasure::kNdcg},
    {"ndcg_cut_", RetrievalMeasure::kNdcg},
    {"P_", RetrievalMeasure::kPrecision},
    {"recip_rank", RetrievalMeasure::kReciprocalRank},
    {"bpref", RetrievalMeasure::kBpref},
    {"rbp", RetrievalMeasure::kRbp},
    {"unjudged_", RetrievalMeasure::kUnjudged},
    {"num_ret", RetrievalMeasure::kRetrieved},
    {"num_rel", RetrievalMeasure::kRelevant},
    {"num_rel_ret", RetrievalMeasure::kRelevantRetrieved},
};

// What a document at a rank from 1 on gives to a cumulated gain.
double Discounted(int32_t grade, uint64_t rank) {
  static const double kLog2 = PinnedLog(2);
  if (grade <= 0) return 0;
  return grade / (PinnedLog(static_cast<double>(rank + 1)) / kLog2);
}

double CumulatedGain(std::span<const int32_t> grades, uint64_t depth) {
  double sum = 0;
  for (size_t i = 0; i < grades.size() && (depth == 0 || i < depth); ++i)
    sum += Discounted(grades[i], i + 1);
  return sum;
}

class OneList {
 public:
  OneList(std::span<const int32_t> ranked, const TopicGrades& topic, int level)
      : ranked_(ranked), topic_(topic), level_(level) {}

  bool IsRelevant(int32_t grade) const {
    return grade != kUnjudgedGrade && grade >= level_;
  }

  uint64_t RelevantAbove(uint64_t depth) const {
    uint64_t count = 0;
    for (size_t i = 0; i < ranked_.size() && (depth == 0 || i < depth); ++i)
      count += IsRelevant(ranked_[i]);
    return count;
  }

  double AveragePrecision() const {
    double sum = 0, relevant = 0;
    for (size_t i = 0; i < ranked_.size(); ++i) {
      if (!IsRelevant(ranked_[i])) continue;
      ++relevant;
      sum += relevant / static_cast<double>(i + 1);
    }
    return topic_.relevant == 0 ? 0
                                : sum / static_cast<double>(topic_.relevant);
  }

  double ReciprocalRank() const {
    for (size_t i = 0; i < ranked_.size(); ++i)
      if (IsRelevant(ranked_[i])) return 1 / static_cast<double>(i + 1);
    return 0;
  }

  // Buckley and Voorhees (SIGIR 2004), as trec_eval 9 has it: documents that
  // are not judged, or with a negative grade, count for nothing.
  double Bpref() const {
    const uint64_t relevant = topic_.relevant,
                   least = std::min(relevant, topic_.not_relevant);
    double sum = 0;
    uint64_t above = 0;  // that are not relevant
    for (const int32_t grade : ranked_) {
      if (grade == kUnjudgedGrade || grade < 0) continue;
      if (grade < level_) {
        ++above;
      } else if (above == 0 || least == 0) {
        sum += 1;
      } else {
        sum += 1 - static_cast<double>(std::min(above, least)) /
                       static_cast<double>(least);
      }
    }
    return relevant == 0 ? 0 : sum / static_cast<double>(relevant);
  }

  // (1 - p) * sum of p^(rank - 1) over the relevant ranks (Moffat and Zobel,
  // TOIS 2008).
  double RankBiasedPrecision(double p) const {
    double sum = 0, weight = 1 - p;
    for (const int32_t grade : ranked_) {
      if (IsRelevant(grade)) sum += weight;
      weight *= p;
    }
    return sum;
  }

  double Ndcg(uint64_t depth) const {
    const double best = CumulatedGain(topic_.all, depth);
    return best == 0 ? 0 : CumulatedGain(ranked_, depth) / best;
  }

  // The share among the ranks that there are, down to `depth`.
  double UnjudgedShare(uint64_t depth) const {
    const size_t size = std::min<size_t>(depth, ranked_.size());
    const auto unjudged = std::count(
        ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(size),
        kUnjudgedGrade);
    return size == 0
               ? 0
               : static_cast<double>(unjudged) / static_cast<double>(size);
  }

 private:
  const std::span<const int32_t> ranked_;
  const TopicGrades& topic_;
  const int level_;
};

}  // namespace

Result<MeasureSpec> v1::ParseMeasure(const std::string& name) try {
  std::vector<std::string_view> names;
  for (const MeasureRow& row : kMeasures) {
    names.push_back(row.name);
    if (row.name.back() != '_') {
      if (row.name == name) return MeasureSpec{row.measure, 0};
      continue;
    }
    if (!name.starts_with(row.name)) continue;
    uint32_t depth = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] =
        std::from_chars(name.data() + row.name.size(), end, depth);
    if (error == std::errc() && stop == end && depth > 0)
      return MeasureSpec{row.measure, depth};
  }
  return Fail(ErrorCode::kUsage, "'" + name + "' is no measure", {},
              DidYouMean(name, names) +
                  " there are map, ndcg, ndcg_cut_K, P_K, recip_rank, bpref, "
                  "rbp, unjudged_K, num_ret, num_rel, num_rel_ret");
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::string v1::MeasureName(const MeasureSpec& measure) {
  for (const MeasureRow& row : kMeasures) {
    const bool has_depth = row.name.back() == '_';
    if (row.measure != measure.measure || has_depth != (measure.depth > 0))
      continue;
    return std::string(row.name) +
           (has_depth ? std::to_string(measure.depth) : "");
  }
  return "";
}

std::vector<std::string> v1::DefaultMeasures() {
  return {"map",        "ndcg",  "ndcg_cut_10", "P_10",
          "recip_rank", "bpref", "rbp",         "unjudged_10"};
}

TopicGrades GradesOfTopic(std::vector<int32_t> grades, int relevance_level) {
  TopicGrades topic;
  topic.all = std::move(grades);
  std::sort(topic.all.begin(), topic.all.end(), std::greater<>());
  for (const int32_t grade : topic.all) {
    topic.relevant += grade >= relevance_level;
    topic.not_relevant += grade < relevance_level && grade >= 0;
  }
  return topic;
}

double MeasureRanking(const MeasureSpec& measure,
                      std::span<const int32_t> ranked, const TopicGrades& topic,
                      int relevance_level, double persistence) {
  const OneList list(ranked, topic, relevance_level);
  switch (measure.measure) {
    case RetrievalMeasure::kMap:
      return list.AveragePrecision();
    case RetrievalMeasure::kNdcg:
      return list.Ndcg(measure.depth);
    case RetrievalMeasure::kPrecision:
      return static_cast<double>(list.RelevantAbove(measure.depth)) /
             measure.depth;
    case RetrievalMeasure::kReciprocalRank:
      return list.ReciprocalRank();
    case RetrievalMeasure::kBpref:
      return list.Bpref();
    case RetrievalMeasure::kRbp:
      return list.RankBiasedPrecision(persistence);
    case RetrievalMeasure::kUnjudged:
      return list.UnjudgedShare(measure.depth);
    case RetrievalMeasure::kRetrieved:
      return static_cast<double>(ranked.size());
    case RetrievalMeasure::kRelevant:
      return static_cast<double>(topic.relevant);
    case RetrievalMeasure::kRelevantRetrieved:
      return static_cast<double>(list.RelevantAbove(0));
  }
  return 0;
}

}  // namespace twinset
