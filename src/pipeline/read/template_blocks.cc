#include "pipeline/read/template_blocks.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

#include "pipeline/read/page_spool.h"

namespace twinset::inline v1 {

namespace {

// A block, and of every page one record of block 0, which counts the pages.
struct BlockPlace {
  uint64_t site = 0, block = 0;
  uint64_t place = 0;  // document and number of the block in it
  friend bool operator<(const BlockPlace& x, const BlockPlace& y) {
    return std::tie(x.site, x.block, x.place) <
           std::tie(y.site, y.block, y.place);
  }
};

constexpr int kBlockBits = 16;  // kMaxContentBlocks
uint64_t PlaceOf(uint64_t document, size_t block) {
  return document << kBlockBits | block;
}
uint64_t DocumentAt(uint64_t place) { return place >> kBlockBits; }
uint32_t BlockAt(uint64_t place) {
  return static_cast<uint32_t>(place & ((1u << kBlockBits) - 1));
}

// A repeated block packs document, number in it, whether it is template, and
// LogPages.
constexpr int kLogBits = 10, kRepeatedBits = kBlockBits + 1 + kLogBits;
uint64_t Repeated(uint64_t place, bool is_template, uint64_t log_pages) {
  return (place << 1 | uint64_t{is_template}) << kLogBits | log_pages;
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
    }
    return WriteRun<BlockPlace>(*run_, kRun, &sorter);
  }

  // One reader counts a block while the other waits where its places begin.
  Status Count() {
    TWINSET_ASSIGN(auto ahead, OpenRun<BlockPlace>(*run_, kRun));
    TWINSET_ASSIGN(auto behind, OpenRun<BlockPlace>(*run_, kRun));
    const bool asks_all = run_->plan.text.content == ContentMode::kMain;
    BlockPlace next, place;
    TWINSET_ASSIGN(bool more, ahead.Next(&next));
    while (more) {
      const BlockPlace first = next;
      uint64_t places = 0, pages = 0, last = ~uint64_t{0};
      while (more && next.site == first.site && next.block == first.block) {
        pages += DocumentAt(next.place) != last;
        last = DocumentAt(next.place);
        ++places;
        TWINSET_ASSIGN(more, ahead.Next(&next));
      }
      const bool is_template = Take(first, pages);
      const bool is_repeated =
          is_template || (asks_all && pages > 1 && first.block != 0);
      const uint64_t log_pages = is_repeated ? LogPages(pages) : 0;
      for (uint64_t i = 0; i < places; ++i) {
        TWINSET_TRY(behind.Next(&place));
        if (!is_repeated) continue;
        TWINSET_TRY(places_.Add(Repeated(place.place, is_template, log_pages)));
      }
    }
    CloseSite();
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
    if (run_->plan.first_side == 0) return {};
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
  std::string bytes_;
  SpooledPage page_;
};

}  // namespace

uint16_t LogPages(uint64_t pages) {
  const int whole = static_cast<int>(std::bit_width(pages)) - 1;
  const uint64_t fraction =
      whole >= 4 ? pages >> (whole - 4) & 15 : pages << (4 - whole) & 15;
  return static_cast<uint16_t>(static_cast<uint64_t>(whole) << 4 | fraction);
}

RepeatedPlaces::RepeatedPlaces(Run* run)
    : places_(std::make_unique<ExternalSorter<uint64_t>>(
          run->SortOptions("repeated-places", 4), &run->budget)) {}

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
  while (more_ && next_ >> kRepeatedBits <= document) {
    if (next_ >> kRepeatedBits == document) {
      const uint64_t place = next_ >> (kLogBits + 1);
      blocks->push_back(
          {BlockAt(place), (next_ >> kLogBits & 1) != 0,
           static_cast<uint16_t>(next_ & ((1u << kLogBits) - 1))});
    }
    TWINSET_TRY(Advance());
  }
  return {};
}

}  // namespace twinset::inline v1
