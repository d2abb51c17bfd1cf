// The public suffix list: below which names domains are registered, so that
// "news.bbc.co.uk" is of "bbc.co.uk" (docs/methods/addresses.md).
#ifndef TWINSET_SRC_GROUND_NET_PUBLIC_SUFFIX_H_
#define TWINSET_SRC_GROUND_NET_PUBLIC_SUFFIX_H_

#include <memory>
#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

// Thread-safe once it is made.
class PublicSuffixes {
 public:
  // Opens a list in the format of publicsuffix.org; empty: that of the system
  // if there is one, else the one that libpsl was built with. kIo for a file
  // that cannot be read, kCorrupt for one that holds no rule.
  static Result<PublicSuffixes> Open(const std::string& path);
  PublicSuffixes(PublicSuffixes&&) noexcept;
  ~PublicSuffixes();

  // The registered domain of a host in lower case: a suffix of it. A host that
  // is a public suffix itself, has one label or is an IP address is its own.
  std::string_view DomainOf(std::string_view host) const;

  // "2023-02-09": what the list says of itself, else when its file was written.
  const std::string& date() const { return date_; }
  // "file", "system" or "built-in".
  const std::string& origin() const { return origin_; }
  // SHA-256 of the file in hexadecimal digits; SHA-1 of a built-in one.
  const std::string& digest() const { return digest_; }

 private:
  struct List;
  PublicSuffixes();
  std::unique_ptr<List> list_;
  std::string date_, origin_, digest_;
};

bool IsIpHost(std::string_view host);
// The last label of a host; "(IP address)" for addresses.
std::string_view TopLevelOf(std::string_view host);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_PUBLIC_SUFFIX_H_
