#include "explain/run_places.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/keyed_hash.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "net/url.h"
#include "store/external_sort.h"
#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kMembers[] = "members", kDocuments[] = "documents",
               kPairs[] = "pairs", kClusters[] = "clusters";
constexpr uint64_t kMemory = 256 << 20;
constexpr std::string_view kEqual = "equal", kNear = "near";
constexpr int kFirstKind = 2;
constexpr int kFirstDifference = kFirstKind + static_cast<int>(kDuplicateKinds);

// The key of what a row names, as it is written there; 0 is no key.
uint64_t KeyOf(std::string_view written) {
  return std::max<uint64_t>(EqualityHash::OfProcess().Short(written), 1);
}

// What is kept of a document until its cluster is whole.
struct Member {
  uint64_t cluster = 0, row = 0, host = 0, kinds = 0;
  double similarity = 1;
  uint64_t stays = 0;  // 1: it stands for the cluster
  friend auto operator<=>(const Member&, const Member&) = default;
};

template <typename T>
ExternalSorter<T> Sorter(const ScratchFolder& work, const char* name,
                         MemoryBudget* budget, bool unique = false) {
  ExternalSortOptions options;
  options.directory = work.path();
  options.name = std::string("sort-") + name;
  options.memory_bytes = budget->limit_bytes() / 4;
  options.unique = unique;
  return ExternalSorter<T>(std::move(options), budget);
}

std::string PathOf(const ScratchFolder& work, const char* name) {
  return work / (std::string(name) + ".places");
}

template <typename T>
Status WriteSorted(ExternalSorter<T>* sorter, const std::string& path) {
  TWINSET_TRY(sorter->Finish());
  TWINSET_ASSIGN(auto writer, RunWriter<T>::Create(path, 0));
  T record;
  for (;;) {
    TWINSET_ASSIGN(const bool more, sorter->Next(&record));
    if (!more) break;
    TWINSET_TRY(writer.Append(record));
  }
  return writer.Finish(false);
}

}  // namespace

// What was written is read again where it has escapes.
std::string HostOfWritten(std::string_view written) {
  if (written.find('\\') == written.npos) return UrlHost(written);
  const Json text = Json::Parse("\"" + std::string(written) + "\"");
  return text.is_string() ? UrlHost(text.get<std::string>()) : std::string();
}

int KindBit(std::string_view kind) {
  if (kind == kEqual) return 0;
  if (kind == kNear) return 1;
  if (const auto duplicate = FindChoice<DuplicateKind>(kind))
    return kFirstKind + static_cast<int>(*duplicate);
  if (const auto difference = FindChoice<DifferenceKind>(kind))
    return kFirstDifference + static_cast<int>(*difference);
  return -1;
}

std::vector<std::string> KindNames(uint64_t bits) {
  std::vector<std::string> names;
  const auto add = [&](int bit, std::string_view name) {
    if (bits >> bit & 1) names.emplace_back(name);
  };
  add(0, kEqual);
  add(1, kNear);
  for (const auto& [kind, name] : kChoices<DuplicateKind>)
    add(kFirstKind + static_cast<int>(kind), name);
  for (const auto& [kind, name] : kChoices<DifferenceKind>)
    add(kFirstDifference + static_cast<int>(kind), name);
  return names;
}

uint64_t KindsOfRow(std::string_view row) {
  uint64_t bits = 0;
  for (const char* key : {"duplicate_kind", "difference"}) {
    const auto kind = WrittenText(row, key);
    const int bit = kind ? KindBit(*kind) : -1;
    if (bit >= 0) bits |= uint64_t{1} << bit;
  }
  return bits;
}

class RunPlaces::Finding {
 public:
  Finding(const Options& options, RunPlaces* places)
      : options_(options),
        places_(*places),
        budget_(options.resources.memory_bytes > 0
                    ? options.resources.memory_bytes / 2
                    : kMemory) {}

  Status Do() {
    TWINSET_ASSIGN(places_.clusters_, RowFile::Open(List("clusters")));
    TWINSET_ASSIGN(places_.pairs_, RowFile::Open(List("pairs")));
    TWINSET_TRY(ReadClusters());
    return ReadPairs();
  }

 private:
  std::string List(const char* name) const {
    return options_.folder + "/" + name + ".jsonl";
  }

  Status Tell(const RowFile& rows, uint64_t at) {
    if (rows_++ % 4096 != 0) return {};
    TWINSET_TRY(CheckStop(options_.stop));
    if (!options_.on_progress) return {};
    Progress progress;
    progress.stage = "view";
    progress.unit = "bytes";
    progress.done = at;
    progress.total = rows.bytes();
    progress.share =
        static_cast<double>(at) / static_cast<double>(rows.bytes());
    options_.on_progress(progress);
    return {};
  }

