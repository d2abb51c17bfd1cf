#include "transfer/candidate_search.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "documents/text_lines.h"
#include "estimate/bootstrap.h"
#include "read/byte_stream.h"
#include "read/line_reader.h"
#include "transfer/assessed_pairs.h"
#include "transfer/study_numbers.h"
#include "twinset/dedup.h"
#include "twinset/methods.h"

namespace twinset {
namespace {

// Below every J of two sets of at most 8 MB of text that share a shingle.
constexpr double kAnySimilarity = 1e-7;
constexpr size_t kHubs = 5;
constexpr uint64_t kMostRowBytes = 1 << 20;

using CandidateRow = FoundPair;

Result<MatchOptions> OptionsOf(const SearchInput& input, bool verify) {
  const StudyPlan& plan = *input.plan;
  MatchOptions options;
  // The plan says all but the method and how features are weighted.
  if (!input.mix.empty()) TWINSET_TRY(ApplyPreset("grassegger14", &options));
  options.input = *input.a;
  options.against = plan.b.inputs;
  AgainstOptions& other = options.against_input;
  other.format = plan.b.format;
  other.id_field = plan.b.id_field;
  other.text_field = plan.b.text_field;
  if (!plan.b.html_field.empty()) other.html_field = plan.b.html_field;
  other.url_field = plan.b.url_field;
  options.features.tokens = plan.tokens;
  options.features.shingle = plan.measure;
  options.features.content = input.content;
  options.features.template_blocks = input.content == ContentMode::kMain
                                         ? TemplateRule::kDrop
                                         : TemplateRule::kKeep;
  options.action = Action::kReport;
  options.kinds = verify && !input.assess.empty();
  options.resources = input.resources;
  options.resources.tmp.clear();
  options.stop = input.stop;
  options.out = input.work + (verify ? "/verified" : "/candidates");
  options.overwrite = true;
  MethodOptions& method = options.method;
  method.threshold = plan.threshold;
  if (input.mix.empty()) return options;
  method.threshold = kAnySimilarity;
  method.sketch_shingle = input.mix;
  method.bits = plan.candidates.bits;
  method.distance = plan.candidates.distance;
  method.tables = plan.candidates.tables;
  method.feature_hash = plan.candidates.feature_hash;
  method.bucket_limit = plan.candidates.bucket_limit;
  method.verify = verify;
  return options;
}

CandidateRow RowOf(const Json& row) {
  return {row.value("a", ""), row.value("b", ""), row.value("similarity", 0.0),
          row.value("grade", 0.0)};
}

// Reads pairs.jsonl of a match row by row.
Status ForEachRow(const std::string& folder,
                  const std::function<Status(CandidateRow)>& body) {
  Status status;
  TWINSET_TRY(ForEachTextLine(
      folder + "/pairs.jsonl",
      [&](const TextLine& line) {
        const Json row = Json::Parse(line.text);
        if (!row.is_object()) {
          status = Fail(ErrorCode::kCorrupt, "a row of pairs cannot be read",
                        folder + "/pairs.jsonl:" + std::to_string(line.number));
          return false;
        }
        status = body(RowOf(row));
        return status.has_value();
      },
      kMostRowBytes));
  return status;
}

// The rows of a verified run beside those of its candidates, which have one
// order: the similarity of a candidate that is not among them is 0.
class PairedRows {
 public:
  Status Open(const std::string& folder) {
    TWINSET_ASSIGN(stream_, OpenByteStream(folder + "/pairs.jsonl", {}));
    reader_.emplace(stream_.get(), kMostRowBytes);
    return Advance();
  }
  Status Verify(CandidateRow* row) {
    row->similarity = row->grade = 0;
    if (!next_ || next_->a != row->a || next_->b != row->b) return {};
    row->similarity = next_->similarity;
    row->grade = next_->grade;
    return Advance();
  }
  // Every verified row has met its candidate.
  Status Finish() const {
    if (!next_) return {};
    return Fail(ErrorCode::kInternal, "a verified pair is no candidate",
                next_->a);
  }

