// The texts of links to pages that were not fetched, which is all that an
// engine knows of these.
#ifndef TWINSET_SRC_MEASURE_ENGINE_ANCHOR_TEXTS_H_
#define TWINSET_SRC_MEASURE_ENGINE_ANCHOR_TEXTS_H_

#include <functional>
#include <memory>
#include <string>

#include "engine/sqlite_db.h"
#include "twinset/error.h"
#include "twinset/inspect.h"

namespace twinset {

// Kept on disk, in a file that is removed at the end: memory does not grow with
// the number of links.
class AnchorTexts {
 public:
  static Result<std::unique_ptr<AnchorTexts>> Create(const std::string& path);
  ~AnchorTexts();

  // A page that needs no text of links: it is in the index, or must not be.
  Status AddKnown(const std::string& url);
  // The links of a page with facts; those without a text say nothing.
  Status AddLinks(const DocumentText& page);
  // Each page linked to that is not known, in order of the first link to it,
  // with the texts of its links in order, one per line, at most 64 KB.
  Status ForEach(const std::function<Status(const std::string& url,
                                            const std::string& text)>& body);

 private:
  AnchorTexts() = default;
  SqliteDb db_;
  SqliteStatement add_known_, add_link_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ANCHOR_TEXTS_H_
