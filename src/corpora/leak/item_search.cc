#include "leak/item_search.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/utf8.h"
#include "documents/document_options.h"
#include "leak/item_list.h"

namespace twinset {
namespace {

// A text in which more cuts each reveal another passage goes as a whole, so
// that a hostile one takes linear time.
constexpr int kMostRounds = 8;

std::string_view BytesOf(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

// `count` characters in front of byte `at`, or where the text begins.
size_t Back(std::string_view text, size_t at, uint64_t count) {
  while (at > 0 && count > 0) count -= !IsContinuation(text[--at]);
  return at;
}

size_t Forward(std::string_view text, size_t at, uint64_t count) {
  for (; at < text.size(); ++at)
    if (!IsContinuation(text[at]) && count-- == 0) break;
  return at;
}

uint64_t CharactersOf(std::string_view text) {
  return static_cast<uint64_t>(
      std::count_if(text.begin(), text.end(),
                    [](char byte) { return !IsContinuation(byte); }));
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == text.npos;
}

}  // namespace

// Where the words of a text begin, and where each of its shingles stands.
class ItemSearch::Places {
 public:
  Places(const ItemSearch& search, std::string_view text)
      : text_(text), gram_(search.gram_) {
    thread_local FeatureScratch scratch;
    Features features;
    search.secret_->Sequence(text, &scratch, &features);
    order_ = std::move(features.shingles);
    places_ = PlacesOf(order_);
    words_ = search.WordsOf(text);
    search.open_->ForEachToken(text, [this](const TokenView& token) {
      begins_.push_back(token.begin);
      ends_.push_back(token.end);
    });
  }

  // Stretches of words in shingles of the item, numbers of words. Between two
  // there may be `gap` others where the item has the second behind the first,
  // with as few between them.
  std::vector<TextStretch> Words(const Item& item, uint32_t gap) const {
    std::vector<Place> of_item = PlacesOf(item.in_order);
    std::vector<uint32_t> at;
    for (const uint64_t shingle : item.shingles)
      for (const Place& place : Of(shingle, places_))
        at.push_back(place.second);
    std::sort(at.begin(), at.end());
    std::vector<TextStretch> stretches;
    for (size_t i = 0; i < at.size(); ++i) {
      const size_t begin = at[i];
      const size_t end = std::min<size_t>(begin + gram_, begins_.size());
      const bool goes_on =
          i > 0 && begin <= stretches.back().end + gap &&
          (begin <= stretches.back().end ||
           Follows(order_[at[i - 1]], order_[begin], gap, of_item));
      if (!goes_on) stretches.push_back({begin, end});
      stretches.back().end = end;
    }
    return stretches;
  }

  // Where a word was changed near the end of an item, too few words for a
  // shingle are left behind it. So a stretch goes on at both ends, word beside
  // word, up to the last one before which at least half of the words are those
  // of the item and at most `gap` are others. Where the item has the shingle at
  // the end several times, a few of its places are tried.
  void Widen(const Item& item, uint32_t gap, TextStretch* words) const {
    const std::vector<Place> of_item = PlacesOf(item.in_order);
    constexpr size_t kMostPlaces = 16;
    const auto places = [&](size_t shingle) {
      const auto all = Of(order_[shingle], of_item);
      return all.first(std::min(all.size(), kMostPlaces));
    };
    const size_t last = words->end - std::min<size_t>(gram_, words->end);
    size_t behind = 0, before = 0;
    for (const Place& place : places(std::max(last, words->begin)))
      behind = std::max(
          behind, Goes<1>(item, place.second + gram_ - 1, words->end - 1, gap));
    for (const Place& place : places(words->begin))
      before =
          std::max(before, Goes<-1>(item, place.second, words->begin, gap));
    words->begin -= before;
    words->end += behind;
  }

  // In bytes.
  TextStretch Bytes(const TextStretch& words) const {
    return {begins_[words.begin], ends_[words.end - 1]};
  }

