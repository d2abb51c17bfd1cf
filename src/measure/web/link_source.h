// A web of pages and links as a walk sees it: one page at a time, found out
// when it is asked for (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_LINK_SOURCE_H_
#define TWINSET_SRC_MEASURE_WEB_LINK_SOURCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// Dense numbers in order of discovery (live webs) or of the file (graphs).
using NodeId = uint64_t;

// Not thread-safe. Errors are of the one page (kUnavailable, kNotFound); a walk
// counts them and goes on.
class LinkSource {
 public:
  virtual ~LinkSource() = default;
  // Distinct targets of the links of a page, itself left out, ascending for
  // graphs and in page order for live webs.
  virtual Result<std::vector<NodeId>> OutLinks(NodeId node) = 0;
  // Pages known to link here: what an index answers to `link:`, perhaps not all
  // of them. Empty when there is no such index.
  virtual Result<std::vector<NodeId>> BackLinks(NodeId node) = 0;
  virtual std::string Url(NodeId node) const = 0;
  // The number of nodes; on a live web, of those known so far.
  virtual uint64_t nodes() const = 0;
  // True when nodes() is all there are.
  virtual bool complete() const = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_LINK_SOURCE_H_
