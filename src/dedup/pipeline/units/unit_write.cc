// The write stage of a run over units (--write): the inputs once more, with the
// cuts made in the text of each record.
#include <memory>

#include "base/utf8.h"
#include "pipeline/results/text_in_record.h"
#include "pipeline/results/written_corpus.h"
#include "pipeline/units/unit_lookup.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {

namespace {

// What stays of a text. Cuts are told in ascending order, in code points.
class TextCutter {
 public:
  explicit TextCutter(std::string_view text) : text_(text) {}

  void Cut(uint64_t begin, uint64_t end) {
    const size_t from = at_;
    Skip(begin);
    left_.append(text_, from, at_ - from);
    Skip(end);
  }
  std::string Take() {
    left_ += text_.substr(at_);
    return std::move(left_);
  }

 private:
  // Goes on to code point `number`.
  void Skip(uint64_t number) {
    for (; at_ < text_.size(); ++at_) {
      if (IsContinuation(text_[at_])) continue;
      if (number_ == number) return;
      ++number_;
    }
  }
  std::string_view text_;
  std::string left_;
  size_t at_ = 0;
  uint64_t number_ = 0;  // of the code point at at_
};

class UnitEditor : public SourceEditor {
 public:
  static Result<std::unique_ptr<SourceEditor>> Open(Run* run) {
    TWINSET_ASSIGN(auto documents, DocumentsAgain::Open(run));
    TWINSET_ASSIGN(auto features, OpenBlob(*run, run->features_file));
    TWINSET_ASSIGN(auto cuts, CutsByPlace::Open(*run, "cuts.run"));
    return std::unique_ptr<SourceEditor>(new UnitEditor(
        run, std::move(documents), std::move(features), std::move(cuts)));
  }

  uint64_t number() const override { return documents_.number(); }
  Status End(uint32_t source, const std::string& path) const override {
    return documents_.CheckPassed(source, path);
  }

  Status Seek(uint64_t document) override {
    TWINSET_TRY(documents_.Seek(document));
    TWINSET_TRY(features_.Seek(document));
    TWINSET_TRY(cuts_.Seek(document));
    return features_.Next(&units_).map([](bool) {});
  }

  Result<bool> Begin(uint32_t source, InputFormat format) override {
    // A file that is no document, as it was quarantined, is not written.
    if (format == InputFormat::kText && !documents_.IsOf(source)) {
      ++counts.left_out;
      return false;
    }
    texts_.BeginSource(format);
    return true;
  }

  void Pass(const Record& record) override { texts_.HeaderIn(record.raw); }

  Status Edit(const Record& record, MemberCutter* members) override {
    const size_t header = texts_.HeaderIn(record.raw);
    TWINSET_ASSIGN(const bool is_document, documents_.IsAt(record));
    if (!is_document || record.raw.empty()) {
      ++counts.left_out;
      // The header row stands in front of the first record and must stay.
      members->Add(std::string_view(record.raw).substr(0, header));
      return is_document ? NextDocument() : Status();
    }
    ++counts.records;
    TWINSET_ASSIGN(const bool has_cuts, cuts_.Has(documents_.number()));
    std::string text;
    if (has_cuts) {
      TWINSET_ASSIGN(text, WhatStays(record));
    }
    TWINSET_ASSIGN(const bool is_empty, has_cuts ? IsBlank(text) : HasNoUnit());
    if (is_empty && plan_.options.empty_rows == EmptyRows::kDrop) {
      --counts.records;
      ++counts.left_out;
      members->Add(std::string_view(record.raw).substr(0, header));
      return NextDocument();
    }
    if (!has_cuts) {
      members->AddRaw(record);
      return NextDocument();
    }
    ++*counts.changed;
    TWINSET_ASSIGN(const std::string changed, Changed(record, header, text));
    members->Add(changed);
    return NextDocument();
  }

 private:
  UnitEditor(Run* run, DocumentsAgain documents, BlobReader features,
             CutsByPlace cuts)
      : plan_(run->plan),
        documents_(std::move(documents)),
        features_(std::move(features)),
        cuts_(std::move(cuts)),
        texts_(run->plan.inputs.read) {
    counts.changed = 0;
  }

  Status NextDocument() {
    TWINSET_ASSIGN(const bool more, documents_.Next());
    if (more) TWINSET_TRY(features_.Next(&units_));
    return {};
  }

  static Result<bool> IsBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
  }

  // For a document without cuts: returns true iff there is nothing to cut.
  Result<bool> HasNoUnit() const {
    TWINSET_ASSIGN(const UnitLookup units,
                   UnitLookup::Open(plan_.options.unit, units_));
    return units.tokens() == 0;
  }

  // The text of the record without what is cut.
  Result<std::string> WhatStays(const Record& record) {
    TWINSET_ASSIGN(const CleanText clean,
                   ExtractText(record.document, plan_.features.text));
    return Cut(clean.text);
  }

  Result<std::string> Changed(const Record& record, size_t header,
                              const std::string& text) const {
    auto changed = texts_.Replaced(record.raw, header, text);
    if (changed) return *std::move(changed);
    return Fail(ErrorCode::kInternal, "a row has lost its text field",
                plan_.inputs.files[record.document.provenance.source].path);
  }

  // What stays of the text of the current document.
  Result<std::string> Cut(std::string_view text) {
    TextCutter cutter(text);
    TWINSET_ASSIGN(UnitLookup units,
                   UnitLookup::Open(plan_.options.unit, units_));
    for (;;) {
      TWINSET_ASSIGN(const UnitCut* cut, cuts_.Take(documents_.number()));
      if (cut == nullptr) return cutter.Take();
      TWINSET_ASSIGN(const StoredUnit unit,
                     units.At(cut->place.unit, cut->length));
      cutter.Cut(unit.begin, unit.end);
    }
  }

  const Plan& plan_;
  DocumentsAgain documents_;
  BlobReader features_;
  CutsByPlace cuts_;
  TextInRecord texts_;      // of the current source
  std::string_view units_;  // of the document where they stand
};

}  // namespace

Status UnitWriteStage(Run* run) {
  if (run->plan.options.write.empty()) return {};
  return WriteSources(run, [run] { return UnitEditor::Open(run); });
}

}  // namespace twinset
