#include "leak/training_look.h"

#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr char kTraining[] = "training data";

// The rows of the pass, each under its name.
struct WantedRow {
  static constexpr char kName[] = "wanted";
  uint64_t source = 0, ordinal = 0;
  std::string id;
  uint64_t words = 0;
  static void Fields(auto& row, auto& field) {
    field("source", row.source);
    field("ordinal", row.ordinal);
    field("id", row.id);
    field("words", row.words);
  }
};

// The document of the row before it has most of the item.
struct ExcerptRow {
  static constexpr char kName[] = "excerpt";
  uint64_t item = 0;
  std::string text;
  static void Fields(auto& row, auto& field) {
    field("item", row.item);
    field("text", row.text);
  }
};

struct ExampleRow {
  static constexpr char kName[] = "example";
  uint64_t item = 0;
  std::vector<TextWindow> passages;
  static void Fields(auto& row, auto& field) {
    field("item", row.item);
    field("passages", row.passages);
  }
};

// A short item in a document; the first such row of an item has the text.
struct ShortRow {
  static constexpr char kName[] = "short";
  uint64_t item = 0;
  std::string id, text;
  static void Fields(auto& row, auto& field) {
    field("item", row.item);
    field("id", row.id);
    field("text", row.text);
  }
};

// Documents that have a short item and are not listed.
struct MoreRow {
  static constexpr char kName[] = "more";
  uint64_t item = 0, documents = 0;
  static void Fields(auto& row, auto& field) {
    field("item", row.item);
    field("documents", row.documents);
  }
};

struct LeftOutRow {
  static constexpr char kName[] = "left_out";
  uint64_t source = 0, ordinal = 0;
  static void Fields(auto& row, auto& field) {
    field("source", row.source);
    field("ordinal", row.ordinal);
  }
};

// Records of a source since the last such row, of which it was not said what
// becomes of them.
struct CountsRow {
  static constexpr char kName[] = "counts";
  uint64_t source = 0, kept = 0;
  SideRead side;
  static void Fields(auto& row, auto& field) {
    field("source", row.source);
    field("kept", row.kept);
    field("records", row.side.records);
    field("documents", row.side.used);
    field("wordless", row.side.wordless);
    field("quarantined", row.side.quarantined);
    field("problem", row.side.problem);
  }
};

template <typename Row>
Json RowJson(const Row& row) {
  Json json = Json::object();
  json[Row::kName] = FieldsToJson(row);
  return json;
}

// The text from character `begin` on, as an excerpt.
std::string ExcerptFrom(const std::string& text, uint64_t begin) {
  size_t at = 0;
  for (; at < text.size() && begin > 0; ++at)
    begin -= at + 1 < text.size() && !IsContinuation(text[at + 1]);
  return LeakExcerpt(text, at);
}

}  // namespace

TrainingLook::TrainingLook(const Parts& parts)
    : parts_(parts),
      items_(*parts.items),
      pass_(parts.run, parts.options.features, "training",
            [this](const Json& row) { return Take(row); }),
      named_(parts.documents),
      seen_(parts.items->size()) {}

Status TrainingLook::Do() {
  TWINSET_ASSIGN(sides_, SideCounter::Make(kTraining, parts_.options.input));
  TWINSET_TRY(pass_.Do(
      {.on_document = [this](const auto& text,
                             uint64_t source) { return See(text, source); },
       .on_rejected = [this](
                          const auto& record,
                          uint64_t source) { return Reject(record, source); },
       .settle = [this](uint64_t source) { return Settle(source); }}));
  LeakResult& result = *parts_.result;
  if (result.leaking_documents != parts_.documents->size())
    return Fail(ErrorCode::kIo,
                "the training data have changed since they were searched", {},
                "run the command again");
  const std::vector<SideRead>& sides = sides_->sides();
  for (std::string& sentence : TellUnusable(sides))
    result.warnings.push_back(std::move(sentence));
  result.sides.insert(result.sides.end(), sides.begin(), sides.end());
  return {};
}

std::string TrainingLook::training_name() const {
  return inputs_ == 1 ? input_ : CountText(inputs_, "training input");
}

