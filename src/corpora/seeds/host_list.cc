#include "seeds/host_list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "net/public_suffix.h"
#include "net/url.h"
#include "retrieval/study_lines.h"
#include "web/edge_list.h"

namespace twinset {
namespace {

constexpr uint64_t kEntryBytes = 160;  // of an entry besides its texts

// FNV-1a: the hash of a beginning is on the way to that of the whole.
constexpr uint64_t kEmptyHash = 0xcbf29ce484222325ull;
uint64_t Grown(uint64_t hash, char c) {
  return (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
}
uint64_t PlaceHash(std::string_view place) {
  uint64_t hash = kEmptyHash;
  for (const char c : place) hash = Grown(hash, c);
  return hash;
}

std::string_view WithoutFinalDot(std::string_view host) {
  return host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
}

// "a.example/path?query" of an address; "" when it has no host.
std::string PlaceOf(std::string_view url) {
  const std::string normal = NormaliseUrl(url);
  const std::string host = UrlHost(normal);
  if (host.empty()) return {};
  const size_t authority = normal.find("//") + 2;
  const size_t path =
      std::min(normal.find_first_of("/?#", authority), normal.size());
  return std::string(WithoutFinalDot(host)) +
         normal.substr(path, normal.find('#', path) - path);
}

// The place that an entry names; "" when it names none.
std::string EntryPlace(std::string_view entry) {
  if (entry.starts_with("*.")) entry.remove_prefix(2);
  if (entry.starts_with('.')) entry.remove_prefix(1);
  const bool has_scheme = entry.find("://") != entry.npos;
  std::string place =
      PlaceOf(has_scheme ? std::string(entry) : "http://" + std::string(entry));
  // An address that is none, such as one with a port of letters, comes as it
  // is written: its host and path are normalised by themselves.
  if (!place.empty()) place = PlaceOf("http://" + place);
  while (place.ends_with('/')) place.pop_back();
  return place;
}

bool IsHostName(std::string_view place) {
  return place.find('/') == place.npos;
}

}  // namespace

void HostList::TakeLine(const std::string& source, const TextLine& line,
                        HostListFacts* facts,
                        std::vector<std::string>* problems) {
  const std::string where = source + ":" + std::to_string(line.number);
  const auto bad = [&](const std::string& what) {
    ++facts->lines;
    ++facts->bad;
    if (problems->size() < kMostProblems)
      problems->push_back(where + ": " + what);
  };
  if (!line.problem.empty()) return bad(line.problem);
  std::vector<std::string_view> columns;
  SplitColumns(Trim(line.text), &columns);
  if (columns.empty() || columns.front().starts_with('#')) return;
  std::optional<double> percentile;
  if (columns.size() == 2 && has_percentiles_)
    percentile = ParseFinite(columns.front());
  if (columns.size() != (percentile ? 2 : 1))
    return bad(has_percentiles_ ? "not an entry, or a percentile and an entry"
                                : "not an entry");
  std::string place = EntryPlace(columns.back());
  if (place.empty()) return bad("no host");
  if (IsHostName(place) && place.find('*') != place.npos)
    return bad("a * stands for whole names in front only");
  ++facts->lines;
  if (percentile && *percentile >= below_) {
    ++facts->spared;
    return;
  }
  const bool is_host = IsHostName(place);
  if (is_host ? hosts_.contains(place) : FindPath(place) != nullptr) return;
  bytes_ += kEntryBytes + 2 * place.size() + where.size();
  if (is_host) {
    hosts_.emplace(place, entries_.size());
  } else {
    paths_.emplace(PlaceHash(place), entries_.size());
  }
  entries_.push_back({std::move(place), where});
  ++facts->entries;
}

Status HostList::Read(const std::string& path, uint64_t most_bytes,
                      HostListFacts* facts,
                      std::vector<std::string>* problems) {
  return ForEachTextLine(path, [&](const TextLine& line) {
    TakeLine(path, line, facts, problems);
    return bytes_ <= most_bytes;
  });
}

Status HostList::ReadText(std::string bytes, HostListFacts* facts,
                          std::vector<std::string>* problems) {
  return ForEachTextLineOf(std::move(bytes), [&](const TextLine& line) {
    TakeLine("list", line, facts, problems);
    return true;
  });
}

const HostList::Entry* HostList::FindPath(const std::string& place) const {
  if (paths_.empty()) return nullptr;
  uint64_t hash = kEmptyHash;
  for (size_t end = 0; end <= place.size(); ++end) {
    const char next = end == place.size() ? '/' : place[end];
    if (next == '/' || next == '?' || next == '&') {
      const auto [first, last] = paths_.equal_range(hash);
      for (auto at = first; at != last; ++at)
        if (place.compare(0, end, entries_[at->second].name) == 0)
          return &entries_[at->second];
    }
    hash = Grown(hash, next);
  }
  return nullptr;
}

const HostList::Entry* HostList::Find(std::string_view url) const {
  if (entries_.empty()) return nullptr;
  const std::string place = PlaceOf(url);
  if (place.empty()) return nullptr;
  std::string host = place.substr(0, place.find_first_of("/?"));
  while (!host.empty()) {
    if (const auto found = hosts_.find(host); found != hosts_.end())
      return &entries_[found->second];
    // An address of the network is below no other.
    const size_t dot = IsIpHost(host) ? host.npos : host.find('.');
    host.erase(0, dot == host.npos ? host.size() : dot + 1);
  }
  return FindPath(place);
}

}  // namespace twinset
