#include "mirrors/mirror_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_set>

#include "base/machine.h"
#include "estimate/intervals.h"
#include "net/url_rules.h"

namespace twinset {

std::string MirrorAddress(std::string_view url, std::string_view id) {
  if (url.empty()) return std::string(id);
  static constexpr std::array kRules = {UrlRule::kRfc3986, UrlRule::kFinalDot,
                                        UrlRule::kScheme,
                                        UrlRule::kTrailingSlash};
  std::string address(url);
  ApplyUrlRules(kRules, &address);
  return address;
}

SplitPair SplitParallel(std::string_view a, std::string_view b) {
  size_t at_a = a.size(), at_b = b.size();
  for (;;) {
    const size_t slash_a =
        at_a == 0 ? std::string_view::npos : a.rfind('/', at_a - 1);
    const size_t slash_b =
        at_b == 0 ? std::string_view::npos : b.rfind('/', at_b - 1);
    if (slash_a == std::string_view::npos || slash_b == std::string_view::npos)
      break;
    if (a.substr(slash_a, at_a - slash_a) != b.substr(slash_b, at_b - slash_b))
      break;
    at_a = slash_a;
    at_b = slash_b;
  }
  if (at_a == a.size() || at_a == 0 || at_b == 0) return {};
  return {a.substr(0, at_a), b.substr(0, at_b)};
}

MirrorIndex::MirrorIndex(std::vector<MirrorPage> pages)
    : pages_(std::move(pages)) {
  std::stable_sort(pages_.begin(), pages_.end(),
                   [](const MirrorPage& x, const MirrorPage& y) {
                     return x.address < y.address;
                   });
  pages_.erase(std::unique(pages_.begin(), pages_.end(),
                           [](const MirrorPage& x, const MirrorPage& y) {
                             return x.address == y.address;
                           }),
               pages_.end());
  for (MirrorPage& page : pages_)
    if (page.cluster != MirrorPage::kAlone) clustered_.push_back(&page);
  std::stable_sort(clustered_.begin(), clustered_.end(),
                   [](const MirrorPage* x, const MirrorPage* y) {
                     return x->cluster < y->cluster;
                   });
}

std::span<MirrorPage> MirrorIndex::Below(std::string_view prefix) {
  const std::string first = std::string(prefix) + "/";
  const std::string behind = std::string(prefix) + "0";  // '0' follows '/'
  const auto before = [](const MirrorPage& page, const std::string& address) {
    return page.address < address;
  };
  const auto begin =
      std::lower_bound(pages_.begin(), pages_.end(), first, before);
  const auto end = std::lower_bound(begin, pages_.end(), behind, before);
  return {begin, end};
}

MirrorPage* MirrorIndex::Find(std::string_view address) {
  const auto at =
      std::lower_bound(pages_.begin(), pages_.end(), address,
                       [](const MirrorPage& page, std::string_view wanted) {
                         return page.address < wanted;
                       });
  return at != pages_.end() && at->address == address ? &*at : nullptr;
}

namespace {

using PrefixPair = std::pair<std::string_view, std::string_view>;

using Evidence = std::map<PrefixPair, uint64_t>;
constexpr uint64_t kBytesAPair = sizeof(Evidence::value_type) + 48;

// How many duplicates speak for each pair of prefixes.
Result<Evidence> EvidenceOf(const MirrorIndex& index, uint64_t most_bytes,
                            uint64_t* cut) {
  Evidence evidence;
  const std::vector<MirrorPage*>& pages = index.clustered();
  for (size_t begin = 0; begin < pages.size();) {
    size_t end = begin;
    while (end < pages.size() && pages[end]->cluster == pages[begin]->cluster)
      ++end;
    const size_t most = std::min(end, begin + kMostMembers);
    *cut += most < end;
    for (size_t i = begin; i < most; ++i) {
      for (size_t j = i + 1; j < most; ++j) {
        const SplitPair pair =
            SplitParallel(pages[i]->address, pages[j]->address);
        if (pair.a.empty()) continue;
        ++evidence[std::minmax(pair.a, pair.b)];
      }
    }
    if (evidence.size() * kBytesAPair > most_bytes)
      return Fail(ErrorCode::kMemory,
                  "the pairs of folders with duplicates do not fit into a "
                  "quarter of the memory",
                  {}, "give more --memory");
    begin = end;
  }
  return evidence;
}

// Calls `body` with the pages of the smaller prefix and their parallels.
template <typename Body>
void ForEachParallel(const Mirror& mirror, MirrorIndex* index,
                     const Body& body) {
  const bool a_first = mirror.pages_a <= mirror.pages_b;
  const std::string& from = a_first ? mirror.a : mirror.b;
  const std::string& to = a_first ? mirror.b : mirror.a;
  for (MirrorPage& page : index->Below(from)) {
    MirrorPage* const other =
        index->Find(to + page.address.substr(from.size()));
    if (other != nullptr) body(&page, other);
  }
}

bool AreDuplicates(const MirrorPage& x, const MirrorPage& y) {
  return x.cluster != MirrorPage::kAlone && x.cluster == y.cluster;
}

}  // namespace

Result<std::vector<Mirror>> MirrorsOf(const MirrorsOptions& options,
                                      MirrorIndex* index, uint64_t* cut) {
  std::vector<Mirror> mirrors;
  TWINSET_ASSIGN(
      const Evidence evidence,
      EvidenceOf(*index, MemoryOr(options.resources.memory_bytes) / 4, cut));
  for (const auto& [pair, count] : evidence) {
    if (count < options.least_pages) continue;
    Mirror mirror;
    mirror.a = pair.first;
    mirror.b = pair.second;
    mirror.pages_a = index->Below(mirror.a).size();
    mirror.pages_b = index->Below(mirror.b).size();
    ForEachParallel(mirror, index, [&](MirrorPage* x, MirrorPage* y) {
      ++mirror.parallel;
      mirror.duplicates += AreDuplicates(*x, *y);
    });
    const auto smaller =
        static_cast<double>(std::min(mirror.pages_a, mirror.pages_b));
    const auto parallel = static_cast<double>(mirror.parallel);
    const auto duplicates = static_cast<double>(mirror.duplicates);
    if (mirror.duplicates < options.least_pages ||
        duplicates < options.share * parallel ||
        parallel < options.overlap * smaller)
      continue;
    mirror.share = duplicates / parallel;
    const Interval interval =
        WilsonInterval(mirror.duplicates, mirror.parallel);
    mirror.low = interval.low;
    mirror.high = interval.high;
    ForEachParallel(mirror, index, [](MirrorPage* x, MirrorPage* y) {
      if (!AreDuplicates(*x, *y)) return;
      ++x->degree;
      ++y->degree;
    });
    mirrors.push_back(std::move(mirror));
  }
  std::sort(mirrors.begin(), mirrors.end(),
            [](const Mirror& x, const Mirror& y) {
              if (x.duplicates != y.duplicates)
                return x.duplicates > y.duplicates;
              return std::tie(x.a, x.b) < std::tie(y.a, y.b);
            });
  return mirrors;
}

double LeastSimilarity(Measure measure, double x, double y) {
  switch (measure) {
    case Measure::kContainment:
      return 0;  // two parts of one text need have nothing in common
    case Measure::kJaccard:
      return std::max(0.0, x + y - 1);
    case Measure::kDice:
    case Measure::kS3: {  // 2 J / (1 + J)
      const double jaccard = std::max(0.0, x / (2 - x) + y / (2 - y) - 1);
      return 2 * jaccard / (1 + jaccard);
    }
    case Measure::kCosine:
    case Measure::kCosineTf:
    case Measure::kCosineTfIdf:  // of the sum of the two angles
      return std::max(
          0.0, x * y - std::sqrt(std::max(0.0, (1 - x * x) * (1 - y * y))));
    case Measure::kEdit:
    case Measure::kHamming:
    case Measure::kEditChars:
    case Measure::kHammingChars:  // a similarity of 1 is that of equal texts
      return x == 1 ? y : y == 1 ? x : 0;
  }
  return 0;
}

namespace {

// The largest confidence that is not shown as 1.000 in three digits.
constexpr double kNearlySure = 0.999;

// Returns the confidence for two members of one cluster, of which one is wanted
// and gone.
double ConfidenceOf(Measure measure, const MirrorPage& wanted,
                    const MirrorPage& other) {
  const double similarity =
      wanted.represents ? other.similarity
      : other.represents
          ? wanted.similarity
          : LeastSimilarity(measure, wanted.similarity, other.similarity);
  const bool is_measured = !wanted.is_estimated && !other.is_estimated;
  return similarity == 1 && is_measured ? 1 : std::min(similarity, kNearlySure);
}

}  // namespace

std::vector<Alternative> AlternativesOf(
    const std::string& address, Measure measure,
    const std::vector<Mirror>& mirrors, MirrorIndex* index,
    const std::function<bool(const MirrorPage&)>& is_dead) {
  std::vector<Alternative> found;
  std::unordered_set<std::string_view> seen = {address};
  const auto add = [&](const MirrorPage& page, const char* by,
                       double confidence) {
    if (is_dead(page) || !seen.insert(page.address).second) return;
    found.push_back({page.url.empty() ? page.id : page.url, by, confidence});
  };
  const MirrorPage* const page = index->Find(address);
  if (page != nullptr && page->cluster != MirrorPage::kAlone) {
    const auto [begin, end] =
        std::equal_range(index->clustered().begin(), index->clustered().end(),
                         page, [](const MirrorPage* x, const MirrorPage* y) {
                           return x->cluster < y->cluster;
                         });
    for (auto at = begin; at != end; ++at)
      add(**at, "duplicate", ConfidenceOf(measure, *page, **at));
  }
  for (const Mirror& mirror : mirrors) {
    for (const auto& [from, to] :
         {std::tie(mirror.a, mirror.b), std::tie(mirror.b, mirror.a)}) {
      if (!address.starts_with(from) || address.size() <= from.size() ||
          address[from.size()] != '/')
        continue;
      const MirrorPage* const other =
          index->Find(to + address.substr(from.size()));
      if (other != nullptr)
        add(*other, "mirror", std::min(mirror.low, kNearlySure));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Alternative& x, const Alternative& y) {
                     if (x.by != y.by) return x.by < y.by;
                     return x.confidence > y.confidence;
                   });
  return found;
}

}  // namespace twinset
