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
  // Who forbids everything forbids all but robots.txt itself.
  const std::string target = "http://a/" + url + "x";
  const bool is_robots =
      target.substr(0, target.find('#')) == "http://a/robots.txt";
  twinset::Require(twinset::RobotsAllow(twinset::RobotsRules{{"/", false}},
                                        target) == is_robots);
  return 0;
}
