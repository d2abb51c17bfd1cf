// The work files that the read stage leaves, in the order of its checkpoints.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_READ_FILES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_READ_FILES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "store/blob_file.h"

namespace twinset {

namespace read_file {

// One blob a document in documents, features, and where they are used views,
// texts and judged; in pages up to the last page. One a record in the others.
enum ReadFile {
  kDocuments,
  kFeatures,
  kQuarantine,
  kRevisits,
  kViews,
  kTexts,
  kPages,
  kJudged
};

// Whole texts and layouts, with --kinds (judged_text.h).
inline constexpr char kJudgedName[] = "texts-and-layouts.blob";
inline constexpr size_t kCount = 8;
inline constexpr const char* kNames[kCount] = {
    "documents.blob", "features.blob",    "quarantine.blob", "revisits.blob",
    "views.blob",     "clean-texts.blob", "pages.blob",      kJudgedName};

// Them and their indexes.
inline std::vector<std::string> AllFiles() {
  std::vector<std::string> files;
  for (const char* name : kNames) {
    files.push_back(name);
    files.push_back(std::string(name) + ".idx");
  }
  return files;
}

}  // namespace read_file

// Those of one run, by ReadFile.
using ReadOutputs = std::vector<BlobWriter>;

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_READ_FILES_H_