 private:
  Status Advance() {
    next_.reset();
    TWINSET_ASSIGN(const LineReader::Line line, reader_->Next());
    if (line.kind != LineReader::Line::kLine) return {};
    const Json row = Json::Parse(WithoutLineEnd(line.text));
    next_ = RowOf(row);
    return {};
  }
  std::unique_ptr<ByteStream> stream_;
  std::optional<LineReader> reader_;
  std::optional<CandidateRow> next_;
};

class Tally {
 public:
  Tally(const SearchInput& input, SearchOutcome* outcome)
      : input_(input),
        segments_(input.segments->names().size()),
        candidates_(input.judged->size() * segments_),
        best_(input.judged->size() * segments_, -1.0f),
        sample_(input.plan->assessment.pairs, input.plan->seed),
        outcome_(outcome) {
    outcome_->found.assign(input.judged->size(), 0);
    outcome_->near.assign(input.judged->size(), 0);
  }

  Status Add(const CandidateRow& row, OutputFile* near_pairs) {
    const bool is_near = row.similarity >= input_.plan->threshold;
    ++pairs_;
    near_pairs_ += is_near;
    // Rows are in the order of A's documents, whose ids are different ones.
    if (pairs_ == 1 || row.a != last_a_) {
      ++found_a_;
      last_a_ = row.a;
      last_is_near_ = false;
    }
    if (is_near) {
      near_a_ += !last_is_near_;
      last_is_near_ = true;
      const Json line = {
          {"a", row.a}, {"b", row.b}, {"similarity", row.similarity}};
      TWINSET_TRY(near_pairs->Write(line.dump() + "\n"));
    }
    const auto document = input_.judged->Find(row.a);
    if (!document) return {};
    if (!input_.assess.empty()) sample_.Add(row);
    TWINSET_ASSIGN(const uint32_t segment, input_.segments->Of(row.b));
    const size_t cell = *document * segments_ + segment;
    ++candidates_[cell];
    best_[cell] = std::max(best_[cell], static_cast<float>(row.similarity));
    ++judged_pairs_;
    judged_near_pairs_ += is_near;
    ++all_bins_[Bin(row.similarity)];
    outcome_->found[*document] |= uint64_t{1} << segment;
    if (is_near) outcome_->near[*document] |= uint64_t{1} << segment;
    return {};
  }

  Status WriteSample() const {
    if (input_.assess.empty()) return {};
    return sample_.Write(input_.assess);
  }

  StudySearch::All All() const {
    return {pairs_, near_pairs_, found_a_, near_a_};
  }
  StudyJudgedSearch Judged() const {
    StudyJudgedSearch numbers;
    uint64_t found = 0, near = 0;
    for (size_t i = 0; i < input_.judged->size(); ++i) {
      if (outcome_->found[i] == 0) continue;
      ++found;
      near += outcome_->near[i] != 0;
      const auto first =
          best_.begin() + static_cast<std::ptrdiff_t>(i * segments_);
      ++numbers.similarity_of_best[Bin(*std::max_element(
          first, first + static_cast<std::ptrdiff_t>(segments_)))];
    }
    uint64_t mask = 0;
    for (size_t s = 0; s < segments_; ++s) {
      mask |= uint64_t{1} << s;
      StudySegmentSearch row = SegmentNumbers(s);
      for (size_t i = 0; i < input_.judged->size(); ++i) {
        row.found_so_far += (outcome_->found[i] & mask) != 0;
        row.near_so_far += (outcome_->near[i] & mask) != 0;
      }
      numbers.segments.push_back(std::move(row));
    }
    const uint64_t judged = input_.judged->size();
    numbers.documents = judged;
    numbers.pairs = judged_pairs_;
    numbers.near_pairs = judged_near_pairs_;
    numbers.found = ShareOfStudy(found, judged);
    numbers.near = ShareOfStudy(near, judged);
    numbers.precision_of_pairs =
        ShareOfStudy(judged_near_pairs_, judged_pairs_);
    numbers.precision_of_documents = ShareOfStudy(near, found);
    numbers.hubs = Hubs();
    numbers.similarity_of_all = all_bins_;
    return numbers;
  }

 private:
  static size_t Bin(double similarity) {
    return std::min(static_cast<size_t>(std::max(similarity, 0.0) * kStudyBins),
                    kStudyBins - 1);
  }

