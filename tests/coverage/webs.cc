#include "coverage/webs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "estimate/bootstrap.h"

namespace twinset {

namespace {

class WebMaker {
 public:
  WebMaker(uint32_t pages, uint64_t seed)
      : random_(seed), pages_(pages), regions_(pages) {}

  uint32_t Below(uint32_t bound) {
    return static_cast<uint32_t>(random_.Below(bound));
  }
  bool Chance(double p) { return UniformDraw(&random_) < p; }
  void Link(uint32_t from, uint32_t to) {
    if (from != to) arcs_.emplace_back(from, to);
  }
  void Both(uint32_t a, uint32_t b) {
    Link(a, b);
    Link(b, a);
  }
  uint32_t& Region(uint32_t page) { return regions_[page]; }

  StudiedWeb Finish(std::string name) {
    StudiedWeb web;
    web.name = std::move(name);
    web.graph.graph = *Graph::FromArcs(pages_, std::move(arcs_));
    std::vector<double> bases;
    for (uint32_t page = 0; page < pages_; ++page) {
      while (bases.size() <= regions_[page])
        bases.push_back(200 + 800 * UniformDraw(&random_));
      const auto in = std::min<size_t>(10, web.graph.graph.In(page).size());
      web.lengths.push_back(static_cast<double>(static_cast<int>(
          bases[regions_[page]] * (0.5 + UniformDraw(&random_)) +
          40 * static_cast<double>(in))));
      web.graph.urls.push_back("http://h" + std::to_string(regions_[page]) +
                               ".example/" + std::to_string(page));
    }
    return web;
  }

 private:
  SplitMix64 random_;
  uint32_t pages_;
  std::vector<uint32_t> regions_;
  std::vector<std::pair<uint32_t, uint32_t>> arcs_;
};

StudiedWeb Copying(uint32_t pages) {
  WebMaker web(pages, 1);
  std::vector<std::vector<uint32_t>> out(pages);
  for (uint32_t u = 1; u < pages; ++u) {
    const uint32_t model = web.Below(u);
    web.Region(u) = u < 30 ? u : web.Region(model);
    web.Link(model, u);
    out[model].push_back(u);
    for (uint32_t links = 1 + web.Below(6); links > 0; --links) {
      const bool copy = web.Chance(0.7) && !out[model].empty();
      const uint32_t to =
          copy ? out[model][web.Below(static_cast<uint32_t>(out[model].size()))]
               : web.Below(u);
      if (to == u) continue;
      web.Link(u, to);
      out[u].push_back(to);
    }
  }
  return web.Finish("copying");
}

StudiedWeb Hosts(uint32_t pages) {
  constexpr uint32_t kHosts = 20;
  WebMaker web(pages, 2);
  const uint32_t each = pages / kHosts;
  for (uint32_t u = 0; u < pages; ++u) {
    const uint32_t host = u / each, home = host * each, place = u - home;
    web.Region(u) = host;
    if (place == 0) continue;
    web.Link(home + web.Below(place), u);
    web.Link(u, home);
    for (uint32_t links = web.Below(5); links > 0; --links)
      web.Link(u, home + std::min(web.Below(place), web.Below(place)));
  }
  for (uint32_t host = 0; host < kHosts; ++host) {
    web.Link(host * each + web.Below(each), (host + 1) % kHosts * each);
    web.Link(host * each + web.Below(each),
             (host + kHosts - 1) % kHosts * each);
    for (int links = 0; links < 3; ++links)
      web.Link(host * each + web.Below(each), web.Below(pages));
  }
  return web.Finish("hosts");
}

StudiedWeb Manual(uint32_t pages) {
  constexpr uint32_t kChapter = 50;
  WebMaker web(pages, 3);
  for (uint32_t u = 1; u < pages; ++u) {
    const uint32_t chapter = u / kChapter * kChapter;
    web.Region(u) = u / kChapter;
    web.Both(u - 1, u);
    web.Link(u, chapter);
    if (u == chapter) web.Link(u, chapter - kChapter);
    if (u == chapter && web.Chance(0.2)) web.Link(0, u);
    if (web.Chance(0.1)) web.Link(u, web.Below(pages));
  }
  return web.Finish("manual");
}

StudiedWeb Templated(uint32_t pages) {
  constexpr uint32_t kNavigation = 15, kSections = 40, kList = 20;
  WebMaker web(pages, 4);
  const uint32_t each = (pages - kNavigation) / kSections;
  for (uint32_t u = kNavigation; u < pages; ++u) {
    const uint32_t section = std::min((u - kNavigation) / each, kSections - 1);
    const uint32_t first = kNavigation + section * each;
    // A list of 20 items, then the next list of the section.
    const uint32_t list = first + (u - first) / (kList + 1) * (kList + 1);
    web.Region(u) = section + 1;
    if (u == first) {
      web.Link(section % kNavigation, u);
    } else if (u == list) {
      web.Both(list - kList - 1, u);
    } else {
      web.Both(list, u);
      if (u > list + 1 && web.Chance(0.5))
        web.Link(u, list + 1 + web.Below(u - list - 1));
    }
  }
  for (uint32_t u = 0; u < pages; ++u)
    for (uint32_t page = 0; page < kNavigation; ++page) web.Link(u, page);
  return web.Finish("templated");
}

StudiedWeb Archive(uint32_t pages) {
  WebMaker web(pages, 5);
  for (uint32_t u = 1; u < pages; ++u) {
    web.Region(u) = u / 150;
    web.Link(u < 20 ? 0 : u - 1 - web.Below(std::min<uint32_t>(u - 1, 60)), u);
    for (uint32_t links = web.Below(4); links > 0; --links) {
      const uint32_t to = u + 1 + web.Below(100);
      if (to < pages) web.Link(u, to);
    }
    if (web.Chance(0.15)) web.Link(u, 0);
    if (web.Chance(0.1)) web.Link(u, web.Below(u));
  }
  return web.Finish("archive");
}

StudiedWeb BowTied(uint32_t pages) {
  WebMaker web(pages, 6);
  const uint32_t core = pages / 4;
  for (uint32_t u = 1; u < core; ++u) {
    const uint32_t parent = web.Below(u);
    web.Region(u) = u < 12 ? u : web.Region(parent);
    web.Both(parent, u);
    if (web.Chance(0.5))
      web.Link(u, std::min(web.Below(core), web.Below(core)));
  }
  for (uint32_t u = core; u < pages; ++u) {
    const bool from_core = u == core || web.Chance(0.6);
    const uint32_t parent = from_core
                                ? std::min(web.Below(core), web.Below(core))
                                : core + web.Below(u - core);
    web.Region(u) = web.Region(parent);
    web.Link(parent, u);
    if (web.Chance(0.3)) web.Link(u, core + web.Below(u - core + 1));
  }
  return web.Finish("bow tie");
}

}  // namespace

std::vector<StudiedWeb> StudiedWebs(uint32_t pages) {
  std::vector<StudiedWeb> webs;
  webs.push_back(Copying(pages));
  webs.push_back(Hosts(pages));
  webs.push_back(Manual(pages * 2 / 3));
  webs.push_back(Templated(pages));
  webs.push_back(Archive(pages * 5 / 6));
  webs.push_back(BowTied(pages));
  return webs;
}

}  // namespace twinset
