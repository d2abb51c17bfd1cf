// Files with one id, address or term per line.
#ifndef TWINSET_SRC_STAGES_REPORT_LINE_LIST_H_
#define TWINSET_SRC_STAGES_REPORT_LINE_LIST_H_

#include <string>
#include <string_view>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// Writes such a file: whoever reads its lines gets what was added, nothing
// else. Not thread-safe.
class LineList {
 public:
  static Result<LineList> Create(const std::string& path);
  // kCorrupt for an entry with a line end in it, which would be several
  // entries; who hands entries over has replaced such ones before and told so.
  Status Add(std::string_view entry);
  Status Commit() { return file_.Commit(); }

 private:
  LineList(OutputFile file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}
  OutputFile file_;
  std::string path_;
  std::string line_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_LINE_LIST_H_
