#include "twinset/measure/rescue.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/stop.h"
#include "documents/page_text.h"
#include "documents/priority.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "documents/watched_inputs.h"
#include "engine/http_fetcher.h"
#include "engine/open_engine.h"
#include "net/fetcher.h"
#include "net/url.h"
#include "sample/old_pages.h"
#include "sample/rescue_page.h"
#include "sample/rescue_report.h"
#include "twinset/inspect.h"

namespace twinset {

namespace {

// Distinct words counted when no lexicon is given; about 100 bytes each.
constexpr size_t kMostWords = 4 << 20;

Status CheckRescueOptions(const RescueOptions& options) {
  const auto usage = [](const std::string& message, const std::string& remedy) {
    return Status(Fail(ErrorCode::kUsage, message, "", remedy));
  };
  if (options.copies.inputs.empty()) {
    return usage("there are no copies of the pages",
                 "add --from with an archive of them");
  }
  for (const std::string& input : options.copies.inputs) {
    if (input == "-")
      return usage("--from cannot be standard input: it is read twice",
                   "save it to a file first");
  }
  if (options.engine.empty() && options.replay.empty() && !options.signatures)
    return usage("no engine is given",
                 "add --in with one, or ask for --signatures");
  if (options.terms == 0 || options.least_terms == 0 ||
      options.least_terms > options.terms || options.results == 0 ||
      !(options.threshold > 0 && options.threshold <= 1)) {
    return usage("signatures of " + std::to_string(options.terms) +
                     " terms shortened to " +
                     std::to_string(options.least_terms) + " make no sense",
                 "--least-terms is from 1 to --terms");
  }
  return {};
}

Status CheckRecord(const RescueOptions& options) {
  if (options.record.empty()) return {};
  std::vector<std::string> inputs = options.copies.inputs;
  inputs.push_back(options.engine);
  inputs.push_back(options.lexicon);
  return CheckResultFile(
      {.path = options.record, .flag = "--record", .append = true}, inputs);
}

// What a document is called by: its address, or its id when it has none.
std::string NameOf(const DocumentText& document) {
  return document.url.empty() ? document.id : document.url;
}
std::string KeyOf(const std::string& name) { return NormaliseUrl(name); }

// The copy of a page that counts: where it is in the inputs.
struct Copy {
  int64_t seconds = 0;
  uint64_t place = 0;  // number of the document
};

// First pass: the last copy of every page wanted, and the frequencies of words.
class Copies {
 public:
  explicit Copies(const RescueOptions& options) : options_(options) {
    for (const std::string& url : options.urls) wanted_.insert(KeyOf(url));
  }

  Status Read(const TextReader& reader) {
    const bool count = options_.lexicon.empty();
    Status status;
    uint64_t place = 0;
    TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options_.copies));
    TWINSET_TRY(ForEachText(
        options_.copies, options_.features, {},
        [&](const DocumentText& document) {
          counter.Document(document.source, /*is_wordless=*/false);
          Keep(document, place++);
          if (!options_.signatures) {
            old_.Keep(NameOf(document), ParseDate(document.date),
                      reader.Shingles(document.text));
          }
          if (count) status = Count(reader.Tokens(document.text));
          if (options_.stop != nullptr && *options_.stop) {
            status = Fail(ErrorCode::kInterrupted, "stopped by a signal");
          }
          return status.has_value();
        },
        counter.Counting({})));
    TWINSET_TRY(status);
    empty_inputs_ = counter.Warnings();
    documents_ = place;
    for (const auto& [key, copy] : copies_) places_.insert(copy.place);
    return {};
  }

  bool Has(const std::string& url) const {
    return copies_.contains(KeyOf(url));
  }
  bool IsLast(uint64_t place) const { return places_.contains(place); }
  uint64_t documents() const { return documents_; }
  const std::vector<std::string>& empty_inputs() const { return empty_inputs_; }
  const OldPages& old() const { return old_; }
  TermStatistics Statistics() const {
    std::vector<std::pair<std::string, uint64_t>> sorted(frequencies_.begin(),
                                                         frequencies_.end());
    std::sort(sorted.begin(), sorted.end());
    return TermStatistics(documents_, sorted);
  }

