// Any file is refused or a sample; what was read is written back and read the
// same. So too the tables of the estimators, CSV or JSON lines.
#include <vector>

#include "sample/sample_rows.h"
#include "scratch_file.h"
#include "survey/estimate_rows.h"
#include "target.h"

namespace {

struct Sample {
  twinset::SampleHeader header;
  std::vector<twinset::SampleRow> rows;
};

bool Read(const std::string& path, Sample* sample) {
  const auto header = twinset::ReadSample(path, [&](twinset::SampleRow row) {
    twinset::Require(row.weight > 0);
    sample->rows.push_back(std::move(row));
    return twinset::Status();
  });
  if (header) sample->header = *header;
  return header.has_value();
}

std::string Write(const Sample& sample) {
  std::string text = twinset::SampleHeaderLine(sample.header);
  for (const auto& row : sample.rows) text += twinset::SampleRowLine(row);
  return text;
}

}  // namespace

TWINSET_FUZZ_TARGET(sample_rows) {
  static const std::string path = twinset::ScratchFolder() + "/sample";
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  twinset::WriteScratch(path, bytes);
  Sample first;
  if (Read(path, &first)) {
    const std::string text = Write(first);
    twinset::WriteScratch(path, text);
    Sample second;
    twinset::Require(Read(path, &second));
    twinset::Require(Write(second) == text);
    twinset::WriteScratch(path, bytes);
  }
  twinset::EstimateOptions options;
  options.inputs = {path};
  (void)twinset::ReadTable(
      options, 0, [](const twinset::SampleRow& row, const std::string& where) {
        (void)twinset::CountField(row, "n", where);
        (void)twinset::TextField(row, "x");
        return twinset::Status();
      });
  return 0;
}
