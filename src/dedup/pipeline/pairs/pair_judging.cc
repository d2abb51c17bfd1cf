#include "pipeline/pairs/pair_judging.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace twinset {

namespace {

constexpr size_t kMostPairs = 1 << 14;
constexpr uint64_t kPairBytes = 256;  // with what `done` holds
// The share of the budget for texts; what they are made into takes three
// eighths.
constexpr uint64_t kTextShare = 64;

}  // namespace

PairJudging::PairJudging(Run* run, Judge judge,
                         std::unique_ptr<BlobReader> texts)
    : run_(run),
      judge_(std::move(judge)),
      texts_(std::move(texts)),
      batch_(texts_.get(), run->Share(kTextShare), &run->budget),
      memory_(run->budget.ReserveUpTo(
          Judge::kBytesAByte * run->Share(kTextShare) + kMostPairs * kPairBytes,
          0)) {}

Result<std::unique_ptr<PairJudging>> PairJudging::Open(Run* run) {
  TWINSET_ASSIGN(Judge judge, Judge::Make(run->plan.options.features,
                                          run->plan.features.key));
  TWINSET_ASSIGN(auto texts, OpenBlob(*run, run->judged_file));
  return std::unique_ptr<PairJudging>(new PairJudging(
      run, std::move(judge), std::make_unique<BlobReader>(std::move(texts))));
}

Result<bool> PairJudging::Request(const Pair& pair) {
  TWINSET_ASSIGN(const bool fits, batch_.Request(pair.a));
  return fits ? batch_.Request(pair.b) : Result<bool>(false);
}

Status PairJudging::Add(uint64_t a, uint64_t b,
                        std::function<Status(const Judgement&)> done) {
  Pair pair{a, b, std::move(done)};
  if (pairs_.size() >= kMostPairs) TWINSET_TRY(Flush());
  TWINSET_ASSIGN(bool fits, Request(pair));
  if (!fits) {
    TWINSET_TRY(Flush());
    TWINSET_ASSIGN(fits, Request(pair));
    if (!fits) {
      return Fail(ErrorCode::kMemory, "too little memory for two texts", "",
                  "raise --memory");
    }
  }
  pairs_.push_back(std::move(pair));
  return {};
}

std::vector<uint64_t> PairJudging::Documents() const {
  std::vector<uint64_t> documents;
  for (const Pair& pair : pairs_) {
    documents.push_back(pair.a);
    documents.push_back(pair.b);
  }
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()),
                  documents.end());
  return documents;
}

Result<JudgedDocument> PairJudging::Prepare(uint64_t document) const {
  std::vector<uint64_t> layout;
  TWINSET_ASSIGN(const JudgedText text,
                 DecodeJudged(batch_.Get(document), &layout));
  return judge_.Prepare(text, layout);
}

// Counts the room for one pair that is larger than a batch should be.
Result<Reservation> PairJudging::RoomFor(
    const std::vector<uint64_t>& documents) const {
  uint64_t most = 0, exact = 0;
  for (const uint64_t document : documents)
    most += Judge::kBytesAByte * batch_.Get(document).size();
  if (most <= memory_.bytes()) return Reservation();
  for (const uint64_t document : documents) {
    std::vector<uint64_t> layout;
    TWINSET_ASSIGN(const JudgedText text,
                   DecodeJudged(batch_.Get(document), &layout));
    exact += judge_.BytesOf(text) + 2 * layout.size() * sizeof(uint64_t);
  }
  if (exact <= memory_.bytes()) return Reservation();
  Reservation more = run_->budget.TryReserve(exact - memory_.bytes());
  if (more.ok()) return more;
  return Fail(
      ErrorCode::kMemory,
      "too little memory to say the kinds of two documents: they need " +
          std::to_string(exact >> 20) + " MB",
      "", "raise --memory, or leave out --kinds");
}

Status PairJudging::Flush() {
  TWINSET_TRY(run_->CheckStop());
  if (pairs_.empty()) return {};
  TWINSET_TRY(batch_.Load(run_->plan.machine.threads));
  const std::vector<uint64_t> documents = Documents();
  TWINSET_ASSIGN(const Reservation more, RoomFor(documents));
  std::vector<JudgedDocument> prepared(documents.size());
  std::vector<Status> failures(documents.size());
  ParallelFor(documents.size(), 4, run_->plan.machine.threads,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) {
                  auto document = Prepare(documents[i]);
                  if (document) {
                    prepared[i] = *std::move(document);
                  } else {
                    failures[i] = tl::unexpected(document.error());
                  }
                }
              });
  for (const Status& failure : failures) TWINSET_TRY(failure);
  const auto of = [&](uint64_t document) -> const JudgedDocument& {
    return prepared[static_cast<size_t>(
        std::lower_bound(documents.begin(), documents.end(), document) -
        documents.begin())];
  };
  std::vector<Judgement> judgements(pairs_.size());
  ParallelFor(pairs_.size(), 16, run_->plan.machine.threads,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i)
                  judgements[i] = judge_.Of(of(pairs_[i].a), of(pairs_[i].b));
              });
  for (size_t i = 0; i < pairs_.size(); ++i)
    TWINSET_TRY(pairs_[i].done(judgements[i]));
  judged_ += pairs_.size();
  run_->Report("judge", judged_, 0);
  pairs_.clear();
  batch_.Clear();
  return {};
}

}  // namespace twinset
