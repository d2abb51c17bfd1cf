// The items as an engine's driver knows them (twinset/corpora/leak_stages.h).
#include "twinset/corpora/leak_stages.h"

#include <utility>

#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/text_stage.h"
#include "leak/item_list.h"
#include "leak/leak_report.h"
#include "read/reader.h"
#include "report/field_rows.h"
#include "text/tokens/features.h"

namespace twinset {

struct LeakItems::Parts {
  LeakOptions options;
  std::unique_ptr<FeatureExtractor> extractor;
  TextStage stage;
  ItemList items;
  std::vector<std::string> texts;
  LeakResult result;
  uint64_t rows = 0;
  bool is_named = false;

  // No item comes behind this.
  const ItemList& Named() {
    if (!std::exchange(is_named, true)) items.NameAll();
    return items;
  }
  void Add(const DocumentText& text, const std::string& split) {
    items.Add(text, split, &result);
    texts.push_back(text.text);
  }
};

Result<LeakItems> v1::LeakItems::Make(const LeakOptions& options) try {
  TWINSET_ASSIGN(const uint32_t words, LeakGramWords(options.features));
  TWINSET_TRY(LeakVerifier(options.threshold));
  TWINSET_ASSIGN(auto extractor, MakeExtractor(options.features));
  TWINSET_ASSIGN(TextStage stage,
                 TextStage::Make(LeakTestInput(options), options.features, {}));
  ItemList items(extractor.get(), words);
  LeakResult result;
  result.parameters = LeakParametersOf(options);
  return LeakItems(std::make_unique<Parts>(Parts{options,
                                                 std::move(extractor),
                                                 std::move(stage),
                                                 std::move(items),
                                                 {},
                                                 std::move(result)}));
} catch (const std::bad_alloc&) {
  return NoMemory();
}
LeakItems::LeakItems(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
LeakItems::LeakItems(LeakItems&&) noexcept = default;
LeakItems::~LeakItems() = default;

Status v1::LeakItems::Read() try {
  return ForEachLeakItem(
      parts_->options, *parts_->extractor, &parts_->result,
      [this](const DocumentText& text, const std::string& split) -> Status {
        parts_->Add(text, split);
        return {};
      });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status v1::LeakItems::Add(Document document, const std::string& source,
                          const std::string& split) try {
  Record record;
  record.document = std::move(document);
  record.document.provenance.ordinal = parts_->rows++;
  const uint64_t bytes = record.document.payload.size();
  if (!record.document.has_text ||
      bytes > parts_->options.input.max_document_bytes) {
    ++parts_->result.quarantined;
    return {};
  }
  GiveListedId(source, &record);
  DocumentText text;
  RejectedRecord rejected;
  if (parts_->stage.Show(record, source, &text, &rejected)) {
    parts_->Add(text, split.empty() ? source : split);
  } else {
    parts_->result.quarantined += rejected.quarantined;
  }
  return {};
} catch (const std::bad_alloc&) {
  return NoMemory();
}

uint64_t LeakItems::size() const { return parts_->texts.size(); }
std::string_view LeakItems::text(uint64_t item) const {
  return parts_->texts[item];
}
const std::string& LeakItems::id(uint64_t item) const {
  return parts_->Named()[item].id;
}
const std::string& LeakItems::split(uint64_t item) const {
  return parts_->result.splits[parts_->items[item].split].name;
}

void LeakItems::Found(LeakBest best) {
  Leak& leak = parts_->items[best.item].leak;
  leak.document = std::move(best.document);
  leak.kind = best.holding.kind;
  leak.similarity = best.holding.similarity;
  leak.document_text = std::move(best.holding.document_text);
  leak.documents = best.documents;
}

LeakItems::Files LeakItems::Finish() {
  Files files;
  std::vector<std::string> clean;
  ItemList items = parts_->Named();
  files.result = parts_->result;
  items.Finish(&files.result, &clean);
  for (const Leak& leak : files.result.leaks) files.leaks += LeakLine(leak);
  for (const std::string& id : clean) files.clean += id + "\n";
  files.splits = CsvOf(files.result.splits);
  return files;
}

}  // namespace twinset
