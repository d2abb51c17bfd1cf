#include "twinset/inspect.h"

#include <charconv>
#include <set>

#include "pipeline/document_text.h"
#include "pipeline/field_text.h"
#include "pipeline/find_document.h"
#include "pipeline/ingest.h"
#include "pipeline/plan.h"
#include "pipeline/registry.h"
#include "pipeline/view_store.h"
#include "text/clean_text.h"
#include "text/language.h"

namespace twinset {

namespace {

RejectedRecord Reject(const Record& record, const std::string& source,
                      const std::string& stage, const std::string& reason,
                      const std::string& detail, bool quarantined) {
  RejectedRecord rejected;
  rejected.source = source;
  rejected.id = record.document.id;
  rejected.stage = stage;
  rejected.reason = reason;
  rejected.detail = detail;
  rejected.offset = record.document.provenance.offset;
  rejected.ordinal = record.document.provenance.ordinal;
  rejected.quarantined = quarantined;
  return rejected;
}

using RejectedSink = std::function<void(const RejectedRecord&)>;

// Every document of the inputs, before the text stage.
Status ForEachInputDocument(
    const InputOptions& input, const std::vector<std::string>& fields,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  read.fields = fields;
  TWINSET_ASSIGN(const auto files, ListInputs(input.inputs));
  Record record;
  for (uint32_t i = 0; i < files.size(); ++i) {
    TWINSET_ASSIGN(auto reader, OpenRecordReader(files[i], i, read));
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      if (record.kind == RecordKind::kDocument) {
        if (record.document.id.empty()) {
          record.document.id =
              files[i].source + ":" +
              std::to_string(record.document.provenance.ordinal);
        }
        TWINSET_ASSIGN(const bool go_on, body(&record, files[i].source));
        if (!go_on) return {};
      } else if (on_rejected) {
        on_rejected(Reject(
            record, files[i].source, "read",
            record.kind == RecordKind::kRevisit ? "revisit" : record.reason,
            record.detail, record.kind == RecordKind::kQuarantined));
      }
    }
  }
  return {};
}

// The text of a page by the other content mode. There is none of the source,
// and none that the reference parser could tell from all.
void AddOtherText(const Document& document, const TextOptions& options,
                  DocumentText* text) {
  if (document.kind != ContentKind::kHtml || options.reference_parser ||
      options.content == ContentMode::kRaw) {
    return;
  }
  TextOptions other;
  other.content = options.content == ContentMode::kMain ? ContentMode::kAll
                                                        : ContentMode::kMain;
  auto clean = ExtractText(document, other);
  if (!clean) return;
  text->other_text = std::move(clean->text);
  text->has_other = true;
}

}  // namespace

Status ForEachText(const InputOptions& input, const FeatureOptions& features,
                   const TextDetails& details,
                   const std::function<bool(const DocumentText&)>& on_document,
                   const RejectedSink& on_rejected) {
  return ForEachTextWithFields(
      input, features, details, {},
      [&](const DocumentText& text, const FieldValues&) {
        return on_document(text);
      },
      on_rejected);
}

Status ForEachTextWithFields(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details, const std::vector<std::string>& names,
    const std::function<bool(const DocumentText&, const FieldValues&)>&
        on_document,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const auto extractor, MakeExtractor(features));
  TWINSET_ASSIGN(TextOptions options, MakeTextOptions(features));
  TWINSET_ASSIGN(const auto languages, ParseLanguageRanges(input.languages));
  options.want_facts = details.facts;
  options.want_blocks = details.blocks;
  options.want_layout = details.layout;
  return ForEachInputDocument(
      input, names,
      [&](Record* record, const std::string& source) -> Result<bool> {
        auto clean = ExtractText(record->document, options);
        if (!clean) {
          if (on_rejected) {
            on_rejected(Reject(*record, source, "text", "no-text",
                               clean.error().message, true));
          }
          return true;
        }
        DocumentText text =
            ToDocumentText(record->document, source, *std::move(clean));
        if (details.other) AddOtherText(record->document, options, &text);
        if (details.language || !languages.empty()) {
          text.language =
              IdentifyLanguage(text.text, text.language_declared).code;
        }
        if (!LanguageInRanges(text.language, languages)) {
          if (on_rejected) {
            on_rejected(Reject(*record, source, "text", "language",
                               text.language, /*quarantined=*/false));
          }
          return true;
        }
        if (details.tokens) {
          for (Token& token : extractor->Tokens(text.text)) {
            text.tokens.push_back(std::move(token.text));
          }
        }
        return on_document(text, record->document.fields);
      },
      on_rejected);
}

