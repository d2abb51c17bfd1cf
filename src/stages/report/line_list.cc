#include "report/line_list.h"

#include <utility>

#include "twinset/plain_words.h"

namespace twinset {

Result<LineList> LineList::Create(const std::string& path) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  return LineList(std::move(file), path);
}

Status LineList::Add(std::string_view entry) {
  if (entry.find_first_of("\n\r") != std::string_view::npos) {
    return Fail(ErrorCode::kCorrupt,
                "an entry of the list holds a line end: " + NameText(entry),
                path_, "leave it out of the inputs");
  }
  line_.assign(entry) += '\n';
  return file_.Write(line_);
}

}  // namespace twinset
