// Which fields the rows of files have.
#ifndef TWINSET_FIELDS_H_
#define TWINSET_FIELDS_H_

#include <string>
#include <vector>

namespace twinset {
inline namespace v1 {

// Names of the fields of the first rows of files of JSON lines, CSV or TSV,
// plain or compressed, in the order in which they come. A field inside an
// object is named by its path, with dots. A path that is no regular file,
// cannot be read or has no rows adds no names. The function reads the beginning
// of the first few files; a folder stands for its files.
std::vector<std::string> FieldNamesOfFiles(
    const std::vector<std::string>& paths);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_FIELDS_H_
