// Any line is a reply of a program or is refused; what was read is within its
// bounds.
#include "engine/pipe_protocol.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(engine_pipe) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  (void)twinset::HelloRequest(1, line);
  const auto reply = twinset::ParseReply(line, 1);
  if (!reply) return 0;
  if (const auto error = twinset::ReportedError(*reply)) {
    twinset::Require(!error->message.empty());
    return 0;
  }
  (void)twinset::HelloOf(*reply);
  if (const auto answer = twinset::AnswerOf(*reply, 3))
    twinset::Require(answer->urls.size() <= 3);
  if (const auto page = twinset::PageOf(*reply))
    twinset::Require(!page->url.empty());
  if (const auto response = twinset::ResponseOf(*reply))
    twinset::Require(response->status >= 0 && response->status <= 999);
  if (const auto body = twinset::BodyBytesOf(*reply, 1000))
    twinset::Require(*body <= 1000);
  (void)twinset::AddedOf(*reply);
  return 0;
}
