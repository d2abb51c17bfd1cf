// twinset-engine-xapian: an engine over a Xapian database, asked and built by
// twinset over a pipe (docs/methods/engine-programs.md). Xapian is under the
// GPL; it is linked here and nowhere else.
#include <xapian.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "engines/pipe_server.h"

namespace twinset {
namespace {

// Xapian takes 245 bytes.
constexpr size_t kMostTermBytes = 240;
constexpr char kPageKey[] = "json=";

std::string Term(const std::string& token) {
  return IndexTerm(token, kMostTermBytes);
}

// No token holds the control character in front.
std::string UrlTerm(const std::string& url) { return Term("\x1fU" + url); }

std::string OneLine(std::string text, size_t most) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (text.size() > most) text.resize(most);
  return text;
}

// Lines that Omega shows, then the whole page for us.
std::string DataOf(const PipeDocument& document) {
  return "url=" + OneLine(document.url, document.url.size()) +
         "\ntitle=" + OneLine(document.title, 200) +
         "\nsample=" + OneLine(document.text, 300) + "\n" + kPageKey +
         PageText(document);
}

class XapianEngine {
 public:
  Result<PipeReply> Hello(const Json& configuration) {
    TWINSET_TRY(CheckMembers(configuration, {"path", "hits"}));
    TWINSET_ASSIGN(path_, TextMember(configuration, "path"));
    const std::string hits = TextMemberOr(configuration, "hits", "exact");
    if (hits != "exact" && hits != "estimate")
      return Fail(ErrorCode::kUsage, "\"hits\" must be exact or estimate");
    exact_ = hits == "exact";
    PipeReply reply;
    reply.json["type"] = "xapian";
    if (std::filesystem::exists(path_)) {
      database_.emplace(path_);
      reply.json["documents"] = database_->get_doccount();
    }
    return reply;
  }

  Result<PipeReply> Query(const PipeRequest& request) {
    TWINSET_TRY(Open());
    TWINSET_ASSIGN(const PipeQuery query, QueryOf(request.json));
    std::vector<std::string> terms;
    for (const std::string& term : query.terms) terms.push_back(Term(term));
    Xapian::Enquire enquire(*database_);
    enquire.set_query(Xapian::Query(
        query.conjunctive ? Xapian::Query::OP_AND : Xapian::Query::OP_OR,
        terms.begin(), terms.end()));
    const Xapian::doccount documents = database_->get_doccount();
    const Xapian::MSet found =
        enquire.get_mset(0, std::min<Xapian::doccount>(query.limit, documents),
                         exact_ ? documents : 0);
    PipeReply reply;
    reply.json["urls"] = Json::array();
    for (auto at = found.begin(); at != found.end(); ++at)
      reply.json["urls"].push_back(UrlOf(at.get_document()));
    reply.json["hits"] = found.get_matches_estimated();
    return reply;
  }

  Result<PipeReply> Fetch(const PipeRequest& request) {
    TWINSET_TRY(Open());
    TWINSET_ASSIGN(const std::string url, TextMember(request.json, "url"));
    const std::string term = UrlTerm(url);
    for (auto at = database_->postlist_begin(term);
         at != database_->postlist_end(term); ++at) {
      const std::string data = database_->get_document(*at).get_data();
      const size_t page = data.rfind(kPageKey);
      if (page != std::string::npos)
        return PageReply(data.substr(page + sizeof kPageKey - 1));
    }
    return Fail(ErrorCode::kNotFound, "no page has this address", url);
  }

  Result<PipeReply> Add(const PipeRequest& request) {
    TWINSET_ASSIGN(const PipeDocument page, DocumentOf(request.json));
    if (!writer_) {
      writer_.emplace(
          path_, Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_BACKEND_GLASS);
    }
    PipeReply reply;
    const std::string url_term = UrlTerm(page.url);
    const bool is_new = !writer_->term_exists(url_term);
    reply.json["added"] = is_new;
    if (!is_new) return reply;
    Xapian::Document document;
    document.set_data(DataOf(page));
    document.add_boolean_term(url_term);
    document.add_value(0, page.url);
    for (const std::string& token : page.tokens) document.add_term(Term(token));
    writer_->add_document(document);
    return reply;
  }

  Result<PipeReply> Finish(const PipeRequest&) {
    if (!writer_) {  // an engine without documents
      writer_.emplace(
          path_, Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_BACKEND_GLASS);
    }
    writer_->commit();
    writer_->close();
    return PipeReply();
  }

 private:
  Status Open() {
    if (database_) return {};
    if (!std::filesystem::exists(path_))
      return Fail(ErrorCode::kIo, "there is no database", path_);
    database_.emplace(path_);
    return {};
  }
  static std::string UrlOf(const Xapian::Document& document) {
    return document.get_value(0);
  }

  std::string path_;
  bool exact_ = true;
  std::optional<Xapian::Database> database_;
  std::optional<Xapian::WritableDatabase> writer_;
};

// Errors of Xapian as errors of the question.
PipeOperation Guarded(PipeOperation operation) {
  return [operation = std::move(operation)](
             const PipeRequest& request) -> Result<PipeReply> {
    try {
      return operation(request);
    } catch (const Xapian::DatabaseLockError& error) {
      return Fail(ErrorCode::kUnavailable, error.get_msg());
    } catch (const Xapian::Error& error) {
      return Fail(ErrorCode::kCorrupt,
                  error.get_type() + (": " + error.get_msg()));
    }
  };
}

int Run() {
  XapianEngine engine;
  PipeOperations operations;
  operations["hello"] = Guarded(
      [&](const PipeRequest& request) { return engine.Hello(request.json); });
  operations["query"] = Guarded(
      [&](const PipeRequest& request) { return engine.Query(request); });
  operations["fetch"] = Guarded(
      [&](const PipeRequest& request) { return engine.Fetch(request); });
  operations["add"] =
      Guarded([&](const PipeRequest& request) { return engine.Add(request); });
  operations["finish"] = Guarded(
      [&](const PipeRequest& request) { return engine.Finish(request); });
  return ServePipe(operations);
}

}  // namespace
}  // namespace twinset

int main() { return twinset::Run(); }
