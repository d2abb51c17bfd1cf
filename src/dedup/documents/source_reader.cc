#include "documents/source_reader.h"

#include <string>
#include <utility>
#include <vector>

namespace twinset {

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

class SourceReader : public RecordReader {
 public:
  SourceReader(Source* source, uint32_t number, const ReadOptions& options)
      : source_(source), number_(number), options_(options) {}

  Result<bool> Next(Record* record) override {
    *record = Record();
    Document& document = record->document;
    TWINSET_ASSIGN(const bool more, source_->Next(&document));
    if (!more) return false;
    document.provenance.source = number_;
    document.provenance.ordinal = ordinal_++;
    document.provenance.offset = bytes_;
    bytes_ += document.payload.size();
    record->kind = RecordKind::kDocument;
    document.fields = AskedFields(std::move(document.fields));
    record->reason = "too-large";
    record->detail = TooLarge(document);
    if (record->detail.empty() && !document.has_text) {
      record->reason = "no-text-field";
      record->detail = "the document has no text";
    }
    if (record->detail.empty()) {
      record->reason.clear();
      return true;
    }
    record->kind = RecordKind::kQuarantined;
    document.payload.clear();
    document.fields.clear();
    return true;
  }
  InputFormat format() const override { return InputFormat::kAuto; }
  uint64_t consumed_bytes() const override { return bytes_; }

 private:
  // Those that the run asks for, in its order; empty where the document has
  // none of that name.
  Fields AskedFields(Fields given) const {
    Fields asked;
    for (const std::string& name : options_.fields) {
      asked.emplace_back(name, "");
      for (auto& [own, value] : given)
        if (own == name) asked.back().second = value;
    }
    return asked;
  }

  // What of the document is larger than it may be, in words; empty if nothing
  // is.
  std::string TooLarge(const Document& document) const {
    if (document.payload.size() > options_.max_document_bytes) {
      return "the text has " + std::to_string(document.payload.size()) +
             " bytes, the limit is " +
             std::to_string(options_.max_document_bytes);
    }
    const auto is_long = [&](const std::string& text) {
      return text.size() > options_.max_field_bytes;
    };
    bool found = is_long(document.id) || is_long(document.provenance.url) ||
                 is_long(document.provenance.date) || is_long(document.mime) ||
                 is_long(document.charset);
    for (const auto& [name, value] : document.fields)
      found = found || is_long(value);
    return found ? "an id, address, date or field has more than " +
                       std::to_string(options_.max_field_bytes) + " bytes"
                 : "";
  }

  Source* const source_;
  const uint32_t number_;
  const ReadOptions options_;
  uint64_t ordinal_ = 0, bytes_ = 0;
};

}  // namespace

std::unique_ptr<RecordReader> MakeSourceReader(Source* source, uint32_t number,
                                               const ReadOptions& options) {
  return std::make_unique<SourceReader>(source, number, options);
}

}  // namespace twinset
