// Values out of a page by an expression: XPath of HTML and XML, JSON pointers
// of JSON (docs/methods/engine-programs.md). Pages are untrusted, expressions
// are the user's.
#ifndef TWINSET_APPS_ENGINES_EXTRACT_H_
#define TWINSET_APPS_ENGINES_EXTRACT_H_

#include <memory>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {

class PageValues {
 public:
  virtual ~PageValues() = default;
  // Texts in page order, at most kMostValues: of an XPath the string values of
  // its nodes, or its one value; of a JSON pointer the texts, numbers and flags
  // that it leads to, where "*" stands for all elements of a list. kUsage for
  // what is no expression.
  virtual Result<std::vector<std::string>> Find(
      const std::string& expression) = 0;

  static constexpr size_t kMostValues = 10000;
};

// `format`: html, xml or json. kCorrupt for bytes that are no such page.
// `content_type` may name the character set.
Result<std::unique_ptr<PageValues>> ReadPageValues(
    const std::string& format, const std::string& content_type,
    std::string_view body);

}  // namespace twinset

#endif  // TWINSET_APPS_ENGINES_EXTRACT_H_
