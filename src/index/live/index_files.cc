#include "twinset/index_files.h"

#include <utility>

#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/side_check.h"
#include "live/index_adding.h"
#include "live/piped_documents.h"
#include "pipeline/read/ingest.h"
#include "read/utf8.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr uint64_t kTellEvery = 64;

// Those of a pipe as they come, with `on_idle` when there is nothing more yet.
Status ForEachDocument(
    const IndexFilesOptions& options, const PassOptions& pass,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const std::function<Status()>& on_idle, const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const bool is_done,
                 ForEachPipedDocument(options.input, pass, options.stop, body,
                                      on_idle, on_rejected));
  if (is_done) return {};
  return ForEachInputDocument(options.input, pass, body, on_rejected);
}

std::vector<std::string> WarningsOf(const IndexFilesSummary& summary,
                                    const SideCounter& counter) {
  std::vector<std::string> warnings = counter.Warnings();
  if (summary.bounded > 0)
    warnings.push_back(
        CountText(summary.bounded, "document") +
        " with a key that more than --bucket-limit others have: compared with "
        "a few of these alone, so similar ones may be missing");
  return warnings;
}

}  // namespace

void IndexFilesSummary::Count(const IndexAnswer& answer) {
  if (!answer.rejected.empty()) {
    ++rejected;
    return;
  }
  ++documents;
  is_new += answer.is_new;
  repeated += answer.is_repeated;
  dropped += !answer.is_new && !answer.is_repeated;
  replaced += answer.replaced.size();
  bounded += answer.is_bounded;
}

Json v1::SummaryJson(const IndexFilesSummary& summary) {
  return Json{{"documents", summary.documents}, {"new", summary.is_new},
              {"dropped", summary.dropped},     {"repeated", summary.repeated},
              {"replaced", summary.replaced},   {"bounded", summary.bounded},
              {"rejected", summary.rejected}};
}

Result<IndexFilesSummary> v1::AddFiles(
    Index* index, const IndexFilesOptions& options,
    const IndexAnswerSink& on_answer,
    const IndexRejectedSink& on_rejected) try {
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options.input));
  const RejectedSink reject = counter.Counting(on_rejected);
  IndexAdding adding(index, options, on_answer, reject, &counter);
  const Status read = ForEachDocument(
      options, adding.Pass(),
      [&](Record* record, const std::string& source) -> Result<bool> {
        return adding.Take(record, source);
      },
      [&] { return adding.Flush(); }, reject);
  // What was read before an input failed is stored.
  if (read || read.error().code != ErrorCode::kInterrupted)
    TWINSET_TRY(adding.Flush());
  TWINSET_TRY(read);
  adding.summary().rejected = counter.quarantined();
  adding.summary().warnings = WarningsOf(adding.summary(), counter);
  return adding.summary();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<IndexFilesSummary> v1::AskFiles(
    std::span<const Index* const> indexes, const IndexFilesOptions& options,
    const IndexFoundSink& on_found, const IndexRejectedSink& on_rejected) try {
  IndexFilesSummary summary;
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options.input));
  const RejectedSink reject = counter.Counting(on_rejected);
  PassOptions pass;
  pass.keep_stored = true;
  TWINSET_TRY(ForEachDocument(
      options, pass,
      [&](Record* record, const std::string& source) -> Result<bool> {
        TWINSET_TRY(CheckStop(options.stop));
        const std::string id = record->document.id;
        IndexQuery query = options.query;
        query.stored = record->StoredPayload();
        TWINSET_ASSIGN(const IndexFound found,
                       QueryAll(indexes, record->document, query));
        record->document.payload.clear();
        if (!found.rejected.empty()) {
          reject(RejectionOf(*record, source, found.rejected, found.detail));
          return true;
        }
        counter.Document(source, found.is_empty);
        ++summary.documents;
        summary.is_new += found.matches.empty();
        summary.bounded += found.is_bounded;
        if (options.on_progress && summary.documents % kTellEvery == 0)
          options.on_progress(ProgressOf(summary.documents));
        return on_found(id, found);
      },
      [&]() -> Status {
        if (options.on_progress)
          options.on_progress(ProgressOf(summary.documents));
        return {};
      },
      reject));
  summary.rejected = counter.quarantined();
  summary.warnings = WarningsOf(summary, counter);
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

