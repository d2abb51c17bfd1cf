// twinset-engine-postgres: an engine over PostgreSQL's full-text search, asked
// and built by twinset over a pipe (docs/methods/engine-programs.md).
#include <libpq-fe.h>
#include <netdb.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/networks.h"
#include "engines/pipe_server.h"

namespace twinset {
namespace {

// PostgreSQL takes 2046 bytes a lexeme and 63 a name.
constexpr size_t kMostTermBytes = 1000;
constexpr size_t kMostNameBytes = 50;
// Says that a table is ours to replace.
constexpr char kComment[] = "an engine of twinset, version 1";

struct Finish {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Finish>;
using Rows = std::unique_ptr<PGresult, Finish>;

// Text without the zero bytes that the database cannot hold.
std::string Clean(std::string text) {
  for (char& c : text)
    if (c == 0) c = ' ';
  return text;
}

std::string FirstLine(const char* message) {
  const std::string text = message == nullptr ? "" : message;
  return text.substr(0, text.find('\n'));
}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

// What a connection string says, by keyword; what it leaves out is not there.
Result<std::map<std::string, std::string>> ReadConnection(
    const std::string& text) {
  char* problem = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(
      PQconninfoParse(text.c_str(), &problem));
  if (options == nullptr) {
    const std::string message = FirstLine(problem);
    PQfreemem(problem);
    return Fail(ErrorCode::kUsage, message);
  }
  std::map<std::string, std::string> said;
  for (const PQconninfoOption* o = options.get(); o->keyword != nullptr; ++o)
    if (o->val != nullptr) said[o->keyword] = o->val;
  return said;
}

// The address that `guard` allows to connect to by this string, so that no
// name is resolved again behind its back. Empty where none is needed: a socket
// of this machine, or the server that the user's environment names.
Result<std::string> AllowedAddress(const std::string& database,
                                   const NetworkGuard& guard) {
  const bool is_uri = database.starts_with("postgresql://") ||
                      database.starts_with("postgres://");
  if (!is_uri && database.find('=') == std::string::npos) return "";  // a name
  TWINSET_ASSIGN(auto said, ReadConnection(database));
  if (said.contains("service")) {
    return Fail(ErrorCode::kUsage, "a service is named", "",
                "write its host and name into the connection string");
  }
  for (const std::string& names : {said["host"], said["hostaddr"]}) {
    if (names.find(',') != std::string::npos) {
      return Fail(ErrorCode::kUsage, "several hosts are named", names,
                  "name one");
    }
  }
  const bool is_address = !said["hostaddr"].empty();
  const std::string host = is_address ? said["hostaddr"] : said["host"];
  const bool is_socket = !is_address && (host[0] == '/' || host[0] == '@');
  if (host.empty() || is_socket) return "";
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &found)) {
    return Fail(ErrorCode::kUnavailable, ::gai_strerror(code), host);
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(
      found, &::freeaddrinfo);
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next)
    if (guard.Allows(at->ai_addr)) return AddressText(at->ai_addr);
  Error refused = OutsideNetworks(AddressText(found->ai_addr), host).value();
  refused.code = ErrorCode::kUsage;  // nothing can be asked of this engine
  return tl::unexpected<Error>(std::move(refused));
}

// "{"a","b"}": the text of an array of texts.
std::string ArrayText(const std::vector<std::string>& texts) {
  std::string array = "{";
  for (const std::string& text : texts) {
    if (array.size() > 1) array += ',';
    array += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') array += '\\';
      array += c;
    }
    array += '"';
  }
  return array + "}";
}

// Quoted lexemes: nothing in them is read as an operator, and no dictionary
// changes them.
std::string QueryText(const PipeQuery& query) {
  std::string text;
  for (const std::string& term : query.terms) {
    if (!text.empty()) text += query.conjunctive ? " & " : " | ";
    text += '\'';
    for (const char c : IndexTerm(term, kMostTermBytes)) {
      if (c == '\'' || c == '\\') text += c;
      text += c;
    }
    text += '\'';
  }
  return text;
}

