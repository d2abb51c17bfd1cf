// Any reply of a helper, a line and what follows it, is refused or gives rows
// that are one line each.
#include "base/process/pipe_reply.h"
#include "read/table/table_batch.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(table_batch) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(bytes.find('\n'), bytes.size());
  const auto reply = twinset::ParseReply(bytes.substr(0, end), 1);
  if (!reply) return 0;
  std::string body(bytes.substr(std::min(end + 1, bytes.size())));
  const auto batch = twinset::TableBatch::Make(*reply, std::move(body));
  if (!batch) return 0;
  std::string line;
  for (size_t i = 0; i < std::min<size_t>(batch->rows(), 100); ++i) {
    line.clear();
    batch->AppendRow(i, &line);
    twinset::Require(line.starts_with('{') && line.ends_with('}'));
    twinset::Require(line.find('\n') == line.npos);
    (void)batch->TooLarge(i);
  }
  return 0;
}
