// Answers of the routes to one request each.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/problem.h"
#include "server/routes.h"
#include "twinset/explain.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset::server {
namespace {

// So many are named of those that were dropped because of a removal.
constexpr size_t kMostNamed = 1000;

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

HttpResponse NoDocument(const std::string& id) {
  return Problem(404, "no document has the id '" + Printable(id) + "'");
}

// What a removal did, of which the first are named.
class RemovalRows {
 public:
  IndexRemovalSink Sink() {
    return [this](const IndexRemoval& removal) {
      if (removal.dropped.empty()) {
        if (removed_.size() < kMostNamed) removed_.push_back(removal.id);
        return;
      }
      ++left_;
      if (left_ <= kMostNamed)
        left_rows_.push_back(
            Json{{"id", removal.dropped}, {"because_of", removal.id}});
    };
  }
  HttpResponse Answer(uint64_t removed) {
    Json json = {{"removed", removed},
                 {"ids", removed_},
                 {"left_dropped", left_},
                 {"dropped", Json::array()}};
    for (Json& row : left_rows_) json["dropped"].push_back(std::move(row));
    return JsonResponse(json);
  }

 private:
  std::vector<std::string> removed_;
  std::vector<Json> left_rows_;
  uint64_t left_ = 0;
};

bool IsSnapshotName(const std::string& name) {
  return !name.empty() && name.size() <= 64 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_';
         });
}

// The name that the body asks for, or one made of the time.
Result<std::string> SnapshotName(const std::string& body) {
  std::string name = NowText();
  std::erase(name, ':');
  if (body.find_first_not_of(" \t\r\n") == std::string::npos) return name;
  const Json json = Json::Parse(body);
  if (json.is_discarded()) return Fail(ErrorCode::kCorrupt, "it is no JSON");
  if (!json.is_object()) return Fail(ErrorCode::kUsage, "it is no JSON object");
  for (const auto& [key, value] : json.items()) {
    if (key != "name" || !value.is_string())
      return Fail(ErrorCode::kUsage,
                  "a snapshot has a name, which is a string, and nothing else");
    name = value.get<std::string>();
  }
  if (!IsSnapshotName(name)) {
    return Fail(ErrorCode::kUsage, "that is no name of a snapshot", {},
                "use at most 64 letters, digits, and - . _ in between");
  }
  return name;
}

HttpResponse BadBody(const Error& error) {
  return Problem(error.code == ErrorCode::kCorrupt ? 400 : 422, error.message,
                 error.remedy);
}

}  // namespace

HttpResponse AnswerDocument(Service* service, const Call& call, Asked asked) {
  std::string_view variable;
  std::string allowed;
  const Route* const route =
      FindRoute(call.request->method, call.request->path, &variable, &allowed);
  const auto query = QueryOf(*route, call.parameters);
  if (!query) return Problem(400, query.error().message, query.error().remedy);
  std::vector<IndexInput> batch;
  if (MediaType(call.type) == "application/json") {
    auto input = DocumentOfJson(call.body);
    if (!input) return BadBody(input.error());
    batch.push_back(std::move(*input));
  } else {
    batch.push_back(DocumentOfBody(call.body, call.type, call.parameters));
  }
  const auto rows = AnswerDocuments(service, asked, *query, std::move(batch));
  if (!rows) return ProblemOf(rows.error());
  const Json& row = rows->front();
  if (!row.contains("rejected")) return JsonResponse(row);
  const std::string detail = row.value("detail", "");
  return Problem(
      422, "the document cannot be compared: " + row.value("rejected", "") +
               (detail.empty() ? "" : " (" + detail + ")"));
}

HttpResponse AnswerFind(Service* service, const Call& call) {
  auto found = service->index->Find(call.name);
  if (!found) return ProblemOf(found.error());
  if (!*found) return NoDocument(call.name);
  const IndexDocument& document = **found;
  Json json = {{"id", document.id}};
  if (!document.url.empty()) json["url"] = document.url;
  if (!document.date.empty()) json["date"] = document.date;
  if (!document.tag.empty()) json["tag"] = document.tag;
  if (!document.digest.empty()) json["digest"] = document.digest;
  json["seen"] = document.seen;
  json["arrival"] = document.arrival;
  json["kept"] = document.is_kept;
  json["kept_for"] =
      document.kept_for.empty() ? Json() : Json(document.kept_for);
  json["copies"] = document.copies;
  json["features"] = document.features;
  json["text_bytes"] = document.text.size();
  const auto* const text = FindParameterNamed(call.parameters, "text");
  if (text != nullptr && *text == "true") json["text"] = document.text;
  return JsonResponse(json);
}

