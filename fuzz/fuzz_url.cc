// Any bytes are an address or are not: reading never fails otherwise, and what
// is normalised stays as it is.
#include "net/url.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(url) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t line = bytes.find('\n');
  const std::string_view base = bytes.substr(0, line);
  const std::string_view reference =
      line == std::string_view::npos ? "" : bytes.substr(line + 1);
  const std::string normal = twinset::NormaliseUrl(base);
  twinset::Require(twinset::NormaliseUrl(normal) == normal);
  twinset::Require(twinset::UrlDepth(normal) >= 0);
  (void)twinset::UrlOrigin(base);
  if (twinset::IsHttpUrl(normal))
    twinset::Require(!twinset::UrlHost(normal).empty());
  const auto resolved = twinset::ResolveUrl(base, reference);
  if (resolved) twinset::Require(twinset::NormaliseUrl(*resolved) == *resolved);
  return 0;
}
