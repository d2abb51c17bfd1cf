// Any bytes are refused or a page; what was read is written and read the same,
// and drawn in the same bytes. No text of it can begin the part of the machine.
#include <string>
#include <string_view>

#include "report/exhibits.h"
#include "report/kept_page.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(page) {
  const auto page = twinset::KeptPage::Parse(
      std::string_view(reinterpret_cast<const char*>(data), size));
  if (!page) return 0;
  const auto again = twinset::KeptPage::Parse(page->Text());
  twinset::Require(again.has_value());
  twinset::HtmlReport report = page->Drawn();
  (void)twinset::ExhibitFiles(report.exhibits());
  const std::string html = std::move(report).Finish();
  twinset::Require(again->Drawn().Finish() == html);
  const size_t run = html.find("\n<!-- run -->\n");
  twinset::Require(run == html.npos ||
                   html.find("\n<!-- run -->\n", run + 1) == html.npos);
  return 0;
}