 private:
  void Keep(const DocumentText& document, uint64_t place) {
    const std::string key = KeyOf(NameOf(document));
    if (!wanted_.empty() && !wanted_.contains(key)) return;
    const Copy copy = {ParseDate(document.date), place};
    const auto [at, added] = copies_.try_emplace(key, copy);
    if (!added && copy.seconds >= at->second.seconds) at->second = copy;
  }
  Status Count(std::vector<std::string> tokens) {
    for (std::string& token : SortedDistinct(std::move(tokens)))
      ++frequencies_[std::move(token)];
    if (frequencies_.size() <= kMostWords) return {};
    return Fail(ErrorCode::kMemory, "the copies have too many words to count",
                "", "build a lexicon of them and give it with --lexicon");
  }

  const RescueOptions& options_;
  std::set<std::string> wanted_;
  std::unordered_map<std::string, Copy> copies_;  // by key
  std::set<uint64_t> places_;
  OldPages old_;  // of all addresses, wanted or not
  std::unordered_map<std::string, uint64_t> frequencies_;
  uint64_t documents_ = 0;
  std::vector<std::string> empty_inputs_;  // warnings
};

// Asks for the address itself.
class LiveCheck {
 public:
  static Result<LiveCheck> Make(const RescueOptions& options) {
    LiveCheck check;
    if (!options.check_live) return check;
    PolitenessOptions politeness;
    politeness.retries = 1;
    TWINSET_ASSIGN(check.fetcher_,
                   OpenPoliteFetcher(options.fetching, std::move(politeness),
                                     /*memory_bytes=*/0));
    return check;
  }
  // It answers, with what it was. Another text at the address (a page that says
  // that there is none, a new owner) is as good as gone.
  bool IsLive(const std::string& url, const std::string& text, double threshold,
              const TextReader& reader) {
    if (fetcher_ == nullptr || !IsHttpUrl(url)) return false;
    const auto response = fetcher_->Get(url);
    outside_ += !response && IsOutsideNetworks(response.error());
    if (!response || response->status != 200) return false;
    const auto now = reader.Read(
        {response->url, response->content_type, response->body, response->date},
        {});
    return now && reader.Resemblance(now->text, text) >= threshold;
  }

  // Addresses that were not asked, since they are of networks not named.
  uint64_t outside() const { return outside_; }

 private:
  std::unique_ptr<Fetcher> fetcher_;
  uint64_t outside_ = 0;
};

// Second pass: one page after the other.
class Rescuer {
 public:
  Rescuer(const RescueOptions& options, const TextReader& reader,
          const TermStatistics& statistics, const OldPages& old, LiveCheck live,
          Engine* engine)
      : options_(options),
        reader_(reader),
        statistics_(statistics),
        old_(old),
        live_(std::move(live)),
        questioner_(engine, &reader, AskingOptions(options)) {}

  Result<RescuedPage> Do(const std::string& url, const std::string& text) {
    const RescueRules rules = {options_.terms, options_.least_terms,
                               options_.results, options_.threshold};
    if (options_.signatures)
      return SignPage(url, reader_.Tokens(text), statistics_, rules);
    RescuedPage page;
    page.url = url;
    if (live_.IsLive(url, text, options_.threshold, reader_)) {
      page.status = RescueStatus::kLive;
      page.similarity = 1;
      return page;
    }
    return RescuePage(url, text, statistics_, rules, &questioner_, &old_);
  }
  const SampleCounts& counts() const { return questioner_.counts(); }
  const LiveCheck& live() const { return live_; }

 private:
  static QuestionerOptions AskingOptions(const RescueOptions& options) {
    QuestionerOptions asking;
    asking.stop = options.stop;
    return asking;
  }
  const RescueOptions& options_;
  const TextReader& reader_;
  const TermStatistics& statistics_;
  const OldPages& old_;
  LiveCheck live_;
  Questioner questioner_;
};

// Rows of named pages in the order of the names, whatever the inputs' order.
class InOrder {
 public:
  InOrder(const RescueOptions& options, const Copies& copies,
          const std::function<bool(const RescuedPage&)>& on_page,
          RescueSummary* summary)
      : options_(options), on_page_(on_page), summary_(summary) {
    for (const std::string& url : options.urls) {
      if (copies.Has(url)) continue;
      RescuedPage page;
      page.status = RescueStatus::kNoCopy;
      rows_.emplace(KeyOf(url), page);
    }
  }
  // False to stop.
  bool Add(RescuedPage page) {
    if (options_.urls.empty()) return Tell(page);
    rows_.insert_or_assign(KeyOf(page.url), std::move(page));
    return Flush();
  }
  bool Flush() {
    for (; next_ < options_.urls.size(); ++next_) {
      const auto row = rows_.find(KeyOf(options_.urls[next_]));
      if (row == rows_.end()) return true;
      RescuedPage page = row->second;
      page.url = options_.urls[next_];
      if (!Tell(page)) return false;
    }
    return true;
  }
  // The first of them, where nobody takes them one by one.
  const std::vector<RescuedPage>& shown() const { return shown_; }

