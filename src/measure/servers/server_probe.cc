#include "servers/server_probe.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "net/url.h"

namespace twinset {

namespace {

constexpr uint64_t kMoreRequests = 16;  // of a site, beside two a page
constexpr size_t kMostAddresses = 64;   // of a name that are probed
constexpr size_t kMostNames = 1000;     // that pages of an address link to

ProbeOutcome OutcomeOf(const Error& error) {
  const auto says = [&](std::string_view words) {
    return error.message.find(words) != std::string::npos;
  };
  // A redirect to where nothing may be asked, or to no address.
  if (error.code == ErrorCode::kNotFound || IsOutsideNetworks(error))
    return ProbeOutcome::kElsewhere;
  if (says("too large")) return ProbeOutcome::kNoPage;
  if (error.code == ErrorCode::kUnsupported) return ProbeOutcome::kExcluded;
  return says("refused") || says("cannot connect") ? ProbeOutcome::kRefused
                                                   : ProbeOutcome::kNoAnswer;
}

// All that is done at one address.
class Probe {
 public:
  Probe(uint32_t address, const ProbeRules& rules, const AddressSpace& space,
        const HostTable& hosts, const TextReader& reader, Fetcher* fetcher)
      : rules_(rules),
        space_(space),
        hosts_(hosts),
        reader_(reader),
        fetcher_(fetcher) {
    facts_.address = address;
  }

  ProbeFacts Do() {
    const std::string literal = AddressText(facts_.address);
    auto first = Get(Root(literal));
    if (!first) {
      facts_.outcome = OutcomeOf(first.error());
      return facts_;
    }
    facts_.status = first->status;
    std::string host = UrlHost(first->url);
    if (first->status == 401 || first->status == 403) {
      facts_.outcome = ProbeOutcome::kLogin;
    } else if (first->status != 200) {
      facts_.outcome = ProbeOutcome::kNoPage;
    } else if (host != literal && !IsHere(host)) {
      facts_.outcome = ProbeOutcome::kElsewhere;
    } else {
      facts_.outcome = ProbeOutcome::kServer;
      seen_.insert(host);
      AddSite(host, *std::move(first));
      AddNamedSites();
    }
    return facts_;
  }

 private:
  std::string Root(const std::string& host) const {
    return NormaliseUrl("http://" + host + ":" + std::to_string(rules_.port) +
                        "/");
  }
  Result<FetchResponse> Get(const std::string& url) {
    ++facts_.requests;
    return fetcher_->Get(url);
  }
  // The name has this address, and no address that must not be asked.
  bool IsHere(const std::string& name) const {
    const auto& addresses = hosts_.AddressesOf(name);
    return std::binary_search(addresses.begin(), addresses.end(),
                              facts_.address) &&
           std::all_of(addresses.begin(), addresses.end(),
                       [&](uint32_t a) { return space_.Contains(a); });
  }

  // Addresses of the name through which a draw can meet the site.
  uint32_t AnsweringAddresses(const std::string& name) {
    const auto& addresses = hosts_.AddressesOf(name);
    uint32_t answering = 1;  // this one
    for (size_t i = 0; i < std::min(addresses.size(), kMostAddresses); ++i) {
      if (addresses[i] == facts_.address) continue;
      const auto response = Get(Root(AddressText(addresses[i])));
      answering += response && response->status == 200;
    }
    return answering;
  }

  void AddNamedSites() {
    while (!names_.empty() && facts_.sites.size() < rules_.max_sites) {
      const std::string name = names_.front();
      names_.pop_front();
      auto first = Get(Root(name));
      if (!first || first->status != 200 || UrlHost(first->url) != name)
        continue;
      AddSite(name, *std::move(first));
    }
  }

  // `first`: the first page. A site that is there under another host gives that
  // its name.
  void AddSite(const std::string& host, FetchResponse first) {
    SiteFacts site;
    site.host = host;
    site.digest = ToHex(Sha256(first.body));
    for (SiteFacts& known : facts_.sites) {
      if (known.digest != site.digest) continue;
      if (ParseAddress(known.host)) {
        known.host = host;
        known.addresses = AnsweringAddresses(host);
      }
      return;
    }
    if (!ParseAddress(host)) site.addresses = AnsweringAddresses(host);
    Crawl(std::move(first), &site);
    facts_.sites.push_back(std::move(site));
  }

