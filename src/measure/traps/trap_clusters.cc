#include "traps/trap_clusters.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "documents/text_lines.h"
#include "net/url.h"
#include "twinset/json.h"
#include "twinset/methods.h"

namespace twinset {
namespace {

// Rows of the clusters hold an address of at most --max-field, escaped.
constexpr uint64_t kMostRowBytes = 4 << 20;

std::string StandardSketch() {
  for (const MethodInfo& method : Methods())
    if (method.is_standard_sketch) return method.name;
  return {};
}

}  // namespace

DedupOptions TrapDedup(const TrapsOptions& options, const std::string& out) {
  DedupOptions dedup;
  dedup.input = options.input;
  dedup.features = options.features;
  dedup.resources = options.resources;
  dedup.resources.tmp.clear();
  dedup.method.name = StandardSketch();
  dedup.method.threshold = options.threshold;
  // Above it pages are compared with a few leaders, of which each makes a star.
  dedup.method.bucket_limit = 256;
  dedup.within = "host";
  dedup.action = Action::kReport;
  dedup.pairs = ListedPairs::kStar;
  dedup.keep = {"shortest-url"};
  dedup.out = out;
  dedup.stop = options.stop;
  dedup.on_progress = options.on_progress;
  return dedup;
}

Result<std::vector<TrapCluster>> ReadTrapClusters(const std::string& path,
                                                  AddressMemory* memory) {
  std::map<std::string, TrapCluster> by_id;
  Status status;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        const Json row = Json::Parse(line.text);
        if (row.is_discarded() || !row.is_object()) {
          status = Fail(ErrorCode::kInternal,
                        "a row of the clusters cannot be read", path);
          return false;
        }
        const std::string url = NormaliseUrl(row.value("url", ""));
        if (UrlHost(url).empty()) return true;
        TrapCluster& cluster = by_id[row.value("cluster", "")];
        cluster.host = UrlHost(url);
        if (row.value("is_representative", false)) cluster.representative = url;
        if (cluster.addresses.insert(url).second)
          status = memory->AddClustered(url);
        return status.has_value();
      },
      kMostRowBytes));
  TWINSET_TRY(status);
  std::vector<TrapCluster> clusters;
  for (auto& [id, cluster] : by_id)
    if (cluster.addresses.size() > 1) clusters.push_back(std::move(cluster));
  return clusters;
}

void JoinSkeletons(const std::map<std::string, TrapHost>& hosts,
                   uint64_t least_urls, std::vector<TrapCluster>* clusters) {
  std::unordered_map<std::string, size_t> cluster_of;
  for (size_t i = 0; i < clusters->size(); ++i)
    for (const std::string& url : (*clusters)[i].addresses) cluster_of[url] = i;
  for (const auto& [name, host] : hosts) {
    std::map<uint64_t, std::vector<const std::string*>> by_skeleton;
    for (const auto& [url, address] : host) {
      if (address.page.skeleton != 0)
        by_skeleton[address.page.skeleton].push_back(&url);
    }
    for (const auto& [skeleton, urls] : by_skeleton) {
      if (urls.size() < least_urls) continue;
      TrapCluster joined{name, *urls.front(), {}};
      for (const std::string* url : urls) {
        joined.addresses.insert(*url);
        const auto known = cluster_of.find(*url);
        if (known == cluster_of.end()) continue;
        TrapCluster& other = (*clusters)[known->second];
        if (other.addresses.empty()) continue;
        joined.representative = other.representative;
        joined.addresses.merge(other.addresses);
        other.addresses.clear();
      }
      for (const std::string& url : joined.addresses)
        cluster_of[url] = clusters->size();
      clusters->push_back(std::move(joined));
    }
  }
}

std::vector<TrapCluster> SplitByShape(const TrapCluster& cluster,
                                      uint64_t least_urls) {
  std::map<std::string, std::vector<std::string>> by_shape;
  for (const std::string& url : cluster.addresses)
    by_shape[AddressShape(SplitAddress(url))].push_back(url);
  std::vector<TrapCluster> parts;
  TrapCluster rest{cluster.host, cluster.representative, {}};
  for (const auto& [shape, urls] : by_shape) {
    std::vector<AddressParts> alike;
    for (const std::string& url : urls) alike.push_back(SplitAddress(url));
    const UrlPattern pattern = GeneraliseUrls(alike);
    const auto places = pattern.VaryingPlaces();
    const bool any =
        std::find(places.begin(), places.end(), Varying::kAny) != places.end();
    // Few session ids of one page may be many of all pages.
    const bool enough =
        urls.size() >= least_urls || (urls.size() > 1 && pattern.IsSession());
    if (!enough || any) {
      rest.addresses.insert(urls.begin(), urls.end());
      continue;
    }
    const bool has =
        std::binary_search(urls.begin(), urls.end(), cluster.representative);
    parts.push_back({cluster.host,
                     has ? cluster.representative : urls.front(),
                     {urls.begin(), urls.end()}});
  }
  if (rest.addresses.size() >= least_urls) parts.push_back(std::move(rest));
  return parts;
}

UrlPattern PatternOf(const TrapCluster& cluster) {
  std::vector<AddressParts> parts;
  for (const std::string& url : cluster.addresses)
    parts.push_back(SplitAddress(url));
  return GeneraliseUrls(parts);
}

}  // namespace twinset
