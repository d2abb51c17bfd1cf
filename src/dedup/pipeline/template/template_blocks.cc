#include "pipeline/template/template_blocks.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

#include "pipeline/read/page_spool.h"
#include "pipeline/template/section_menus.h"

namespace twinset {

namespace {

// A block, and of every page one record of block 0, which counts the pages. Of
// a row of a menu, `site` is its hash and `block` the RestOf the page.
struct BlockPlace {
  uint64_t site = 0, block = 0;
  uint64_t place = 0;  // document, number of the block in it, and its blocks
  friend bool operator<(const BlockPlace& x, const BlockPlace& y) {
    return std::tie(x.site, x.block, x.place) <
           std::tie(y.site, y.block, y.place);
  }
};

constexpr int kBlockBits = 16;  // kMaxContentBlocks
// The blocks of a row of a menu; 0 is a block that is counted for itself.
constexpr int kRowBits = 3;
static_assert(kMenuRow < 1u << kRowBits);
uint64_t PlaceOf(uint64_t document, size_t block, uint64_t row = 0) {
  return (document << kBlockBits | block) << kRowBits | row;
}
uint64_t RowAt(uint64_t place) { return place & ((1u << kRowBits) - 1); }
uint64_t DocumentAt(uint64_t place) { return place >> (kBlockBits + kRowBits); }
uint32_t BlockAt(uint64_t place) {
  return static_cast<uint32_t>(place >> kRowBits & ((1u << kBlockBits) - 1));
}

// The bits of a repeated block hold its document, its number there, what it is,
// and LogPages.
constexpr int kLogBits = 10, kIsBits = 4;
constexpr int kRepeatedBits = kBlockBits + kIsBits + kLogBits;
uint64_t Repeated(uint64_t document, const RepeatedBlock& block) {
  uint64_t is = 0;
  for (const bool bit :
       {block.is_template, block.is_menu, block.is_list, block.is_everywhere})
    is = is << 1 | uint64_t{bit};
  const uint64_t place = document << kBlockBits | block.block;
  return (place << kIsBits | is) << kLogBits | block.log_pages;
}
uint64_t DocumentOf(uint64_t repeated) { return repeated >> kRepeatedBits; }
RepeatedBlock BlockOf(uint64_t repeated) {
  const auto is = [&](int bit) {
    return (repeated >> (kLogBits + bit) & 1) != 0;
  };
  RepeatedBlock block;
  block.block = static_cast<uint32_t>(repeated >> (kLogBits + kIsBits) &
                                      ((1u << kBlockBits) - 1));
  block.is_template = is(3);
  block.is_menu = is(2);
  block.is_list = is(1);
  block.is_everywhere = is(0);
  block.log_pages = static_cast<uint16_t>(repeated & ((1u << kLogBits) - 1));
  return block;
}

constexpr size_t kMostBlocks = TemplateCounts::kMostBlocks,
                 kMostSites = TemplateCounts::kMostSites, kMostOfSite = 3;

struct CountedBlock {
  uint64_t pages = 0, first = 0;  // the first place
  uint64_t pages_of_site = 0;
};

struct CountedSite {
  uint64_t pages = 0, first = 0;
  uint64_t blocks = 0;  // that are template
  std::vector<CountedBlock> top;
};

// Keeps the `most` best of what it is given: many pages first, then those met
// first. Hashes take no part, so the secret does not.
template <typename T>
void KeepBest(T item, size_t most, std::vector<T>* best) {
  const auto before = [](const T& x, const T& y) {
    return std::tie(y.pages, x.first) < std::tie(x.pages, y.first);
  };
  if (best->size() == most && !before(item, best->back())) return;
  const auto place = std::upper_bound(best->begin(), best->end(), item, before);
  best->insert(place, std::move(item));
  if (best->size() > most) best->pop_back();
}

class Counting {
 public:
  Counting(Run* run, ExternalSorter<uint64_t>* places)
      : run_(run), places_(*places) {}

  Status Do(TemplateCounts* counts) {
    TWINSET_TRY(Sort());
    TWINSET_TRY(Count());
    return Describe(counts);
  }

 private:
  static constexpr char kRun[] = "block-places.run";