  tl::unexpected<Error> NoRow(const char* name) const {
    return Fail(ErrorCode::kCorrupt, "a line is no row of results",
                NameText(List(name)), "run the command again");
  }

  Status ReadClusters() {
    auto members = Sorter<Member>(places_.work_, kMembers, &budget_);
    auto documents = Sorter<Place>(places_.work_, kDocuments, &budget_);
    TWINSET_TRY(places_.clusters_.ForEach(
        0, [&](uint64_t at, std::string_view row) -> Result<bool> {
          TWINSET_TRY(Tell(places_.clusters_, at));
          const auto id = WrittenText(row, "id"),
                     cluster = WrittenText(row, "cluster"),
                     url = WrittenText(row, "url");
          if (!id || !cluster) return NoRow("clusters");
          Member member{KeyOf(*cluster),
                        at,
                        0,
                        KindsOfRow(row),
                        WrittenNumber(row, "similarity"),
                        *id == *cluster};
          if (url && !url->empty()) {
            const std::string host = HostOfWritten(*url);
            if (!host.empty()) member.host = KeyOf(host);
          }
          TWINSET_TRY(members.Add(member));
          TWINSET_TRY(documents.Add({KeyOf(*id), at}));
          return true;
        }));
    TWINSET_TRY(WriteSorted(&documents, PathOf(places_.work_, kDocuments)));
    return GroupMembers(&members);
  }

  Status GroupMembers(ExternalSorter<Member>* members) {
    TWINSET_TRY(members->Finish());
    auto listed = Sorter<ListedCluster>(places_.work_, kClusters, &budget_,
                                        /*unique=*/true);
    TWINSET_ASSIGN(auto writer, RunWriter<Place>::Create(
                                    PathOf(places_.work_, kMembers), 0));
    ListedCluster now;
    // Hosts wait for the size; the first of them stay here, and of clusters of
    // more hosts only these are listed.
    std::vector<uint64_t> hosts;
    const auto end = [&]() -> Status {
      if (now.cluster == 0) return {};
      const uint64_t size = UINT64_MAX - now.below;
      places_.counts_.AddCluster(size);
      places_.largest_ = std::max(places_.largest_, size);
      now.kinds |= uint64_t{1} << (now.least >= 1 ? 0 : 1);
      places_.kinds_ |= now.kinds;
      now.host = 0;
      TWINSET_TRY(listed.Add(now));
      for (const uint64_t host : hosts) {
        now.host = host;
        TWINSET_TRY(listed.Add(now));
      }
      return {};
    };
    Member member;
    for (;;) {
      TWINSET_ASSIGN(const bool more, members->Next(&member));
      if (!more) break;
      if (member.cluster != now.cluster) {
        TWINSET_TRY(end());
        now = {0, UINT64_MAX, member.row, member.cluster, 1, 0};
        hosts.clear();
      }
      --now.below;
      if (member.stays != 0) now.row = member.row;
      // The one that stays is compared with itself.
      if (member.stays == 0) {
        now.kinds |= member.kinds;
        now.least = std::min(now.least, member.similarity);
      }
      AddHost(member.host, &hosts);
      TWINSET_TRY(writer.Append({member.cluster, member.row}));
    }
    TWINSET_TRY(end());
    TWINSET_TRY(writer.Finish(false));
    return WriteSorted(&listed, PathOf(places_.work_, kClusters));
  }

  static void AddHost(uint64_t host, std::vector<uint64_t>* hosts) {
    if (host == 0 || (!hosts->empty() && hosts->back() == host)) return;
    if (hosts->size() >= kMostHosts) {
      std::sort(hosts->begin(), hosts->end());
      hosts->erase(std::unique(hosts->begin(), hosts->end()), hosts->end());
      if (hosts->size() >= kMostHosts / 2) return;
    }
    hosts->push_back(host);
  }

  Status ReadPairs() {
    auto pairs = Sorter<Place>(places_.work_, kPairs, &budget_,
                               /*unique=*/true);
    TWINSET_TRY(places_.pairs_.ForEach(
        0, [&](uint64_t at, std::string_view row) -> Result<bool> {
          TWINSET_TRY(Tell(places_.pairs_, at));
          const auto a = WrittenText(row, "a"), b = WrittenText(row, "b");
          if (!a || !b) return NoRow("pairs");
          TWINSET_TRY(pairs.Add({KeyOf(*a), at}));
          TWINSET_TRY(pairs.Add({KeyOf(*b), at}));
          places_.counts_.AddPair(WrittenNumber(row, "similarity"));
          return true;
        }));
    return WriteSorted(&pairs, PathOf(places_.work_, kPairs));
  }

