// Requests of any bytes are taken apart: what is decoded is no longer than it
// was, and a document that is taken says the same when it is written again.
#include <algorithm>

#include "scratch_file.h"
#include "server/documents.h"
#include "server/guard.h"
#include "server/request_parts.h"
#include "server/routes.h"
#include "target.h"

namespace {

using namespace twinset::server;  // NOLINT(google-build-using-namespace)

void TakeTarget(std::string_view target) {
  const size_t mark = std::min(target.find('?'), target.size());
  std::string_view variable;
  std::string allowed;
  const Route* const route =
      FindRoute("GET", target.substr(0, mark), &variable, &allowed);
  twinset::Require(variable.size() <= target.size());
  const auto name = twinset::server::PercentDecoded(variable);
  twinset::Require(!name || name->size() <= variable.size());
  const auto parameters =
      ParseParameters(target.substr(std::min(mark + 1, target.size())));
  if (!parameters) return;
  size_t bytes = 0;
  for (const auto& [key, value] : *parameters)
    bytes += key.size() + value.size();
  twinset::Require(bytes <= target.size());
  if (route != nullptr) (void)QueryOf(*route, *parameters);
}

void TakeDocument(std::string_view json) {
  const auto input = DocumentOfJson(json);
  if (!input) return;
  const twinset::Document& document = input->document;
  const bool is_html = document.kind == twinset::ContentKind::kHtml;
  twinset::Json written = {{"id", document.id},
                           {"url", document.provenance.url},
                           {"date", document.provenance.date},
                           {"digest", document.provenance.digest},
                           {"tag", input->tag}};
  written[is_html ? "html" : "text"] = document.payload;
  const auto back = DocumentOfJson(written.dump());
  twinset::Require(back && back->document.payload == document.payload &&
                   back->document.id == document.id);
}

void TakeHeaders(std::string_view value) {
  HttpRequest request;
  request.method = "POST";
  request.headers = {{"Host", "localhost"},
                     {"Authorization", std::string(value)}};
  GuardOptions options;
  options.write_tokens = {"a-token-that-nobody-guesses"};
  const bool passes = !Guard(options).Refuse(request, Scope::kWrite);
  // Nothing passes but the token, plain or in base 64.
  const bool is_basic = MediaType(value.substr(0, 5)) == "basic";
  twinset::Require(!passes || is_basic ||
                   value.ends_with(options.write_tokens[0]));
  (void)HostName(value);
  (void)HostOfOrigin(value);
  (void)MediaType(value);
}

}  // namespace

TWINSET_FUZZ_TARGET(server_request) {
  twinset::FuzzInput input(data, size);
  const uint64_t kind = input.Number(1);
  if (kind % 3 == 0) TakeTarget(input.Rest());
  if (kind % 3 == 1) TakeDocument(input.Rest());
  if (kind % 3 == 2) TakeHeaders(input.Rest());
  return 0;
}
