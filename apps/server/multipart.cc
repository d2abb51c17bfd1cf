#include "server/multipart.h"

#include <algorithm>
#include <utility>

#include "server/request_parts.h"

namespace twinset::server {
namespace {

constexpr size_t kMostParts = 16;
constexpr size_t kMostBoundary = 70;  // RFC 2046
constexpr std::string_view kLineEnd = "\r\n";

// The value of a parameter of a header, with or without quotes: of
// `form-data; name="a"` that of `name` is a. Nothing where there is none.
std::optional<std::string_view> ParameterOf(std::string_view header,
                                            std::string_view name) {
  for (size_t at = header.find(';'); at != header.npos;) {
    size_t begin = at + 1;
    while (begin < header.size() &&
           (header[begin] == ' ' || header[begin] == '\t'))
      ++begin;
    const size_t sign = header.find_first_of("=;", begin);
    if (sign == header.npos) return {};
    const bool is_it = header[sign] == '=' &&
                       MediaType(header.substr(begin, sign - begin)) == name;
    std::string_view value;
    if (header[sign] == ';') {
      at = sign;
    } else if (sign + 1 < header.size() && header[sign + 1] == '"') {
      const size_t end = header.find('"', sign + 2);
      if (end == header.npos) return {};
      value = header.substr(sign + 2, end - sign - 2);
      at = header.find(';', end);
    } else {
      at = header.find(';', sign);
      value = header.substr(sign + 1, at == header.npos ? at : at - sign - 1);
    }
    if (is_it) return value;
  }
  return {};
}

// Browsers write a quote and line ends of a name as %22, %0D and %0A, and
// nothing else.
std::string NameOf(std::string_view written) {
  std::string name;
  for (size_t i = 0; i < written.size(); ++i) {
    const std::string_view escape = written.substr(i, 3);
    const char meant = escape == "%22"   ? '"'
                       : escape == "%0D" ? '\r'
                       : escape == "%0A" ? '\n'
                                         : '\0';
    name += meant == '\0' ? written[i] : meant;
    if (meant != '\0') i += 2;
  }
  return name;
}

// The part whose headers stand in `head`; nothing without a name.
std::optional<FormPart> PartOf(std::string_view head,
                               std::string_view content) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find(kLineEnd));
    head.remove_prefix(std::min(head.size(), line.size() + kLineEnd.size()));
    const size_t colon = line.find(':');
    if (colon == line.npos ||
        MediaType(line.substr(0, colon)) != "content-disposition")
      continue;
    const auto name = ParameterOf(line, "name");
    if (!name || MediaType(line.substr(colon + 1)) != "form-data") return {};
    FormPart part{NameOf(*name), {}, content};
    if (const auto file = ParameterOf(line, "filename"))
      part.file = NameOf(*file);
    return part;
  }
  return {};
}

}  // namespace

std::optional<std::vector<FormPart>> ParseMultipart(std::string_view type,
                                                    std::string_view body) {
  const auto boundary = ParameterOf(type, "boundary");
  if (MediaType(type) != "multipart/form-data" || !boundary ||
      boundary->empty() || boundary->size() > kMostBoundary)
    return {};
  const std::string line = "--" + std::string(*boundary);
  const std::string between = std::string(kLineEnd) + line;
  // What stands in front of the first boundary says nothing.
  size_t at = line.size();
  if (body.substr(0, line.size()) != line) {
    at = body.find(between);
    if (at == body.npos) return {};
    at += between.size();
  }
  std::vector<FormPart> parts;
  while (body.substr(at, 2) != "--") {
    if (body.substr(at, kLineEnd.size()) != kLineEnd) return {};
    const size_t end = body.find(between, at);
    if (end == body.npos || parts.size() == kMostParts) return {};
    const std::string_view part = body.substr(at, end - at);
    const size_t head = part.find("\r\n\r\n");
    if (head == part.npos) return {};
    auto made =
        PartOf(head == 0 ? std::string_view()
                         : part.substr(kLineEnd.size(), head - kLineEnd.size()),
               part.substr(head + 2 * kLineEnd.size()));
    if (!made) return {};
    parts.push_back(std::move(*made));
    at = end + between.size();
  }
  return parts;
}

const FormPart* FindPart(const std::vector<FormPart>& parts,
                         std::string_view name) {
  const auto at =
      std::find_if(parts.begin(), parts.end(),
                   [&](const FormPart& part) { return part.name == name; });
  return at == parts.end() ? nullptr : &*at;
}

}  // namespace twinset::server