  static constexpr size_t kMostHosts = 1 << 20;

  const Options& options_;
  RunPlaces& places_;
  MemoryBudget budget_;
  uint64_t rows_ = 0;
};

Result<RunPlaces> RunPlaces::Find(const Options& options) {
  for (const char* name : {"clusters", "pairs"}) {
    if (FileExists(options.folder + "/" + name + ".csv")) {
      return Fail(ErrorCode::kUnsupported,
                  "the lists of the run are written in CSV",
                  NameText(options.folder),
                  "run it, or twinset recut, without --format csv");
    }
  }
  TWINSET_ASSIGN(ScratchFolder work,
                 ScratchFolder::Below(options.resources.tmp, "twinset-view-"));
  RunPlaces places(std::move(work));
  TWINSET_TRY(Finding(options, &places).Do());
  return places;
}

Result<RunPlaces::Page> RunPlaces::List(const std::string& host, uint64_t least,
                                        uint64_t most, int kind, uint64_t from,
                                        size_t count) const {
  TWINSET_ASSIGN(auto reader,
                 RunReader<ListedCluster>::Open(PathOf(work_, kClusters), 0));
  const uint64_t key = host.empty() ? 0 : KeyOf(host);
  const auto first = [&](uint64_t below) -> Result<uint64_t> {
    uint64_t low = 0, high = reader.count();
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      TWINSET_TRY(reader.Seek(middle));
      ListedCluster at;
      TWINSET_ASSIGN([[maybe_unused]] const bool more, reader.Next(&at));
      if (std::pair(at.host, at.below) < std::pair(key, below)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  TWINSET_ASSIGN(const uint64_t begin,
                 first(most == 0 ? 0 : UINT64_MAX - most));
  TWINSET_ASSIGN(const uint64_t end,
                 first(least == 0 ? UINT64_MAX : UINT64_MAX - least + 1));
  Page page;
  if (kind < 0) page.all = end - std::min(begin, end);
  uint64_t at = std::max(from, begin);
  if (at >= end) return page;
  TWINSET_TRY(reader.Seek(at));
  for (; at < end; ++at) {
    ListedCluster cluster;
    TWINSET_ASSIGN(const bool more, reader.Next(&cluster));
    if (!more) break;
    if (kind >= 0 && (cluster.kinds >> kind & 1) == 0) continue;
    if (page.clusters.size() == count) {
      page.next = at;
      break;
    }
    page.clusters.push_back(cluster);
  }
  return page;
}

Status RunPlaces::ForEachPlace(
    const char* file, uint64_t key, uint64_t from,
    const std::function<Result<bool>(uint64_t)>& body) const {
  TWINSET_ASSIGN(auto reader, RunReader<Place>::Open(PathOf(work_, file), 0));
  TWINSET_TRY(
      reader.SeekFirst([key](const Place& place) { return place.key < key; }));
  Place place;
  for (uint64_t number = 0;; ++number) {
    TWINSET_ASSIGN(const bool more, reader.Next(&place));
    if (!more || place.key != key) return {};
    if (number < from) continue;
    TWINSET_ASSIGN(const bool goes_on, body(place.row));
    if (!goes_on) return {};
  }
}

Status RunPlaces::ForEachMember(
    std::string_view id, uint64_t from,
    const std::function<bool(const std::string&)>& body) const {
  const std::string written = AsWritten(id);
  return ForEachPlace(
      kMembers, KeyOf(written), from, [&](uint64_t at) -> Result<bool> {
        TWINSET_ASSIGN(const std::string row, clusters_.At(at));
        return WrittenText(row, "cluster") != written || body(row);
      });
}

Result<std::optional<std::string>> RunPlaces::RowOf(std::string_view id) const {
  const std::string written = AsWritten(id);
  std::optional<std::string> found;
  TWINSET_TRY(ForEachPlace(kDocuments, KeyOf(written), 0,
                           [&](uint64_t at) -> Result<bool> {
                             TWINSET_ASSIGN(std::string row, clusters_.At(at));
                             if (WrittenText(row, "id") != written) return true;
                             found = std::move(row);
                             return false;
                           }));
  return found;
}

Status RunPlaces::ForEachPair(
    std::string_view id,
    const std::function<bool(const std::string&)>& body) const {
  const std::string written = AsWritten(id);
  return ForEachPlace(kPairs, KeyOf(written), 0,
                      [&](uint64_t at) -> Result<bool> {
                        TWINSET_ASSIGN(const std::string row, pairs_.At(at));
                        return (WrittenText(row, "a") != written &&
                                WrittenText(row, "b") != written) ||
                               body(row);
                      });
}

}  // namespace twinset
