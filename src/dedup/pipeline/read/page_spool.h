// A page between the read stage, which parses it, and the template stage, which
// knows what repeats on its site (docs/methods/template.md): one blob of
// pages.blob.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_PAGE_SPOOL_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_PAGE_SPOOL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run/plan.h"
#include "read/input_list.h"
#include "text/page/clean_text.h"
#include "twinset/error.h"

namespace twinset {

// Within which pages of a run repeated blocks are counted.
struct PageSite {
  std::string key;   // equal for pages of one site; empty: the page has none
  std::string name;  // for people; not unique
  size_t side = 0;   // of a match: pages of its two sides share no site
};

// The site of a document: the value of --site; else the host of its address;
// else, for a file that is itself a document, the folder it was found in: of
// files below a folder that was given that folder. Both sides of a match are
// apart.
PageSite SiteOf(const Plan& plan, const Document& document,
                const InputFile& file, const std::string& language);

struct SpooledBlock {
  // Hash of the text, with white space collapsed, under the run's secret. It is
  // compared for equality and nothing else. 0: the block has no text.
  uint64_t hash = 0;
  uint32_t begin = 0, end = 0;  // bytes of the page's text, or of its excerpts
  bool kept = false;            // in the text
  bool likely = false;          // TextPart
  bool framed = false;          // TextPart
  bool linked = false;          // TextPart
};

struct SpooledPage {
  uint64_t site = 0;  // hash under the secret
  std::string_view site_name;
  std::string_view text;      // chosen, before anything is left out
  std::string_view excerpts;  // how the blocks that it does not have begin
  bool is_unsure = false;     // PageJudgement::unsure
  bool is_doubtful = false;   // kDoubtfulConfidence
  // The site may overrule the choice: unframed blocks in `excerpts` are whole.
  bool may_widen = false;
  std::vector<SpooledBlock> blocks;  // of the page in document order

  std::string_view TextOf(const SpooledBlock& block) const {
    return (block.kept ? text : excerpts)
        .substr(block.begin, block.end - block.begin);
  }
};

// Main content of less confidence (1/1000) is doubtful.
inline constexpr int kDoubtfulConfidence = 850;

// Code points of a block that are shown.
inline constexpr size_t kBlockExcerpt = 120;
// The beginning of `text`, white space collapsed.
std::string ExcerptOf(std::string_view text);

// Moves a stored page to the other side of a match: its site becomes the one
// that EncodePage gives it there.
void MoveToSecondSide(std::string* page);

// `clean` was made with TextOptions::want_parts. About the text and 12 bytes
// per block.
void EncodePage(const Plan& plan, const PageSite& site, const CleanText& clean,
                std::string* bytes);
// Points into `bytes`. kCorrupt when they are not what EncodePage wrote.
Status DecodePage(std::string_view bytes, SpooledPage* page);

// All text of a page but what its author names as frame and the blocks
// `dropped` (numbers, ascending): each block on a line, white space collapsed.
// Only for pages that may widen.
std::string UnframedText(const SpooledPage& page,
                         const std::vector<uint32_t>& dropped);

// From position `left` on (code points of what is left of a text) the text is
// that of the whole from `whole` on.
struct TextCut {
  uint32_t left = 0, whole = 0;
};

// The text of a page without its blocks `dropped` (numbers, ascending), and
// without the separators in front of them; `cuts`, if any, receives where the
// rest stood.
std::string TextWithout(const SpooledPage& page,
                        const std::vector<uint32_t>& dropped,
                        std::vector<TextCut>* cuts);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_PAGE_SPOOL_H_
