#include "twinset/stages.h"

#include <algorithm>
#include <unordered_map>

#include "base/bytes.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "candidate/join.h"
#include "cluster/star_cover.h"
#include "pipeline/pairs/lone_documents.h"
#include "pipeline/pairs/result_rows.h"
#include "pipeline/run/run_key.h"

namespace twinset {

struct Stages::Parts {
  LoneDocuments lone;
  uint64_t max_document_bytes = 0;
};

namespace {

constexpr char kWay[] =
    "name a method that goes by keys of each document, or run the command "
    "twinset dedup, which also works in shards";

Posting PostingOf(const StagedPosting& staged) {
  return Posting::Make(staged.key, staged.rank, staged.rank, staged.size);
}

}  // namespace

Result<SecretBytes> v1::StageKey(const ResourceOptions& resources) try {
  TWINSET_ASSIGN(HashKey key, GivenKey(resources));
  if (!GivesKey(resources)) {
    TWINSET_ASSIGN(key, DrawHashKey());
  }
  SecretBytes bytes = {};
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint64_t half = i < 8 ? key.low : key.high;
    bytes[i] = static_cast<uint8_t>(half >> (56 - 8 * (i % 8)));
  }
  return bytes;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<Stages> v1::Stages::Make(const StageOptions& options) try {
  TWINSET_ASSIGN(const HashKey key, KeyOfBytes(options.key));
  TWINSET_ASSIGN(LoneDocuments lone,
                 LoneDocuments::Make(options, key, {"a stage", kWay}));
  if (const char* const why = lone.WhyNotStaged(options)) {
    return Fail(ErrorCode::kUnsupported,
                std::string(why) + ", which no stage does", "", kWay);
  }
  Stages made;
  made.parts_ = std::make_shared<const Parts>(
      Parts{std::move(lone), options.max_document_bytes});
  return made;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<StagedDocument> v1::Stages::Take(Document document) const try {
  StagedDocument staged;
  const uint64_t bytes = document.payload.size();
  if (bytes > parts_->max_document_bytes) {
    staged.rejected = "too-large";
    staged.detail = "the text has " + std::to_string(bytes) +
                    " bytes, the limit is " +
                    std::to_string(parts_->max_document_bytes);
    return staged;
  }
  const Ingested made = parts_->lone.Take(&document);
  staged.rejected = made.quarantine_reason;
  staged.detail = made.quarantine_detail;
  if (!staged.rejected.empty() || made.info.empty) return staged;
  staged.size = made.info.feature_count;
  staged.digest = {made.info.fingerprint.low, made.info.fingerprint.high};
  std::vector<Sketch> sketches;
  TWINSET_TRY(parts_->lone.Keys(made, &sketches, &staged.keys));
  staged.features = made.FeatureBytes();
  return staged;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::optional<StagedPair>> v1::Stages::Verify(
    uint64_t a, std::string_view a_features, uint64_t b,
    std::string_view b_features) const try {
  const auto verdict =
      parts_->lone.parts.verifier->Compare(a_features, b_features);
  if (!verdict.accepted) return std::nullopt;
  return StagedPair{a, b, verdict.score, verdict.shared.Contained(),
                    verdict.shared.Swapped().Contained()};
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Json Stages::Parameters() const { return parts_->lone.Parameters(); }
double Stages::expected_recall() const {
  return parts_->lone.parts.expected_recall.value_or(0);
}

std::optional<uint64_t> StagedClasses::Add(
    const std::array<uint64_t, 2>& digest, uint64_t rank,
    std::string_view features) {
  if (digest != digest_) leaders_.clear();
  digest_ = digest;
  for (const auto& [leader, own] : leaders_)
    if (own == features) return leader;
  leaders_.emplace_back(rank, features);
  return std::nullopt;
}

namespace {

JoinRules RulesOf(const LoneDocuments& lone, uint64_t first_side) {
  JoinRules rules;
  rules.bucket_limit =
      lone.parts.complete ? 0 : lone.options.method.bucket_limit;
  rules.may_pair = [verifier = lone.parts.verifier.get(), first_side](
                       const Posting& x, const Posting& y) {
    if (first_side != 0 && (x.rank < first_side) == (y.rank < first_side))
      return false;
    const auto [a, b] = std::minmax(
        x, y,
        [](const Posting& p, const Posting& q) { return p.rank < q.rank; });
    return a.size() == Posting::kMaxSize || b.size() == Posting::kMaxSize ||
           verifier->CanReach(a.size(), b.size());
  };
  return rules;
}

PairSink SinkOf(StagedPairSink pairs) {
  return [pairs = std::move(pairs)](const CandidatePair& pair) {
    return pairs(pair.a, pair.b);
  };
}

}  // namespace

struct KeyJoin::Parts {
  Parts(Stages of, JoinRules rules, PairSink sink)
      : stages(std::move(of)), join(std::move(rules), std::move(sink)) {}
  const Stages stages;
  BucketJoin join;
};

KeyJoin::KeyJoin(const Stages& stages, StagedPairSink pairs, HotSink hot,
                 uint64_t first_side) {
  JoinRules rules = RulesOf(stages.parts_->lone, first_side);
  rules.hot = [hot = std::move(hot)](const Posting& posting) {
    return hot({posting.key, posting.rank, posting.size()});
  };
  parts_ = std::make_unique<Parts>(stages, std::move(rules),
                                   SinkOf(std::move(pairs)));
}
KeyJoin::KeyJoin(KeyJoin&&) noexcept = default;
KeyJoin::~KeyJoin() = default;
Status KeyJoin::Add(const StagedPosting& posting) {
  return parts_->join.Add(PostingOf(posting));
}
Status KeyJoin::Finish() { return parts_->join.Finish(); }

struct HotJoin::Parts {
  explicit Parts(Stages of) : stages(std::move(of)) {}
  const Stages stages;
  std::optional<BucketJoin> join;
  uint64_t key = 0;
  // The leaders have theirs here, and the one that is being added.
  std::unordered_map<uint64_t, std::string> features;
};

HotJoin::HotJoin(const Stages& stages, StagedPairSink pairs,
                 uint64_t first_side)
    : parts_(std::make_unique<Parts>(stages)) {
  const LoneDocuments& lone = stages.parts_->lone;
  JoinRules rules = RulesOf(lone, first_side);
  rules.bucket_limit = 1;  // every bucket that comes here is beyond its limit
  rules.similar = [&features = parts_->features,
                   verifier = lone.parts.verifier.get()](
                      uint64_t x, uint64_t y) -> Result<bool> {
    return verifier
        ->Compare(features.at(std::min(x, y)), features.at(std::max(x, y)))
        .accepted;
  };
  parts_->join.emplace(std::move(rules), SinkOf(std::move(pairs)));
}
HotJoin::HotJoin(HotJoin&&) noexcept = default;
HotJoin::~HotJoin() = default;

Status HotJoin::Add(const StagedPosting& posting, std::string features) {
  if (posting.key != parts_->key) {
    TWINSET_TRY(parts_->join->Finish());
    parts_->features.clear();
  }
  parts_->key = posting.key;
  parts_->features[posting.rank] = std::move(features);
  TWINSET_TRY(parts_->join->Add(PostingOf(posting)));
  const auto leaders = parts_->join->leaders();
  if (!leaders.empty() && leaders.back().rank != posting.rank)
    parts_->features.erase(posting.rank);
  return {};
}
Status HotJoin::Finish() { return parts_->join->Finish(); }
HotJoin::Counts HotJoin::counts() const {
  const HotBuckets& hot = parts_->join->hot_buckets();
  return {hot.count, hot.members, hot.pairs_possible, hot.pairs_compared};
}

struct StagedCover::Parts {
  MemoryBudget budget{UINT64_MAX};
  std::optional<StarCover> cover;
};

namespace {

MembershipSink MembersTo(const StagedCover::Sink& sink) {
  return [&sink](const Membership& m) {
    return sink({m.representative, m.document, m.score, m.contained});
  };
}

}  // namespace

Result<StagedCover> v1::StagedCover::Make(uint64_t documents) try {
  auto parts = std::make_unique<Parts>();
  TWINSET_ASSIGN(
      parts->cover,
      StarCover::Create("", documents, documents / 8 + 1024, &parts->budget));
  return StagedCover(std::move(parts));
} catch (const std::bad_alloc&) {
  return NoMemory();
}
StagedCover::StagedCover(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)) {}
StagedCover::StagedCover(StagedCover&&) noexcept = default;
StagedCover::~StagedCover() = default;

Status StagedCover::Add(const StagedPair& pair, const Sink& sink) {
  return parts_->cover->Add(
      {pair.b, pair.a, pair.b, pair.a, pair.similarity, pair.b_contained},
      MembersTo(sink));
}
Status StagedCover::Finish(const Sink& sink) {
  return parts_->cover->Finish(MembersTo(sink));
}

struct ResultLines::Parts {
  RowText rows{OutputFormat::kJsonl};
};

ResultLines::ResultLines() : parts_(std::make_unique<Parts>()) {}
ResultLines::ResultLines(ResultLines&&) noexcept = default;
ResultLines::~ResultLines() = default;
void ResultLines::AddPair(std::string_view a, std::string_view b,
                          double similarity) {
  AddPairMembers(a, b, similarity, &parts_->rows).EndRow();
}
void ResultLines::AddBest(std::string_view a, std::string_view b,
                          double similarity, double contained) {
  AddPairMembers(a, b, similarity, &parts_->rows)
      .Number("contained", contained)
      .EndRow();
}
void ResultLines::AddMember(const ClusterLine& line, bool is_representative) {
  AddClusterMembers({line.id, line.cluster, is_representative, line.similarity,
                     line.contained, line.size, line.source, line.ordinal,
                     line.url, line.date},
                    &parts_->rows)
      .EndRow();
}
std::string ResultLines::Take() {
  std::string lines(parts_->rows.text());
  parts_->rows.Clear();
  return lines;
}

}  // namespace twinset
