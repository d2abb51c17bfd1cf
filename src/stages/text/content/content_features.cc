#include "text/content/content_features.h"

#include <algorithm>

namespace twinset {
namespace {

struct Reason {
  std::string_view name, reason_for, reason_against;
};
constexpr Reason kReasons[] = {
#define TWINSET_CONTENT_FEATURE(enumerator, reason_for, reason_against) \
  {#enumerator, reason_for, reason_against},
#include "text/content/content_feature_list.inc"
#undef TWINSET_CONTENT_FEATURE
};
static_assert(std::size(kReasons) + kContentMarks == kContentFeatures);

constexpr std::string_view kTagReasons[kContentTags] = {
    "nav",
    "header",
    "footer",
    "aside",
    "article",
    "main",
    "section",
    "form",
    "figure",
    "a table",
    "a list",
    "a list item",
    "a quotation",
    "preformatted text",
    "a heading",
    "a control",
    "a caption",
    "comments of readers",
    "the named text of the article",
    "an article with a page of its own"};

int64_t Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<int64_t>(part * 1000 / whole);
}

bool IsHeading(int kind) { return kind >= 8 && kind <= 11; }

}  // namespace

std::string ContentFeatureName(size_t feature) {
  if (feature >= kContentMarks) {
    return std::string(kReasons[feature - kContentMarks].name.substr(1));
  }
  if (feature >= kContentGroups) {
    return "tag:" + std::string(kTagReasons[feature - kContentGroups]);
  }
  return "mark:" + std::string(ContentGroupReason(feature));
}

std::string ContentFeatureReason(size_t feature, bool for_it) {
  if (feature >= kContentMarks) {
    const Reason& reason = kReasons[feature - kContentMarks];
    return std::string(for_it ? reason.reason_for : reason.reason_against);
  }
  if (feature >= kContentGroups) {
    return "in " + std::string(kTagReasons[feature - kContentGroups]);
  }
  return "in " + std::string(ContentGroupReason(feature));
}

ContentRows::LikeTable::LikeTable(size_t blocks) {
  size_t size = 16;
  while (size < blocks * 2) size *= 2;
  likes_.resize(size);
  mask_ = static_cast<uint32_t>(size - 1);
}

uint32_t ContentRows::LikeTable::Slot(uint32_t key) {
  uint32_t at = (key * 0x9E3779B1u) & mask_;
  while (likes_[at].count != 0 && likes_[at].key != key) at = (at + 1) & mask_;
  likes_[at].key = key;
  return at;
}

ContentRows::ContentRows(const ContentPage& page)
    : page_(page),
      likes_(page.blocks.size()),
      paths_(page.blocks.size()),
      texts_(page.blocks.size()),
      reader_(ReadAsReader(page)) {
  AddUp();
  FindTitle();
  LookAround();
}

void ContentRows::AddUp() {
  const size_t count = page_.blocks.size();
  sums_.resize(count + 1);
  slots_.resize(count);
  next_heading_.resize(count + 1, static_cast<uint32_t>(count));
  for (size_t i = 0; i < count; ++i) {
    const PageBlock& block = page_.blocks[i];
    const TextCounts& text = block.text;
    const bool likely = reader_.states[i] != ReaderView::kUnlikely;
    const uint32_t long_words = likely && IsLongText(text) ? text.words : 0;
    sums_[i + 1] = {sums_[i].words + text.words,
                    sums_[i].link_words + text.link_words,
                    sums_[i].stop_words + text.stop_words,
                    sums_[i].long_words + long_words};
    const PageElement& element = page_.elements[block.element];
    const PageElement& parent = page_.elements[element.parent];
    slots_[i] = {likes_.Slot(element.name_hash * 31 + parent.name_hash),
                 paths_.Slot(element.path_hash), texts_.Slot(block.text_hash)};
    for (Like* like : {&likes_[slots_[i].like], &paths_[slots_[i].path],
                       &texts_[slots_[i].text]}) {
      ++like->count;
      like->words += text.words;
      like->link_words += text.link_words;
      like->long_words += long_words;
    }
  }
  for (size_t i = count; i-- > 0;) {
    const HtmlTag tag = page_.elements[page_.blocks[i].element].tag;
    next_heading_[i] = IsHeading(ContentTagKind(tag)) ? static_cast<uint32_t>(i)
                                                      : next_heading_[i + 1];
  }
}

// What stands in elements of any of these marks, none of them in another.
ContentRows::Marked ContentRows::Under(uint64_t marks) const {
  Marked marked;
  uint32_t end = 0;
  for (const PageElement& element : page_.elements) {
    if ((element.marks & marks) == 0 || element.first_block < end) continue;
    if (element.first_block == element.end_block) continue;
    end = element.end_block;
    const Sums sums = Between(element.first_block, end);
    ++marked.elements;
    marked.words += sums.words;
    marked.long_words += sums.long_words;
  }
  return marked;
}

// What holds for the whole page.
void ContentRows::LookAround() {
  const Sums& all = sums_.back();
  const auto share = [&](uint64_t marks) {
    return Ratio(Under(marks).words, all.words);
  };
  const Marked main = Under(MarkBit(ContentTag::kMain));
  const Marked articles = Under(MarkBit(ContentTag::kArticle));
  has_main_ = main.words > 0;
  has_article_ = articles.words > 0;
  has_body_ = Under(MarkBit(ContentTag::kBody)).words > 0;
  Set(kMainLongFeature, Ratio(main.long_words, all.long_words));
  Set(kPageArticlesFeature, articles.elements);
  Set(kPageCommentsFeature, share(MarkBit(ContentTag::kComments)));
  Set(kPageForumFeature, share(MarkBit(ContentGroup::kForumWord)));
  Set(kPageReferenceFeature, share(MarkBit(ContentGroup::kReferenceWord)));
  Set(kPagePreFeature, share(MarkBit(ContentTag::kPre)));
  Set(kPageTableFeature, share(MarkBit(ContentTag::kTable)));
  Set(kPageItemsFeature, share(MarkBit(ContentTag::kList)));
  Set(kPageStopsFeature, Ratio(all.stop_words, all.words));
  Set(kPageEntriesFeature, page_.entries.count);
  Set(kPageEntryShareFeature, Ratio(page_.entries.long_words, all.long_words));
  Set(kPageBeforeFeature, Ratio(page_.entries.text_before, all.long_words));
}

// The block that says the title best.
void ContentRows::FindTitle() {
  int64_t best = 0;
  for (uint32_t i = 0; i < page_.blocks.size(); ++i) {
    const PageBlock& block = page_.blocks[i];
    const uint64_t hits = block.text.title_words;
    if (hits == 0) continue;
    const int kind = ContentTagKind(page_.elements[block.element].tag);
    int64_t score = Ratio(hits, page_.title_words) *
                    Ratio(2 * hits, std::max(block.text.words, 1u)) / 1000;
    score += kind == 8 ? 400 : IsHeading(kind) ? 200 : 0;
    if (block.text.link_words * 2 > block.text.words) score -= 300;
    if (score > best) {
      best = score;
      title_block_ = i;
      has_title_ = true;
    }
  }
}

ContentRows::Sums ContentRows::Between(uint32_t first, uint32_t end) const {
  const Sums& a = sums_[first];
  const Sums& b = sums_[end];
  return {b.words - a.words, b.link_words - a.link_words,
          b.stop_words - a.stop_words, b.long_words - a.long_words};
}

void ContentRows::Enter(uint32_t element) {
  undo_begin_.push_back(static_cast<uint32_t>(undo_.size()));
  open_.push_back(element);
  for (uint64_t marks = page_.elements[element].marks; marks != 0;
       marks &= marks - 1) {
    const auto mark = static_cast<uint8_t>(__builtin_ctzll(marks));
    undo_.emplace_back(mark, nearest_[mark]);
    nearest_[mark] = page_.elements[element].depth;
  }
}

void ContentRows::See(uint64_t marks) {
  for (; marks != 0; marks &= marks - 1) {
    ++seen_[static_cast<size_t>(__builtin_ctzll(marks))];
  }
}

void ContentRows::Leave() {
  See(page_.elements[open_.back()].marks);
  while (undo_.size() > undo_begin_.back()) {
    nearest_[undo_.back().first] = undo_.back().second;
    undo_.pop_back();
  }
  undo_begin_.pop_back();
  open_.pop_back();
}

// Opens and ends elements up to the text of `block`.
void ContentRows::MoveTo(uint32_t block) {
  const uint32_t inner = page_.blocks[block].element;
  for (; next_element_ <= inner; ++next_element_) {
    const PageElement& next = page_.elements[next_element_];
    if (next.first_block == next.end_block) {
      See(next.marks);
      continue;
    }
    while (!open_.empty() && open_.back() != next.parent) {
      Leave();
    }
    Enter(next_element_);
  }
  while (!open_.empty() && open_.back() != inner) Leave();
}

const FeatureRow& ContentRows::Next() {
  const uint32_t block = block_++;
  MoveTo(block);
  const int depth = page_.elements[page_.blocks[block].element].depth;
  for (size_t mark = 0; mark < kContentMarks; ++mark) {
    const int between = depth - nearest_[mark];
    row_[mark] = static_cast<int16_t>(
        nearest_[mark] == 0 ? 0 : std::max(1, kMarkNear - between));
  }
  Own(block);
  Cues(block);
  Near(block);
  Place(block);
  Around(block);
  Top(block);
  Alike(block);
  Said(block);
  Entry(block);
  return row_;
}

// -1: the page does not say it.
void ContentRows::Said(uint32_t block) {
  const auto within = [&](ContentTag kind) {
    return nearest_[kContentGroups + static_cast<size_t>(kind)] != 0;
  };
  Set(kInMainFeature, has_main_ ? within(ContentTag::kMain) : -1);
  Set(kInArticleFeature, !has_article_                       ? -1
                         : !within(ContentTag::kArticle)     ? 0
                         : within(ContentTag::kOtherArticle) ? 1
                                                             : 2);
  Set(kFramedFeature, page_.blocks[block].framed);
  Set(kCommentedFeature, page_.blocks[block].commented);
  Set(kInBodyFeature, has_body_ ? within(ContentTag::kBody) : -1);
}

// -1: in no entry; -2: behind the last.
void ContentRows::Entry(uint32_t block) {
  const auto& entries = page_.entries.outermost;
  while (entry_ < entries.size() && entries[entry_].end <= block) ++entry_;
  const bool within = entry_ < entries.size() && entries[entry_].first <= block;
  if (!within) {
    Set(kEntryFeature, entry_ < entries.size() || entries.empty() ? -1 : -2);
    for (const size_t feature :
         {kEntryPlaceFeature, kEntryEndFeature, kShareOfEntryFeature}) {
      Set(feature, -1);
    }
    return;
  }
  const auto [first, end] = entries[entry_];
  Set(kEntryFeature, static_cast<int64_t>(entry_));
  Set(kEntryPlaceFeature, block - first);
  Set(kEntryEndFeature, end - 1 - block);
  Set(kShareOfEntryFeature,
      Ratio(page_.blocks[block].text.words, Between(first, end).words));
}

void ContentRows::Own(uint32_t block) {
  const TextCounts& text = page_.blocks[block].text;
  const PageElement& element = page_.elements[page_.blocks[block].element];
  const int64_t words = (text.words + 1) / 2;
  Set(kWordsFeature, text.words);
  Set(kLinkRatioFeature, Ratio(text.link_words, text.words));
  Set(kLinksFeature, text.links);
  Set(kStopRatioFeature, Ratio(text.stop_words, text.words));
  Set(kStopWordsFeature, text.stop_words);
  Set(kSentencesFeature, text.sentence_ends);
  Set(kCommasFeature, text.commas);
  Set(kCapitalsFeature, Ratio(text.capitals * 2, text.words));
  Set(kDigitsFeature, Ratio(text.digits, text.digits + text.letters));
  Set(kWordLengthFeature, Ratio(text.letters * 2, text.words) / 10);
  Set(kFirstFeature, text.first);
  Set(kLastFeature, text.last);
  Set(kBreaksFeature, text.breaks);
  Set(kImagesFeature, text.images);
  Set(kYearFeature, text.has_year ? 1 + 200 / (words + 1) : 0);
  Set(kClockFeature, text.has_clock ? 1 + 200 / (words + 1) : 0);
  Set(kCopyrightFeature, text.has_copyright);
  Set(kRepeatedFeature, texts_[slots_[block].text].count);
  Set(kTagKindFeature, ContentTagKind(element.tag));
  Set(kParentKindFeature, ContentTagKind(page_.elements[element.parent].tag));
  Set(kDepthFeature, element.depth);
}

void ContentRows::Cues(uint32_t block) {
  const TextCounts& text = page_.blocks[block].text;
  uint32_t all = 0;
  static_assert(size_t{kControlWordsFeature} + kContentCues ==
                kCueRatioFeature);
  for (size_t cue = 0; cue < kContentCues; ++cue) {
    // Short blocks only: in a long text such words are words like others.
    Set(kControlWordsFeature + cue,
        Ratio(2 * text.cues[cue], std::max(text.words, 6u)));
    all += text.cues[cue];
  }
  Set(kCueRatioFeature, Ratio(2 * all, std::max(text.words, 6u)));
  Set(kTitleRatioFeature, Ratio(2 * text.title_words, text.words));
  Set(kTitleCoverFeature, Ratio(text.title_words, page_.title_words));
  Set(kCuesFeature, all);
  Set(kDescriptionFeature, Ratio(text.description_pairs, text.pairs));
  Set(kBodyFeature,
      page_.body_pairs < 40 ? -1 : Ratio(text.body_pairs, text.pairs));
  Set(kEmphasisFeature, text.emphasis);
  Set(kImagesBeforeFeature, page_.blocks[block].images_before);
  Set(kImagesBehindFeature, block + 1 < page_.blocks.size()
                                ? page_.blocks[block + 1].images_before
                                : page_.images_behind);
}

void ContentRows::Near(uint32_t block) {
  const auto count = static_cast<uint32_t>(page_.blocks.size());
  static const TextCounts kNone;
  const auto text = [&](int64_t i) -> const TextCounts& {
    return i < 0 || i >= count ? kNone
                               : page_.blocks[static_cast<size_t>(i)].text;
  };
  const auto kind = [&](int64_t i) {
    return i < 0 || i >= count
               ? -1
               : ContentTagKind(
                     page_
                         .elements[page_.blocks[static_cast<size_t>(i)].element]
                         .tag);
  };
  const int64_t at = block;
  Set(kWordsBefore1Feature, text(at - 1).words);
  Set(kWordsBefore2Feature, text(at - 2).words);
  Set(kWordsBehind1Feature, text(at + 1).words);
  Set(kWordsBehind2Feature, text(at + 2).words);
  Set(kLinksBefore1Feature, Ratio(text(at - 1).link_words, text(at - 1).words));
  Set(kLinksBehind1Feature, Ratio(text(at + 1).link_words, text(at + 1).words));
  Set(kKindBefore1Feature, kind(at - 1));
  Set(kKindBehind1Feature, kind(at + 1));
  Set(kSameBeforeFeature,
      block > 0 && slots_[block].like == slots_[block - 1].like);
  Set(kSameBehindFeature,
      block + 1 < count && slots_[block].like == slots_[block + 1].like);
  const Sums near =
      Between(block < 3 ? 0 : block - 3, std::min(block + 4, count));
  Set(kNearWordsFeature, near.words);
  Set(kNearLinksFeature, Ratio(near.link_words, near.words));
  Set(kNearStopsFeature, Ratio(near.stop_words, near.words));
  if (IsHeading(kind(at))) {
    last_heading_ = block;
    has_heading_ = true;
  }
  Set(kSinceHeadingFeature, has_heading_ ? block - last_heading_ : 1000);
  Set(kHeadingLevelFeature, has_heading_ ? kind(last_heading_) : 0);
  const TextCounts& heading = text(has_heading_ ? last_heading_ : -1);
  uint32_t cues = 0;
  for (const uint16_t cue : heading.cues) cues += cue;
  Set(kHeadingCuesFeature, Ratio(2 * cues, heading.words));
  Set(kToHeadingFeature, next_heading_[std::min(block + 1, count)] - block);
}

void ContentRows::Place(uint32_t block) {
  const auto count = static_cast<uint32_t>(page_.blocks.size());
  const Sums& all = sums_[count];
  Set(kPlaceFeature, Ratio(block, count));
  Set(kTextBeforeFeature, Ratio(sums_[block].long_words, all.long_words));
  Set(kSinceTitleFeature,
      has_title_ ? int64_t{block} - int64_t{title_block_} : -32000);
  Set(kPageWordsFeature, all.words / 4);
  Set(kPageLinksFeature, Ratio(all.link_words, all.words));
  Set(kPageBlocksFeature, count);
  Set(kPageLongFeature, all.long_words / 4);
  const auto seen = [&](ContentGroup group) {
    return std::min(seen_[static_cast<size_t>(group)], 10u);
  };
  Set(kAfterCommentsFeature, seen(ContentGroup::kCommentWord));
  Set(kAfterRelatedFeature, seen(ContentGroup::kRelatedWord));
  Set(kAfterShareFeature, seen(ContentGroup::kShareWord));
}

void ContentRows::Around(uint32_t block) {
  uint32_t at = page_.blocks[block].element;
  if (page_.elements[at].end_block - page_.elements[at].first_block == 1) {
    at = page_.elements[at].wider;
  }
  const uint64_t all_long = sums_.back().long_words;
  size_t feature = kBlocks0Feature;
  for (int level = 0; level < 4; ++level) {
    const PageElement& element = page_.elements[at];
    const uint32_t blocks = element.end_block - element.first_block;
    const Sums sums = Between(element.first_block, element.end_block);
    Set(feature, blocks);
    Set(feature + 1, Ratio(sums.link_words, sums.words));
    Set(feature + 2, sums.words / std::max(blocks, 1u));
    Set(feature + 3, Ratio(sums.long_words, all_long));
    Set(feature + 4, Ratio(sums.stop_words, sums.words));
    if (level < 2) {
      Set(kFromStart0Feature + 2 * static_cast<size_t>(level),
          block - element.first_block);
      Set(kToEnd0Feature + 2 * static_cast<size_t>(level),
          element.end_block - 1 - block);
    }
    feature += 5;
    at = element.wider;
  }
}

void ContentRows::Top(uint32_t block) {
  const uint32_t own = page_.blocks[block].element;
  const uint32_t best = reader_.top;
  const PageElement& top = page_.elements[best];
  const PageElement* around = &top;
  int steps = 0;
  while (steps < 8 &&
         (block < around->first_block || block >= around->end_block)) {
    around = &page_.elements[around->wider];
    ++steps;
  }
  Set(kTopStepsFeature, steps);
  Set(kTopSideFeature, block < top.first_block ? -1 : block >= top.end_block);
  int32_t most = 0;
  uint32_t at = own;
  for (int level = 0; level < 3; ++level, at = page_.elements[at].parent) {
    most = std::max(most, reader_.scores[at]);
  }
  Set(kTopShareFeature,
      int64_t{most} * 1000 / std::max(reader_.scores[best], 1));
  // How many elements lie between the block and the best one.
  int levels = 0;
  at = own;
  while (at != best && at != 0 && levels < 10) {
    at = page_.elements[at].parent;
    ++levels;
  }
  Set(kTopDirectFeature, at == best ? levels : 20);
  const uint32_t first = std::min(top.first_block, block);
  const uint32_t end = std::max(top.end_block, block + 1);
  const uint32_t long_words = Between(first, end).long_words;
  Set(kTopBeforeFeature, Ratio(Between(first, block).long_words, long_words));
  Set(kTopBehindFeature, Ratio(Between(block + 1, end).long_words, long_words));
  Set(kReaderFeature, reader_.states[block]);
  Set(kReaderLongFeature,
      Ratio(Between(top.first_block, top.end_block).long_words,
            sums_.back().long_words));
}

void ContentRows::Alike(uint32_t block) {
  const uint64_t all_long = sums_.back().long_words;
  size_t feature = kLikeCountFeature;
  for (const Like* like :
       {&likes_[slots_[block].like], &paths_[slots_[block].path]}) {
    Set(feature, like->count);
    Set(feature + 1, like->words / std::max(like->count, 1u));
    Set(feature + 2, Ratio(like->link_words, like->words));
    Set(feature + 3, Ratio(like->long_words, all_long));
    feature += 4;
  }
}

}  // namespace twinset