 private:
  bool Tell(const RescuedPage& page) {
    ++summary_->pages;
    ++summary_->by_status[static_cast<size_t>(page.status)];
    summary_->sisters += page.sisters;
    if (on_page_ == nullptr && shown_.size() < kMostShown)
      shown_.push_back(page);
    if (options_.on_progress) {
      Progress progress;
      progress.stage = "rescuing";
      progress.unit = "pages";
      progress.done = summary_->pages;
      options_.on_progress(progress);
    }
    return on_page_ == nullptr || on_page_(page);
  }
  const RescueOptions& options_;
  const std::function<bool(const RescuedPage&)>& on_page_;
  RescueSummary* summary_;
  std::map<std::string, RescuedPage> rows_;  // of named pages, by key
  size_t next_ = 0;
  static constexpr size_t kMostShown = 1000;
  std::vector<RescuedPage> shown_;
};

Result<TermStatistics> StatisticsOf(const RescueOptions& options,
                                    const Copies& copies,
                                    std::vector<std::string>* warnings) {
  TermStatistics statistics;
  if (options.lexicon.empty()) {
    statistics = copies.Statistics();
  } else {
    TWINSET_ASSIGN(statistics, TermStatistics::Read(options.lexicon));
  }
  if (statistics.documents() < 100) {
    warnings->push_back(
        "word frequencies are of " + std::to_string(statistics.documents()) +
        " documents: give a larger --lexicon for better signatures");
  }
  return statistics;
}

}  // namespace

Result<RescueSummary> v1::Rescue(
    const RescueOptions& options,
    const std::function<bool(const RescuedPage&)>& on_page) try {
  TWINSET_TRY(CheckRescueOptions(options));
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(options.features));
  TWINSET_TRY(CheckRecord(options));
  OpenEngineOptions open;
  open.record = options.record;
  open.replay = options.replay;
  open.fetching = options.fetching;
  std::unique_ptr<Engine> engine;
  LiveCheck live;
  if (!options.signatures) {
    TWINSET_ASSIGN(engine, OpenEngine(options.engine, open));
    TWINSET_ASSIGN(live, LiveCheck::Make(options));
  }
  TWINSET_ASSIGN(const WatchedInputs inputs,
                 WatchedInputs::Begin(options.copies));
  Copies copies(options);
  TWINSET_TRY(copies.Read(reader));
  RescueSummary summary;
  summary.warnings = copies.empty_inputs();
  TWINSET_ASSIGN(const TermStatistics statistics,
                 StatisticsOf(options, copies, &summary.warnings));
  Rescuer rescuer(options, reader, statistics, copies.old(), std::move(live),
                  engine.get());
  InOrder rows(options, copies, on_page, &summary);
  Status status;
  uint64_t place = 0;
  if (rows.Flush()) {
    TWINSET_TRY(ForEachText(
        options.copies, options.features, {},
        [&](const DocumentText& document) {
          if (!copies.IsLast(place++)) return true;
          auto page = rescuer.Do(NameOf(document), document.text);
          if (!page) {
            status = tl::unexpected(page.error());
            return false;
          }
          return rows.Add(*std::move(page));
        },
        [](const RejectedRecord&) {}));
  }
  TWINSET_TRY(status);
  TWINSET_TRY(inputs.Check());
  summary.queries = rescuer.counts().asked;
  summary.failed = rescuer.counts().failed + rescuer.counts().fetch_failed;
  summary.candidates = rescuer.counts().fetched;
  if (const uint64_t outside = rescuer.live().outside(); outside > 0) {
    summary.warnings.push_back(
        std::to_string(outside) +
        " addresses were not asked whether they answer: they lie outside the "
        "networks that may be asked (--networks)");
  }
  summary.page = ResultPage(RescueReport(summary, rows.shown()));
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
