// Random addresses in words and tables.
#include <cmath>

#include "servers/random_ip.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

std::string WholeText(double value) {
  return NumberText(static_cast<uint64_t>(std::llround(value)));
}

html::Lead LeadOf(const RandomIpSummary& summary) {
  const std::string asked =
      NumberText(summary.probes) + " of " +
      CountText(summary.addresses, "address", "addresses") +
      " were asked, in random order, with " +
      CountText(summary.requests, "request") + ".";
  if (summary.servers.value == 0) return {"No server was found.", asked};
  return {"The networks hold about " + WholeText(summary.servers.value) +
              " servers with a public site.",
          asked};
}

html::Table EstimatesTable(const RandomIpSummary& summary) {
  html::Table table{"In all, with intervals of 95 %",
                    {{"of"}, {"estimate", true}, {"interval"}},
                    {}};
  const auto add = [&](const char* what, const NetworkEstimate& estimate) {
    table.rows.push_back({Cell::Text(what),
                          Cell{WholeText(estimate.value), true},
                          Cell::Text(estimate.no_interval.empty()
                                         ? WholeText(estimate.low) + " to " +
                                               WholeText(estimate.high)
                                         : "none: " + estimate.no_interval)});
  };
  add("servers", summary.servers);
  add("sites", summary.sites);
  add("pages", summary.pages);
  return table;
}

html::Facts SitesFacts(const PagesPerSite& pages) {
  html::Facts facts{
      {{"pages of a site, mean", FixedText(pages.mean, 1), ""},
       {"median", FixedText(pages.median, 1), ""},
       {"most", NumberText(pages.largest),
        FixedText(100 * pages.largest_share, 1) + " % of all found"}}};
  if (pages.exponent)
    facts.facts.push_back(
        {"exponent of the power law", FixedText(pages.exponent->value, 2),
         pages.exponent->high ? FixedText(*pages.exponent->low, 2) + " to " +
                                    FixedText(*pages.exponent->high, 2)
                              : ""});
  return facts;
}

}  // namespace

KeptPage RandomIpPage(const RandomIpSummary& summary) {
  KeptPage page("sample", "Random addresses");
  page.Add(LeadOf(summary));
  page.Add(SitesFacts(summary.pages_per_site));
  page.Add(EstimatesTable(summary));
  html::Table outcomes{
      "What the addresses answered", {{"answer"}, {"addresses", true}}, {}};
  for (const auto& [outcome, name] : kChoices<ProbeOutcome>)
    outcomes.rows.push_back(
        {Cell::Text(name),
         Cell::Count(summary.outcomes[static_cast<size_t>(outcome)])});
  page.Add(std::move(outcomes));
  return page;
}

}  // namespace twinset
