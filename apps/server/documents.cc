#include "server/documents.h"

#include <algorithm>
#include <utility>

#include "twinset/index_files.h"
#include "twinset/plain_words.h"

namespace twinset::server {
namespace {

// The charset that a Content-Type names, or an empty one.
std::string CharsetOf(const std::string& type) {
  const size_t at = type.find("charset=");
  if (at == std::string::npos) return {};
  std::string label = type.substr(at + 8);
  label = label.substr(0, label.find(';'));
  std::erase(label, '"');
  while (!label.empty() && label.back() == ' ') label.pop_back();
  return label;
}

// Archives look for the digest of what has an address.
void SetDigest(Document* document) {
  if (document->provenance.digest.empty() && !document->provenance.url.empty())
    document->provenance.digest = CaptureDigest(document->payload);
}

Json Rejected(const std::string& id, const std::string& reason,
              const std::string& detail) {
  Json row = Json::object();
  if (!id.empty()) row["id"] = id;
  row["rejected"] = reason;
  if (!detail.empty()) row["detail"] = detail;
  return row;
}

Result<Json> AnswerOne(Service* service, Asked asked, const IndexQuery& query,
                       Document document) {
  const std::string id = document.id;
  IndexQuery checked = query;
  checked.limit = std::max<uint64_t>(query.limit, 1);
  auto found = asked == Asked::kCheck
                   ? service->index->Check(std::move(document), checked)
                   : service->index->Query(std::move(document), query);
  if (!found) {
    Error error = found.error();
    // A tag that no document has is a mistake of who asks.
    if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kUsage;
    return tl::unexpected(std::move(error));
  }
  service->metrics.CountAnswer(!found->rejected.empty() ? "rejected"
                               : found->matches.empty() ? "not-found"
                                                        : "found");
  if (!found->rejected.empty())
    return Rejected(id, found->rejected, found->detail);
  Json row = Json::object();
  if (asked == Asked::kCheck) {
    row = CheckJson(id, *found);
  } else {
    row["id"] = id;
    row["matches"] = Json::array();
    for (const IndexMatch& match : found->matches)
      row["matches"].push_back(MatchJson(match));
    if (found->is_bounded) row["bounded"] = true;
  }
  if (id.empty()) row.erase("id");
  if (found->is_empty) row["empty"] = true;
  return row;
}

Json Added(Service* service, const IndexAnswer& answer) {
  if (!answer.rejected.empty()) {
    service->metrics.CountAnswer("rejected");
    return Rejected(answer.id, answer.rejected, answer.detail);
  }
  service->metrics.CountAnswer(answer.is_new        ? "new"
                               : answer.is_repeated ? "repeated"
                                                    : "dropped");
  if (!answer.is_repeated)
    service->decisions.Add({NowText(), answer.id, answer.kept.id, answer.is_new,
                            answer.kept.similarity});
  Json row = RowJson(answer);
  if (answer.is_empty) row["empty"] = true;
  return row;
}

}  // namespace

Result<IndexInput> DocumentOfJson(std::string_view json) {
  const Json object = Json::Parse(json);
  if (object.is_discarded()) return Fail(ErrorCode::kCorrupt, "it is no JSON");
  if (!object.is_object())
    return Fail(ErrorCode::kUsage, "it is no JSON object");
  for (const auto& [name, value] : object.items()) {
    if (std::find(kMembers.begin(), kMembers.end(), name) == kMembers.end())
      return Fail(ErrorCode::kUsage,
                  "there is no member '" + Printable(name) + "'", {},
                  DidYouMean(name, kMembers));
    if (!value.is_string() && !value.is_null())
      return Fail(ErrorCode::kUsage, "the member " + name + " is no string");
  }
  const bool has_html = object["html"].is_string();
  if (object["text"].is_string() == has_html)
    return Fail(
        ErrorCode::kUsage,
        has_html ? "it has text and html" : "it has no text and no html", {},
        "give one of the members text and html");
  IndexInput input;
  Document& document = input.document;
  object["id"].get_to(document.id);
  object["url"].get_to(document.provenance.url);
  object["date"].get_to(document.provenance.date);
  object["digest"].get_to(document.provenance.digest);
  object["tag"].get_to(input.tag);
  object[has_html ? "html" : "text"].get_to(document.payload);
  if (has_html) {
    document.kind = ContentKind::kHtml;
    document.mime = "text/html";
    document.charset = "utf-8";  // as JSON is, whatever the page says
  }
  SetDigest(&document);
  return input;
}

IndexInput DocumentOfBody(std::string body, const std::string& type,
                          const Parameters& parameters) {
  const auto take = [&](std::string_view name, std::string* to) {
    if (const auto* value = FindParameterNamed(parameters, name)) *to = *value;
  };
  IndexInput input;
  Document& document = input.document;
  document.mime = MediaType(type);
  document.kind =
      document.mime == "text/html" ? ContentKind::kHtml : ContentKind::kPlain;
  document.charset = CharsetOf(type);
  document.payload = std::move(body);
  take("id", &document.id);
  take("url", &document.provenance.url);
  take("date", &document.provenance.date);
  take("digest", &document.provenance.digest);
  take("tag", &input.tag);
  SetDigest(&document);
  return input;
}

Json MatchJson(const IndexMatch& match) {
  Json json = {{"id", match.id}};
  if (!match.url.empty()) json["url"] = match.url;
  json["similarity"] = match.similarity;
  json["contained"] = match.contained;
  json["contains"] = match.contains;
  json["kept"] = match.is_kept;
  json["copies"] = match.copies;
  json["first_seen"] = match.first_seen;
  json["last_seen"] = match.last_seen;
  json["tags"] = match.tags;
  AddDifferences(match, &json);
  return json;
}

Result<std::vector<Json>> AnswerDocuments(Service* service, Asked asked,
                                          const DocumentQuery& query,
                                          std::vector<IndexInput> batch) {
  std::vector<Json> rows;
  if (asked == Asked::kCheckAndAdd) {
    IndexAddOptions options;
    options.why = query.why;
    options.replaces = query.replaces;
    TWINSET_ASSIGN(const auto answers,
                   service->index->CheckAndAdd(std::move(batch), options));
    for (const IndexAnswer& answer : answers)
      rows.push_back(Added(service, answer));
    return rows;
  }
  for (IndexInput& input : batch) {
    TWINSET_ASSIGN(Json row,
                   AnswerOne(service, asked, query, std::move(input.document)));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace twinset::server
