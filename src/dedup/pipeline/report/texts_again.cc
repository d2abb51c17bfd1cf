#include "pipeline/report/texts_again.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/text_stage.h"

namespace twinset {

namespace {

std::string PlaceKey(const std::string& source, uint64_t ordinal) {
  return "p" + std::to_string(ordinal) + ' ' + source;
}

std::string IdKey(int side, const std::string& id) {
  return std::to_string(side) + id;
}

// Tells every so many records.
class Telling {
 public:
  explicit Telling(const RunReading& reading) : reading_(reading) {}
  void Next() {
    if (!reading_.on_progress || done_++ % kEvery != 0) return;
    Progress progress;
    progress.stage = "report";
    progress.unit = "records";
    progress.done = done_ - 1;
    progress.total = std::max(reading_.records, done_ - 1);
    if (progress.total > 0)
      progress.share = static_cast<double>(progress.done) /
                       static_cast<double>(progress.total);
    reading_.on_progress(progress);
  }

 private:
  static constexpr uint64_t kEvery = 1024;
  const RunReading& reading_;
  uint64_t done_ = 0;
};

// Rows have no title that the text stage would know of; many name it so.
constexpr char kTitleField[] = "title";

ReadOptions WithTitle(ReadOptions read) {
  read.fields.emplace_back(kTitleField);
  return read;
}

// Returns true iff a run calls a document `id` so: repeats get a number.
bool IsName(const std::string& name, const std::string& id) {
  return name == id || (name.size() > id.size() + 1 && name.starts_with(id) &&
                        name[id.size()] == '#');
}

}  // namespace

size_t TextsAgain::Number(const std::string& key, const std::string& id) {
  const auto [at, is_new] = numbers_.emplace(key, texts_.size());
  if (is_new) texts_.emplace_back().id = id;
  return at->second;
}

size_t TextsAgain::WantAt(const std::string& source, uint64_t ordinal,
                          const std::string& id) {
  places_[source].insert(ordinal);
  return Number(PlaceKey(source, ordinal), id);
}

size_t TextsAgain::WantId(int side, const std::string& id) {
  has_ids_ = true;
  return Number(IdKey(side, id), id);
}

size_t TextsAgain::WantWindow(size_t document, uint64_t begin, uint64_t end,
                              uint64_t head) {
  std::vector<TextWindow>& windows = texts_[document].windows;
  windows.emplace_back();
  windows.back().begin = begin;
  windows.back().end = std::max(begin, end);
  windows.back().most_head = head;
  return windows.size() - 1;
}

size_t TextsAgain::missing() const {
  return static_cast<size_t>(
      std::count_if(texts_.begin(), texts_.end(),
                    [](const TextAgain& text) { return !text.is_found; }));
}

uint64_t TextsAgain::NextPlace(const std::string& source,
                               uint64_t ordinal) const {
  if (has_ids_) return 0;
  const auto places = places_.find(source);
  if (places == places_.end()) return UINT64_MAX;
  const auto at = places->second.lower_bound(ordinal);
  return at == places->second.end() ? UINT64_MAX : *at;
}

Status TextsAgain::Read(const RunReading& reading) {
  open_ = missing();
  if (open_ == 0) return {};
  const PlanOptions& options = reading.options;
  TWINSET_TRY(RefuseReadOnce(options.input.inputs));
  TWINSET_ASSIGN(const TextStage stage,
                 TextStage::Make(options.input, options.features,
                                 {.layout = keeps_documents_,
                                  .other = keeps_documents_,
                                  .payload = keeps_documents_}));
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(options.input));
  read = WithTitle(std::move(read));
  const ReadOptions read_against = WithTitle(reading.read_against);
  ListingOptions how;
  how.first_side = reading.first_side;
  TWINSET_ASSIGN(const auto files, ListInputs(options.input, how));
  Telling telling(reading);
  for (uint32_t i = 0; i < files.size() && open_ > 0; ++i) {
    const bool second = reading.first_side != 0 && i >= reading.first_side;
    const std::string source = reading.names.size() == files.size()
                                   ? reading.names[i]
                                   : files[i].source;
    if (NextPlace(source, 0) == UINT64_MAX) continue;
    TWINSET_ASSIGN(auto reader,
                   OpenRecordReader(files[i], i, second ? read_against : read));
    const Status done =
        ReadFile(source, second, stage, reader.get(), [&] { telling.Next(); });
    bytes_read_ += reader->consumed_bytes();
    TWINSET_TRY(done);
  }
  return {};
}