void v1::AddDifferences(const IndexMatch& match, Json* row) {
  if (match.differences.empty()) return;
  Json differences = Json::array();
  for (const IndexDifference& difference : match.differences)
    differences.push_back({{"in", difference.of_asked ? "a" : "b"},
                           {"tokens", difference.tokens},
                           {"text", difference.text}});
  (*row)["differences"] = std::move(differences);
  if (match.more_differences > 0)
    (*row)["more_differences"] = match.more_differences;
}

namespace {

// What a list declares says nothing else of the document.
void AddDeclared(const std::optional<IndexDeclaration>& declared, Json* row) {
  if (!declared) return;
  Json of = {{"digest", declared->digest}};
  if (!declared->url.empty()) of["url"] = declared->url;
  of["seen"] = declared->seen;
  if (!declared->tag.empty()) of["tag"] = declared->tag;
  (*row)["declared"] = std::move(of);
}

void AddMatch(const IndexMatch& match, std::span<const std::string> names,
              Json* row) {
  (*row)["kept_id"] = match.id;
  if (!match.url.empty()) (*row)["url"] = match.url;
  (*row)["similarity"] = match.similarity;
  (*row)["contained"] = match.contained;
  (*row)["contains"] = match.contains;
  (*row)["copies"] = match.copies;
  (*row)["first_seen"] = match.first_seen;
  (*row)["last_seen"] = match.last_seen;
  (*row)["tags"] = match.tags;
  if (!match.is_kept) (*row)["kept"] = false;
  if (!names.empty()) (*row)["index"] = names[match.index];
  AddDifferences(match, row);
}

}  // namespace

Json v1::RowJson(const IndexAnswer& answer) {
  Json row = {{"id", answer.id}, {"new", answer.is_new}};
  if (answer.is_repeated) row["repeated"] = true;
  if (!answer.replaced.empty()) row["replaced"] = answer.replaced;
  if (answer.is_stored()) AddMatch(answer.kept, {}, &row);
  AddDeclared(answer.declared, &row);
  if (answer.is_bounded) row["bounded"] = true;
  return row;
}

Json v1::RowJson(const IndexEntry& entry) {
  const Document& document = entry.input.document;
  Json row = {{"id", entry.name}, {"kept", entry.is_kept}};
  if (!document.provenance.url.empty()) row["url"] = document.provenance.url;
  if (!document.provenance.date.empty()) row["date"] = document.provenance.date;
  if (!document.provenance.digest.empty())
    row["digest"] = document.provenance.digest;
  if (!entry.input.tag.empty()) row["tag"] = entry.input.tag;
  row["text"] = IsUtf8(document.payload)
                    ? document.payload
                    : ReplaceMalformedUtf8(document.payload);
  return row;
}

Json v1::CheckJson(const std::string& id, const IndexFound& found,
                   std::span<const std::string> names) {
  Json row = {{"id", id}, {"new", found.matches.empty()}};
  if (!found.matches.empty()) AddMatch(found.matches[0], names, &row);
  for (size_t i = 1; i < found.matches.size(); ++i) {
    Json more = Json::object();
    AddMatch(found.matches[i], names, &more);
    row["more"].push_back(std::move(more));
  }
  AddDeclared(found.declared, &row);
  if (found.is_bounded) row["bounded"] = true;
  return row;
}

std::vector<Json> v1::QueryRows(const std::string& id, const IndexFound& found,
                                std::span<const std::string> names) {
  std::vector<Json> rows;
  for (const IndexMatch& match : found.matches) {
    Json& row = rows.emplace_back(Json{{"a", id},
                                       {"b", match.id},
                                       {"similarity", match.similarity},
                                       {"contained", match.contained},
                                       {"contains", match.contains},
                                       {"kept", match.is_kept}});
    if (!names.empty()) row["index"] = names[match.index];
    AddDifferences(match, &row);
    if (found.is_bounded) row["bounded"] = true;
  }
  return rows;
}

}  // namespace twinset