  Status Sort() {
    ExternalSorter<BlockPlace> sorter(run_->SortOptions("block-places", 2),
                                      &run_->budget);
    TWINSET_ASSIGN(auto pages, OpenBlob(*run_, "pages.blob"));
    SpooledPage page;
    MenuRows rows(run_->plan.features.key);
    std::string_view bytes;
    for (uint64_t document = 0;; ++document) {
      TWINSET_ASSIGN(const bool more, pages.Next(&bytes));
      if (!more) break;
      if (bytes.empty()) continue;
      if (document % 4096 == 0) TWINSET_TRY(run_->CheckStop());
      TWINSET_TRY(DecodePage(bytes, &page));
      TWINSET_TRY(sorter.Add({page.site, 0, PlaceOf(document, 0)}));
      for (size_t i = 0; i < page.blocks.size(); ++i) {
        const uint64_t hash = page.blocks[i].hash;
        if (hash == 0) continue;
        TWINSET_TRY(sorter.Add({page.site, hash, PlaceOf(document, i)}));
      }
      const std::vector<MenuRow>& found = rows.Of(page);
      const uint64_t rest = found.empty() ? 0 : rows.RestOf(page);
      for (const MenuRow& row : found) {
        TWINSET_TRY(sorter.Add(
            {row.hash, rest, PlaceOf(document, row.first, row.blocks)}));
      }
    }
    return WriteRun<BlockPlace>(*run_, kRun, &sorter);
  }

  // One reader counts a block while the other waits where its places begin.
  Status Count() {
    TWINSET_ASSIGN(auto ahead, OpenRun<BlockPlace>(*run_, kRun));
    TWINSET_ASSIGN(auto behind, OpenRun<BlockPlace>(*run_, kRun));
    BlockPlace next;
    TWINSET_ASSIGN(bool more, ahead.Next(&next));
    while (more) {
      const BlockPlace first = next;
      const bool is_row = RowAt(first.place) > 0;
      MenuJudge judge;
      uint64_t places = 0, pages = 0;
      while (more && next.site == first.site &&
             (is_row || next.block == first.block)) {
        TWINSET_ASSIGN(pages, CountPages(&ahead, &next, &more, &places));
        judge.Add(pages);
      }
      const std::optional<RepeatedBlock> as =
          is_row ? MenuBlock(judge) : Judge(first, pages);
      for (uint64_t i = 0; i < places; ++i) {
        TWINSET_TRY(behind.Next(&next_behind_));
        if (as) TWINSET_TRY(AddPlace(next_behind_.place, *as));
      }
    }
    CloseSite();
    return {};
  }

  // The pages of places that agree in site and block, of which `next` is the
  // first; adds the number of places.
  static Result<uint64_t> CountPages(RunReader<BlockPlace>* places,
                                     BlockPlace* next, bool* more,
                                     uint64_t* count) {
    const BlockPlace first = *next;
    uint64_t pages = 0, last = ~uint64_t{0};
    while (*more && next->site == first.site && next->block == first.block) {
      pages += DocumentAt(next->place) != last;
      last = DocumentAt(next->place);
      ++*count;
      TWINSET_ASSIGN(*more, places->Next(next));
    }
    return pages;
  }

  static std::optional<RepeatedBlock> MenuBlock(const MenuJudge& judge) {
    if (!judge.IsMenu()) return {};
    RepeatedBlock as;
    as.is_menu = true;
    return as;
  }

  // What is to be known of each place of the block that stands at `first`.
  std::optional<RepeatedBlock> Judge(const BlockPlace& first, uint64_t pages) {
    RepeatedBlock as;
    as.is_template = Take(first, pages);
    if (first.block == 0) return {};
    as.is_everywhere = 2 * pages > site_.pages;
    const bool asks_all =
        run_->plan.features.text.content == ContentMode::kMain;
    if (!as.is_template && !as.is_everywhere && !(asks_all && pages > 1))
      return {};
    as.log_pages = LogPages(pages);
    return as;
  }

  Status AddPlace(uint64_t place, RepeatedBlock as) {
    const uint64_t blocks = std::max<uint64_t>(1, RowAt(place));
    as.block = BlockAt(place);
    as.is_list = RowAt(place) == 1;
    for (uint64_t i = 0; i < blocks; ++i, ++as.block)
      TWINSET_TRY(places_.Add(Repeated(DocumentAt(place), as)));
    return {};
  }

  bool Take(const BlockPlace& first, uint64_t pages) {
    if (first.block == 0) {
      CloseSite();
      site_ = {pages, first.place, 0, {}};
      return false;
    }
    if (!IsTemplate(pages, site_.pages)) return false;
    ++site_.blocks;
    const CountedBlock block = {pages, first.place, site_.pages};
    KeepBest(block, kMostBlocks, &top_);
    KeepBest(block, kMostOfSite, &site_.top);
    return true;
  }

  void CloseSite() {
    if (site_.pages == 0) return;
    ++sites_;
    pages_ += site_.pages;
    blocks_ += site_.blocks;
    KeepBest(std::move(site_), kMostSites, &largest_);
    site_ = {};
  }