  // What goes with the words: in front of the first word what stands there, and
  // behind the last one all up to the next. With so many characters more on
  // either side, and the rest of the words where they end.
  TextStretch Cut(const TextStretch& words, uint64_t characters) const {
    TextStretch cut = {
        words.begin == 0 ? 0 : begins_[words.begin],
        words.end < begins_.size() ? begins_[words.end] : text_.size()};
    if (characters == 0) return cut;
    const auto from = std::upper_bound(begins_.begin(), begins_.end(),
                                       Back(text_, cut.begin, characters));
    const auto to = std::lower_bound(begins_.begin(), begins_.end(),
                                     Forward(text_, cut.end, characters));
    return {from - begins_.begin() <= 1 ? 0 : *std::prev(from),
            to == begins_.end() ? text_.size() : *to};
  }

 private:
  using Place = std::pair<uint64_t, uint32_t>;  // a shingle, its first word

  static std::vector<Place> PlacesOf(const std::vector<uint64_t>& order) {
    std::vector<Place> places;
    places.reserve(order.size());
    for (const uint64_t shingle : order)
      places.emplace_back(shingle, static_cast<uint32_t>(places.size()));
    std::sort(places.begin(), places.end());
    return places;
  }

  static std::span<const Place> Of(uint64_t shingle,
                                   const std::vector<Place>& places) {
    const auto begin =
        std::lower_bound(places.begin(), places.end(), Place(shingle, 0));
    const auto end =
        std::upper_bound(begin, places.end(), Place(shingle, UINT32_MAX));
    return {begin, end};
  }

  // How many words go with a stretch beyond its word `at`, which is word
  // `in_item` of the item.
  template <int kStep>
  size_t Goes(const Item& item, size_t in_item, size_t at, uint32_t gap) const {
    size_t goes = 0, equal = 0;
    for (size_t beyond = 1;; ++beyond) {
      const auto step = static_cast<std::ptrdiff_t>(beyond) * kStep;
      const size_t i = in_item + static_cast<size_t>(step);  // may wrap around
      const size_t j = at + static_cast<size_t>(step);
      if (i >= item.in_words.size() || j >= words_.size()) return goes;
      const bool is_equal = item.in_words[i] == words_[j];
      equal += is_equal;
      if (beyond - equal > gap) return goes;
      if (is_equal && 2 * equal >= beyond) goes = beyond;
    }
  }

  // Returns true iff `second` stands behind `first` in the item, with at most
  // `gap` words between them.
  bool Follows(uint64_t first, uint64_t second, uint32_t gap,
               const std::vector<Place>& of_item) const {
    const auto seconds = Of(second, of_item);
    for (const Place& place : Of(first, of_item)) {
      const auto next = std::upper_bound(seconds.begin(), seconds.end(),
                                         Place(second, place.second));
      if (next != seconds.end() && next->second <= place.second + gram_ + gap)
        return true;
    }
    return false;
  }