class PostgresEngine {
 public:
  Result<PipeReply> Hello(const Json& configuration) {
    TWINSET_TRY(CheckMembers(configuration,
                             {"database", "table", "overwrite", "networks"}));
    TWINSET_ASSIGN(const auto named, TextsMemberOr(configuration, "networks"));
    TWINSET_ASSIGN(guard_.named, ParseNetworks(named));
    TWINSET_ASSIGN(database_, TextMember(configuration, "database"));
    const std::string table = TextMemberOr(configuration, "table", "twinset");
    TWINSET_ASSIGN(overwrite_, FlagMemberOr(configuration, "overwrite", false));
    if (table.empty() || table.size() > kMostNameBytes ||
        table.find('\0') != std::string::npos)
      return Fail(ErrorCode::kUsage, "\"table\" must be a name of 1 to " +
                                         std::to_string(kMostNameBytes) +
                                         " bytes");
    TWINSET_TRY(Connect());
    TWINSET_ASSIGN(name_, Quoted(table));
    TWINSET_ASSIGN(building_, Quoted(table + ".building"));
    PipeReply reply;
    reply.json["type"] = "postgres";
    TWINSET_ASSIGN(const bool exists, Exists());
    if (exists) {
      TWINSET_ASSIGN(const Rows rows, Ask("SELECT count(*) FROM " + name_));
      reply.json["documents"] = Number(rows);
    }
    return reply;
  }

  Result<PipeReply> Query(const PipeRequest& request) {
    TWINSET_TRY(Reconnect());
    TWINSET_ASSIGN(const PipeQuery query, QueryOf(request.json));
    PipeReply reply;
    reply.json["urls"] = Json::array();
    const std::string text = QueryText(query);
    const std::string matches = " WHERE terms @@ $1::tsquery";
    TWINSET_ASSIGN(const Rows rows,
                   Ask("SELECT url FROM " + name_ + matches +
                           " ORDER BY ts_rank(terms, $1::tsquery) DESC, number "
                           "LIMIT $2::bigint",
                       {text, std::to_string(query.limit)}));
    for (int i = 0; i < PQntuples(rows.get()); ++i)
      reply.json["urls"].push_back(PQgetvalue(rows.get(), i, 0));
    TWINSET_ASSIGN(const Rows count,
                   Ask("SELECT count(*) FROM " + name_ + matches, {text}));
    reply.json["hits"] = Number(count);
    return reply;
  }

  Result<PipeReply> Fetch(const PipeRequest& request) {
    TWINSET_TRY(Reconnect());
    TWINSET_ASSIGN(const std::string url, TextMember(request.json, "url"));
    TWINSET_ASSIGN(const Rows rows,
                   Ask("SELECT page FROM " + name_ +
                           " WHERE key = sha256(convert_to($1, 'UTF8'))",
                       {Clean(url)}));
    if (PQntuples(rows.get()) == 0)
      return Fail(ErrorCode::kNotFound, "no page has this address", url);
    return PageReply(std::string(PQgetvalue(rows.get(), 0, 0)));
  }

  Result<PipeReply> Add(const PipeRequest& request) {
    TWINSET_ASSIGN(const PipeDocument document, DocumentOf(request.json));
    TWINSET_TRY(Begin());
    std::vector<std::string> terms;
    for (const std::string& token : document.tokens)
      if (!token.empty()) terms.push_back(IndexTerm(token, kMostTermBytes));
    auto rows = Ask(
        "INSERT INTO " + building_ +
            " (key, url, page, terms) VALUES (sha256(convert_to($1, 'UTF8')), "
            "$1, $2, array_to_tsvector($3::text[])) ON CONFLICT DO NOTHING",
        {Clean(document.url), PageText(document), ArrayText(terms)});
    if (!rows) {
      rows.error().where = document.url;
      return tl::unexpected(rows.error());
    }
    PipeReply reply;
    reply.json["added"] = std::string(PQcmdTuples(rows->get())) == "1";
    return reply;
  }

  Result<PipeReply> FinishBuild() {
    TWINSET_TRY(Begin());
    if (overwrite_) TWINSET_TRY(Do("DROP TABLE IF EXISTS " + name_));
    TWINSET_TRY(Do("ALTER TABLE " + building_ + " RENAME TO " + name_));
    TWINSET_TRY(Do("CREATE INDEX ON " + name_ + " USING gin (terms)"));
    TWINSET_TRY(Do("COMMENT ON TABLE " + name_ + " IS '" + kComment + "'"));
    TWINSET_TRY(Do("COMMIT"));
    began_ = false;
    TWINSET_TRY(Do("ANALYZE " + name_));
    return PipeReply();
  }

