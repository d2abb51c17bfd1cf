// A form that is sent in parts (multipart/form-data, RFC 7578), taken apart.
// Bytes of clients; nothing is trusted.
#ifndef TWINSET_APPS_SERVER_MULTIPART_H_
#define TWINSET_APPS_SERVER_MULTIPART_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twinset::server {

struct FormPart {
  std::string name;
  std::optional<std::string> file;  // the name of a file, which may be empty
  std::string_view content;         // a piece of the body
};

// The parts in their order; nothing for a body that is no such form: no
// boundary, a part that does not end, one without a name, more than 16 of them.
// `type`: the Content-Type of the body. The parts live as long as the body.
// Linear time.
std::optional<std::vector<FormPart>> ParseMultipart(std::string_view type,
                                                    std::string_view body);
// The first part of this name; null when there is none.
const FormPart* FindPart(const std::vector<FormPart>& parts,
                         std::string_view name);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_MULTIPART_H_
