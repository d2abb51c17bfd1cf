// Runs over files for documents of a program (include/twinset/source_runs.h).
#include "twinset/source_runs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "base/stop.h"
#include "documents/pass_progress.h"
#include "pipeline/run/plan_options.h"
#include "pipeline/run/plan_scope.h"
#include "store/scratch_folder.h"
#include "text/charset/charset.h"

namespace twinset {

namespace {

constexpr uint64_t kLookEvery = 64;  // documents, whether to stop

// Names of the parts of a document in its row.
struct RowNames {
  explicit RowNames(const WriteDocumentsOptions& options)
      : id(options.names.id_field),
        text(options.names.text_field),
        html(options.names.html_field),
        url(options.names.url_field),
        date(options.names.date_field) {
    if (html.empty()) html = "html";
    const auto& asked = options.fields;
    for (std::string* name : {&id, &text, &html, &url, &date})
      while (std::find(asked.begin(), asked.end(), *name) != asked.end())
        name->insert(0, "document_");
  }
  bool Has(const std::string& name) const {
    return name == id || name == text || name == html || name == url ||
           name == date;
  }
  std::string id, text, html, url, date;
};

class RowWriter {
 public:
  RowWriter(OutputFile* file, const WriteDocumentsOptions& options)
      : file_(file), names_(options) {}

  Status Add(const Document& document) {
    TWINSET_TRY(CheckKind(document));
    row_ = "{";
    Member(names_.id, document.id.empty() ? std::to_string(documents_)
                                          : std::string_view(document.id));
    if (document.has_text) TWINSET_TRY(AddText(document));
    if (!document.provenance.url.empty())
      Member(names_.url, document.provenance.url);
    if (!document.provenance.date.empty())
      Member(names_.date, document.provenance.date);
    for (const auto& [name, value] : document.fields)
      if (!value.empty() && !names_.Has(name)) Member(name, value);
    row_ += "}\n";
    ++documents_;
    return file_->Write(row_);
  }

  DocumentRows Rows(const std::string& path) const {
    DocumentRows rows;
    rows.documents = documents_;
    rows.input.inputs = {path};
    rows.input.format = InputFormat::kJsonl;
    rows.input.id_field = names_.id;
    rows.input.url_field = names_.url;
    rows.input.date_field = names_.date;
    if (kind_ == ContentKind::kHtml) {
      rows.input.html_field = names_.html;
    } else {
      rows.input.text_field = names_.text;
    }
    return rows;
  }

 private:
  Status CheckKind(const Document& document) {
    const auto unsupported = [&](const std::string& what) {
      return Fail(ErrorCode::kUnsupported, what,
                  "document " + std::to_string(documents_));
    };
    if (document.kind == ContentKind::kBytes)
      return unsupported("a row of JSON holds no bytes that are no text");
    const ContentKind kind = document.kind == ContentKind::kHtml
                                 ? ContentKind::kHtml
                                 : ContentKind::kText;
    if (kind_ && *kind_ != kind)
      return unsupported("a source has texts or pages, and this has both");
    kind_ = kind;
    return {};
  }

  Status AddText(const Document& document) {
    if (document.kind == ContentKind::kText) {
      Member(names_.text, document.payload);
      return {};
    }
    const bool is_html = document.kind == ContentKind::kHtml;
    TWINSET_ASSIGN(
        const DecodedView decoded,
        DecodeDocument(document.payload, document.charset, is_html, &decoded_));
    Member(is_html ? names_.html : names_.text, decoded.text);
    return {};
  }

  void Member(std::string_view name, std::string_view value) {
    if (row_.size() > 1) row_ += ',';
    AppendJsonString(&row_, name);
    row_ += ':';
    AppendJsonString(&row_, value);
  }

