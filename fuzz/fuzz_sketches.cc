// A file of sketches made of any bytes is refused or read, and what is read
// comes back from what is written of it; bytes with good checks reach the
// parser of rows behind them.
#include "base/bytes.h"
#include "base/hash.h"
#include "scratch_file.h"
#include "target.h"
#include "twinset/sketches.h"

namespace {

// A file whose checksums fit: a head, and one block of these bytes.
std::string WithChecks(std::string_view json, uint32_t rows,
                       std::string_view payload, uint64_t count) {
  std::string file("twinskt\n\1\0\0\0", 12);
  twinset::AppendSized(&file, json);
  twinset::AppendLE<uint64_t>(&file, twinset::Hash64(file));
  std::string block;
  twinset::AppendLE<uint64_t>(&block, rows);
  twinset::AppendLE<uint64_t>(&block, payload.size());
  block += payload;
  twinset::AppendLE<uint64_t>(&block, twinset::Hash64(block, 0));
  std::string end(8, '\0');
  twinset::AppendLE<uint64_t>(&end, count);
  twinset::AppendLE<uint64_t>(&end, twinset::Hash64(end, 1));
  return file + block + end;
}

}  // namespace

TWINSET_FUZZ_TARGET(sketches) {
  twinset::FuzzInput input(data, size);
  const uint64_t how = input.Number(1);
  const std::string path = twinset::ScratchFolder() + "/a.sketches";
  if (how % 2 == 0) {
    twinset::WriteScratch(path, input.Rest());
  } else {
    const auto rows = static_cast<uint32_t>(input.Number(1));
    const bool has_ids = how % 4 == 1;
    twinset::WriteScratch(
        path, WithChecks(has_ids ? R"({"parameters":{"a":"b"},"ids":true})"
                                 : R"({"parameters":{},"ids":false})",
                         rows, input.Rest(), rows));
  }
  const auto read = twinset::ReadSketches(path);
  if (!read) return 0;
  twinset::Require(read->sketches.offsets.back() ==
                   read->sketches.values.size());
  twinset::Require(read->ids.empty() ||
                   read->ids.size() == read->sketches.size());
  twinset::Require(twinset::WriteSketches(path, *read).has_value());
  const auto again = twinset::ReadSketches(path);
  twinset::Require(again && again->parameters == read->parameters &&
                   again->ids == read->ids &&
                   again->sketches.values == read->sketches.values &&
                   again->sketches.offsets == read->sketches.offsets);
  return 0;
}