Status ForEachSketch(const InputOptions& input, const FeatureOptions& features,
                     const MethodOptions& method_options,
                     const std::function<bool(const SketchRow&)>& on_row,
                     const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const Method* method, FindMethod(method_options.name));
  if (method->learns && method->learns(method_options)) {
    return Fail(ErrorCode::kUnsupported,
                "method " + method->info.name +
                    " sketches only within dedup: it learns from the "
                    "whole corpus first");
  }
  Plan plan;
  plan.options.features = features;
  plan.options.method = method_options;
  plan.method = method;
  TWINSET_TRY(PlanViews(&plan));
  TWINSET_ASSIGN(plan.text, MakeTextOptions(features));
  TWINSET_ASSIGN(plan.languages, ParseLanguageRanges(input.languages));
  TWINSET_ASSIGN(plan.inputs, ListInputs(input.inputs));
  TWINSET_ASSIGN(plan.priority, PriorityOrder::Parse({}, {}));
  TWINSET_ASSIGN(const MethodParts parts,
                 method->make(method_options, nullptr));
  IngestScratch scratch;
  return ForEachInputDocument(
      input, {},
      [&](Record* record, const std::string& source) -> Result<bool> {
        const Record before = *record;
        const Ingested result = Ingest(plan, {}, &record->document, &scratch);
        const bool skipped = !result.skip_reason.empty();
        if (skipped || !result.quarantine_reason.empty()) {
          if (on_rejected) {
            on_rejected(
                Reject(before, source, "text",
                       skipped ? result.skip_reason : result.quarantine_reason,
                       result.quarantine_detail, !skipped));
          }
          return true;
        }
        SketchRow row;
        row.id = result.info.id;
        row.method = method->info.name;
        if (!result.info.empty) {
          std::vector<std::string_view> views = {result.features};
          if (plan.views.size() > 1) {
            TWINSET_TRY(
                DecodeViews(result.views, plan.views.size() - 1, &views));
          }
          std::vector<Sketch> sketches;
          ComputeSketches(parts, views, &sketches);
          for (size_t i = 0; i < sketches.size(); ++i) {
            row.sketch += parts.sketchers[i]->Written(sketches[i]);
          }
        }
        return on_row(row);
      },
      on_rejected);
}

namespace {

// How `dedup` names repeats: the n-th further document called `base` gets the
// n-th number from 2 on that no other id has taken.
uint64_t RepeatWithNumber(const std::set<uint64_t>& taken, uint64_t number) {
  uint64_t repeat = 0;
  for (uint64_t i = 2; i <= number; ++i) repeat += !taken.contains(i);
  return repeat;
}

// "base#number" with a number that dedup gives; false for any other name.
bool SplitRepeatName(const std::string& name, std::string* base,
                     uint64_t* number) {
  const size_t hash = name.rfind('#');
  if (hash == std::string::npos || hash + 1 == name.size() ||
      name[hash + 1] == '0') {
    return false;
  }
  const char* end = name.data() + name.size();
  const auto [stop, error] =
      std::from_chars(name.data() + hash + 1, end, *number);
  *base = name.substr(0, hash);
  return error == std::errc() && stop == end && *number >= 2 &&
         *number < 1'000'000'000;
}

// One look for a document in the inputs.
struct Search {
  DocumentText found;
  bool has_found = false;
  std::string reason;  // why a record of that name is no document

  // Stops at the first document that `matches`.
  Status Run(const InputOptions& input, const FeatureOptions& features,
             const std::string& name,
             const std::function<bool(const DocumentText&)>& matches) {
    return ForEachText(
        input, features, {.layout = true, .other = true},
        [&](const DocumentText& text) {
          if (!matches(text)) return true;
          found = text;
          has_found = true;
          return false;
        },
        [&](const RejectedRecord& rejected) {
          if (name.empty() || rejected.id == name) {
            reason = rejected.reason + " " + rejected.detail;
          }
        });
  }
};

// The document that a run over `in` calls `name`.
Result<DocumentText> FindById(const std::string& name, const InputOptions& in,
                              const FeatureOptions& features) {
  std::string base;
  uint64_t number = 0;
  const bool may_be_repeat = SplitRepeatName(name, &base, &number);
  std::set<uint64_t> taken;
  Search search;
  TWINSET_TRY(search.Run(in, features, name, [&](const DocumentText& text) {
    std::string other_base;
    uint64_t other = 0;
    if (may_be_repeat && SplitRepeatName(text.id, &other_base, &other) &&
        other_base == base) {
      taken.insert(other);
    }
    return text.id == name;
  }));
  if (!search.has_found && may_be_repeat && !taken.contains(number)) {
    const uint64_t repeat = RepeatWithNumber(taken, number);
    uint64_t seen = 0;
    TWINSET_TRY(search.Run(in, features, name, [&](const DocumentText& text) {
      return text.id == base && seen++ == repeat;
    }));
    search.found.id = name;
  }
  if (search.has_found) return search.found;
  return Fail(ErrorCode::kUsage, "no document has the id '" + name + "'", "",
              search.reason.empty()
                  ? "twinset text --json lists the ids"
                  : "a record of that id is no document: " + search.reason);
}

}  // namespace

Result<DocumentText> FindDocument(const std::string& name,
                                  const InputOptions& in,
                                  const FeatureOptions& features) {
  if (!in.inputs.empty()) return FindById(name, in, features);
  InputOptions input = in;
  input.inputs = {name};
  Search search;
  TWINSET_TRY(search.Run(input, features, "",
                         [](const DocumentText&) { return true; }));
  if (search.has_found) return search.found;
  return Fail(ErrorCode::kUsage, "the file holds no document", name,
              search.reason);
}

Result<Explanation> Explain(const std::string& x, const std::string& y,
                            const InputOptions& in,
                            const FeatureOptions& features,
                            const MethodOptions& method) {
  TWINSET_ASSIGN(DocumentText text_x, FindDocument(x, in, features));
  TWINSET_ASSIGN(DocumentText text_y, FindDocument(y, in, features));
  for (DocumentText* text : {&text_x, &text_y}) {
    text->language = IdentifyLanguage(text->text, text->language_declared).code;
  }
  return ExplainDocuments(std::move(text_x), std::move(text_y), features,
                          method);
}

}  // namespace twinset
