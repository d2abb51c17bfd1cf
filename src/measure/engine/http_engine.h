// Any engine that answers over HTTP: where to ask, and where the results stand
// in the answer (docs/methods/engine-programs.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_HTTP_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_HTTP_ENGINE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/http_fetcher.h"
#include "net/fetcher.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {

struct HttpEngineOptions {
  std::string name;
  // With {terms}, and perhaps {limit}, {operator}, {start} (results to skip)
  // and {page} (from 1).
  std::string url;
  std::string format = "html";  // html, xml: XPath; json: JSON pointers
  std::string results;          // the addresses
  std::string hits;             // their number; empty: the engine names none
  std::string empty;            // is there when nothing was found
  std::array<std::string, 2> operators = {"AND", "OR"};  // for {operator}
  std::array<std::string, 2> separators = {" ", " "};    // between the terms
  uint32_t max_results = 0, max_terms = 0;  // of the engine; 0: unknown
  uint32_t page_size =
      0;  // results a page, with {start} or {page}; 0: one page
  HttpOptions http;
  PolitenessOptions politeness;
  FeatureOptions features;  // how the pages fetched are read
};

// From a description (docs/formats/engine.md). kUsage names the member that is
// missing or of no use.
Result<HttpEngineOptions> ParseHttpEngine(const Json& description);

// An answer that holds neither results nor a number of hits nor the mark of
// emptiness is kCorrupt, so that no page of another kind is taken for "nothing
// found". Fetched pages that servers refuse are kNotFound (404, 410),
// kUnavailable (429, 5xx) or kUnsupported.
Result<std::unique_ptr<Engine>> OpenHttpEngine(
    const HttpEngineOptions& options);

// The first number of a text: "about 1,234 results" is 1234. Separators of
// thousands are , . ' and blanks before three digits.
std::optional<uint64_t> FirstNumber(std::string_view text);

// The address of a query.
std::string QueryUrl(const HttpEngineOptions& options, const EngineQuery& query,
                     uint32_t start);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_HTTP_ENGINE_H_
