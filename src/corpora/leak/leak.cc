// twinset/corpora/leak.h: a match by containment, and a pass for what is too
// short for it (docs/methods/leak.md).
#include "twinset/corpora/leak.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/stop.h"
#include "base/utf8.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/field_text.h"
#include "documents/id_numbering.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "estimate/intervals.h"
#include "leak/leak_examples.h"
#include "leak/leak_report.h"
#include "leak/leak_write.h"
#include "leak/short_items.h"
#include "options/resources.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/result_rows.h"
#include "store/scratch_folder.h"
#include "text/tokens/features.h"
#include "twinset/dedup.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr size_t kExcerptBytes = 400;
// Tokens of a text that are held at a time, however long it is.
constexpr size_t kTokensHeld = 8192;
constexpr size_t kWordsAround = 5;  // a short item, in its excerpt
// The excerpt of a document begins with a passage of so many words.
constexpr uint64_t kExcerptWords = 10;
constexpr char kTraining[] = "training data";

// What is known of an item, in input order.
struct Item {
  std::string id;
  size_t split = 0;
  uint64_t tokens = 0;
  Leak leak;  // kClean until a document is found
  bool has_passage = false;
  uint64_t passage_begin = 0;  // characters of the document
  uint64_t listed = 0;         // rows of documents.jsonl
  // For a short item: the last document that was seen to have it.
  uint64_t last_seen = 0;
};