Status TrainingLook::See(const DocumentText& text, uint64_t source) {
  const bool is_wordless = !items_.extractor().HasToken(text.text);
  ++number_;
  ++counted_.records;
  ++counted_.used;
  counted_.wordless += is_wordless;
  if (named_.MayBe(text.id)) {
    TWINSET_TRY(SeeWanted(text, source));
  } else if (is_wordless && DropsEmpty()) {
    TWINSET_TRY(pass_.Add(RowJson(LeftOutRow{source, text.ordinal})));
  } else {
    ++kept_;
  }
  return SeeShort(text);
}

Status TrainingLook::SeeWanted(const DocumentText& text, uint64_t source) {
  WantedRow row = {source, text.ordinal, text.id, 0};
  items_.extractor().ForEachToken(text.text,
                                  [&](const TokenView&) { ++row.words; });
  TWINSET_TRY(pass_.Add(RowJson(row)));
  if (document_ == nullptr) return {};
  for (const Holding& held : document_->second) {
    if (items_[held.item].leak.document != document_->first) continue;
    TWINSET_TRY(pass_.Add(RowJson(ExcerptRow{
        held.item,
        ExcerptFrom(text.text, items_.state(held.item).passage_begin)})));
    const LeakExample* const example = parts_.examples->Find(held.item);
    if (example == nullptr) continue;
    TWINSET_TRY(pass_.Add(RowJson(
        ExampleRow{held.item, LeakExamples::WindowsIn(text.text, *example)})));
  }
  return {};
}

Status TrainingLook::SeeShort(const DocumentText& text) {
  Status status;
  items_.shorts().ForEachPlace(text.text, items_.extractor(),
                               [&](const ShortPlace& place) {
                                 if (status) status = FoundShort(text, place);
                               });
  return status;
}

Status TrainingLook::FoundShort(const DocumentText& text,
                                const ShortPlace& place) {
  // Equal items are found together, here and by the match.
  const LeakKind known = items_[place.items.front()].leak.kind;
  if (known != LeakKind::kClean && known != LeakKind::kShortEmbedded) return {};
  const std::string words =
      known == LeakKind::kClean ? place.Excerpt() : std::string();
  for (const size_t item : place.items) {
    if (std::exchange(seen_[item], number_) == number_) continue;
    if (items_.state(item).listed < kMostLeakDocuments)
      TWINSET_TRY(pass_.Add(RowJson(ShortRow{item, text.id, words})));
    else
      ++more_[item];
  }
  return {};
}

Status TrainingLook::Reject(const RejectedRecord& record, uint64_t source) {
  CountRejected(record, &counted_);
  // What reading refuses is no document when it is written, either.
  if (parts_.writing == nullptr || record.stage == "read") return {};
  return pass_.Add(RowJson(LeftOutRow{source, record.ordinal}));
}

Status TrainingLook::Settle(uint64_t source) {
  for (const auto& [item, documents] : std::exchange(more_, {}))
    TWINSET_TRY(pass_.Add(RowJson(MoreRow{item, documents})));
  if (counted_.records == 0) return {};
  return pass_.Add(RowJson(
      CountsRow{source, std::exchange(kept_, 0), std::exchange(counted_, {})}));
}

Status TrainingLook::Take(const Json& json) {
  using Each = Status (TrainingLook::*)(const Json&);
  constexpr std::pair<const char*, Each> kRows[] = {
      {WantedRow::kName, &TrainingLook::TakeWanted},
      {ExcerptRow::kName, &TrainingLook::TakeExcerpt},
      {ExampleRow::kName, &TrainingLook::TakeExample},
      {ShortRow::kName, &TrainingLook::TakeShort},
      {MoreRow::kName, &TrainingLook::TakeMore},
      {LeftOutRow::kName, &TrainingLook::TakeLeftOut},
      {CountsRow::kName, &TrainingLook::TakeCounts}};
  for (const auto& [name, each] : kRows) {
    if (!json.contains(name)) continue;
    TWINSET_TRY((this->*each)(json[name]));
    if (parts_.writing != nullptr)
      parts_.memory->places = parts_.writing->bytes();
    return parts_.memory->Check();
  }
  return parts_.run->WrongJournal();
}

