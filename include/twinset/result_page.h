// What a result says, as values that are drawn in every form: for a terminal,
// as a page, and as page.json (docs/formats/report.md).
#ifndef TWINSET_RESULT_PAGE_H_
#define TWINSET_RESULT_PAGE_H_

#include <cstddef>
#include <memory>
#include <string>

namespace twinset {

class KeptPage;

inline namespace v1 {

// How a text is set for a terminal.
struct TextStyle {
  bool colour = false;  // bold and faint text by ANSI escapes
  size_t width = 0;     // sentences are wrapped at this column; 0: not at all
  // Tables alone, without sentences and the few numbers that matter.
  bool brief = false;
  size_t most_rows = 20;  // of a table; what is left out is counted
};

// A copy costs a pointer. Thread-safe.
class ResultPage {
 public:
  // A page that says nothing.
  ResultPage() = default;
  // What the library found; callers get pages with its results.
  explicit ResultPage(KeptPage page);

  // What was found as a sentence, the few numbers that matter, and tables with
  // aligned columns. What is folded on the page, drawings and texts side by
  // side are left out, and so are warnings, which a result has apart. Control
  // characters are replaced, as Printable does.
  std::string Text(const TextStyle& style = {}) const;
  // The page that --report writes, complete in one file.
  std::string Html() const;

  // Null for a page that says nothing.
  const KeptPage* kept() const { return page_.get(); }

 private:
  std::shared_ptr<const KeptPage> page_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_RESULT_PAGE_H_
