// Who may ask for what: tokens, hosts and origins.
#ifndef TWINSET_APPS_SERVER_GUARD_H_
#define TWINSET_APPS_SERVER_GUARD_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http.h"
#include "twinset/error.h"

namespace twinset::server {

// What a request needs: nothing; a token for reading; one for writing.
enum class Scope { kOpen, kRead, kWrite };

// Returns true iff the texts are equal, in a time that tells their lengths
// alone.
bool IsEqualSecret(std::string_view x, std::string_view y);

// The tokens of a file, one a line; kUsage if others than its owner may read
// it, for one of less than 16 characters and for none.
Result<std::vector<std::string>> ReadTokens(const std::string& path);

struct GuardOptions {
  // Empty: whoever reaches the server may.
  std::vector<std::string> read_tokens, write_tokens;
  std::vector<std::string> hosts;  // by which it is called, beside loopback's
};

// A browser sends requests for pages of others: the names in Host and Origin
// say that a page is the server's own.
class Guard {
 public:
  explicit Guard(GuardOptions options);
  // The refusal; nothing if the request may go on. A token that writes reads
  // too. It comes as Authorization: Bearer TOKEN or, from browsers, as the
  // password of Basic.
  std::optional<HttpResponse> Refuse(const HttpRequest& request,
                                     Scope scope) const;

 private:
  bool IsHost(std::string_view host) const;
  bool HasToken(const HttpRequest& request, Scope scope) const;

  GuardOptions options_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_GUARD_H_
