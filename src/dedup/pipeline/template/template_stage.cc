// The template stage: blocks that stand on many pages of their site are left
// out of what is compared (docs/methods/template.md). Only here are the
// features of pages made; what read made of other documents is copied.
#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/parallel.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/kept_documents.h"
#include "pipeline/read/page_spool.h"
#include "pipeline/run/run.h"
#include "pipeline/template/site_verdict.h"
#include "text/tokens/tokens.h"

namespace twinset {

namespace {

// A page of fewer words without its template is compared with it: what a few
// words say is the same on many pages, as "No entries" is, and is no reason to
// call two pages alike. No share of the page is asked for: pages that agree in
// nine tenths by their frame alone are those that the stage is for.
constexpr size_t kFewestWords = 25;
// Beside a menu that pages share which are otherwise different, a title and a
// line are enough.
constexpr size_t kFewestBesideMenus = 8;

bool HasWords(std::string_view text, size_t least, FeatureScratch* scratch) {
  TokenStream stream(text, TokenRule::kUnicode, scratch);
  TokenWindow window;
  size_t words = 0;
  while (words < least && stream.Next(&window)) words += window.count;
  return words >= least;
}

// The same; mostly the beginning of the text is enough.
bool HasEnoughWords(std::string_view text, size_t least,
                    FeatureScratch* scratch) {
  constexpr size_t kBeginning = 1 << 10;
  return (text.size() > kBeginning &&
          HasWords(text.substr(0, kBeginning), least, scratch)) ||
         HasWords(text, least, scratch);
}

// What is compared of a page.
struct PageCut {
  std::vector<uint32_t> dropped;  // blocks that are left out
  bool widened = false;
  bool is_too_little = false;  // nothing is left out, as too little would stay
  std::string text;            // unless it is whole
  std::vector<TextCut> places;

  bool IsWhole() const {
    return is_too_little || (dropped.empty() && !widened);
  }
};

// `least`: words that must stay.
PageCut LeaveOut(const SpooledPage& page,
                 const std::vector<RepeatedBlock>& repeated, size_t least,
                 bool passages, FeatureScratch* scratch) {
  PageCut cut;
  cut.widened = !passages && IsContradicted(page, repeated);
  cut.dropped = BlocksToDrop(page, repeated, cut.widened);
  if (cut.IsWhole()) return cut;
  cut.text = cut.widened ? UnframedText(page, cut.dropped)
                         : TextWithout(page, cut.dropped,
                                       passages ? &cut.places : nullptr);
  cut.is_too_little = cut.widened || page.is_unsure
                          ? cut.text.empty()
                          : !HasEnoughWords(cut.text, least, scratch);
  return cut;
}

// Without the menus of sections where the text has any and enough stays, else
// without the template of the site alone.
PageCut LeaveOutFrame(const SpooledPage& page,
                      const std::vector<RepeatedBlock>& repeated, bool passages,
                      FeatureScratch* scratch) {
  std::vector<RepeatedBlock> of_site = repeated;
  bool has_menu = false;
  for (RepeatedBlock& block : of_site) {
    has_menu |= block.is_menu;
    block.is_menu = false;
  }
  if (has_menu) {
    PageCut cut =
        LeaveOut(page, repeated, kFewestBesideMenus, passages, scratch);
    const size_t others = BlocksToDrop(page, of_site, cut.widened).size();
    if (!cut.is_too_little && cut.dropped.size() > others) return cut;
  }
  return LeaveOut(page, of_site, kFewestWords, passages, scratch);
}

// One document on its way through the stage.
struct Passing {
  std::string info;                     // encoded
  std::string features, views, text;    // as stored
  std::string page;                     // empty: none
  bool is_kept = false;                 // a saved run has decided on it
  std::vector<RepeatedBlock> repeated;  // of the page
};

// What is counted of some pages, or of all.
struct CutCounts {
  TemplateCounts::Made made;
  uint64_t pages_cut = 0, pages_whole = 0, pages_widened = 0;
  uint64_t code_points_dropped = 0;

  // Those of a saved run whose pages stay as they were cut.
  void AddKept(const std::optional<TemplateCounts>& kept) {
    if (!kept) return;
    Add({kept->made, kept->pages_cut, kept->pages_whole, kept->pages_widened,
         kept->code_points_dropped});
  }
  void Add(const CutCounts& other) {
    made.tokens += other.made.tokens;
    made.features += other.made.features;
    made.code_points += other.made.code_points;
    made.empty += other.made.empty;
    pages_cut += other.pages_cut;
    pages_whole += other.pages_whole;
    pages_widened += other.pages_widened;
    code_points_dropped += other.code_points_dropped;
  }
};

struct PassingBatch {
  Reservation memory;
  std::vector<Passing> documents;
  CutCounts counts;
  Status status;
};

// A file of the work folder that gets another form.
struct Rewritten {
  std::optional<BlobReader> from;
  std::optional<BlobWriter> to;

