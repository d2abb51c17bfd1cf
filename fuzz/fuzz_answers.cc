// A file of answers, a description of an engine or a single answer made of any
// bytes is refused or read; what was read is written back the same.
#include <string>

#include "base/bytes.h"
#include "base/hash.h"
#include "engine/answer_json.h"
#include "engine/answer_log.h"
#include "engine/engine_folder.h"
#include "engine/open_engine.h"
#include "scratch_file.h"
#include "target.h"

namespace {

using twinset::FuzzInput;
using twinset::Require;

// Each line with the checksum that belongs to it.
std::string Sealed(std::string_view lines) {
  std::string sealed;
  uint64_t check = 0;
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    std::string line(lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    if (!line.empty() && line.back() == '}') line.pop_back();
    check = twinset::Hash64(line, check);
    sealed += line + ",\"check\":\"" + twinset::ToHex(check) + "\"}\n";
  }
  return sealed;
}

void ReadLog(const std::string& bytes) {
  const std::string path = twinset::ScratchFolder() + "/answers.jsonl";
  twinset::WriteScratch(path, bytes);
  auto log = twinset::AnswerLog::OpenRead(path);
  if (!log) return;
  const auto engine = twinset::MakeReplayed(*std::move(log));
  (void)engine->Info();
  for (int i = 0; i < 3; ++i) {
    (void)engine->Query({{"red"}, true, 10});
    (void)engine->Fetch("http://a/");
  }
}

void ReadAnswer(std::string_view text) {
  bool broken = false;
  const auto answer = twinset::ParseAnswer(text, &broken);
  if (!broken) {
    const auto again =
        twinset::ParseAnswer(twinset::AnswerText(answer), &broken);
    Require(!broken && again.has_value() == answer.has_value());
    if (answer) Require(*again == *answer);
  }
  broken = false;
  const auto page = twinset::ParsePage(text, &broken);
  if (broken) return;
  const auto again = twinset::ParsePage(twinset::AnswerText(page), &broken);
  Require(!broken && again.has_value() == page.has_value());
  if (page) Require(*again == *page);
}

void ReadDescription(std::string_view text) {
  const auto description = twinset::ParseEngineJson(text, "engine.json");
  if (!description) return;
  (void)twinset::PipeOptionsOf(*description, {});
  const auto again =
      twinset::ParseEngineJson(description->Bytes(), "engine.json");
  Require(again && again->checksum == description->checksum);
}

}  // namespace

TWINSET_FUZZ_TARGET(answers) {
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 4;
  const std::string bytes(input.Rest());
  if (mode == 0) ReadLog(bytes);
  if (mode == 1) ReadLog(Sealed(bytes));
  if (mode == 2) ReadAnswer(bytes);
  if (mode == 3) ReadDescription(bytes);
  return 0;
}