// A row that names what is not there is damaged.
template <typename Row>
Status TrainingLook::Read(const Json& json, Row* row) const {
  bool is_sound = FieldsFromJson(json, 0, row);
  if constexpr (requires { row->item; })
    is_sound = is_sound && row->item < items_.size();
  if constexpr (requires { row->source; })
    is_sound = is_sound && row->source < parts_.run->plan.inputs.files.size();
  return is_sound ? Status() : Status(parts_.run->WrongJournal());
}

Status TrainingLook::TakeWanted(const Json& json) {
  WantedRow row;
  TWINSET_TRY(Read(json, &row));
  LeakWriting* const writing = parts_.writing;
  document_ = named_.Next(row.id);
  if (document_ == nullptr) {
    if (writing == nullptr) return {};
    if (row.words == 0 && DropsEmpty())
      writing->LeaveOut(row.source, row.ordinal);
    else
      writing->Keep(row.source, 1);
    return {};
  }
  if (writing != nullptr) writing->Leak(row.source, row.ordinal);
  ++parts_.result->leaking_documents;
  const std::string& name = document_->first;
  if (parts_.lists != nullptr) TWINSET_TRY(parts_.lists->AddDocument(name));
  for (const Holding& held : document_->second) {
    LeakItem& item = items_[held.item];
    const LeakKind kind = LeakKindOf(item.tokens, row.words, held.similarity,
                                     parts_.options.threshold);
    TWINSET_TRY(List(item, name, kind, held.similarity));
    if (item.leak.document == name) item.leak.kind = kind;
  }
  return {};
}

Status TrainingLook::TakeExcerpt(const Json& json) {
  ExcerptRow row;
  TWINSET_TRY(Read(json, &row));
  items_[row.item].leak.document_text = std::move(row.text);
  return {};
}

Status TrainingLook::TakeExample(const Json& json) {
  ExampleRow row;
  TWINSET_TRY(Read(json, &row));
  if (LeakExample* const example = parts_.examples->Find(row.item))
    LeakExamples::SetDocument(std::move(row.passages), example);
  return {};
}

Status TrainingLook::TakeShort(const Json& json) {
  ShortRow row;
  TWINSET_TRY(Read(json, &row));
  LeakItem& item = items_[row.item];
  ++item.leak.documents;
  if (item.leak.kind == LeakKind::kClean) {
    item.leak.kind = LeakKind::kShortEmbedded;
    item.leak.document = row.id;
    item.leak.similarity = 1;
    item.leak.document_text = std::move(row.text);
  }
  ++items_.state(row.item).listed;
  return List(item, row.id, LeakKind::kShortEmbedded, 1);
}

Status TrainingLook::TakeMore(const Json& json) {
  MoreRow row;
  TWINSET_TRY(Read(json, &row));
  items_[row.item].leak.documents += row.documents;
  parts_.result->rows_left_out += row.documents;
  return {};
}

Status TrainingLook::TakeLeftOut(const Json& json) {
  LeftOutRow row;
  TWINSET_TRY(Read(json, &row));
  if (parts_.writing != nullptr)
    parts_.writing->LeaveOut(row.source, row.ordinal);
  return {};
}

Status TrainingLook::TakeCounts(const Json& json) {
  CountsRow row;
  TWINSET_TRY(Read(json, &row));
  const std::string source = parts_.run->plan.inputs.files[row.source].source;
  sides_->Add(source, row.side);
  parts_.result->training_documents += row.side.used;
  parts_.result->quarantined += row.side.quarantined;
  if (parts_.writing != nullptr) parts_.writing->Keep(row.source, row.kept);
  if (row.side.used == 0 || (inputs_ > 0 && input_ == source)) return {};
  ++inputs_;
  input_ = source;
  return {};
}

// Rows without text are left out beside those of which none is left.
bool TrainingLook::DropsEmpty() const {
  return parts_.writing != nullptr &&
         parts_.options.action == LeakAction::kCut &&
         parts_.options.empty_rows == EmptyRows::kDrop;
}

Status TrainingLook::List(const LeakItem& item, const std::string& document,
                          LeakKind kind, double similarity) {
  if (parts_.lists == nullptr) return {};
  return parts_.lists->Add({item.id,
                            parts_.result->splits[item.split].name,
                            document,
                            kind,
                            similarity,
                            {},
                            {},
                            0});
}

}  // namespace twinset
