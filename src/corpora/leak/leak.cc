// twinset/corpora/leak.h: a match by containment, and a pass for what is too
// short for it (docs/methods/leak.md).
#include "twinset/corpora/leak.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/stop.h"
#include "base/utf8.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "leak/item_list.h"
#include "leak/item_search.h"
#include "leak/leak_examples.h"
#include "leak/leak_report.h"
#include "leak/leak_rules.h"
#include "leak/leak_write.h"
#include "leak/short_items.h"
#include "options/resources.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/run/run_key.h"
#include "store/scratch_folder.h"
#include "text/tokens/features.h"
#include "twinset/dedup.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr char kTraining[] = "training data";

// What a pass keeps of an item beside LeakItem.
struct ItemState {
  bool has_passage = false;
  uint64_t passage_begin = 0;  // characters of the document
  uint64_t listed = 0;         // of a short item: rows of documents.jsonl
  uint64_t sharing = 0;        // by a rule of others: documents of the match
  // For a short item: the last document that was seen to have it.
  uint64_t last_seen = 0;
};

// An item in a document.
struct Holding {
  size_t item = 0;
  double similarity = 0;
};

// By the name of a training document, items that stand in it.
using Wanted = std::pair<const std::string, std::vector<Holding>>;

Status CheckOptions(const LeakOptions& options) {
  if (options.input.inputs.empty() || options.test.empty())
    return Fail(ErrorCode::kUsage, "training data and test items are needed",
                {}, "twinset leak TRAIN... --test EVAL");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  if (options.write.empty() && options.action != LeakAction::kDrop)
    return Fail(ErrorCode::kUsage,
                "--action says what becomes of documents that are written", {},
                "add --write DIR");
  if (options.empty_rows != EmptyRows::kKeep &&
      options.action != LeakAction::kCut)
    return Fail(ErrorCode::kUsage,
                "only --action cut leaves rows without text, of which "
                "--empty-rows speaks");
  TWINSET_TRY(RefuseReadOnce(options.input.inputs));
  return RefuseReadOnce(options.test);
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
  match.input = LeakTestInput(options);
  match.against = options.input.inputs;
  match.against_input = TrainingInput(options);
  match.features = options.features;
  // Texts are those that are shown and written.
  match.features.template_blocks = TemplateRule::kKeep;
  match.resources = options.resources;
  match.resources.tmp.clear();
  match.method.measure = Measure::kContainment;
  match.method.threshold =
      LeakRuleOf(options.rule, options.threshold).least_share;
  match.action = Action::kReport;
  match.passage_tokens = static_cast<int>(kLeakPassages.min_tokens);
  match.passage_gap = static_cast<int>(kLeakPassages.max_gap);
  match.out = out;
  match.stop = options.stop;
  match.on_progress = options.on_progress;
  match.names_empty_inputs = false;  // they are told as what they are here
  return match;
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

// The text from character `begin` on, as an excerpt.
std::string ExcerptFrom(const std::string& text, uint64_t begin) {
  size_t at = 0;
  for (; at < text.size() && begin > 0; ++at)
    begin -= at + 1 < text.size() && !IsContinuation(text[at + 1]);
  return LeakExcerpt(text, at);
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
    items_.emplace(extractor_.get(), words_);
    TWINSET_TRY(ForEachLeakItem(
        options_, *extractor_, result_,
        [this](const DocumentText& text, const std::string& split) {
          const size_t number = items_->size();
          const std::vector<std::string> words =
              items_->Add(text, split, result_);
          if (!words.empty()) short_.Add(number, words);
          states_.emplace_back();
          return CheckMemory();
        }));
    items_->NameAll();
    for (size_t i = 0; i < items_->size(); ++i)
      by_id_.emplace((*items_)[i].id, i);
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
    if (options_.rule == LeakRule::kShare) {
      TWINSET_TRY(ForEachResultRow(folder, "best", [&](const Json& row) {
        if (const auto item = FindItem(row.value("a", "")))
          IsBest(*item, row.value("b", ""), row.value("similarity", 0.0));
        return true;
      }));
    }
    Status status;
    TWINSET_TRY(ForEachResultRow(folder, "pairs", [&](const Json& row) {
      const auto item = FindItem(row.value("a", ""));
      if (!item) return true;
      Wanted* const wanted = Want(row.value("b", ""));
      if (options_.rule == LeakRule::kShare)
        Hold(*item, row.value("similarity", 0.0), wanted);
      else
        ++states_[*item].sharing;
      status = CheckMemory();
      return status.has_value();
    }));
    TWINSET_TRY(status);
    TWINSET_TRY(ReadNumberedIds());
    if (options_.rule != LeakRule::kShare) TWINSET_TRY(Judge());
    for (size_t i = 0; i < items_->size(); ++i) {
      const LeakItem& item = (*items_)[i];
      if (item.leak.kind != LeakKind::kClean) examples_.Offer(i, item.split);
    }
    examples_.Choose();
    return ForEachResultRow(folder, "passages", [&](const Json& row) {
      const auto number = FindItem(row.value("a", ""));
      if (!number) return true;
      const LeakItem& item = (*items_)[*number];
      if (item.leak.document != row.value("b", "")) return true;
      if (LeakExample* const example = examples_.Find(*number))
        LeakExamples::AddPassage(row, example);
      ItemState& state = states_[*number];
      if (!state.has_passage &&
          row.value("tokens", uint64_t{0}) >= LeakExcerptWords(item.tokens)) {
        state.has_passage = true;
        state.passage_begin = row.value("b_begin", uint64_t{0});
      }
      return true;
    });
  }

  // The items as they are looked for in documents one by one.
  Result<LeakSought> Sought() {
    if (!search_) TWINSET_TRY(MakeSearch());
    return LeakSought{&*search_, &*items_};
  }

  // The texts of the items that the page shows.
  Status ReadExamples() {
    if (examples_.empty()) return {};
    size_t number = 0;
    const Status read =
        ForEachText(LeakTestInput(options_), options_.features, {},
                    [&](const DocumentText& text) {
                      if (LeakExample* const example = examples_.Find(number))
                        LeakExamples::SeeItem(text.text, example);
                      return number++ < examples_.last_item() && !Stopped();
                    },
                    {});
    TWINSET_TRY(LeakStopStatus(options_));
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
    TWINSET_TRY(LeakStopStatus(options_));
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
    size_t leaks = 0;
    for (size_t i = 0; i < items_->size(); ++i) {
      if ((*items_)[i].leak.kind == LeakKind::kClean) continue;
      if (LeakExample* const example = examples_.Find(i)) example->leak = leaks;
      ++leaks;
    }
    items_->Finish(result_, clean);
  }

 private:
  bool Stopped() const { return options_.stop != nullptr && *options_.stop; }
  // The documents of an input come one after the other.
  void NameTraining(const std::string& source) {
    if (training_inputs_ > 0 && training_name_ == source) return;
    ++training_inputs_;
    training_name_ = source;
  }

  std::optional<size_t> FindItem(const std::string& id) const {
    const auto at = by_id_.find(id);
    if (at == by_id_.end()) return std::nullopt;
    return at->second;
  }

  Status CheckMemory() const {
    const uint64_t gone = writing_ == nullptr ? 0 : writing_->bytes();
    const uint64_t states = states_.size() * sizeof(ItemState);
    const uint64_t sought = search_ ? search_->bytes() : 0;
    if (items_->bytes() + states + bytes_ + gone + sought <= most_bytes_)
      return {};
    return Fail(ErrorCode::kMemory,
                "the items and the names of the documents that have them do "
                "not fit into half of the memory",
                {}, "give more --memory, or fewer items");
  }

  // A document that is wanted has a number if its id has come before, and other
  // ids may be called like that: which ones are, takes one more reading.
  Status ReadNumberedIds() {
    std::string_view base;
    const bool any = std::any_of(
        wanted_.begin(), wanted_.end(),
        [&](const auto& wanted) { return NumberInId(wanted.first, &base); });
    if (!any) return {};
    const Status read =
        ForEachText(options_.input, options_.features, {},
                    [&](const DocumentText& text) {
                      if (NumberInId(text.id, &base) &&
                          wanted_ids_.contains(std::string(base))) {
                        training_ids_.Own(text.id);
                        bytes_ += 2 * text.id.size() + 100;
                      }
                      return !Stopped() && CheckMemory().has_value();
                    },
                    {});
    TWINSET_TRY(LeakStopStatus(options_));
    TWINSET_TRY(CheckMemory());
    return read;
  }

  Status MakeSearch() {
    TWINSET_ASSIGN(HashKey key, GivenKey(options_.resources));
    if (key == HashKey()) {
      TWINSET_ASSIGN(key, DrawHashKey());
    }
    TWINSET_ASSIGN(ItemSearch made, ItemSearch::Make(options_, key));
    search_.emplace(std::move(made));
    const Status read =
        ForEachText(LeakTestInput(options_), options_.features, {},
                    [&](const DocumentText& text) {
                      search_->Add(text.text);
                      return !Stopped() && CheckMemory().has_value();
                    },
                    {});
    TWINSET_TRY(LeakStopStatus(options_));
    TWINSET_TRY(CheckMemory());
    TWINSET_TRY(read);
    if (search_->size() != items_->size())
      return Fail(ErrorCode::kIo, "the test items have changed", {},
                  "run the command again");
    search_->Index();
    return CheckMemory();
  }

  // By a rule of others: the match has found which documents share a shingle
  // with an item. What they hold is decided by the rule.
  Status Judge() {
    TWINSET_TRY(MakeSearch());
    const uint64_t most =
        LeakRuleOf(options_.rule, options_.threshold).most_documents;
    const bool any_frequent =
        most > 0 && std::any_of(states_.begin(), states_.end(),
                                [most](const ItemState& state) {
                                  return state.sharing > most;
                                });
    if (any_frequent) {
      TWINSET_TRY(
          ForEachWanted("frequent shingles", [&](const auto& text, Wanted*) {
            search_->CountDocument(text.text);
          }));
      search_->IgnoreFrequent();
    }
    TWINSET_TRY(
        ForEachWanted("documents", [&](const auto& text, Wanted* wanted) {
          for (const FoundItem& found : search_->Find(text.text)) {
            Hold(found.item, found.share, wanted);
            if (found.share > (*items_)[found.item].leak.similarity)
              IsBest(found.item, wanted->first, found.share);
          }
        }));
    std::erase_if(wanted_, [](const auto& one) { return one.second.empty(); });
    return {};
  }

  // The training documents that are wanted, once more.
  template <typename Body>
  Status ForEachWanted(const char* step, const Body& body) {
    PassProgress progress(options_.on_progress, step, "", "documents");
    IdNumbering ids = training_ids_;
    const Status read =
        ForEachText(options_.input, options_.features, {},
                    [&](const DocumentText& text) {
                      progress.Add();
                      if (wanted_ids_.contains(text.id)) {
                        const auto at = wanted_.find(ids.NameOf(text.id));
                        if (at != wanted_.end()) body(text, &*at);
                      }
                      return !Stopped() && CheckMemory().has_value();
                    },
                    {});
    TWINSET_TRY(LeakStopStatus(options_));
    TWINSET_TRY(CheckMemory());
    return read;
  }

  // The document has an item, or may have.
  Wanted* Want(const std::string& name) {
    const auto [wanted, is_new] = wanted_.try_emplace(name);
    if (is_new) {
      bytes_ += 3 * name.size() + 250;
      // So that its documents are counted, whatever number it got.
      wanted_ids_.insert(name);
      wanted_ids_.insert(name.substr(0, name.rfind('#')));
    }
    return &*wanted;
  }

  void Hold(size_t item, double similarity, Wanted* wanted) {
    ++(*items_)[item].leak.documents;
    bytes_ += 2 * sizeof(Holding);
    wanted->second.push_back({item, similarity});
  }

  // That of all documents so far this one has most of the item.
  void IsBest(size_t item, const std::string& document, double similarity) {
    Leak& leak = (*items_)[item].leak;
    leak.document = document;
    leak.similarity = similarity;
    leak.kind = LeakKind::kEmbedded;
  }

  Status List(const LeakItem& item, const std::string& document, LeakKind kind,
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
      if (writing_ != nullptr) Keep(text);
      return CheckMemory();
    }
    if (writing_ != nullptr) writing_->Leak(text.source, text.ordinal);
    TWINSET_TRY(CheckMemory());
    ++result_->leaking_documents;
    if (lists_ != nullptr) TWINSET_TRY(lists_->AddDocument(name));
    uint64_t tokens = 0;
    extractor_->ForEachToken(text.text,
                             [&tokens](const TokenView&) { ++tokens; });
    for (const Holding& held : at->second) {
      LeakItem& item = (*items_)[held.item];
      const LeakKind kind =
          LeakKindOf(item.tokens, tokens, held.similarity, options_.threshold);
      TWINSET_TRY(List(item, name, kind, held.similarity));
      if (item.leak.document != name || !item.leak.document_text.empty())
        continue;
      item.leak.kind = kind;
      item.leak.document_text =
          ExcerptFrom(text.text, states_[held.item].passage_begin);
      if (LeakExample* const example = examples_.Find(held.item))
        LeakExamples::SeeDocument(text.text, example);
    }
    return {};
  }

  void Keep(const DocumentText& text) {
    if (options_.action == LeakAction::kCut &&
        options_.empty_rows == EmptyRows::kDrop &&
        !extractor_->HasToken(text.text)) {
      writing_->LeaveOut(text.source, text.ordinal);
    } else {
      writing_->Keep(text.source);
    }
  }

  Status SeeShort(const DocumentText& text) {
    Status status;
    short_.ForEachPlace(text.text, *extractor_, [&](const ShortPlace& place) {
      if (status) status = FoundShort(text, place);
    });
    return status;
  }

  Status FoundShort(const DocumentText& text, const ShortPlace& place) {
    // Equal items are found together, here and by the match.
    const LeakKind known = (*items_)[place.items.front()].leak.kind;
    if (known != LeakKind::kClean && known != LeakKind::kShortEmbedded)
      return {};
    const std::string words =
        known == LeakKind::kClean ? place.Excerpt() : std::string();
    for (const size_t number : place.items) {
      LeakItem& item = (*items_)[number];
      ItemState& state = states_[number];
      if (state.last_seen == result_->training_documents) continue;
      state.last_seen = result_->training_documents;
      ++item.leak.documents;
      if (item.leak.kind == LeakKind::kClean) {
        item.leak.kind = LeakKind::kShortEmbedded;
        item.leak.document = text.id;
        item.leak.similarity = 1;
        item.leak.document_text = words;
      }
      if (++state.listed > kMostLeakDocuments)
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
  std::optional<ItemList> items_;  // set from ReadItems on
  std::vector<ItemState> states_;  // of the items
  IdNumbering training_ids_;       // of wanted_ids_ alone
  std::unordered_set<std::string> wanted_ids_;
  std::unordered_map<std::string, size_t> by_id_;
  std::unordered_map<std::string, std::vector<Holding>> wanted_;
  std::optional<ItemSearch> search_;
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
  if (writing != nullptr) {
    LeakSought sought;
    if (writing->looks()) {
      TWINSET_ASSIGN(sought, search->Sought());
    }
    TWINSET_TRY(writing->Write(sought, result));
  }
  std::vector<std::string> clean;
  search->Finish(&clean);
  if (result->rows_left_out > 0)
    result->warnings.push_back("of each short item that leaks nowhere " +
                               std::to_string(kMostLeakDocuments) +
                               " documents are listed: documents.jsonl lacks " +
                               std::to_string(result->rows_left_out) + " rows");
  result->parameters = LeakParametersOf(options);
  result->page = ResultPage(LeakPage(options, *result, search->Shown()));
  if (!lists) return {};
  TWINSET_TRY(lists->Commit());
  return WriteLeaks(options, *result, clean, match);
}

// With the shingles of a rule of others.
Result<LeakOptions> WithRule(LeakOptions options) {
  if (options.rule == LeakRule::kShare || options.given_grams) return options;
  uint32_t words = kTulu3GramWords;
  if (options.rule == LeakRule::kGpt3) {
    TWINSET_ASSIGN(const auto extractor, MakeExtractor(options.features));
    Gpt3GramWords grams;
    LeakResult unused;
    TWINSET_TRY(ForEachLeakItem(
        options, *extractor, &unused,
        [&](const DocumentText& text, const std::string&) -> Status {
          uint64_t count = 0;
          extractor->ForEachToken(text.text,
                                  [&count](const TokenView&) { ++count; });
          grams.Add(count);
          return {};
        }));
    words = grams.Words();
  }
  options.features.shingle = "word:" + std::to_string(words);
  return options;
}

}  // namespace

Result<LeakResult> v1::FindLeaks(const LeakOptions& asked) try {
  TWINSET_TRY(CheckOptions(asked));
  TWINSET_ASSIGN(const LeakOptions options, WithRule(asked));
  TWINSET_ASSIGN(const uint32_t words, LeakGramWords(options.features));
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
