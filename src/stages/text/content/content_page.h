// A page as main content sees it: blocks of text and the elements around them.
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_PAGE_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_PAGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "text/content/content_words.h"
#include "text/html/html_tokenizer.h"
#include "text/html/html_tree.h"

namespace twinset {

// Elements that say what they hold: by their tag, their role, or schema.org's
// names. They continue the bits of ContentGroup.
enum class ContentTag : uint8_t {
  kNav,
  kHeader,
  kFooter,
  kAside,
  kArticle,
  kMain,
  kSection,
  kForm,
  kFigure,
  kTable,
  kList,
  kItem,
  kBlockquote,
  kPre,
  kHeading,
  kControl,
  kCaption,       // of a figure
  kComments,      // comments of readers, or one of them
  kBody,          // text of an article, by schema.org or RDFa
  kOtherArticle,  // an article with a page of its own
  kCount,
};
inline constexpr size_t kContentTags = static_cast<size_t>(ContentTag::kCount);
inline constexpr size_t kContentMarks = kContentGroups + kContentTags;
static_assert(kContentMarks <= 64);

// What a page may say it is: by schema.org's types and Open Graph's.
enum class DeclaredType : uint8_t {
  kArticle,
  kReference,
  kForum,
  kListing,
  kProduct,
  kWebsite,
  kCount,
};
inline constexpr size_t kDeclaredTypes =
    static_cast<size_t>(DeclaredType::kCount);

// What the text of a block is made of. Words are counted in halves: a word of
// letters is 2, a character of a script without spaces 1.
struct TextCounts {
  uint32_t words = 0, link_words = 0, stop_words = 0, capitals = 0;
  // What the page says of itself: words of its title; pairs of words that
  // follow each other in its description, in the article it encloses as data;
  // all pairs, where it has either. Words, not halves.
  uint32_t title_words = 0, description_pairs = 0, body_pairs = 0, pairs = 0;
  uint32_t letters = 0, digits = 0, sentence_ends = 0, commas = 0;
  uint32_t links = 0, breaks = 0, images = 0;
  std::array<uint16_t, kContentCues> cues{};
  // No bytes: a store of a byte may change anything, so all would be loaded
  // again after each word.
  uint16_t first = 0;    // 0 none, 1 small, 2 capital, 3 digit, 4 beyond ASCII
  uint16_t last = 0;     // 0 letter, 1 .!?, 2 colon, 3 comma, 4 quote, 5 other
  uint8_t emphasis = 0;  // begins in 1 strong or b, 2 em or i; +2: all of it
  bool has_year = false, has_clock = false, has_copyright = false;
};

struct PageBlock {
  uint32_t first_node = 0, end_node = 0;
  uint32_t element = 0;  // the innermost around it
  uint32_t text_hash = 0;
  uint16_t images_before = 0;  // since the block before
  // The author says that it is no content: see ContentPage.
  bool framed = false;
  bool commented = false;  // a comment beside a text; not framed
  TextCounts text;
};

struct PageElement {
  uint64_t marks = 0;      // ContentGroup and ContentTag bits
  uint32_t parent = 0;     // the first element (the page) is its own
  uint32_t name_hash = 0;  // tag and class
  uint32_t path_hash = 0;  // tags from the page down
  uint32_t first_block = 0, end_block = 0;
  uint32_t wider = 0;  // nearest ancestor with more blocks, or the page
  // Where the heading of an article links to: hash of the address without
  // host and fragment; 0 none.
  uint32_t permalink = 0;
  uint16_t depth = 0;
  HtmlTag tag = HtmlTag::kUnknown;
};

// What a page prints alike again and again: posts, comments, results. Sums are
// in words (halves), each counted once.
struct PageEntries {
  struct Blocks {
    uint32_t first = 0, end = 0;
  };
  std::vector<Blocks> outermost;  // in order; those within others not
  uint32_t count = 0;             // all of them
  uint32_t words = 0, long_words = 0, link_words = 0, comment_words = 0;
  uint32_t dates = 0;        // blocks with a year, and with a time of day
  uint32_t text_before = 0;  // long words before the first one
};

// What is framed: text in navigation, a footer or a control; text outside of a
// main element that holds a good part of the page's long text. Comments of
// readers beside a text are apart: in a forum they are what the page is for.
struct ContentPage {
  std::vector<PageElement> elements;  // in order of opening; 0 is the page
  std::vector<PageBlock> blocks;
  PageEntries entries;
  uint32_t title_words = 0;
  uint32_t address = 0;        // of the page, by its own words; 0 none
  uint32_t body_pairs = 0;     // of the enclosed article
  uint8_t declared = 0;        // DeclaredType bits
  uint16_t images_behind = 0;  // the last block
  bool too_large = false;  // beyond kMaxContentBlocks or kMaxContentElements
};

// Halves of words that make a block of text long.
inline constexpr uint32_t kLongWords = 20;

// Returns true iff a block is running text, and not links.
inline bool IsLongText(const TextCounts& text) {
  return text.words >= kLongWords && text.link_words * 3 < text.words;
}

// Bits of PageElement::marks.
constexpr uint64_t MarkBit(ContentGroup group) {
  return uint64_t{1} << static_cast<size_t>(group);
}
constexpr uint64_t MarkBit(ContentTag tag) {
  return uint64_t{1} << (kContentGroups + static_cast<size_t>(tag));
}

// One pass over the nodes. `page` is cleared first.
void ReadContentPage(std::string_view utf8, const HtmlTree& tree,
                     ContentPage* page);

// A set of hashes.
class HashSet {
 public:
  void Add(uint32_t hash);
  bool Has(uint32_t hash) const {
    if (size_ == 0) return false;
    for (size_t at = hash & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == hash) return true;
      if (slots_[at] == 0) return false;
    }
  }
  size_t size() const { return size_; }

 private:
  std::vector<uint32_t> slots_;  // 0 is free; the hash 0 is not kept
  size_t size_ = 0, mask_ = 0;
};

// What a page says of itself.
struct SelfPortrait {
  HashSet title;              // words
  HashSet description, body;  // pairs of words (WordPair)
  uint32_t address = 0;       // AddressHash of rel=canonical or og:url; 0 none
  uint8_t declared = 0;       // DeclaredType bits
};

// The bit of a type's name ("NewsArticle", "https://schema.org/Product",
// "article" of og:type), else 0.
uint8_t DeclaredTypeBit(std::string_view name);

// Hash of an address as far as pages of one site differ: without scheme, host
// and fragment, and without a slash at its end. Never 0.
uint32_t AddressHash(std::string_view url);

// Hash of two words in a row.
inline uint32_t WordPair(uint32_t first, uint32_t second) {
  return (first * 0x9E3779B1u ^ second) * 0x85EBCA6Bu;
}

// Looks through the page's title, description and enclosed data (the
// articleBody of schema.org in JSON-LD). Linear.
SelfPortrait ReadSelfPortrait(std::string_view utf8, const HtmlTree& tree);

// Adds up `text`, the markup of a text node; where `references` count they are
// told apart, not decoded. `hash` goes on over its words. Linear.
void CountText(std::string_view text, bool references, bool in_link,
               const SelfPortrait& self, TextCounts* counts, uint32_t* hash);

// Calls use(hash) for each word of `text`, as CountText reads words.
void EachWordHash(std::string_view text, bool references,
                  const std::function<void(uint32_t)>& use);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_PAGE_H_