// An item in a document.
struct Holding {
  size_t item = 0;
  double similarity = 0;
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

bool IsSaid(const AgainstOptions& test) {
  return test.format || test.preset || test.id_field || test.text_field ||
         test.html_field || test.url_field || test.date_field;
}

// How the items are read: as the training data but for what is said of them.
InputOptions TestInput(const LeakOptions& options) {
  InputOptions input = options.input;
  input.inputs = options.test;
  const AgainstOptions& test = options.test_input;
  if (!IsSaid(test)) return input;
  input.preset = test.preset;
  if (test.format) input.format = *test.format;
  if (test.id_field) input.id_field = *test.id_field;
  if (test.text_field) {
    input.text_field = *test.text_field;
    input.html_field.clear();
  }
  if (test.html_field) input.html_field = *test.html_field;
  if (test.url_field) input.url_field = *test.url_field;
  if (test.date_field) input.date_field = *test.date_field;
  return input;
}

// The training data as the second side of a match.
AgainstOptions TrainingInput(const LeakOptions& options) {
  AgainstOptions against;
  if (!IsSaid(options.test_input)) return against;
  const InputOptions& input = options.input;
  against.format = input.format;
  if (input.preset) {
    against.preset = input.preset;
    return against;
  }
  against.id_field = input.id_field;
  against.text_field = input.text_field;
  if (!input.html_field.empty()) against.html_field = input.html_field;
  against.url_field = input.url_field;
  against.date_field = input.date_field;
  return against;
}

MatchOptions MatchOf(const LeakOptions& options, const std::string& out) {
  MatchOptions match;
  match.input = TestInput(options);
  match.against = options.input.inputs;
  match.against_input = TrainingInput(options);
  match.features = options.features;
  match.resources = options.resources;
  match.resources.tmp.clear();
  match.method.measure = Measure::kContainment;
  match.method.threshold = options.threshold;
  match.action = Action::kReport;
  // The page marks also what two texts have between words that differ.
  match.passage_tokens = 5;
  match.out = out;
  match.stop = options.stop;
  match.on_progress = options.on_progress;
  match.names_empty_inputs = false;  // they are told as what they are here
  return match;
}

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  for (size_t at = text.find(from); at != text.npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// An error of the match in the words of this command, whose work folder is gone
// when it is read.
Error InOwnWords(Error error, const std::string& work) {
  for (std::string* text : {&error.message, &error.where, &error.remedy}) {
    if (text->find(work) != text->npos) text->clear();
    *text = Replaced(*std::move(text), "--against-", "--");
    *text = Replaced(*std::move(text), "document of B", "training document");
    *text = Replaced(*std::move(text), "document of A", "item");
  }
  return error;
}

// The same of a pass over the items, where flags of their own are given.
Error OfItems(const LeakOptions& options, Error error) {
  if (!IsSaid(options.test_input)) return error;
  for (const char* field : {"id", "text", "html", "url", "date"}) {
    const std::string flag = std::string(field) + "-field";
    error.message = Replaced(error.message, " --" + flag, " --test-" + flag);
    error.remedy = Replaced(error.remedy, " --" + flag, " --test-" + flag);
  }
  return error;
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

  // What a text is cut into; before anything is read.
  Status Open() {
    TWINSET_ASSIGN(extractor_, MakeExtractor(options_.features));
    return {};
  }

  Status ReadItems() {
    TWINSET_ASSIGN(SideCounter counter,
                   SideCounter::Make("test set", options_.test,
                                     options_.input.networks));
    std::vector<std::string> fields;
    if (!options_.split_field.empty()) fields.push_back(options_.split_field);
    PassProgress progress(options_.on_progress, "items", "", "items");
    Status status;
    const Status read = ForEachTextWithFields(
        TestInput(options_), options_.features, {}, fields,
        [&](const DocumentText& text, const FieldValues& values) {
          status = AddItem(text, values);
          if (status) counter.Document(text.source, items_.back().tokens == 0);
          progress.Add();
          return status && !Stopped();
        },
        [&](const RejectedRecord& record) {
          counter.Rejected(record);
          result_->quarantined += record.quarantined;
        });
    TWINSET_TRY(StopStatus());
    TWINSET_TRY(status);
    // What was not reached is not empty.
    if (!read && read.error().code != ErrorCode::kUsage) return read;
    result_->sides = counter.sides();
    const std::string remedy =
        "--test-text-field names the field of the text of test items";
    for (const SideRead& side : result_->sides) {
      const bool is_all = result_->sides.size() == 1;
      TWINSET_TRY(CheckSideAfter(is_all ? read : Status(), side, remedy));
    }
    if (!read) return tl::unexpected(OfItems(options_, read.error()));
    return {};
  }

  // kCorrupt when the training data have no document with a word; ends at the
  // first one.
  Status CheckTraining() const {
    ReadOutcome outcome;
    const Status read = ForEachText(
        options_.input, options_.features, {},
        [&](const DocumentText& text) {
          const bool has_word = extractor_->HasToken(text.text);
          ++outcome.documents;
          outcome.wordless += !has_word;
          return !has_word;
        },
        outcome.Counting({}));
    outcome.records += outcome.documents;
    return CheckSideAfter(read, SideOf(kTraining, "", outcome),
                          "--text-field names the field of the text");
  }

  // Reads best.jsonl, pairs.jsonl and passages.jsonl of the match.
  Status ReadMatch(const std::string& folder) {
    TWINSET_TRY(ForEachResultRow(folder, "best", [&](const Json& row) {
      if (Item* const item = FindItem(row.value("a", ""))) {
        item->leak.document = row.value("b", "");
        item->leak.similarity = row.value("similarity", 0.0);
        item->leak.kind = LeakKind::kEmbedded;
      }
      return true;
    }));
    Status status;
    TWINSET_TRY(ForEachResultRow(folder, "pairs", [&](const Json& row) {
      if (Item* const item = FindItem(row.value("a", "")))
        status = Hold(item, row.value("b", ""), row.value("similarity", 0.0));
      return status.has_value();
    }));
    TWINSET_TRY(status);
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].leak.kind != LeakKind::kClean)
        examples_.Offer(i, items_[i].split);
    }
    examples_.Choose();
    return ForEachResultRow(folder, "passages", [&](const Json& row) {
      Item* const item = FindItem(row.value("a", ""));
      if (item == nullptr || item->leak.document != row.value("b", ""))
        return true;
      if (LeakExample* const example = examples_.Find(NumberOf(*item)))
        LeakExamples::AddPassage(row, example);
      if (!item->has_passage && row.value("tokens", uint64_t{0}) >=
                                    std::min(kExcerptWords, item->tokens)) {
        item->has_passage = true;
        item->passage_begin = row.value("b_begin", uint64_t{0});
      }
      return true;
    });
  }

  // The texts of the items that the page shows.
  Status ReadExamples() {
    if (examples_.empty()) return {};
    size_t number = 0;
    const Status read =
        ForEachText(TestInput(options_), options_.features, {},
                    [&](const DocumentText& text) {
                      if (LeakExample* const example = examples_.Find(number))
                        LeakExamples::SeeItem(text.text, example);
                      return number++ < examples_.last_item() && !Stopped();
                    },
                    {});
    TWINSET_TRY(StopStatus());
    return read;
  }

  // What the page shows beside the result. After ReadTraining.
  LeakShown Shown() const {
    return {examples_.examples(), training_name_, extractor_.get()};
  }

  // Training documents that have an item, and short items anywhere. `lists` may
  // be null, and so may `writing`.
  Status ReadTraining(LeakLists* lists, LeakWriting* writing) {
    lists_ = lists;
    writing_ = writing;
    PassProgress progress(options_.on_progress, "training", "", "documents");
    TWINSET_ASSIGN(SideCounter counter,
                   SideCounter::Make(kTraining, options_.input));
    Status status;
    const Status read = ForEachText(
        options_.input, options_.features, {},
        [&](const DocumentText& text) {
          ++result_->training_documents;
          counter.Document(text.source, !extractor_->HasToken(text.text));
          progress.Add();
          NameTraining(text.source);
          status = SeeWanted(text);
          if (status) status = SeeShort(text);
          return status && !Stopped();
        },
        [&](const RejectedRecord& record) {
          counter.Rejected(record);
          result_->quarantined += record.quarantined;
          // What reading refuses is no document when it is written, either.
          if (writing_ != nullptr && record.stage != "read")
            writing_->LeaveOut(record.source, record.ordinal);
        });
    TWINSET_TRY(StopStatus());
    TWINSET_TRY(status);
    if (training_inputs_ != 1)
      training_name_ = CountText(training_inputs_, "training input");
    TWINSET_TRY(read);
    for (std::string& sentence : TellUnusable(counter.sides()))
      result_->warnings.push_back(std::move(sentence));
    result_->sides.insert(result_->sides.end(), counter.sides().begin(),
                          counter.sides().end());
    return {};
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
      if (LeakExample* const example = examples_.Find(NumberOf(item)))
        example->leak = result_->leaks.size();
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

  size_t NumberOf(const Item& item) const {
    return static_cast<size_t>(&item - items_.data());
  }

  // The documents of an input come one after the other.
  void NameTraining(const std::string& source) {
    if (training_inputs_ > 0 && training_name_ == source) return;
    ++training_inputs_;
    training_name_ = source;
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
    std::vector<std::string> first;  // of a short item all
    extractor_->ForEachToken(text.text, [&](const TokenView& token) {
      if (++item.tokens < words_) first.emplace_back(token.text);
    });
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
    if (is_short) short_.Add(items_.size(), first);
    bytes_ += sizeof(Item) + 3 * item.id.size() + kExcerptBytes + 200;
    by_id_.emplace(item.id, items_.size());
    items_.push_back(std::move(item));
    return CheckMemory();
  }

  Status CheckMemory() const {
    const uint64_t gone = writing_ == nullptr ? 0 : writing_->bytes();
    if (bytes_ + gone <= most_bytes_) return {};
    return Fail(ErrorCode::kMemory,
                "the items and the names of the documents that have them do "
                "not fit into half of the memory",
                {}, "give more --memory, or fewer items");
  }

  // That the item stands in a document of the match.
  Status Hold(Item* item, const std::string& name, double similarity) {
    ++item->leak.documents;
    const auto [wanted, is_new] = wanted_.try_emplace(name);
    if (is_new) {
      bytes_ += 3 * name.size() + 250;
      // So that its documents are counted, whatever number it got.
      wanted_ids_.insert(name);
      wanted_ids_.insert(name.substr(0, name.rfind('#')));
    }
    const size_t number = NumberOf(*item);
    const bool is_best = name == item->leak.document;
    if (!is_best && item->listed + 1 > kMostLeakDocuments) {
      ++result_->rows_left_out;
      return CheckMemory();
    }
    ++item->listed;
    bytes_ += 2 * sizeof(Holding);
    wanted->second.push_back({number, similarity});
    return CheckMemory();
  }

  bool IsWhole(const Item& item, uint64_t tokens) const {
    return static_cast<double>(tokens) * options_.threshold <=
           static_cast<double>(item.tokens);
  }

  Status List(const Item& item, const std::string& document, LeakKind kind,
              double similarity) {
    if (lists_ == nullptr) return {};
    return lists_->Add({item.id,
                        result_->splits[item.split].name,
                        document,
                        kind,
                        similarity,
                        {},
                        {},
                        0});
  }

  Status SeeWanted(const DocumentText& text) {
    const bool is_named = wanted_ids_.contains(text.id);
    const std::string name =
        is_named ? training_ids_.NameOf(text.id) : std::string();
    const auto at = is_named ? wanted_.find(name) : wanted_.end();
    if (at == wanted_.end()) {
      if (writing_ != nullptr) writing_->Keep(text.source);
      return CheckMemory();
    }
    if (writing_ != nullptr) writing_->LeaveOut(text.source, text.ordinal);
    TWINSET_TRY(CheckMemory());
    ++result_->leaking_documents;
    if (lists_ != nullptr) TWINSET_TRY(lists_->AddDocument(name));
    uint64_t tokens = 0;
    extractor_->ForEachToken(text.text,
                             [&tokens](const TokenView&) { ++tokens; });
    for (const Holding& held : at->second) {
      Item& item = items_[held.item];
      const LeakKind kind =
          IsWhole(item, tokens) ? LeakKind::kWhole : LeakKind::kEmbedded;
      TWINSET_TRY(List(item, name, kind, held.similarity));
      if (item.leak.document != name || !item.leak.document_text.empty())
        continue;
      item.leak.kind = kind;
      item.leak.document_text = ExcerptFrom(text.text, item.passage_begin);
      if (LeakExample* const example = examples_.Find(held.item))
        LeakExamples::SeeDocument(text.text, example);
    }
    return {};
  }

  // The text goes through a window that ends with enough words behind the last
  // item that it is looked through for.
  Status SeeShort(const DocumentText& text) {
    if (short_.empty()) return {};
    std::vector<std::string> window;
    size_t from = 0;
    Status status;
    const auto look = [&](size_t until) {
      short_.Find(
          window, from, until,
          [&](std::span<const size_t> numbers, size_t begin, size_t count) {
            if (status)
              status = FoundShort(text, window, numbers, begin, count);
          });
      const size_t keep = until < kWordsAround ? 0 : until - kWordsAround;
      window.erase(window.begin(),
                   window.begin() + static_cast<std::ptrdiff_t>(keep));
      from = until - keep;
    };
    const size_t behind = short_.longest() + kWordsAround;
    extractor_->ForEachToken(text.text, [&](const TokenView& token) {
      window.emplace_back(token.text);
      if (window.size() >= kTokensHeld + behind) look(window.size() - behind);
    });
    look(window.size());
    return status;
  }

  Status FoundShort(const DocumentText& text,
                    const std::vector<std::string>& tokens,
                    std::span<const size_t> numbers, size_t begin,
                    size_t count) {
    // Equal items are found together, here and by the match.
    const LeakKind known = items_[numbers.front()].leak.kind;
    if (known != LeakKind::kClean && known != LeakKind::kShortEmbedded)
      return {};
    std::string words;
    const size_t first = begin < kWordsAround ? 0 : begin - kWordsAround;
    for (size_t i = first; known == LeakKind::kClean && i < tokens.size() &&
                           i < begin + count + kWordsAround;
         ++i)
      words += (words.empty() ? "" : " ") + tokens[i];
    for (const size_t number : numbers) {
      Item& item = items_[number];
      if (item.last_seen == result_->training_documents) continue;
      item.last_seen = result_->training_documents;
      ++item.leak.documents;
      if (item.leak.kind == LeakKind::kClean) {
        item.leak.kind = LeakKind::kShortEmbedded;
        item.leak.document = text.id;
        item.leak.similarity = 1;
        item.leak.document_text = words;
      }
      if (++item.listed > kMostLeakDocuments)
        ++result_->rows_left_out;
      else
        TWINSET_TRY(List(item, text.id, LeakKind::kShortEmbedded, 1));
    }
    return {};
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
  // By the name of a training document, items that stand in it.
  std::unordered_map<std::string, std::vector<Holding>> wanted_;
  ShortItems short_;
  std::unique_ptr<FeatureExtractor> extractor_;
  LeakExamples examples_;
  std::string training_name_;
  uint64_t training_inputs_ = 0;
  LeakLists* lists_ = nullptr;
  LeakWriting* writing_ = nullptr;
};

// The pass over the training data, and all that is written.
Status FinishLeaks(const LeakOptions& options, const std::string& match,
                   LeakWriting* writing, Search* search, LeakResult* result) {
  std::optional<LeakLists> lists;
  if (!options.out.empty()) {
    TWINSET_ASSIGN(LeakLists created, LeakLists::Create(options.out));
    lists.emplace(std::move(created));
  }
  if (lists) TWINSET_TRY(search->ReadExamples());
  TWINSET_TRY(search->ReadTraining(lists ? &*lists : nullptr, writing));
  if (writing != nullptr) TWINSET_TRY(writing->Write(result));
  std::vector<std::string> clean;
  search->Finish(&clean);
  if (result->rows_left_out > 0)
    result->warnings.push_back("of each item " +
                               std::to_string(kMostLeakDocuments) +
                               " documents are listed: documents.jsonl lacks " +
                               std::to_string(result->rows_left_out) + " rows");
  for (LeakSplit& split : result->splits) {
    const Interval interval = WilsonInterval(split.leaked(), split.items);
    split.low = interval.low;
    split.high = interval.high;
  }
  result->parameters = {.threshold = options.threshold,
                        .split_field = options.split_field,
                        .shingle = options.features.shingle,
                        .tokens = options.features.tokens,
                        .content = options.features.content};
  result->page = ResultPage(LeakPage(options, *result, search->Shown()));
  if (!lists) return {};
  TWINSET_TRY(lists->Commit());
  return WriteLeaks(options, *result, clean, match);
}

}  // namespace

Result<LeakResult> v1::FindLeaks(const LeakOptions& options) try {
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
  std::optional<LeakWriting> writing;
  if (!options.write.empty()) {
    TWINSET_ASSIGN(LeakWriting opened,
                   LeakWriting::Open(options, work / "write",
                                     folder ? &*folder : nullptr));
    writing.emplace(std::move(opened));
  }
  LeakResult result;
  Search search(options, words, &result);
  TWINSET_TRY(search.Open());
  TWINSET_TRY(search.ReadItems());
  TWINSET_TRY(search.CheckTraining());
  const auto match = Match(MatchOf(options, work / "match"));
  if (!match) return tl::unexpected(InOwnWords(match.error(), work.path()));
  result.warnings = match->warnings;
  TWINSET_TRY(search.ReadMatch(work / "match"));
  if (folder) TWINSET_TRY(folder->Begin(LeakFiles(options)));
  const Status done = FinishLeaks(
      options, work / "match", writing ? &*writing : nullptr, &search, &result);
  if (!done && writing) TWINSET_TRY(writing->Remove());
  TWINSET_TRY(RemoveUnless(done, folder ? &*folder : nullptr));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