  std::string_view text_;
  uint32_t gram_;
  std::vector<uint64_t> order_;          // shingles, by their first word
  std::vector<Place> places_;            // ascending
  std::vector<uint64_t> words_;          // hashes
  std::vector<uint32_t> begins_, ends_;  // of the words
};

Result<ItemSearch> ItemSearch::Make(const LeakOptions& options,
                                    const HashKey& secret) {
  ItemSearch search;
  TWINSET_ASSIGN(search.gram_, LeakGramWords(options.features));
  TWINSET_ASSIGN(search.open_, MakeExtractor(options.features));
  TWINSET_ASSIGN(search.secret_, MakeSecretExtractor(options.features, secret));
  search.rule_ = LeakRuleOf(options.rule, options.threshold);
  search.whole_ = options.threshold;
  TWINSET_ASSIGN(search.verifier_, LeakVerifier(search.rule_.least_share));
  return search;
}

Features ItemSearch::FeaturesOf(std::string_view text) const {
  thread_local FeatureScratch scratch;
  Features features;
  secret_->Extract(text, &scratch, &features);
  return features;
}

std::vector<uint64_t> ItemSearch::WordsOf(std::string_view text) const {
  std::vector<uint64_t> words;
  open_->ForEachToken(text, [&](const TokenView& token) {
    words.push_back(EqualityHash::OfProcess().Short(token.text));
  });
  return words;
}

void ItemSearch::Add(std::string_view text) {
  Features features = FeaturesOf(text);
  Item item;
  item.words = features.token_count;
  item.shingles = std::move(features.shingles);
  thread_local FeatureScratch scratch;
  secret_->Sequence(text, &scratch, &features);
  item.in_order = std::move(features.shingles);
  item.in_words = WordsOf(text);
  words_ += item.shingles.capacity() + item.in_order.capacity() +
            item.in_words.capacity();
  items_.push_back(std::move(item));
}

// A document with c of the n shingles of an item lacks n - c of them, so it has
// one of any n - c + 1: those that the fewest items have.
void ItemSearch::Index() {
  index_.clear();
  entries_ = 0;
  std::unordered_map<uint64_t, uint32_t> counts;
  for (const Item& item : items_)
    for (const uint64_t shingle : item.shingles) ++counts[shingle];
  std::vector<uint64_t> rarest;
  for (size_t i = 0; i < items_.size(); ++i) {
    rarest = items_[i].shingles;
    if (rarest.empty()) continue;
    std::sort(rarest.begin(), rarest.end(), [&](uint64_t x, uint64_t y) {
      return std::pair(counts.at(x), x) < std::pair(counts.at(y), y);
    });
    rarest.resize(rarest.size() -
                  verifier_->LeastCommon(rarest.size(), rarest.size()) + 1);
    for (const uint64_t shingle : rarest)
      index_[shingle].push_back(static_cast<uint32_t>(i));
    entries_ += rarest.size();
  }
}

uint64_t ItemSearch::bytes() const {
  constexpr uint64_t kNode = 80;
  return items_.size() * sizeof(Item) + words_ * sizeof(uint64_t) +
         entries_ * (kNode + 2 * sizeof(uint32_t)) +
         numbers_.size() * (kNode + sizeof(uint64_t));
}

void ItemSearch::NumberShingles() {
  for (const Item& item : items_)
    for (const uint64_t shingle : item.in_order)
      if (index_.contains(shingle)) numbers_.emplace(shingle, numbers_.size());
  documents_.resize(numbers_.size());
}

std::vector<uint64_t> ItemSearch::CountedIn(std::string_view text) {
  if (numbers_.empty()) NumberShingles();
  std::vector<uint64_t> counted;
  for (const uint64_t shingle : FeaturesOf(text).shingles)
    if (const auto at = numbers_.find(shingle); at != numbers_.end())
      counted.push_back(at->second);
  std::sort(counted.begin(), counted.end());
  return counted;
}

bool ItemSearch::CountDocument(std::span<const uint64_t> shingles) {
  if (numbers_.empty()) NumberShingles();
  for (const uint64_t shingle : shingles) {
    if (shingle >= documents_.size()) return false;
    ++documents_[shingle];
  }
  return true;
}

void ItemSearch::IgnoreFrequent() {
  for (Item& item : items_)
    std::erase_if(item.shingles, [this](uint64_t shingle) {
      const auto at = numbers_.find(shingle);
      return at != numbers_.end() &&
             documents_[at->second] > rule_.most_documents;
    });
  numbers_.clear();
  documents_ = {};
  Index();
}

// Items that may leak by a document of these shingles, in their order.
std::vector<uint32_t> ItemSearch::Candidates(
    const std::vector<uint64_t>& shingles) const {
  std::vector<uint32_t> found;
  for (const uint64_t shingle : shingles) {
    const auto at = index_.find(shingle);
    if (at == index_.end()) continue;
    found.insert(found.end(), at->second.begin(), at->second.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// 0 where the item does not leak.
double ItemSearch::ShareOf(const Item& item, const Features& features) const {
  if (rule_.covered > 0) {
    const double share = CoveredShare(item, features);
    return share > rule_.covered ? share : 0;
  }
  const auto verdict =
      verifier_->Compare(BytesOf(item.shingles), BytesOf(features.shingles));
  return verdict.accepted ? verdict.score : 0;
}

double ItemSearch::CoveredShare(const Item& item,
                                const Features& features) const {
  uint64_t covered = 0, end = 0;
  for (uint64_t begin = 0; begin < item.in_order.size(); ++begin) {
    if (!std::binary_search(features.shingles.begin(), features.shingles.end(),
                            item.in_order[begin]))
      continue;
    const uint64_t behind = std::min(begin + gram_, item.words);
    covered += behind - std::max(begin, end);
    end = behind;
  }
  return static_cast<double>(covered) / static_cast<double>(item.words);
}

std::vector<FoundItem> ItemSearch::Find(std::string_view text,
                                        uint64_t* tokens) const {
  const Features features = FeaturesOf(text);
  if (tokens != nullptr) *tokens = features.token_count;
  std::vector<FoundItem> found;
  for (const uint32_t number : Candidates(features.shingles)) {
    const Item& item = items_[number];
    const double share = ShareOf(item, features);
    if (share == 0) continue;
    found.push_back(
        {number, LeakKindOf(item.words, features.token_count, share, whole_),
         share});
  }
  return found;
}

std::vector<std::vector<TextStretch>> ItemSearch::Passages(
    std::string_view text, const std::vector<FoundItem>& found) const {
  const Places places(*this, text);
  auto all = PassagesAt(places, found);
  for (auto& passages : all)
    for (TextStretch& passage : passages) passage = places.Bytes(passage);
  return all;
}

std::vector<std::vector<TextStretch>> ItemSearch::PassagesAt(
    const Places& places, const std::vector<FoundItem>& found) const {
  std::vector<std::vector<TextStretch>> all;
  for (const FoundItem& one : found) {
    const Item& item = items_[one.item];
    std::vector<TextStretch> stretches = places.Words(item, rule_.gap);
    const uint64_t least = std::min<uint64_t>(rule_.least_words, item.words);
    const auto is_short = [&](const TextStretch& words) {
      return words.end - words.begin < least;
    };
    if (!std::all_of(stretches.begin(), stretches.end(), is_short))
      std::erase_if(stretches, is_short);
    std::vector<TextStretch>& passages = all.emplace_back();
    for (TextStretch words : stretches) {
      places.Widen(item, rule_.gap, &words);
      if (!passages.empty() && words.begin <= passages.back().end)
        passages.back().end = std::max(passages.back().end, words.end);
      else
        passages.push_back(words);
    }
  }
  return all;
}

ItemSearch::Cut ItemSearch::CutOnce(std::string_view text,
                                    const std::vector<FoundItem>& found) const {
  const Places places(*this, text);
  std::vector<TextStretch> cuts;
  for (const auto& passages : PassagesAt(places, found))
    for (const TextStretch& passage : passages)
      cuts.push_back(places.Cut(passage, rule_.window));
  std::sort(cuts.begin(), cuts.end(),
            [](const auto& x, const auto& y) { return x.begin < y.begin; });
  cuts.push_back({text.size(), text.size()});
  Cut cut;
  uint64_t pieces = 0;
  size_t at = 0;
  for (const TextStretch& gone : cuts) {
    if (gone.begin > at) {
      const std::string_view piece = text.substr(at, gone.begin - at);
      pieces += !IsBlank(piece);
      if (CharactersOf(piece) >= rule_.least_piece) {
        if (!cut.text.empty()) cut.text += rule_.between;
        cut.text += piece;
      }
    }
    at = std::max(at, gone.end);
  }
  cut.goes = pieces > rule_.most_pieces;
  return cut;
}

ItemSearch::Cut ItemSearch::WhatStays(std::string_view text) const {
  Cut cut{std::string(text)};
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<FoundItem> found = Find(cut.text);
    if (found.empty()) return cut;
    cut = CutOnce(cut.text, found);
    if (cut.goes) return cut;
  }
  cut.goes = !Find(cut.text).empty();
  return cut;
}

}  // namespace twinset
