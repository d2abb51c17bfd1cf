// What meta elements say.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_META_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_META_H_

#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_tokenizer.h"
#include "text/page/page_facts.h"

namespace twinset {

struct RefreshTarget {
  bool valid = false;  // false: a browser does nothing
  int seconds = 0;     // saturates
  std::string url;     // white space trimmed; empty: the page itself
};

// The shared declarative refresh steps of the HTML standard (section 4.2.5.3),
// up to the resolving of the address: "5; url='x'".
RefreshTarget ParseRefresh(std::string_view content);

// Adds the directives of one meta robots, lower case, each once: separated by
// commas, on some pages by spaces. What is too long to be one is passed over,
// and all beyond kMaxRobots, so that many such elements cost linear time.
inline constexpr size_t kMaxRobots = 32, kMaxRobotsBytes = 64;
void AddRobots(std::string_view content, std::vector<std::string>* directives);

// Gathers facts from meta and time elements in document order; of several that
// say the same kind of thing the better-ranked counts, then the earlier.
class MetaFacts {
 public:
  // `attributes` of a meta element.
  void Meta(const std::vector<HtmlAttribute>& attributes);
  // Reads a time element.
  void Time(const std::vector<HtmlAttribute>& attributes);
  // Moves what was found into `facts` (all but title, canonical, base, links);
  // content-language only where facts->language is still empty.
  void Finish(PageFacts* facts);

 private:
  struct Best {
    std::string value;
    int rank = 1 << 30;
    void Offer(std::string candidate, int candidate_rank);
  };
  void HttpEquiv(std::string_view name, const std::string& content);
  void Property(std::string_view name, const std::string& content);

  Best description_, author_, published_, modified_;
  std::vector<std::string> robots_;
  std::string content_language_;
  RefreshTarget refresh_;
};

// The first attribute called `lower_name`, decoded; empty when there is none.
std::string AttributeValue(const std::vector<HtmlAttribute>& attributes,
                           std::string_view lower_name);
bool HasAttribute(const std::vector<HtmlAttribute>& attributes,
                  std::string_view lower_name);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_PAGE_META_H_
