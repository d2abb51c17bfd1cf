// What a written corpus holds in place of a record, whoever has decided it: the
// write stage of a run (write_stage.cc) or a patch (src/corpora/patch/).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RECORD_EDITOR_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RECORD_EDITOR_H_

#include <string>
#include <string_view>

#include "pipeline/results/written_corpus.h"
#include "read/archive/digest.h"
#include "read/formats.h"
#include "report/annotation.h"

namespace twinset {

// Goes through the records of a source. What is no document stays as it is,
// what is quarantined goes; a subclass decides about documents and calls one of
// the protected functions for each. Not thread-safe.
class RecordEditor : public SourceEditor {
 public:
  void Pass(const Record&) override { is_first_ = false; }
  Status Edit(const Record& record, MemberCutter* members) override;
  std::string_view annotation() const override {
    return annotates() ? form_.name : std::string_view();
  }

 protected:
  // `form`: of what it annotates.
  explicit RecordEditor(const Plan& plan,
                        const AnnotationForm& form = ClusterForm())
      : plan_(plan), form_(form) {
    counts.revisits = counts.metadata = 0;
  }

  // `record` is a document by itself; what was decided about it may be that it
  // is none.
  virtual Status EditDocument(const Record& record, MemberCutter* members) = 0;
  // The same record without its bytes: it is left out whatever was decided.
  virtual Status SkipDocument(const Record& record) = 0;

  void BeginSource(InputFormat format) {
    format_ = format;
    is_first_ = true;
  }
  // The source is one document: where it goes, no file is written.
  bool IsFile() const {
    return format_ == InputFormat::kHtml || format_ == InputFormat::kText;
  }
  bool IsWarc() const { return format_ == InputFormat::kWarc; }
  InputFormat format() const { return format_; }
  const Plan& plan() const { return plan_; }

  // What is no document of the run. A table that is annotated has it all the
  // same, as a row of which nothing is said.
  void LeaveOutUnused(const Record& record, MemberCutter* members);
  void LeaveOut() { ++counts.left_out; }
  void Keep(const Record& record, MemberCutter* members);
  // As it stays, with `annotation` where its format has a place for one.
  void Annotate(const Record& record, const AnnotationValues& values,
                MemberCutter* members);
  // `bytes` in place of the record.
  void Write(std::string_view bytes, MemberCutter* members);
  // What a WARC says of a document that goes: a revisit record where the
  // payload is that of the document kept, else what --near asks for.
  // `form`: that of its digest, of an archive that is known to have stored the
  // same bytes; kUnknown: as --digest says.
  void Replace(const Record& record, WarcReference reference, bool same_payload,
               DigestForm form, MemberCutter* members);

 private:
  Status EditRecord(const Record& record, MemberCutter* members);
  void WriteRaw(const Record& record, MemberCutter* members);
  bool annotates() const { return plan_.options.action == Action::kAnnotate; }
  CsvForm csv() const { return CsvFormOf(format_, plan_.inputs.read); }
  std::string_view HeaderOf(const Record& record) const;
  std::string AnnotatedHeader(std::string_view header) const;
  std::string Annotated(const Record& record, const AnnotationValues& values);

  const Plan& plan_;
  const AnnotationForm& form_;
  InputFormat format_ = InputFormat::kAuto;  // of the current source
  bool is_first_ = true;                     // record of it
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_RECORD_EDITOR_H_