HttpResponse AnswerRemove(Service* service, const Call& call) {
  RemovalRows rows;
  const auto removed = service->index->Remove(call.name, rows.Sink());
  if (!removed) return ProblemOf(removed.error());
  return *removed == 0 ? NoDocument(call.name) : rows.Answer(*removed);
}

HttpResponse AnswerRemoveTag(Service* service, const Call& call) {
  RemovalRows rows;
  const auto removed = service->index->RemoveTag(call.name, rows.Sink());
  return removed ? rows.Answer(*removed) : ProblemOf(removed.error());
}

HttpResponse AnswerExplain(Service* service, const Call& call) {
  DocumentText sides[2];
  const std::string_view names[] = {"a", "b"};
  for (size_t i = 0; i < 2; ++i) {
    sides[i].id = *FindParameterNamed(call.parameters, names[i]);
    auto found = service->index->Find(sides[i].id);
    if (!found) return ProblemOf(found.error());
    if (!*found) return NoDocument(sides[i].id);
    sides[i].text = std::move((*found)->text);
    sides[i].url = (*found)->url;
  }
  const ComparisonOptions options = service->index->Comparison();
  const auto explained =
      ExplainDocuments(std::move(sides[0]), std::move(sides[1]),
                       options.features, options.method);
  return explained ? JsonResponse(SummaryJson(*explained))
                   : ProblemOf(explained.error());
}

HttpResponse AnswerStats(Service* service, const Call&) {
  Json json = SummaryJson(service->index->Stats());
  json["version"] = kVersion;
  json["spec"] = kSpecNumber;
  json["read_only"] = service->options.read_only;
  json["uptime_seconds"] = SecondsSince(service->begun);
  return JsonResponse(json);
}

HttpResponse AnswerSnapshot(Service* service, const Call& call) {
  const std::string& folder = service->options.snapshots;
  if (folder.empty())
    return Problem(403, "no folder for snapshots was named",
                   "start the server with --snapshots DIR");
  const auto name = SnapshotName(call.body);
  if (!name) return BadBody(name.error());
  const std::string path = folder + "/" + *name;
  struct stat status;
  if (::lstat(path.c_str(), &status) == 0)
    return Problem(409, "there is a snapshot of this name");
  const auto begin = std::chrono::steady_clock::now();
  const Status made = service->index->Snapshot(path);
  if (!made) return ProblemOf(made.error());
  return JsonResponse(Json{{"name", *name}, {"seconds", SecondsSince(begin)}},
                      201);
}

HttpResponse AnswerHealth(Service* service, const Call&) {
  const auto found = service->index->Find("");
  return found ? JsonResponse(Json{{"status", "ok"}})
               : ProblemOf(found.error());
}

HttpResponse AnswerMetrics(Service* service, const Call&) {
  const IndexStats stats = service->index->Stats();
  HttpResponse response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = service->metrics.Text();
  const auto gauge = [&](std::string_view name, std::string_view help,
                         uint64_t value) {
    AppendMetric(&response.body, name, "gauge", help,
                 static_cast<double>(value));
  };
  gauge("twinset_index_documents", "Documents that are stored.",
        stats.documents);
  gauge("twinset_index_kept", "Those of them that are kept.", stats.kept);
  gauge("twinset_index_bytes", "Bytes of the files of the index.", stats.bytes);
  gauge("twinset_index_runs", "Runs of postings.", stats.runs);
  gauge("twinset_index_tags", "Tags of documents.", stats.tags.size());
  AppendMetric(&response.body, "twinset_index_arrivals_total", "counter",
               "Documents that ever came.",
               static_cast<double>(stats.arrivals));
  gauge("twinset_queue_waiting", "Requests that wait to be answered.",
        service->gate.waiting());
  gauge("twinset_connections", "Connections of clients.",
        service->options.connections ? service->options.connections() : 0);
  return response;
}

HttpResponse AnswerOpenApi(Service* service, const Call&) {
  return JsonResponse(OpenApi(service->options.guard));
}

}  // namespace twinset::server
