#include "leak/leak_judge.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "leak/leak_rules.h"
#include "pipeline/report/result_rows.h"
#include "twinset/json.h"

namespace twinset {
namespace {

// What a document of a wanted id holds by the rule: items and their shares.
struct JudgedRow {
  std::string id;
  std::vector<std::pair<uint64_t, double>> found;
  static void Fields(auto& row, auto& field) {
    field("id", row.id);
    field("found", row.found);
  }
};

// Shingles of items in a document of a wanted id; those that do not fit into a
// row follow in others, which have no id.
constexpr size_t kShinglesPerRow = 100'000;
struct CountedRow {
  std::optional<std::string> id;
  std::vector<uint64_t> shingles;
  static void Fields(auto& row, auto& field) {
    field("id", row.id);
    field("shingles", row.shingles);
  }
};

}  // namespace

Status LeakJudge::Judge(const std::string& match, WantedDocuments* documents,
                        LeakExamples* examples) {
  documents_ = documents;
  if (options_.rule == LeakRule::kShare) TWINSET_TRY(ReadBest(match));
  TWINSET_TRY(ReadPairs(match));
  if (documents->any_numbered()) TWINSET_TRY(ReadNumberedIds());
  if (options_.rule != LeakRule::kShare) TWINSET_TRY(JudgeByRule());
  for (size_t i = 0; i < items_.size(); ++i) {
    const LeakItem& item = items_[i];
    if (item.leak.kind != LeakKind::kClean) examples->Offer(i, item.split);
  }
  examples->Choose();
  return ReadPassages(match, examples);
}

Status LeakJudge::ReadBest(const std::string& match) {
  return ForEachResultRow(match, "best", [&](const Json& row) {
    if (const auto item = items_.Find(row.value("a", "")))
      IsBest(*item, row.value("b", ""), row.value("similarity", 0.0));
    return true;
  });
}

Status LeakJudge::ReadPairs(const std::string& match) {
  Status status;
  TWINSET_TRY(ForEachResultRow(match, "pairs", [&](const Json& row) {
    const auto item = items_.Find(row.value("a", ""));
    if (!item) return true;
    Wanted* const wanted = documents_->Want(row.value("b", ""));
    if (options_.rule == LeakRule::kShare)
      Hold(*item, row.value("similarity", 0.0), wanted);
    else
      ++items_.state(*item).sharing;
    memory_.documents = documents_->bytes();
    status = memory_.Check();
    return status.has_value();
  }));
  return status;
}

Status LeakJudge::ReadPassages(const std::string& match,
                               LeakExamples* examples) {
  return ForEachResultRow(match, "passages", [&](const Json& row) {
    const auto number = items_.Find(row.value("a", ""));
    if (!number) return true;
    const LeakItem& item = items_[*number];
    if (item.leak.document != row.value("b", "")) return true;
    if (LeakExample* const example = examples->Find(*number))
      LeakExamples::AddPassage(row, example);
    ItemState& state = items_.state(*number);
    if (!state.has_passage &&
        row.value("tokens", uint64_t{0}) >= LeakExcerptWords(item.tokens)) {
      state.has_passage = true;
      state.passage_begin = row.value("b_begin", uint64_t{0});
    }
    return true;
  });
}

// A document that is wanted has a number if its id has come before, and other
// ids may be called like that: which ones are, takes one more reading.
Status LeakJudge::ReadNumberedIds() {
  TrainingPass pass(run_, options_.features, "ids", [&](const Json& row) {
    documents_->Own(row.value("id", ""));
    memory_.documents = documents_->bytes();
    return memory_.Check();
  });
  return pass.Do({.on_document = [&](const DocumentText& text, uint64_t) {
    return documents_->MayOwn(text.id) ? pass.Add({{"id", text.id}}) : Status();
  }});
}

Result<ItemSearch*> LeakJudge::Search() {
  TWINSET_ASSIGN(ItemSearch* const search, items_.Search());
  if (!std::exchange(is_counted_, true)) TWINSET_TRY(IgnoreFrequent(search));
  return search;
}

Status LeakJudge::IgnoreFrequent(ItemSearch* search) {
  const uint64_t most =
      LeakRuleOf(options_.rule, options_.threshold).most_documents;
  bool any_frequent = false;
  for (size_t i = 0; most > 0 && i < items_.size(); ++i)
    any_frequent |= items_.state(i).sharing > most;
  if (!any_frequent) return {};
  WantedDocuments::Pass named(documents_);
  bool is_wanted = false;
  TrainingPass pass(run_, options_.features, "frequent",
                    [&](const Json& json) -> Status {
                      CountedRow row;
                      if (!FieldsFromJson(json, 0, &row))
                        return run_->WrongJournal();
                      if (row.id) is_wanted = named.Next(*row.id) != nullptr;
                      if (is_wanted && !search->CountDocument(row.shingles))
                        return run_->WrongJournal();
                      memory_.search = search->bytes();
                      return memory_.Check();
                    });
  TWINSET_TRY(pass.Do({.on_document = [&](const DocumentText& text,
                                          uint64_t) -> Status {
    if (!named.MayBe(text.id)) return {};
    const std::vector<uint64_t> all = search->CountedIn(text.text);
    for (size_t at = 0; at == 0 || at < all.size(); at += kShinglesPerRow) {
      CountedRow row;
      if (at == 0) row.id = text.id;
      row.shingles.assign(all.begin() + static_cast<std::ptrdiff_t>(at),
                          all.begin() + static_cast<std::ptrdiff_t>(std::min(
                                            all.size(), at + kShinglesPerRow)));
      TWINSET_TRY(pass.Add(FieldsToJson(row)));
    }
    return {};
  }}));
  search->IgnoreFrequent();
  return {};
}

// The match has found which documents share a shingle with an item. What they
// hold is decided by the rule.
Status LeakJudge::JudgeByRule() {
  // Documents count that hold nothing, and these are known until EraseIdle.
  TWINSET_ASSIGN(const ItemSearch* const search, Search());
  WantedDocuments::Pass named(documents_);
  TrainingPass pass(run_, options_.features, "judge",
                    [&](const Json& json) -> Status {
                      JudgedRow row;
                      if (!FieldsFromJson(json, 0, &row))
                        return run_->WrongJournal();
                      Wanted* const wanted = named.Next(row.id);
                      for (const auto& [item, share] : row.found) {
                        if (wanted == nullptr) break;
                        if (item >= items_.size()) return run_->WrongJournal();
                        Hold(item, share, wanted);
                        if (share > items_[item].leak.similarity)
                          IsBest(item, wanted->first, share);
                      }
                      memory_.documents = documents_->bytes();
                      return memory_.Check();
                    });
  TWINSET_TRY(pass.Do(
      {.on_document = [&](const DocumentText& text, uint64_t) -> Status {
        if (!named.MayBe(text.id)) return {};
        JudgedRow row = {text.id, {}};
        for (const FoundItem& one : search->Find(text.text))
          row.found.emplace_back(one.item, one.share);
        return pass.Add(FieldsToJson(row));
      }}));
  documents_->EraseIdle();
  return {};
}

void LeakJudge::Hold(size_t item, double similarity, Wanted* document) {
  ++items_[item].leak.documents;
  documents_->Hold(document, {item, similarity});
}

// No document so far has more of the item.
void LeakJudge::IsBest(size_t item, const std::string& document,
                       double similarity) {
  Leak& leak = items_[item].leak;
  leak.document = document;
  leak.similarity = similarity;
  leak.kind = LeakKind::kEmbedded;
}

}  // namespace twinset
