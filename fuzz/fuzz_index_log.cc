// The log of an index made of any bytes gives whole frames alone; one that was
// damaged gives the first of those that were written.
#include "base/bytes.h"
#include "base/hash.h"
#include "scratch_file.h"
#include "segments/log_writer.h"
#include "store/blob_frame.h"
#include "target.h"

namespace {

constexpr uint64_t kParameters = 7;

std::string Path() { return twinset::ScratchFolder() + "/log"; }

}  // namespace

TWINSET_FUZZ_TARGET(index_log) {
  twinset::FuzzInput input(data, size);
  const bool is_any = input.Number(1) % 2 == 0;
  std::vector<std::string> written, read;
  const auto header =
      twinset::EncodeFileHeader(twinset::BlobHeader(kParameters));
  std::string bytes(header.data(), header.size());
  if (is_any) {
    bytes.append(input.Rest());
  } else {
    for (uint64_t i = 0, count = input.Number(1) % 20; i < count; ++i) {
      const size_t begin = bytes.size();
      written.emplace_back(input.Take(input.Number(1) % 40));
      twinset::AppendLE<uint64_t>(&bytes, i);
      twinset::AppendSized(&bytes, written.back());
      twinset::AppendLE<uint64_t>(
          &bytes, twinset::Hash64(std::string_view(bytes).substr(begin)));
    }
    twinset::Damage(&input, &bytes);
  }
  twinset::WriteScratch(Path(), bytes);
  std::vector<uint64_t> ends;
  const auto tail = twinset::ReadLog(
      Path(), kParameters, 0,
      [&](uint64_t, std::string_view record) -> twinset::Status {
        read.emplace_back(record);
        return {};
      },
      &ends);
  if (!tail) return 0;
  twinset::Require(ends.size() == read.size() && tail->frames == read.size());
  twinset::Require((ends.empty() ? 64 : ends.back()) + tail->torn_bytes ==
                   bytes.size());
  for (size_t i = 0; !is_any && i < std::min(read.size(), written.size()); ++i)
    twinset::Require(read[i] == written[i]);
  return 0;
}