Status TextsAgain::ReadFile(const std::string& source, bool is_second,
                            const TextStage& stage, RecordReader* reader,
                            const std::function<void()>& tell) {
  Record record;
  for (uint64_t next = NextPlace(source, 0); next != UINT64_MAX && open_ > 0;) {
    reader->PassOver(next);
    TWINSET_ASSIGN(const bool more, reader->Next(&record));
    if (!more) break;
    tell();
    if (record.kind == RecordKind::kDocument)
      Take(stage, source, is_second, &record);
    next = NextPlace(source, record.document.provenance.ordinal + 1);
  }
  return {};
}

void TextsAgain::Take(const TextStage& stage, const std::string& source,
                      bool is_second, Record* record) {
  GiveListedId(source, record);
  const std::string& id = record->document.id;
  auto wanted =
      numbers_.find(PlaceKey(source, record->document.provenance.ordinal));
  if (wanted == numbers_.end()) wanted = numbers_.find(IdKey(is_second, id));
  if (wanted == numbers_.end()) return;
  TextAgain& found = texts_[wanted->second];
  DocumentText text;
  RejectedRecord rejected;
  if (found.is_found || !IsName(found.id, id) ||
      !stage.Show(*record, source, &text, &rejected))
    return;
  found.is_found = true;
  --open_;
  for (TextWindow& window : found.windows) FillWindow(text.text, &window);
  const size_t length = LengthUpTo(text.text, TextAgain::kMostBytes);
  found.is_whole = length == text.text.size();
  found.text = text.text.substr(0, length);
  if (keeps_documents_) found.document = text;
  found.title = std::move(text.title);
  // The field that was asked for last.
  if (const auto& fields = record->document.fields;
      found.title.empty() && !fields.empty())
    found.title = fields.back().second;
  found.url = std::move(text.url);
}

Status ForEachTextAgain(
    const RunReading& reading, InputPlace from,
    const std::function<bool(InputPlace, const DocumentText&)>& body) {
  const PlanOptions& options = reading.options;
  TWINSET_TRY(RefuseReadOnce(options.input.inputs));
  TWINSET_ASSIGN(const TextStage stage,
                 TextStage::Make(options.input, options.features, {}));
  TWINSET_ASSIGN(const ReadOptions read, MakeReadOptions(options.input));
  ListingOptions how;
  how.first_side = reading.first_side;
  TWINSET_ASSIGN(const auto files, ListInputs(options.input, how));
  for (uint32_t i = from.file; i < files.size(); ++i) {
    const bool second = reading.first_side != 0 && i >= reading.first_side;
    const std::string source = reading.names.size() == files.size()
                                   ? reading.names[i]
                                   : files[i].source;
    TWINSET_ASSIGN(
        auto reader,
        OpenRecordReader(files[i], i, second ? reading.read_against : read));
    const uint64_t first = i == from.file ? from.ordinal : 0;
    reader->PassOver(first);
    Record record;
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      const uint64_t ordinal = record.document.provenance.ordinal;
      if (record.kind != RecordKind::kDocument || ordinal < first) continue;
      GiveListedId(source, &record);
      DocumentText text;
      RejectedRecord rejected;
      if (stage.Show(record, source, &text, &rejected) &&
          !body({i, ordinal}, text))
        return {};
    }
  }
  return {};
}

}  // namespace twinset
