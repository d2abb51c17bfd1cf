// Any bytes are a robots.txt, and any bytes an address to judge by it.
#include "net/robots.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(robots) {
  twinset::FuzzInput input(data, size);
  const std::string url(input.Take(input.Number(1)));
  const std::string_view text = input.Rest();
  const auto rules = twinset::ParseRobots(text, "twinset/1");
  (void)twinset::RobotsAllow(rules, url);
  // A group for nobody else changes nothing.
  twinset::Require(twinset::ParseRobots(text, "") ==
                   twinset::ParseRobots(text, "12"));
  twinset::Require(!twinset::RobotsAllow(twinset::RobotsRules{{"/", false}},
                                         "http://a/" + url + "x"));
  return 0;
}
