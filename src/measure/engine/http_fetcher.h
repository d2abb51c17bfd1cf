// Fetching over HTTP, by the program twinset-http.
#ifndef TWINSET_SRC_MEASURE_ENGINE_HTTP_FETCHER_H_
#define TWINSET_SRC_MEASURE_ENGINE_HTTP_FETCHER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "net/fetcher.h"
#include "twinset/error.h"
#include "twinset/measure/fetch.h"

namespace twinset {

struct HttpOptions {
  uint32_t connect_timeout_ms = 5000, timeout_ms = 20000;
  uint64_t max_body_bytes = 8 << 20;
  // 0: a redirect is an answer like any other; else more of them are an error.
  uint32_t max_redirects = 5;
  std::string user_agent = "twinset/1";
  // CIDR blocks that may be asked although they are not public (loopback,
  // private, link-local, metadata of clouds, ...). Each address is judged as
  // it is connected to, whatever name or redirect led there.
  std::vector<std::string> networks;
  // Nothing outside of these may be asked; empty: no such limit.
  std::vector<std::string> only;
  // "name:port:address[,address...]": known without asking a name server.
  std::vector<std::string> resolve;
};
// Speaks HTTP through the program twinset-http (libcurl lives there alone). kIo
// when it is not installed beside twinset.
Result<std::unique_ptr<Fetcher>> OpenHttpFetcher(const HttpOptions& options);

// The fetcher of a command whose flags are `fetching`: over HTTP, polite as
// `politeness` says but for the delay that `fetching` names. A body has at most
// a part of `memory_bytes` (0: no such limit). kIo as OpenHttpFetcher.
Result<std::unique_ptr<Fetcher>> OpenPoliteFetcher(const FetchOptions& fetching,
                                                   PolitenessOptions politeness,
                                                   uint64_t memory_bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_HTTP_FETCHER_H_