  Status Open(const Run& run, const std::string& old_name,
              const std::string& new_name) {
    TWINSET_ASSIGN(from, OpenBlob(run, old_name));
    TWINSET_ASSIGN(to, CreateBlob(run, new_name));
    return {};
  }
  Status Read(std::string* bytes) {
    std::string_view next;
    TWINSET_ASSIGN(const bool more, from->Next(&next));
    if (!more) {
      return Fail(ErrorCode::kInternal, "a file of documents ends too early");
    }
    *bytes = next;
    return {};
  }
};

class TemplateRewriting {
 public:
  TemplateRewriting(Run* run, RepeatedPlaces places)
      : run_(run), plan_(run->plan), kept_(*run), places_(std::move(places)) {}

  Status Do() {
    TWINSET_ASSIGN(ignored_, LoadIgnored(run_));
    TWINSET_ASSIGN(pages_, OpenBlob(*run_, "pages.blob"));
    TWINSET_TRY(documents_.Open(*run_, run_->documents_file,
                                "documents-template.blob"));
    TWINSET_TRY(
        features_.Open(*run_, run_->features_file, "features-template.blob"));
    if (HasViews()) {
      TWINSET_TRY(views_.Open(*run_, run_->views_file, "views-template.blob"));
    }
    if (plan_.checks_texts()) {
      TWINSET_TRY(texts_.Open(*run_, run_->texts_file, "texts-template.blob"));
    }
    OrderedPipeline(
        plan_.machine.threads, static_cast<size_t>(plan_.machine.threads) * 4,
        [this] { return NextBatch(); },
        [this](void* batch) { Transform(static_cast<PassingBatch*>(batch)); },
        [this](void* batch) {
          Status stored = Store(static_cast<PassingBatch*>(batch));
          if (!stored) sink_status_ = std::move(stored);
          return sink_status_.has_value();
        });
    TWINSET_TRY(source_status_);
    TWINSET_TRY(sink_status_);
    for (Rewritten* file : {&documents_, &features_, &views_, &texts_}) {
      if (file->to) TWINSET_TRY(file->to->Finish());
    }
    return {};
  }

  const CutCounts& counts() const { return counts_; }
  bool HasViews() const { return plan_.features.views.size() > 1; }

 private:
  // ---- source: one thread at a time ----

  PipelineItem NextBatch() {
    auto batch = std::make_shared<PassingBatch>();
    batch->memory = run_->budget.Wait(ReadingCost());
    uint64_t cost = 0;
    source_status_ = Fill(batch.get(), &cost);
    if (!source_status_ || batch->documents.empty()) return nullptr;
    batch->memory.Resize(cost);
    return batch;
  }

  uint64_t ReadingCost() const {
    return std::min(plan_.machine.memory_bytes / 2,
                    8 * (kBatchBytes + plan_.inputs.read.max_document_bytes));
  }

  Status Fill(PassingBatch* batch, uint64_t* cost) {
    TWINSET_TRY(run_->CheckStop());
    uint64_t bytes = 0;
    std::string_view page;
    while (next_ < run_->documents() && bytes < kBatchBytes) {
      Passing& passing = batch->documents.emplace_back();
      TWINSET_TRY(documents_.Read(&passing.info));
      TWINSET_TRY(features_.Read(&passing.features));
      if (views_.from) TWINSET_TRY(views_.Read(&passing.views));
      if (texts_.from) TWINSET_TRY(texts_.Read(&passing.text));
      if (next_ < pages_->count()) {
        TWINSET_TRY(pages_->Next(&page));
        passing.page = page;
      }
      TWINSET_TRY(places_.Of(next_, &passing.repeated));
      passing.is_kept = next_++ < kept_.end();
      const uint64_t own = sizeof(Passing) + passing.info.size() +
                           passing.features.size() + passing.views.size() +
                           passing.text.size() + passing.page.size();
      bytes += own;
      *cost += own + IngestCost(plan_, passing.page.size());
    }
    return {};
  }

  // ---- transform: any thread ----

  void Transform(PassingBatch* batch) const {
    IngestScratch scratch;
    for (Passing& passing : batch->documents) {
      if (passing.page.empty() || passing.is_kept) continue;
      batch->status = MakeFeatures(&passing, &scratch, &batch->counts);
      if (!batch->status) return;
    }
  }