 private:
  Status Connect() {
    TWINSET_ASSIGN(const std::string address,
                   AllowedAddress(database_, guard_));
    // What comes later counts; the empty do not.
    const char* const keywords[] = {"connect_timeout", "application_name",
                                    "dbname",          "hostaddr",
                                    "client_encoding", nullptr};
    const char* const values[] = {
        "10", "twinset", database_.c_str(), address.c_str(), "UTF8", nullptr};
    connection_.reset(PQconnectdbParams(keywords, values, 1));
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
      return Fail(ErrorCode::kUnavailable,
                  FirstLine(PQerrorMessage(connection_.get())));
    }
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
    return {};
  }
  // A server that was restarted is asked again.
  Status Reconnect() {
    return PQstatus(connection_.get()) == CONNECTION_OK ? Status() : Connect();
  }

  Result<std::string> Quoted(const std::string& name) {
    char* quoted =
        PQescapeIdentifier(connection_.get(), name.data(), name.size());
    if (quoted == nullptr)
      return Fail(ErrorCode::kUsage, "no name of a table", name);
    std::string result = quoted;
    PQfreemem(quoted);
    return result;
  }

  Result<Rows> Ask(const std::string& command,
                   const std::vector<std::string>& values = {}) {
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const std::string& value : values) pointers.push_back(value.c_str());
    Rows rows(PQexecParams(connection_.get(), command.c_str(),
                           static_cast<int>(values.size()), nullptr,
                           pointers.data(), nullptr, nullptr, 0));
    const ExecStatusType status = PQresultStatus(rows.get());
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return rows;
    const bool lost = PQstatus(connection_.get()) != CONNECTION_OK;
    return Fail(lost ? ErrorCode::kUnavailable : ErrorCode::kCorrupt,
                FirstLine(PQerrorMessage(connection_.get())));
  }
  Status Do(const std::string& command) {
    TWINSET_TRY(Ask(command));
    return {};
  }
  static uint64_t Number(const Rows& rows) {
    return std::stoull(PQgetvalue(rows.get(), 0, 0));
  }
  Result<bool> Exists() {
    TWINSET_ASSIGN(const Rows rows,
                   Ask("SELECT to_regclass($1) IS NOT NULL", {name_}));
    return std::string(PQgetvalue(rows.get(), 0, 0)) == "t";
  }

  // All of a build is one transaction: nothing is left of one that fails.
  Status Begin() {
    if (began_) return {};
    TWINSET_ASSIGN(const bool exists, Exists());
    if (exists) {
      TWINSET_ASSIGN(
          const Rows rows,
          Ask("SELECT coalesce(obj_description(to_regclass($1), 'pg_class'), "
              "'')",
              {name_}));
      const bool ours = std::string(PQgetvalue(rows.get(), 0, 0)) == kComment;
      if (!ours || !overwrite_) {
        return Fail(ErrorCode::kUsage,
                    ours ? "the table exists"
                         : "the table exists and is no engine of twinset",
                    name_,
                    ours ? "add --overwrite, or choose another name"
                         : "choose another name");
      }
    }
    TWINSET_TRY(Do("BEGIN"));
    began_ = true;
    return Do("CREATE TABLE " + building_ +
              " (number bigint GENERATED ALWAYS AS IDENTITY, key bytea PRIMARY "
              "KEY, url text NOT NULL, page text NOT NULL, terms tsvector NOT "
              "NULL)");
  }

  std::string database_, name_, building_;
  NetworkGuard guard_;
  bool overwrite_ = false, began_ = false;
  Connection connection_;
};

int Run() {
  PostgresEngine engine;
  PipeOperations operations;
  operations["hello"] = [&](const PipeRequest& request) {
    return engine.Hello(request.json);
  };
  operations["query"] = [&](const PipeRequest& request) {
    return engine.Query(request);
  };
  operations["fetch"] = [&](const PipeRequest& request) {
    return engine.Fetch(request);
  };
  operations["add"] = [&](const PipeRequest& request) {
    return engine.Add(request);
  };
  operations["finish"] = [&](const PipeRequest&) {
    return engine.FinishBuild();
  };
  return ServePipe(operations);
}

}  // namespace
}  // namespace twinset

int main() { return twinset::Run(); }
