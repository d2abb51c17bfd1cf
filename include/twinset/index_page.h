// A page about a live index for people, which a server sends: a form that asks,
// the answer with both texts side by side, how much is stored.
#ifndef TWINSET_INDEX_PAGE_H_
#define TWINSET_INDEX_PAGE_H_

#include <optional>
#include <string>
#include <vector>

#include "twinset/explain.h"
#include "twinset/index.h"

namespace twinset {
inline namespace v1 {

// What was decided of a document that came.
struct IndexPageDecision {
  std::string time, id, kept_id;
  bool is_new = false;
  double similarity = 0;
};

struct IndexPage {
  IndexStats stats;
  std::vector<IndexPageDecision> decisions;  // the newest first
  double uptime_seconds = 0;
  uint64_t answers_a_minute = 0;  // documents in the last minute

  // What the form has: a text, the name of a file, or the id or address of a
  // stored document.
  std::string text, file, id;
  std::string problem;              // why there is no answer
  std::optional<IndexFound> found;  // of the text or file
  // The text, x, beside the stored document that is most similar, y; or a
  // dropped document beside the one for which it was dropped.
  std::optional<Explanation> pair;
  std::optional<IndexDocument> document;  // of the id
};

// HTML without scripts, whose style is at /style.css; it asks by GET and POST
// at /. Every text is escaped.
std::string DrawIndexPage(const IndexPage& page);
// What is at /style.css.
std::string IndexPageStyle();

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_INDEX_PAGE_H_