  // Breadth first within the origin.
  void Crawl(FetchResponse first, SiteFacts* site) {
    const std::string origin = UrlOrigin(first.url);
    std::unordered_set<std::string> known = {NormaliseUrl(first.url)};
    std::set<std::string> counted;  // pages after redirects
    std::deque<std::string> queue;
    std::optional<FetchResponse> page = std::move(first);
    const uint64_t most_requests =
        facts_.requests + 2 * rules_.max_pages + kMoreRequests;
    for (;;) {
      if (page && page->status == 200 && UrlOrigin(page->url) == origin &&
          counted.insert(NormaliseUrl(page->url)).second) {
        Follow(*page, origin, &known, &queue);
      }
      if (queue.empty()) break;
      if (counted.size() >= rules_.max_pages ||
          facts_.requests >= most_requests) {
        site->complete = false;
        break;
      }
      auto got = Get(queue.front());
      queue.pop_front();
      page = got ? std::optional(*std::move(got)) : std::nullopt;
    }
    site->pages = counted.size();
  }

  void Follow(const FetchResponse& page, const std::string& origin,
              std::unordered_set<std::string>* known,
              std::deque<std::string>* queue) {
    TextDetails details;
    details.facts = true;
    const auto text = reader_.Read(
        {page.url, page.content_type, page.body, page.date}, details);
    if (!text) return;
    std::string base = page.url;
    if (!text->base.empty()) {
      if (const auto resolved = ResolveUrl(page.url, text->base))
        base = *resolved;
    }
    const auto add = [&](const std::string& href) {
      const auto url = ResolveUrl(base, href);
      if (!url || !IsHttpUrl(*url)) return;
      if (UrlOrigin(*url) == origin) {
        // Bounded: twice what can be fetched.
        if (known->size() <= 4 * rules_.max_pages + 100 &&
            known->insert(*url).second)
          queue->push_back(*url);
        return;
      }
      const std::string host = UrlHost(*url);
      if (UrlOrigin(*url) != UrlOrigin(Root(host)) || ParseAddress(host) ||
          seen_.size() >= kMostNames || !seen_.insert(host).second)
        return;
      if (IsHere(host)) names_.push_back(host);
    };
    for (const DocumentLink& link : text->links) add(link.href);
    if (!text->canonical.empty()) add(text->canonical);
    if (!text->redirect.empty()) add(text->redirect);
  }

  const ProbeRules& rules_;
  const AddressSpace& space_;
  const HostTable& hosts_;
  const TextReader& reader_;
  Fetcher* fetcher_;
  ProbeFacts facts_;
  std::set<std::string> seen_;     // hosts looked at
  std::deque<std::string> names_;  // of this address, to be looked at
};

}  // namespace

Result<HostTable> HostTable::Parse(std::string_view text,
                                   const std::string& where) {
  HostTable table;
  uint64_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = line.substr(0, line.find('#'));
    std::optional<uint32_t> address;
    bool named = false;
    for (;;) {
      const size_t begin = line.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos) break;
      line.remove_prefix(begin);
      const size_t size = std::min(line.find_first_of(" \t\r"), line.size());
      const std::string_view word = line.substr(0, size);
      line.remove_prefix(size);
      const bool is_name = address.has_value();
      if (!is_name) {
        address = ParseAddress(word);
      } else {
        table.addresses_[ToLowerAscii(word)].push_back(*address);
        named = true;
      }
      const bool bad_name =
          is_name && (word.size() > 253 || ParseAddress(word) ||
                      word.find_first_of("=,/:@") != std::string_view::npos);
      if (!address || bad_name) {
        return Fail(ErrorCode::kCorrupt,
                    is_name ? "'" + std::string(word) + "' is no name of a host"
                            : "not an IPv4 address",
                    where + ":" + std::to_string(number),
                    "write ADDRESS NAME...");
      }
    }
    if (address && !named) {
      return Fail(ErrorCode::kCorrupt, "an address without a name",
                  where + ":" + std::to_string(number));
    }
  }
  for (auto& [name, addresses] : table.addresses_) {
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()),
                    addresses.end());
  }
  return table;
}

const std::vector<uint32_t>& HostTable::AddressesOf(
    const std::string& name) const {
  static const std::vector<uint32_t> kNone;
  const auto at = addresses_.find(name);
  return at == addresses_.end() ? kNone : at->second;
}

std::vector<std::string> HostTable::Entries(int port) const {
  std::vector<std::string> entries;
  for (const auto& [name, addresses] : addresses_) {
    std::string entry = name + ":" + std::to_string(port) + ":";
    for (size_t i = 0; i < addresses.size(); ++i)
      entry += (i > 0 ? "," : "") + AddressText(addresses[i]);
    entries.push_back(std::move(entry));
  }
  return entries;
}

ProbeFacts ProbeAddress(uint32_t address, const ProbeRules& rules,
                        const AddressSpace& space, const HostTable& hosts,
                        const TextReader& reader, Fetcher* fetcher) {
  return Probe(address, rules, space, hosts, reader, fetcher).Do();
}

}  // namespace twinset
