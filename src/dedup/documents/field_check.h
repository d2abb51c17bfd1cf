// Names of fields that flags ask for, held against those that documents have.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_CHECK_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_CHECK_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "documents/read_outcome.h"
#include "read/reader.h"
#include "twinset/error.h"

namespace twinset {

// A field that is not the one a flag stands at, and how many documents have it.
struct AskedField {
  std::string flag;  // "--id-field"
  std::string name;
  uint64_t present = 0;
};

// The fields for id, address and date that `read` names otherwise than any of
// `usual` (what nobody asked for by name, as that of a preset), in this order.
// `present`: how many documents have each. `prefix`: "--" or "--against-".
std::vector<AskedField> AskedRowFields(const ReadOptions& read,
                                       const std::vector<ReadOptions>& usual,
                                       const std::string& prefix,
                                       const std::array<uint64_t, 3>& present);
// What names `input` has without being asked: the defaults, and its preset's.
std::vector<ReadOptions> UsualNames(std::optional<FieldPreset> preset);

// Paths of the first rows of these inputs, as far as there are rows: for
// messages. Standard input cannot be looked at again.
std::vector<std::string> FieldNamesOf(const InputList& inputs, size_t begin,
                                      size_t end, const ReadOptions& options);

// kUsage for the first of `fields` that none of `documents` has: what the rows
// `have`, and which of them may be meant. `whose`: "document", "document of A".
Status CheckAskedFields(const std::vector<AskedField>& fields,
                        uint64_t documents, std::string_view whose,
                        const std::vector<std::string>& have);

// kUsage: no record has the field of its text.
tl::unexpected<Error> NoTextField(const ReadOptions& read,
                                  const std::vector<std::string>& have);

// What the rows have, for the remedy of an error: "did you mean 'text'? the
// rows have id, text".
std::string FieldsText(std::string_view field,
                       const std::vector<std::string>& have);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_FIELD_CHECK_H_
