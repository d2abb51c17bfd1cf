#include "explain/steps_page.h"

#include <functional>
#include <utility>

#include "candidate/bands.h"
#include "candidate/laws.h"
#include "report/html_report.h"

namespace twinset {

namespace {

// How likely the method proposes a pair, by its similarity; none where it
// follows no such law.
std::function<double(double)> LawOf(const Method& method,
                                    const MethodOptions& options,
                                    const MethodParts& parts) {
  switch (method.law) {
    case CandidateLaw::kBands:
      if (parts.bands <= 0) return {};
      return [bands = parts.bands, rows = parts.rows](double s) {
        return BandRecall(s, bands, rows);
      };
    case CandidateLaw::kDistance:
      return [bits = options.bits, distance = options.distance](double s) {
        return HammingRecall(s, bits, distance);
      };
    case CandidateLaw::kGroups:
      return [groups = options.groups, size = options.group_size,
              agree = options.agree == 0 ? 2 : options.agree](double s) {
        return GroupRecall(s, groups, size, agree);
      };
    default:
      return {};
  }
}

void AddCurve(const std::function<double(double)>& law, double threshold,
              HtmlReport* page) {
  constexpr int kSteps = 100;
  html::Chart chart;
  chart.title = "How likely a pair is proposed";
  chart.description =
      "The probability that two documents become a candidate pair, by their "
      "resemblance.";
  chart.x = {"resemblance", false, 0.0, 1.0};
  chart.y = {"probability", false, 0.0, 1.0};
  html::Series series;
  series.name = "by the law of the method";
  series.marks = false;
  for (int i = 0; i <= kSteps; ++i) {
    const double similarity = static_cast<double>(i) / kSteps;
    series.points.push_back({similarity, law(similarity), 0, 0, ""});
  }
  html::Series at;
  at.name = "threshold";
  at.line = false;
  at.points.push_back({threshold, law(threshold), 0, 0, ""});
  chart.series = {std::move(series), std::move(at)};
  page->Add(chart);
}

}  // namespace

Result<std::string> StepsPage(const StepText& steps, const Method& method,
                              const MethodOptions& options) {
  HtmlReport page("The method " + method.info.name + ", step by step");
  page.Add(html::Lead{"What the method " + method.info.name +
                          " makes of these documents, step by step.",
                      "It finds " + method.info.summary + "."});
  steps.AddTo(&page);
  const bool learns = method.learns && method.learns(options);
  if (!learns) {
    TWINSET_ASSIGN(const MethodParts parts, method.make(options, nullptr));
    if (const auto law = LawOf(method, options, parts))
      AddCurve(law, options.threshold, &page);
  }
  return std::move(page).Finish();
}

}  // namespace twinset
