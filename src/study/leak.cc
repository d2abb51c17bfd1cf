// twinset/leak.h: a match by containment, and a pass for what is too short for
// it (docs/methods/leak.md).
#include "twinset/leak.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "documents/document_pass.h"
#include "documents/field_text.h"
#include "documents/id_numbering.h"
#include "documents/result_places.h"
#include "options/resources.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/result_rows.h"
#include "store/scratch_folder.h"
#include "study/leak_report.h"
#include "study/pass_progress.h"
#include "study/short_items.h"
#include "text/tokens/features.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/match.h"

namespace twinset::inline v1 {
namespace {

constexpr size_t kExcerptBytes = 400;

// What is known of an item, in input order.
struct Item {
  std::string id;
  size_t split = 0;
  uint64_t tokens = 0;
  Leak leak;  // kClean until a document is found
  bool has_passage = false;
  uint64_t passage_begin = 0;  // characters of the document
};

Result<uint32_t> ShingleWords(const FeatureOptions& features) {
  TWINSET_ASSIGN(const auto kinds, ParseShingles(features.shingle));
  if (kinds.size() == 1 && kinds[0].unit == ShingleKind::kWord)
    return kinds[0].n;
  return Fail(ErrorCode::kUsage,
              "leak knows shingles of words only, not " + features.shingle, {},
              "--shingle word:N");
}

Status CheckOptions(const LeakOptions& options) {
  if (options.input.inputs.empty() || options.test.empty())
    return Fail(ErrorCode::kUsage, "training data and test items are needed",
                {}, "twinset leak TRAIN... --test EVAL");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  TWINSET_TRY(RefuseReadOnce(options.input.inputs));
  return RefuseReadOnce(options.test);
}

MatchOptions MatchOf(const LeakOptions& options, const std::string& out) {
  MatchOptions match;
  match.input = options.input;
  match.input.inputs = options.test;
  match.against = options.input.inputs;
  match.features = options.features;
  match.resources = options.resources;
  match.resources.tmp.clear();
  match.method.measure = Measure::kContainment;
  match.method.threshold = options.threshold;
  match.action = Action::kReport;
  match.out = out;
  match.stop = options.stop;
  match.on_progress = options.on_progress;
  return match;
}

// The text from character `begin` on, as an excerpt.
std::string ExcerptFrom(const std::string& text, uint64_t begin) {
  size_t at = 0;
  for (; at < text.size() && begin > 0; ++at)
    begin -= at + 1 < text.size() && !IsContinuation(text[at + 1]);
  return BeginningOf(std::string_view(text).substr(at), kExcerptBytes);
}

class Search {
 public:
  Search(const LeakOptions& options, uint32_t words, LeakResult* result)
      : options_(options),
        words_(words),
        result_(result),
        most_bytes_(MemoryBesideWindow(options.resources, options.input) / 2) {}

  Status ReadItems() {
    InputOptions input = options_.input;
    input.inputs = options_.test;
    TextDetails details;
    details.tokens = true;
    std::vector<std::string> fields;
    if (!options_.split_field.empty()) fields.push_back(options_.split_field);
    PassProgress progress(options_.on_progress, "items", "", "items");
    Status status;
    TWINSET_TRY(ForEachTextWithFields(
        input, options_.features, details, fields,
        [&](const DocumentText& text, const FieldValues& values) {
          status = AddItem(text, values);
          progress.Add();
          return status && !Stopped();
        },
        {}));
    return status ? StopStatus() : status;
  }

  // Reads best.jsonl and passages.jsonl of the match.
  Status ReadMatch(const std::string& folder) {
    TWINSET_TRY(ForEachResultRow(folder, "best", [&](const Json& row) {
      if (Item* const item = FindItem(row.value("a", ""))) {
        item->leak.document = row.value("b", "");
        item->leak.similarity = row.value("similarity", 0.0);
        item->leak.kind = LeakKind::kEmbedded;
        const std::string& name = item->leak.document;
        wanted_[name].push_back(static_cast<size_t>(item - items_.data()));
        // So that its documents are counted, whatever number it got.
        wanted_ids_.insert(name);
        wanted_ids_.insert(name.substr(0, name.rfind('#')));
      }
      return true;
    }));
    return ForEachResultRow(folder, "passages", [&](const Json& row) {
      Item* const item = FindItem(row.value("a", ""));
      if (item != nullptr && !item->has_passage &&
          item->leak.document == row.value("b", "")) {
        item->has_passage = true;
        item->passage_begin = row.value("b_begin", uint64_t{0});
      }
      return true;
    });
  }

  // Training documents that have an item, and short items anywhere.
  Status ReadTraining() {
    TextDetails details;
    details.tokens = true;
    PassProgress progress(options_.on_progress, "training", "", "documents");
    TWINSET_TRY(ForEachText(
        options_.input, options_.features, details,
        [&](const DocumentText& text) {
          ++result_->training_documents;
          progress.Add();
          SeeWanted(text);
          SeeShort(text);
          return !Stopped();
        },
        [&](const RejectedRecord& record) {
          result_->quarantined += record.quarantined;
        }));
    return StopStatus();
  }

