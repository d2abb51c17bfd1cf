// The live web, page by page (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_LIVE_SOURCE_H_
#define TWINSET_SRC_MEASURE_WEB_LIVE_SOURCE_H_

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "documents/page_text.h"
#include "engine/engine.h"
#include "net/fetcher.h"
#include "net/page_links.h"
#include "web/link_source.h"

namespace twinset {

struct LiveOptions {
  std::vector<std::string> scope;  // prefixes of normalised addresses
  uint64_t max_pages = 1000;       // requests
  // For addresses and links; beyond it a walk ends early. 0: no limit.
  uint64_t memory_bytes = 0;
  LinkRules links;
  // Addresses of pages known to link to one, as an engine knows them; empty:
  // those that were read themselves and link there.
  std::function<Result<std::vector<std::string>>(const std::string& url)>
      back_links;
};

// One of the prefixes begins the address.
bool InScope(const std::vector<std::string>& scope, const std::string& url);

struct LiveCounts {
  uint64_t requests = 0;      // pages asked for
  uint64_t pages = 0;         // read, with their links
  uint64_t redirects = 0;     // addresses that lead to another one
  uint64_t not_pages = 0;     // answers that are no text
  uint64_t refused = 0;       // statuses other than success
  uint64_t failures = 0;      // no answer
  uint64_t out_of_scope = 0;  // links that were not followed
  uint64_t longest_url = 0;
  uint64_t left_out = 0;  // links beyond the memory
  LinkCounts links;
};

// Each page is asked for once. An address that redirects is a page with one
// link, to where it leads; what is outside the scope is not asked for. OutLinks
// of a page beyond the budget of pages or memory is kInterrupted with the
// reason. What is no page of text (images, archives) has no links.
class LiveSource : public LinkSource {
 public:
  LiveSource(std::unique_ptr<Fetcher> fetcher, TextReader reader,
             LiveOptions options)
      : fetcher_(std::move(fetcher)),
        reader_(std::move(reader)),
        options_(std::move(options)) {}

  // The node of an address within the scope; kUsage for others.
  Result<NodeId> Find(const std::string& url);

  Result<std::vector<NodeId>> OutLinks(NodeId node) override;
  Result<std::vector<NodeId>> BackLinks(NodeId node) override;
  std::string Url(NodeId node) const override {
    return node < urls_.size() ? *urls_[node] : "";
  }
  uint64_t nodes() const override { return urls_.size(); }
  bool complete() const override { return false; }

  // Requests for pages in all, from now on.
  void Allow(uint64_t pages) { options_.max_pages = pages; }

  const LiveCounts& counts() const { return counts_; }

 private:
  struct Page {
    bool asked = false;
    std::unique_ptr<Error> error;  // why it could not be read
    std::vector<NodeId> links;
    std::vector<NodeId> seen_from;  // pages read that link here
  };

  NodeId Add(const std::string& url);
  bool Full() const {
    return options_.memory_bytes != 0 && held_bytes_ > options_.memory_bytes;
  }
  void Ask(NodeId node);
  Result<std::vector<std::string>> Targets(const std::string& url);

  std::unique_ptr<Fetcher> fetcher_;
  TextReader reader_;
  LiveOptions options_;
  LiveCounts counts_;
  std::unordered_map<std::string, NodeId> numbers_;
  std::vector<const std::string*> urls_;  // keys of numbers_
  std::vector<Page> pages_;
  uint64_t held_bytes_ = 0;  // estimate of what the members above take
};

// Asks an engine that answers `link:ADDRESS`, one question per page. The engine
// outlives the function.
std::function<Result<std::vector<std::string>>(const std::string& url)>
BackLinksOf(Engine* engine, uint32_t limit);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_LIVE_SOURCE_H_
