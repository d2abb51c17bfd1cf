// Pages for tests of main content.
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_TESTING_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_TESTING_H_

#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace twinset {

// Pages of random elements around short texts.
inline std::string RandomPage(std::mt19937* random) {
  const char* tags[] = {"div", "p",  "ul",      "li", "article",
                        "nav", "h2", "section", "td", "blockquote"};
  const char* classes[] = {"",
                           "",
                           " class=content",
                           " class=comments",
                           " id=footer",
                           " class=\"post-body\""};
  const char* texts[] = {"word",
                         "Some more words of a sentence, and one more.",
                         "<a href=x>link text</a>",
                         "<br><br>",
                         "<img src=x>",
                         ("one two three four five six seven eight nine ten "
                          "eleven twelve, thirteen and fourteen words.")};
  std::string html;
  std::vector<const char*> open;
  for (int i = 0; i < 120; ++i) {
    const uint32_t what = (*random)() % 5;
    if (what < 2) {
      open.push_back(tags[(*random)() % std::size(tags)]);
      html += std::string("<") + open.back() +
              classes[(*random)() % std::size(classes)] + ">";
    } else if (what == 2 && !open.empty()) {
      html += std::string("</") + open.back() + ">";
      open.pop_back();
    } else {
      html += texts[(*random)() % std::size(texts)];
      html += " ";
    }
  }
  return html;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_TESTING_H_
