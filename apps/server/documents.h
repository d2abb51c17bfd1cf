// Documents as requests bring them, and what is answered of each.
#ifndef TWINSET_APPS_SERVER_DOCUMENTS_H_
#define TWINSET_APPS_SERVER_DOCUMENTS_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "server/request_parts.h"
#include "server/service.h"
#include "twinset/error.h"
#include "twinset/index.h"
#include "twinset/json.h"

namespace twinset::server {

inline constexpr std::array<std::string_view, 7> kMembers = {
    "id", "text", "html", "url", "date", "tag", "digest"};

// {"id","text" or "html","url","date","tag","digest"}. kCorrupt for what is no
// JSON, kUsage for an object that is no document.
Result<IndexInput> DocumentOfJson(std::string_view json);
// A body that is the document itself; the rest comes from the parameters of
// the address. `type`: its Content-Type.
IndexInput DocumentOfBody(std::string body, const std::string& type,
                          const Parameters& parameters);

enum class Asked { kCheck, kCheckAndAdd, kQuery };

// What is asked for beside the documents.
struct DocumentQuery : IndexQuery {
  bool replaces = false;  // of kCheckAndAdd, as in IndexAddOptions
};

// One row for each document, in order; of one that cannot be compared
// {"id","rejected","detail"}.
Result<std::vector<Json>> AnswerDocuments(Service* service, Asked asked,
                                          const DocumentQuery& query,
                                          std::vector<IndexInput> batch);

// A match of a query.
Json MatchJson(const IndexMatch& match);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_DOCUMENTS_H_
