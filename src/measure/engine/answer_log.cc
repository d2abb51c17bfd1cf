#include "engine/answer_log.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/keyed_hash.h"
#include "store/result_file.h"
#include "store/stored_lines.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr char kMagic[] = "twinset-answers";
constexpr int kLogVersion = 1;
constexpr char kRemedy[] = "move the file away to ask anew";
constexpr uint64_t kMostLine = 256 << 20;

// The end of each line: ,"check":"0123456789abcdef"}
constexpr std::string_view kCheckBegin = ",\"check\":\"";
constexpr size_t kCheckBytes = kCheckBegin.size() + 16 + 2;

Hash128Value KeyOf(const std::string& question) {
  return EqualityHash::OfProcess().Long(question);
}

uint64_t Number(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_unsigned()
             ? found->get<uint64_t>()
             : 0;
}

Json HeaderJson(const AnswersOf& of) {
  return {{"magic", kMagic},
          {"version", kLogVersion},
          {"engine", of.engine},
          {"parameters", of.parameters},
          {"name", of.info.name},
          {"type", of.info.type},
          {"max_results", of.info.max_results},
          {"max_terms", of.info.max_terms},
          {"documents", of.info.documents}};
}

Result<AnswersOf> ParseHeader(std::string_view line, const std::string& path) {
  const Json json = Json::Parse(line);
  if (!json.is_object() || json.value("magic", "") != kMagic) {
    return Fail(ErrorCode::kCorrupt, "not a file of answers", path,
                "give a file that --record wrote");
  }
  if (Number(json, "version") != kLogVersion) {
    return Fail(ErrorCode::kUnsupported, "answers of another version", path,
                kRemedy);
  }
  AnswersOf of;
  of.engine = json.value("engine", "");
  of.parameters = json.value("parameters", "");
  of.info.name = json.value("name", "");
  of.info.type = json.value("type", "");
  of.info.max_results = static_cast<uint32_t>(Number(json, "max_results"));
  of.info.max_terms = static_cast<uint32_t>(Number(json, "max_terms"));
  if (const auto documents = json.find("documents");
      documents != json.end() && documents->is_number_integer()) {
    of.info.documents = documents->get<int64_t>();
  }
  return of;
}

Status CheckSame(const AnswersOf& logged, const AnswersOf& asked,
                 const std::string& path) {
  if (logged.engine != asked.engine) {
    return Fail(ErrorCode::kUsage,
                "the answers are of another engine: " + logged.info.name +
                    " (" + logged.engine + "), not " + asked.info.name + " (" +
                    asked.engine + ")",
                path, kRemedy);
  }
  if (logged.parameters != asked.parameters) {
    return Fail(ErrorCode::kUsage,
                "the answers were given under other parameters: " +
                    logged.parameters + ", not " + asked.parameters,
                path, kRemedy);
  }
  return {};
}

}  // namespace

std::string AnswerLog::Where() const {
  return file_.path() + ":" + std::to_string(lines_ + 1);
}

Status AnswerLog::ReadLine(std::string_view line, uint64_t offset,
                           const OnAnswer* on_answer) {
  const auto damaged = [this](const char* what) {
    return Fail(ErrorCode::kCorrupt, what, Where(), kRemedy);
  };
  if (line.size() < kCheckBytes) return damaged("a line is too short");
  const std::string_view body = line.substr(0, line.size() - kCheckBytes);
  const std::string_view check = line.substr(body.size());
  const uint64_t expected = Hash64(body, check_);
  if (check != std::string(kCheckBegin) + ToHex(expected) + "\"}") {
    return damaged("a line does not fit its checksum");
  }
  if (lines_ == 0) {
    TWINSET_ASSIGN(of_, ParseHeader(line, file_.path()));
  } else {
    constexpr std::string_view kBegin = "{\"question\":";
    constexpr std::string_view kMiddle = ",\"answer\":";
    // Neither part holds the other's name outside of a text, where quotes are
    // escaped.
    const size_t middle = body.find(kMiddle);
    if (!body.starts_with(kBegin) || middle == std::string_view::npos)
      return damaged("a line is no answer");
    const std::string_view question =
        body.substr(kBegin.size(), middle - kBegin.size());
    const size_t begin = middle + kMiddle.size();
    if (on_answer != nullptr) {
      TWINSET_TRY((*on_answer)(question, body.substr(begin)));
    } else {
      places_[KeyOf(std::string(question))].push_back(
          {offset + begin, static_cast<uint32_t>(body.size() - begin)});
    }
  }
  check_ = expected;
  ++lines_;
  return {};
}

