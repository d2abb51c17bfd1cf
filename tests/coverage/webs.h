// Small webs whose truth is known, each hard for walks in a way of its own. All
// pages can be reached by links from page 0.
#ifndef TWINSET_TESTS_COVERAGE_WEBS_H_
#define TWINSET_TESTS_COVERAGE_WEBS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "web/graph.h"

namespace twinset {

struct StudiedWeb {
  std::string name;
  NamedGraph graph;
  // Each page has a number that hangs together within a host or section and
  // rises with the in-degree, as the length of pages does.
  std::vector<double> lengths;
};

// copying: new pages copy links of old ones, in-degrees follow a power law.
// hosts: 20 hosts with few links between them. manual: a book, page by page,
// hundreds of links deep. templated: 15 pages that all others link to, and long
// lists. archive: links lead on, seldom back. bow tie: a quarter is strongly
// connected, the rest hangs on it.
std::vector<StudiedWeb> StudiedWebs(uint32_t pages = 3000);

}  // namespace twinset

#endif  // TWINSET_TESTS_COVERAGE_WEBS_H_
