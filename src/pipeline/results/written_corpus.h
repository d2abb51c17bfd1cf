// What the write stages share: where files go, and reading the inputs again.
#ifndef TWINSET_SRC_PIPELINE_RESULTS_WRITTEN_CORPUS_H_
#define TWINSET_SRC_PIPELINE_RESULTS_WRITTEN_CORPUS_H_

#include "pipeline/run/run.h"
#include "read/reader.h"
#include "report/corpus_writer.h"

namespace twinset {

// The file of --write that stands for `input`, begun, with its folders. kIo if
// one of these has become a link that leads out of --write.
Result<CorpusWriter> CreateWritten(const Plan& plan, const InputFile& input,
                                   bool member_per_record);

// The next record of an input that is read again; false at its end. An input
// that breaks off where it broke off before ends there, with a warning.
Result<bool> NextRecord(Run* run, RecordReader* reader, Record* record);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_RESULTS_WRITTEN_CORPUS_H_
