// Pages and revisions of a MediaWiki export, as they are read.
#ifndef TWINSET_SRC_STAGES_READ_WIKI_MEDIAWIKI_PAGE_H_
#define TWINSET_SRC_STAGES_READ_WIKI_MEDIAWIKI_PAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twinset {

struct WikiRevision {
  std::string id, timestamp, sha1, model, format;
  std::string text;
  uint64_t text_bytes = 0;  // of all of it; `text` is empty when it is too long
  uint64_t offset = 0;      // of its tag
  bool has_begun_text = false;
  bool has_text = false;      // the export holds it
  bool is_deleted = false;    // hidden from readers
  bool is_truncated = false;  // a gap of the source cuts it
};

struct WikiPage {
  std::string title, ns, id;
  bool is_redirect = false;
  std::string redirect;  // title of the page it leads to; old exports lack it
  uint64_t offset = 0;   // of its tag
  uint64_t revisions = 0;
};

// Where pages of a wiki have their addresses: the address of its main page up
// to the title, from <base> of the export; empty where that is none.
std::string WikiAddressPrefix(std::string_view base);

// The address of a page; its title where no prefix is known. Spaces are '_';
// escaped is what cannot stand in the path of a URL.
std::string WikiAddress(std::string_view prefix, std::string_view title);

// The page that a text leads to: "#REDIRECT [[Title#Section|label]]", the word
// in any language. Nothing for other texts.
std::optional<std::string> WikiRedirect(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_WIKI_MEDIAWIKI_PAGE_H_
