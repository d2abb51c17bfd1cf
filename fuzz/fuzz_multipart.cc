// Forms of any bytes are taken apart: what is found stands in the body, apart
// from each other and in order.
#include <string>

#include "scratch_file.h"
#include "server/multipart.h"
#include "target.h"

TWINSET_FUZZ_TARGET(multipart) {
  twinset::FuzzInput input(data, size);
  const size_t length = input.Number(1) % 80;
  const std::string body(input.Rest());
  const std::string type =
      "multipart/form-data; boundary=" + body.substr(0, length);
  const auto parts = twinset::server::ParseMultipart(type, body);
  if (!parts) return 0;
  const char* end = body.data();
  for (const twinset::server::FormPart& part : *parts) {
    twinset::Require(part.content.data() >= end);
    end = part.content.data() + part.content.size();
    twinset::Require(end <= body.data() + body.size());
    twinset::Require(part.name.size() <= body.size());
  }
  return 0;
}
