#include "pipeline/template/template_check.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "pipeline/read/page_spool.h"

namespace twinset {

namespace {

constexpr size_t kMostPairs = 1 << 13;
// Stored features of a text take up to four times its bytes.
constexpr uint64_t kPageShare = 32, kFeatureShare = 8;

}  // namespace

bool TemplateCheck::IsNeeded(const Run& run) {
  const auto& counts = run.counts.site_template;
  return counts && counts->pages_cut > 0;
}

TemplateCheck::TemplateCheck(Run* run, PagedArray<uint64_t> removed,
                             IgnoredSet ignored,
                             std::unique_ptr<BlobReader> pages,
                             std::unique_ptr<BlobReader> features)
    : run_(run),
      removed_(std::move(removed)),
      ignored_(std::move(ignored)),
      pages_(std::move(pages)),
      features_(std::move(features)),
      page_batch_(pages_.get(), run->Share(kPageShare), &run->budget),
      feature_batch_(features_.get(), run->Share(kPageShare), &run->budget),
      memory_(run->budget.ReserveUpTo(
          run->Share(kFeatureShare) + kMostPairs * 2 * sizeof(Pair), 0)) {}

Result<std::unique_ptr<TemplateCheck>> TemplateCheck::Open(Run* run) {
  TWINSET_ASSIGN(auto removed, PagedArray<uint64_t>::Create(
                                   run->Path("removed.tmp"),
                                   std::max<uint64_t>(1, run->documents()),
                                   run->Share(16), &run->budget));
  TWINSET_TRY(ForEachDocument(
      *run, [&](uint64_t document, const DocumentInfo& info) -> Status {
        return info.removed == 0 ? Status()
                                 : removed.Set(document, info.removed);
      }));
  TWINSET_ASSIGN(auto ignored, LoadIgnored(run));
  TWINSET_ASSIGN(auto pages, OpenBlob(*run, run->pages_file));
  TWINSET_ASSIGN(auto features, OpenBlob(*run, run->unpruned_file));
  return std::unique_ptr<TemplateCheck>(
      new TemplateCheck(run, std::move(removed), std::move(ignored),
                        std::make_unique<BlobReader>(std::move(pages)),
                        std::make_unique<BlobReader>(std::move(features))));
}

Result<bool> TemplateCheck::Request(uint64_t document) {
  TWINSET_ASSIGN(const uint64_t removed, removed_.Get(document));
  if (removed == 0) return feature_batch_.Request(document);
  TWINSET_ASSIGN(const bool fits, page_batch_.Request(document));
  if (fits) wanted_.push_back(document);
  return fits;
}

Status TemplateCheck::Add(uint64_t a, uint64_t b, bool alike,
                          std::function<Status(bool)> done) {
  TWINSET_ASSIGN(const uint64_t of_a, removed_.Get(a));
  TWINSET_ASSIGN(const uint64_t of_b, removed_.Get(b));
  const bool looks = alike && of_a != of_b && run_->parts.verifier != nullptr;
  if (pairs_.size() >= kMostPairs) TWINSET_TRY(Flush());
  for (int attempt = 0; looks && attempt < 2; ++attempt) {
    TWINSET_ASSIGN(bool fits, Request(a));
    if (fits) {
      TWINSET_ASSIGN(fits, Request(b));
    }
    if (fits) break;
    if (attempt == 1) {
      return Fail(ErrorCode::kMemory, "too little memory for two pages", "",
                  "raise --memory");
    }
    TWINSET_TRY(Flush());
  }
  pairs_.push_back({a, b, looks, std::move(done)});
  return {};
}

Status TemplateCheck::MakeFeatures() {
  std::sort(wanted_.begin(), wanted_.end());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  std::vector<std::string> made(wanted_.size());
  std::vector<Status> read(wanted_.size());
  std::vector<uint8_t> widened(wanted_.size());
  for (size_t i = 0; i < wanted_.size(); ++i) {
    TWINSET_ASSIGN(const uint64_t removed, removed_.Get(wanted_[i]));
    widened[i] = (removed & kWidened) != 0;
  }
  ParallelFor(
      wanted_.size(), 4, run_->plan.machine.threads,
      [&](size_t begin, size_t end) {
        IngestScratch scratch;
        SpooledPage page;
        for (size_t i = begin; i < end; ++i) {
          read[i] = DecodePage(page_batch_.Get(wanted_[i]), &page);
          if (read[i]) {
            const std::string text = widened[i] != 0 ? UnframedText(page, {})
                                                     : std::string(page.text);
            made[i] = FeaturesOf(run_->plan, ignored_.hashes, text, &scratch);
          }
        }
      });
  for (const Status& status : read) TWINSET_TRY(status);
  for (size_t i = 0; i < wanted_.size(); ++i)
    whole_.emplace(wanted_[i], std::move(made[i]));
  return {};
}

Status TemplateCheck::Flush() {
  TWINSET_TRY(run_->CheckStop());
  for (BlobBatch* batch : {&page_batch_, &feature_batch_}) {
    if (batch->size() > 0) TWINSET_TRY(batch->Load(run_->plan.machine.threads));
  }
  TWINSET_TRY(MakeFeatures());
  const auto features = [&](uint64_t document) -> std::string_view {
    const auto found = whole_.find(document);
    return found == whole_.end() ? feature_batch_.Get(document) : found->second;
  };
  std::vector<uint8_t> differs(pairs_.size());
  ParallelFor(
      pairs_.size(), 64, run_->plan.machine.threads,
      [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          const Pair& pair = pairs_[i];
          if (!pair.looks) continue;
          const std::string_view a = features(pair.a), b = features(pair.b);
          differs[i] =
              a != b && !run_->parts.verifier->CompareFully(a, b).accepted;
        }
      });
  for (size_t i = 0; i < pairs_.size(); ++i)
    TWINSET_TRY(pairs_[i].done(differs[i] != 0));
  pairs_.clear();
  wanted_.clear();
  whole_.clear();
  page_batch_.Clear();
  feature_batch_.Clear();
  return {};
}

}  // namespace twinset