  OutputFile* const file_;
  const RowNames names_;
  std::optional<ContentKind> kind_;
  uint64_t documents_ = 0;
  std::string row_, decoded_;
};

// The documents of a source in a work file, until a run has read them.
template <typename Options>
Result<DocumentRows> Spool(Source* source, const Options& options,
                           const ScratchFolder& folder, const char* name) {
  if (options.resume) {
    return Fail(ErrorCode::kUsage,
                "a run over documents of a program cannot be resumed");
  }
  WriteDocumentsOptions writing;
  TWINSET_ASSIGN(PlanScope scope, MakeScope(PlanOptions(options)));
  writing.fields = std::move(scope.fields);
  writing.names = options.input;
  writing.on_progress = options.on_progress;
  writing.stop = options.stop;
  return WriteDocuments(*source, folder / name, writing);
}

// The options of the run that reads the rows.
template <typename Options>
Result<Options> Reading(const Options& options, const DocumentRows& rows) {
  if (!options.input.inputs.empty()) {
    return Fail(ErrorCode::kUsage,
                "a run over documents of a program has no inputs besides",
                options.input.inputs.front());
  }
  Options run = options;
  run.input.preset.reset();
  run.input.inputs = rows.input.inputs;
  run.input.format = rows.input.format;
  run.input.id_field = rows.input.id_field;
  run.input.text_field = rows.input.text_field;
  run.input.html_field = rows.input.html_field;
  run.input.url_field = rows.input.url_field;
  run.input.date_field = rows.input.date_field;
  return run;
}

Result<ScratchFolder> FolderFor(const ResourceOptions& resources) {
  return ScratchFolder::Below(resources.tmp, "twinset-run-");
}

}  // namespace

Result<DocumentRows> v1::WriteDocuments(
    Source& source, const std::string& path,
    const WriteDocumentsOptions& options) try {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path, 0600));
  RowWriter writer(&file, options);
  PassProgress progress(options.on_progress, "read", "write down", "documents");
  for (uint64_t i = 0;; ++i) {
    if (i % kLookEvery == 0) TWINSET_TRY(CheckStop(options.stop));
    Document document;
    TWINSET_ASSIGN(const bool more, source.Next(&document));
    if (!more) break;
    TWINSET_TRY(writer.Add(document));
    progress.Add();
  }
  TWINSET_TRY(file.Commit());
  return writer.Rows(path);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<DedupSummary> v1::DedupIntoFiles(Source& source,
                                        const DedupOptions& options) try {
  TWINSET_ASSIGN(const ScratchFolder folder, FolderFor(options.resources));
  TWINSET_ASSIGN(const DocumentRows rows,
                 Spool(&source, options, folder, "documents.jsonl"));
  TWINSET_ASSIGN(const DedupOptions run, Reading(options, rows));
  return Dedup(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<CutSummary> v1::CutIntoFiles(Source& source,
                                    const CutOptions& options) try {
  TWINSET_ASSIGN(const ScratchFolder folder, FolderFor(options.resources));
  TWINSET_ASSIGN(const DocumentRows rows,
                 Spool(&source, options, folder, "documents.jsonl"));
  TWINSET_ASSIGN(const CutOptions run, Reading(options, rows));
  return Cut(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<MatchSummary> v1::MatchIntoFiles(Source& a,
                                        const MatchOptions& options) try {
  TWINSET_ASSIGN(const ScratchFolder folder, FolderFor(options.resources));
  TWINSET_ASSIGN(const DocumentRows rows,
                 Spool(&a, options, folder, "documents.jsonl"));
  TWINSET_ASSIGN(const MatchOptions run, Reading(options, rows));
  return Match(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<MatchSummary> v1::MatchIntoFiles(Source& a, Source& b,
                                        const MatchOptions& options) try {
  if (!options.against.empty()) {
    return Fail(ErrorCode::kUsage,
                "the second side is a source, and inputs are named too",
                options.against.front());
  }
  TWINSET_ASSIGN(const ScratchFolder folder, FolderFor(options.resources));
  TWINSET_ASSIGN(const DocumentRows of_b,
                 Spool(&b, options, folder, "documents-2.jsonl"));
  MatchOptions run = options;
  run.against = of_b.input.inputs;
  run.against_input = {};
  run.against_input.format = of_b.input.format;
  run.against_input.id_field = of_b.input.id_field;
  // Said where it is empty too: side A may be of pages.
  run.against_input.text_field = of_b.input.text_field;
  run.against_input.html_field = of_b.input.html_field;
  run.against_input.url_field = of_b.input.url_field;
  run.against_input.date_field = of_b.input.date_field;
  TWINSET_ASSIGN(const DocumentRows of_a,
                 Spool(&a, options, folder, "documents-1.jsonl"));
  TWINSET_ASSIGN(run, Reading(run, of_a));
  return Match(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
