// Which fields the rows of files have.
#ifndef TWINSET_FIELDS_H_
#define TWINSET_FIELDS_H_

#include <string>
#include <vector>

namespace twinset::inline v1 {

// Names of the fields of the first rows of files of JSON lines, CSV or TSV,
// plain or compressed, in the order in which they come; paths, with dots, of
// those in objects. What is no regular file, cannot be read or has no rows adds
// none. It reads the beginning of the first few files; a folder stands for what
// is in it.
std::vector<std::string> FieldNamesOfFiles(
    const std::vector<std::string>& paths);

}  // namespace twinset::inline v1

#endif  // TWINSET_FIELDS_H_