  // Candidates of each judged document with one, in a segment.
  StudySegmentSearch SegmentNumbers(size_t segment) const {
    std::vector<double> counts;
    uint64_t near = 0;
    for (size_t i = 0; i < input_.judged->size(); ++i) {
      const uint32_t count = candidates_[i * segments_ + segment];
      if (count > 0) counts.push_back(count);
      near += outcome_->near[i] >> segment & 1;
    }
    std::sort(counts.begin(), counts.end());
    double sum = 0;
    for (const double count : counts) sum += count;
    StudySegmentSearch row;
    row.segment = input_.segments->names()[segment];
    row.documents_of_b = input_.segments->sizes()[segment];
    row.pairs = static_cast<uint64_t>(sum);
    row.found = counts.size();
    row.near = near;
    if (counts.empty()) return row;
    row.mean = Number(sum / static_cast<double>(counts.size()));
    row.quartile1 = Number(SortedQuantile(counts, .25));
    row.median = Number(SortedQuantile(counts, .5));
    row.quartile3 = Number(SortedQuantile(counts, .75));
    row.most = static_cast<uint64_t>(counts.back());
    return row;
  }

  std::vector<StudyJudgedSearch::Hub> Hubs() const {
    std::vector<std::pair<uint64_t, uint32_t>> order;
    for (uint32_t i = 0; i < input_.judged->size(); ++i) {
      uint64_t sum = 0;
      for (size_t s = 0; s < segments_; ++s)
        sum += candidates_[i * segments_ + s];
      if (sum > 1) order.emplace_back(sum, i);
    }
    const size_t shown = std::min(kHubs, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown),
        order.end(), [](const auto& x, const auto& y) {
          return x.first != y.first ? x.first > y.first : x.second < y.second;
        });
    std::vector<StudyJudgedSearch::Hub> hubs;
    for (size_t i = 0; i < shown; ++i)
      hubs.push_back({(*input_.judged)[order[i].second], order[i].first});
    return hubs;
  }

  const SearchInput& input_;
  size_t segments_;
  std::vector<uint32_t> candidates_;  // judged document x segment
  std::vector<float> best_;
  uint64_t pairs_ = 0, near_pairs_ = 0;
  uint64_t judged_pairs_ = 0, judged_near_pairs_ = 0;
  uint64_t found_a_ = 0, near_a_ = 0;  // documents of A
  std::string last_a_;
  bool last_is_near_ = false;
  std::array<uint64_t, kStudyBins> all_bins_{};
  AssessSample sample_;  // for people
  SearchOutcome* outcome_;
};

// A match, whose folder is let go when its rows are read.
Status RunMatch(const MatchOptions& options, SearchOutcome* outcome) {
  TWINSET_ASSIGN(const MatchSummary summary, Match(options));
  for (const std::string& warning : summary.warnings)
    outcome->warnings.push_back(warning);
  return {};
}

}  // namespace

Result<SearchOutcome> SearchCandidates(const SearchInput& input) {
  SearchOutcome outcome;
  TWINSET_ASSIGN(OutputFile pairs, OutputFile::Create(input.pairs));
  Tally tally(input, &outcome);
  TWINSET_ASSIGN(const MatchOptions verified, OptionsOf(input, true));
  TWINSET_TRY(RunMatch(verified, &outcome));
  if (input.mix.empty()) {
    TWINSET_TRY(ForEachRow(verified.out, [&](const CandidateRow& row) {
      return tally.Add(row, &pairs);
    }));
  } else {
    TWINSET_ASSIGN(const MatchOptions candidates, OptionsOf(input, false));
    TWINSET_TRY(RunMatch(candidates, &outcome));
    outcome.warnings.clear();  // the second run warns of the same
    PairedRows rows;
    TWINSET_TRY(rows.Open(verified.out));
    TWINSET_TRY(ForEachRow(candidates.out, [&](CandidateRow row) -> Status {
      TWINSET_TRY(rows.Verify(&row));
      return tally.Add(row, &pairs);
    }));
    TWINSET_TRY(rows.Finish());
    TWINSET_TRY(RemoveTree(candidates.out));
  }
  TWINSET_TRY(RemoveTree(verified.out));
  TWINSET_TRY(pairs.Commit());
  TWINSET_TRY(tally.WriteSample());
  outcome.numbers.content = input.content;
  outcome.numbers.mix = input.mix.empty() ? "complete" : input.mix;
  outcome.numbers.all = tally.All();
  outcome.numbers.judged = tally.Judged();
  return outcome;
}

}  // namespace twinset