  Status Describe(TemplateCounts* counts) {
    TWINSET_ASSIGN(const auto pages, OpenBlob(*run_, "pages.blob"));
    counts->sites = sites_;
    counts->pages = pages_;
    counts->blocks = blocks_;
    for (const CountedBlock& block : top_) {
      TWINSET_TRY(ReadPage(pages, block.first));
      TemplateCounts::Block row = BlockRow(block);
      row.site = std::string(page_.site_name);
      row.side = SideOf(block.first);
      counts->most_frequent.push_back(std::move(row));
    }
    for (const CountedSite& site : largest_) {
      TWINSET_TRY(ReadPage(pages, site.first));
      TemplateCounts::Site row = {std::string(page_.site_name),
                                  SideOf(site.first),
                                  site.pages,
                                  site.blocks,
                                  {}};
      for (const CountedBlock& block : site.top) {
        TWINSET_TRY(ReadPage(pages, block.first));
        row.most_frequent.push_back(BlockRow(block));
      }
      counts->largest_sites.push_back(std::move(row));
    }
    return {};
  }

  Status ReadPage(const BlobReader& pages, uint64_t place) {
    TWINSET_TRY(pages.ReadOne(DocumentAt(place), &bytes_));
    return DecodePage(bytes_, &page_);
  }

  // The collection of the page, in a match.
  std::optional<std::string> SideOf(uint64_t place) const {
    if (run_->plan.inputs.first_side == 0) return {};
    return DocumentAt(place) < FirstOfB() ? "a" : "b";
  }

  // The row of a block of page_.
  TemplateCounts::Block BlockRow(const CountedBlock& block) const {
    TemplateCounts::Block row;
    row.pages = block.pages;
    row.share = static_cast<double>(block.pages) /
                static_cast<double>(block.pages_of_site);
    row.text = ExcerptOf(page_.TextOf(page_.blocks[BlockAt(block.first)]));
    return row;
  }

  // Documents of the first collection come first.
  uint64_t FirstOfB() const {
    return run_->counts.read.sides[0].outcome.documents;
  }

  Run* const run_;
  ExternalSorter<uint64_t>& places_;
  CountedSite site_;
  std::vector<CountedBlock> top_;
  std::vector<CountedSite> largest_;
  uint64_t sites_ = 0, pages_ = 0, blocks_ = 0;
  BlockPlace next_behind_;
  std::string bytes_;
  SpooledPage page_;
};

// A row that joins what stands on every page to a heading is no menu: of blocks
// that follow each other, a row of others must be of the menu.
void KeepMenus(std::vector<RepeatedBlock>* blocks) {
  for (size_t begin = 0, end = 0; begin < blocks->size(); begin = end) {
    const auto is_of_menu = [&](size_t i) { return (*blocks)[i].is_menu; };
    uint32_t others = 0;
    do {
      others += is_of_menu(end) && !(*blocks)[end].is_everywhere;
      ++end;
    } while (end < blocks->size() && is_of_menu(end) && is_of_menu(end - 1) &&
             (*blocks)[end].block == (*blocks)[end - 1].block + 1);
    for (size_t i = begin; i < end && others < kMenuRow; ++i)
      (*blocks)[i].is_menu = (*blocks)[i].is_list;
  }
}

// Rows overlap, so that one place is given several times.
ExternalSortOptions DistinctPlaces(const Run& run) {
  ExternalSortOptions options = run.SortOptions("repeated-places", 4);
  options.unique = true;
  return options;
}

}  // namespace

uint16_t LogPages(uint64_t pages) {
  const int whole = static_cast<int>(std::bit_width(pages)) - 1;
  const uint64_t fraction =
      whole >= 4 ? pages >> (whole - 4) & 15 : pages << (4 - whole) & 15;
  return static_cast<uint16_t>(static_cast<uint64_t>(whole) << 4 | fraction);
}

RepeatedPlaces::RepeatedPlaces(Run* run)
    : places_(std::make_unique<ExternalSorter<uint64_t>>(DistinctPlaces(*run),
                                                         &run->budget)) {}

Result<RepeatedPlaces> RepeatedPlaces::Find(Run* run, TemplateCounts* counts) {
  RepeatedPlaces places(run);
  TWINSET_TRY(Counting(run, places.places_.get()).Do(counts));
  TWINSET_TRY(places.places_->Finish());
  TWINSET_TRY(places.Advance());
  return places;
}

Status RepeatedPlaces::Advance() {
  TWINSET_ASSIGN(more_, places_->Next(&next_));
  return {};
}

Status RepeatedPlaces::Of(uint64_t document,
                          std::vector<RepeatedBlock>* blocks) {
  blocks->clear();
  while (more_ && DocumentOf(next_) <= document) {
    if (DocumentOf(next_) == document) {
      const RepeatedBlock block = BlockOf(next_);
      if (blocks->empty() || blocks->back().block != block.block)
        blocks->push_back({.block = block.block});
      RepeatedBlock& last = blocks->back();
      last.is_template |= block.is_template;
      last.is_menu |= block.is_menu;
      last.is_list |= block.is_list;
      last.is_everywhere |= block.is_everywhere;
      last.log_pages = std::max(last.log_pages, block.log_pages);
    }
    TWINSET_TRY(Advance());
  }
  KeepMenus(blocks);
  return {};
}

}  // namespace twinset