  Status MakeFeatures(Passing* passing, IngestScratch* scratch,
                      CutCounts* counts) const {
    SpooledPage page;
    TWINSET_TRY(DecodePage(passing->page, &page));
    TWINSET_ASSIGN(DocumentInfo info, DecodeDocumentInfo(passing->info));
    // What a saved run that kept its decisions had made of the page.
    info.removed = 0;
    info.mostly_template = false;
    info.fingerprint = {};
    const bool passages =
        plan_.features.views.back().form == FeatureForm::kPassages;
    PageCut cut =
        LeaveOutFrame(page, passing->repeated, passages, &scratch->features);
    const bool is_whole = cut.IsWhole();
    if (cut.is_too_little) {
      ++counts->pages_whole;
      info.mostly_template =
          2 * CountCodePoints(cut.text) < CountCodePoints(page.text);
    } else if (!is_whole) {
      ++counts->pages_cut;
      counts->pages_widened += cut.widened;
      info.removed = SetOf(page, cut.dropped) | (cut.widened ? kWidened : 0);
    }
    std::string text = is_whole ? std::string(page.text) : std::move(cut.text);
    scratch->cuts.clear();
    if (!is_whole) scratch->cuts = std::move(cut.places);
    Ingested made;
    made.info = std::move(info);
    TakeText(plan_, ignored_.hashes, std::move(text), scratch, &made);
    counts->made.tokens += made.token_count;
    counts->made.features +=
        IsHashed(plan_.features.form) ? made.info.feature_count : 0;
    counts->made.code_points += made.info.code_points;
    if (!is_whole && !cut.widened) {
      counts->code_points_dropped +=
          CountCodePoints(page.text) - made.info.code_points;
    }
    counts->made.empty += made.info.empty;
    EncodeDocumentInfo(made.info, &passing->info);
    passing->features = made.FeatureBytes();
    passing->views = std::move(made.views);
    passing->text = std::move(made.text);
    std::string().swap(passing->page);
    return {};
  }

  // A hash of which texts are left out, wherever they stand.
  static uint64_t SetOf(const SpooledPage& page,
                        const std::vector<uint32_t>& dropped) {
    std::vector<uint64_t> hashes;
    hashes.reserve(dropped.size());
    for (const uint32_t i : dropped) hashes.push_back(page.blocks[i].hash);
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    return (Hash64(EncodeHashes(hashes)) & ~kWidened) | 1;
  }

  // ---- sink: one thread at a time, in order ----

  Status Store(PassingBatch* batch) {
    TWINSET_TRY(batch->status);
    for (const Passing& passing : batch->documents) {
      TWINSET_TRY(documents_.to->Append(passing.info));
      TWINSET_TRY(features_.to->Append(passing.features));
      if (views_.to) TWINSET_TRY(views_.to->Append(passing.views));
      if (texts_.to) TWINSET_TRY(texts_.to->Append(passing.text));
    }
    counts_.Add(batch->counts);
    run_->Report("documents", documents_.to->count(), run_->documents());
    return {};
  }

  static constexpr uint64_t kBatchBytes = 256 << 10;
  Run* const run_;
  const Plan& plan_;
  const KeptDocuments kept_;
  RepeatedPlaces places_;  // source
  IgnoredSet ignored_;
  std::optional<BlobReader> pages_;  // source
  uint64_t next_ = 0;                // source
  Rewritten documents_, features_, views_, texts_;
  CutCounts counts_;  // sink
  Status source_status_, sink_status_;
};

}  // namespace

void UseTemplate(Run* run) {
  run->documents_file = "documents-template.blob";
  run->features_file = "features-template.blob";
  if (run->plan.features.views.size() > 1)
    run->views_file = "views-template.blob";
  if (run->plan.checks_texts()) run->texts_file = "texts-template.blob";
  const TemplateCounts::Made& made = run->counts.site_template->made;
  ReadCounts& read = run->counts.read;
  read.tokens += made.tokens;
  read.features += made.features;
  read.code_points += made.code_points;
  read.empty += made.empty;
}

Status TemplateStage(Run* run) {
  auto& counts = run->counts.site_template;
  if (run->counts.read.pages == 0)
    return run->FinishStage("template", {}, counts);
  counts.emplace();
  TWINSET_ASSIGN(auto places, RepeatedPlaces::Find(run, &*counts));
  TemplateRewriting rewriting(run, std::move(places));
  TWINSET_TRY(rewriting.Do());
  CutCounts cut = rewriting.counts();
  TWINSET_TRY(ForEachKeptCounts(
      KeptDocuments(*run),
      [&](const RunCounts& kept) { cut.AddKept(kept.site_template); }));
  counts->made = cut.made;
  counts->pages_cut = cut.pages_cut;
  counts->code_points_dropped = cut.code_points_dropped;
  counts->pages_whole = cut.pages_whole;
  counts->pages_widened = cut.pages_widened;
  UseTemplate(run);
  std::vector<std::string> files;
  for (const std::string& name :
       {run->documents_file, run->features_file, run->views_file,
        run->texts_file, std::string("pages.blob")}) {
    files.push_back(name);
    files.push_back(name + ".idx");
  }
  return run->FinishStage("template", files, counts);
}

}  // namespace twinset