// A file without a whole line is ours if it is empty or begins with the name of
// our first: fewer bytes may be anybody's.
Status AnswerLog::CheckBegin(const AnswersOf& of) {
  const std::string header = HeaderJson(of).dump();
  TWINSET_ASSIGN(const uint64_t size, file_.Size());
  std::string begin(std::min<uint64_t>(size, header.size() - 1), '\0');
  TWINSET_TRY(file_.ReadAt(0, begin.data(), begin.size()));
  if (begin.empty() || begin.find('\n') != std::string::npos ||
      begin.starts_with(header.substr(0, header.find(',')))) {
    return {};
  }
  return Fail(ErrorCode::kCorrupt, "not a file of answers", file_.path(),
              "give a file that --record wrote");
}

Status AnswerLog::ReadLines(bool cut_torn, const OnAnswer* on_answer) {
  auto end = ForEachStoredLine(file_, kMostLine,
                               [&](std::string_view line, uint64_t offset) {
                                 return ReadLine(line, offset, on_answer);
                               });
  if (!end) {
    if (end.error().remedy.empty()) end.error().remedy = kRemedy;
    return tl::unexpected(end.error());
  }
  length_ = *end;
  TWINSET_ASSIGN(const uint64_t size, file_.Size());
  if (cut_torn && length_ < size) TWINSET_TRY(file_.Truncate(length_));
  return {};
}

Status AnswerLog::WriteLine(std::string json) {
  json.pop_back();  // the closing brace
  const uint64_t check = Hash64(json, check_);
  json += std::string(kCheckBegin) + ToHex(check) + "\"}\n";
  if (Status written = file_.WriteAt(length_, json); !written) {
    (void)file_.Truncate(length_);
    return written;
  }
  length_ += json.size();
  ++lines_;
  check_ = check;
  return {};
}

Result<AnswerLog> AnswerLog::OpenOrCreate(const std::string& path,
                                          const AnswersOf& of) {
  AnswerLog log;
  TWINSET_ASSIGN(log.file_, OpenToAdd(path));
  TWINSET_TRY(log.CheckBegin(of));
  TWINSET_TRY(log.file_.Unshare(/*lock=*/true));
  TWINSET_TRY(log.ReadLines(/*cut_torn=*/true));
  if (log.lines_ > 0) {
    TWINSET_TRY(CheckSame(log.of_, of, path));
  } else {
    log.of_ = of;
    TWINSET_TRY(log.WriteLine(HeaderJson(of).dump()));
  }
  return log;
}

Result<AnswerLog> AnswerLog::OpenRead(const std::string& path) {
  AnswerLog log;
  TWINSET_ASSIGN(log.file_, File::OpenRead(path));
  TWINSET_TRY(log.ReadLines(/*cut_torn=*/false));
  if (log.lines_ == 0) {
    return Fail(ErrorCode::kCorrupt, "the file holds no answers", path,
                "give a file that --record wrote");
  }
  return log;
}

bool AnswerLog::IsLog(const std::string& path) {
  const auto file = File::OpenRead(path);
  const std::string name = std::string("{\"magic\":\"") + kMagic + "\"";
  std::string begin(name.size(), '\0');
  return file && file->ReadAt(0, begin.data(), begin.size()) && begin == name;
}

Status AnswerLog::ForEach(const std::string& path, const OnAnswer& on_answer) {
  AnswerLog log;
  TWINSET_ASSIGN(log.file_, File::OpenRead(path));
  TWINSET_TRY(log.ReadLines(/*cut_torn=*/false, &on_answer));
  if (log.lines_ > 0) return {};
  return Fail(ErrorCode::kCorrupt, "the file holds no answers", path,
              "give a file that --record wrote");
}

size_t AnswerLog::Count(const std::string& question) const {
  const auto found = places_.find(KeyOf(question));
  return found == places_.end() ? 0 : found->second.size();
}

Result<std::string> AnswerLog::Find(const std::string& question,
                                    size_t n) const {
  const auto found = places_.find(KeyOf(question));
  if (found == places_.end() || n >= found->second.size())
    return Fail(ErrorCode::kNotFound, "no such answer", file_.path());
  const Place place = found->second[n];
  std::string answer(place.bytes, '\0');
  TWINSET_TRY(file_.ReadAt(place.offset, answer.data(), answer.size()));
  return answer;
}

Status AnswerLog::Append(const std::string& question,
                         const std::string& answer) {
  const std::string begin = "{\"question\":" + question + ",\"answer\":";
  const uint64_t offset = length_ + begin.size();
  TWINSET_TRY(WriteLine(begin + answer + "}"));
  places_[KeyOf(question)].push_back(
      {offset, static_cast<uint32_t>(answer.size())});
  return {};
}

}  // namespace twinset