  void Finish(std::vector<std::string>* clean) {
    for (Item& item : items_) {
      LeakSplit& split = result_->splits[item.split];
      split.whole += item.leak.kind == LeakKind::kWhole;
      split.embedded += item.leak.kind == LeakKind::kEmbedded;
      split.short_embedded += item.leak.kind == LeakKind::kShortEmbedded;
      if (item.leak.kind == LeakKind::kClean ||
          item.leak.kind == LeakKind::kShortEmbedded)
        clean->push_back(item.id);
      if (item.leak.kind == LeakKind::kClean) continue;
      item.leak.item = item.id;
      item.leak.split = split.name;
      result_->leaks.push_back(std::move(item.leak));
    }
  }

 private:
  bool Stopped() const { return options_.stop != nullptr && *options_.stop; }
  Status StopStatus() const {
    if (!Stopped()) return {};
    return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
  }

  Item* FindItem(const std::string& id) {
    const auto at = by_id_.find(id);
    return at == by_id_.end() ? nullptr : &items_[at->second];
  }

  Status AddItem(const DocumentText& text, const FieldValues& values) {
    std::string name = text.source;
    for (const auto& [field, value] : values)
      if (!value.empty()) name = value;
    Item item;
    item.id = item_ids_.NameOf(text.id);
    item.tokens = text.tokens.size();
    item.leak.item_text = BeginningOf(text.text, kExcerptBytes);
    const auto [split, is_new] =
        splits_.try_emplace(name, result_->splits.size());
    item.split = split->second;
    if (is_new) {
      result_->splits.push_back({name});
      bytes_ += sizeof(LeakSplit) + 2 * name.size() + 100;
    }
    LeakSplit& of = result_->splits[item.split];
    ++of.items;
    of.empty += item.tokens == 0;
    const bool is_short = item.tokens > 0 && item.tokens < words_;
    of.shorts += is_short;
    if (is_short) short_.Add(items_.size(), text.tokens);
    bytes_ += sizeof(Item) + 3 * item.id.size() + kExcerptBytes + 200;
    by_id_.emplace(item.id, items_.size());
    items_.push_back(std::move(item));
    if (bytes_ <= most_bytes_) return {};
    return Fail(ErrorCode::kMemory,
                "the items do not fit into half of the memory", {},
                "give more --memory, or fewer items");
  }

  void SeeWanted(const DocumentText& text) {
    if (!wanted_ids_.contains(text.id)) return;
    const auto at = wanted_.find(training_ids_.NameOf(text.id));
    if (at == wanted_.end()) return;
    for (const size_t number : at->second) {
      Item& item = items_[number];
      const auto tokens = static_cast<double>(text.tokens.size());
      if (tokens * options_.threshold <= static_cast<double>(item.tokens))
        item.leak.kind = LeakKind::kWhole;
      item.leak.document = text.id;
      item.leak.document_text = ExcerptFrom(text.text, item.passage_begin);
    }
  }

  void SeeShort(const DocumentText& text) {
    if (short_.empty()) return;
    short_.Find(text.tokens, [&](std::span<const size_t> numbers, size_t begin,
                                 size_t count) {
      // Equal items are found together, here and by the match.
      if (items_[numbers.front()].leak.kind != LeakKind::kClean) return;
      std::string words;
      const size_t from = begin < 5 ? 0 : begin - 5;
      for (size_t i = from; i < text.tokens.size() && i < begin + count + 5;
           ++i)
        words += (words.empty() ? "" : " ") + text.tokens[i];
      for (const size_t number : numbers) {
        Leak& leak = items_[number].leak;
        leak.kind = LeakKind::kShortEmbedded;
        leak.document = text.id;
        leak.similarity = 1;
        leak.document_text = words;
      }
    });
  }

  const LeakOptions& options_;
  const uint32_t words_;
  LeakResult* result_;
  uint64_t most_bytes_, bytes_ = 0;
  std::vector<Item> items_;
  std::unordered_map<std::string, size_t> splits_;  // places in the result
  IdNumbering item_ids_, training_ids_;  // of training data: wanted_ids_ alone
  std::unordered_set<std::string> wanted_ids_;
  std::unordered_map<std::string, size_t> by_id_;
  std::unordered_map<std::string, std::vector<size_t>> wanted_;
  ShortItems short_;
};

}  // namespace

Result<LeakResult> FindLeaks(const LeakOptions& options) {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(const uint32_t words, ShingleWords(options.features));
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = options.input.inputs;
    inputs.insert(inputs.end(), options.test.begin(), options.test.end());
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(OutRequest("leak", options), inputs));
    folder.emplace(std::move(opened));
  }
  TWINSET_ASSIGN(const ScratchFolder work,
                 ScratchFolder::Below(options.resources.tmp, ".twinset-leak-"));
  LeakResult result;
  Search search(options, words, &result);
  TWINSET_TRY(search.ReadItems());
  TWINSET_ASSIGN(const MatchSummary match,
                 Match(MatchOf(options, work / "match")));
  result.warnings = match.warnings;
  TWINSET_TRY(search.ReadMatch(work / "match"));
  TWINSET_TRY(search.ReadTraining());
  std::vector<std::string> clean;
  search.Finish(&clean);
  result.summary_json = LeakSummary(options, result);
  if (folder)
    TWINSET_TRY(WriteLeaks(options, result, clean, work / "match", &*folder));
  return result;
}

}  // namespace twinset::inline v1
