#include "pipeline/results/written_corpus.h"

#include <filesystem>

#include "base/file.h"
#include "store/file_identity.h"

namespace twinset {

Result<CorpusWriter> CreateWritten(const Plan& plan, const InputFile& input,
                                   bool member_per_record) {
  const std::string path = WrittenPath(plan.options, input);
  const std::string parent = std::filesystem::path(path).parent_path().string();
  TWINSET_TRY(MakeDirectories(parent));
  const auto folder = FindIdentity(plan.options.write);
  if (!folder || !IsBelow(parent, *folder)) {
    return Fail(ErrorCode::kIo, "a folder of --write was replaced meanwhile",
                parent, "run it again with another --write");
  }
  return CorpusWriter::Create(path, member_per_record);
}

Result<bool> NextRecord(Run* run, RecordReader* reader, Record* record) {
  Result<bool> more = reader->Next(record);
  if (more || more.error().code == ErrorCode::kInterrupted) return more;
  run->warnings.push_back(more.error().ToString());
  return false;
}

}  // namespace twinset
