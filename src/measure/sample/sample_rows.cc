#include "sample/sample_rows.h"

#include <cmath>

#include "documents/text_lines.h"
#include "store/file_identity.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr const char* kMagic = "twinset-sample";
constexpr int kVersion = 1;
constexpr int kMostDepth = 64;
constexpr uint64_t kMostRowBytes = 16 << 20;

std::string Dump(const Json& json) { return json.dump(); }

// Brackets deeper than this are refused before anything descends into them.
bool TooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > kMostDepth) return true;
  }
  return false;
}

Result<Json> ParseLine(std::string_view text, const std::string& where) {
  if (TooDeep(text))
    return Fail(ErrorCode::kCorrupt, "nested deeper than 64", where);
  Json json = Json::Parse(text);
  if (!json.is_object())
    return Fail(ErrorCode::kCorrupt, "not a JSON object", where);
  return json;
}

Status ParseHeader(const Json& row, const std::string& where,
                   SampleHeader* header) {
  const auto version = row.find("version");
  if (version == row.end() || !version->is_number_integer() ||
      *version != kVersion) {
    return Fail(ErrorCode::kUsage, "a sample of another version", where,
                "draw it again with this version");
  }
  header->sampler = row.value("sampler", "");
  header->engine = row.value("engine", "");
  header->weights = row.value("weights", "exact");
  header->no_interval = row.value("no_interval", "");
  if (const auto seed = row.find("seed");
      seed != row.end() && seed->is_number_unsigned()) {
    header->seed = seed->get<uint64_t>();
  }
  if (const auto chain = row.find("chain");
      chain != row.end() && chain->is_boolean()) {
    header->chain = chain->get<bool>();
  }
  return {};
}

Result<SampleRow> ParseRow(const Json& json, uint64_t draw,
                           const std::string& where) {
  SampleRow row;
  row.draw = draw;
  for (const auto& [key, value] : json.items()) {
    if (key == "url") {
      if (!value.is_string())
        return Fail(ErrorCode::kCorrupt, "a url that is no text", where);
      row.url = value.get<std::string>();
    } else if (key == "weight") {
      row.weight = value.is_number() ? value.get<double>() : 0;
      if (!(row.weight > 0) || !std::isfinite(row.weight)) {
        return Fail(ErrorCode::kCorrupt, "a weight that is not above 0", where);
      }
    } else if (key == "draw") {
      if (!value.is_number_unsigned())
        return Fail(ErrorCode::kCorrupt, "a draw that is no number", where);
      row.draw = value.get<uint64_t>();
    } else {
      row.fields.emplace_back(key, Dump(value));
    }
  }
  return row;
}

}  // namespace

std::string SampleHeaderLine(const SampleHeader& header) {
  Json json = {{"magic", kMagic},           {"version", kVersion},
               {"sampler", header.sampler}, {"engine", header.engine},
               {"seed", header.seed},       {"weights", header.weights},
               {"chain", header.chain}};
  if (!header.no_interval.empty()) json["no_interval"] = header.no_interval;
  return Dump(json) + "\n";
}

std::string SampleRowLine(const SampleRow& row) {
  std::string line = Dump({{"url", row.url}});
  line.pop_back();
  line += ",\"weight\":" + Json(row.weight).dump() +
          ",\"draw\":" + std::to_string(row.draw);
  for (const auto& [name, value] : row.fields)
    line += "," + Dump(Json(name)) + ":" + value;
  return line + "}\n";
}

Status ForEachRowLine(
    const std::string& path,
    const std::function<Status(std::string_view text,
                               const std::string& where)>& on_line) {
  const auto info = Stat(path);
  if (path == "-" ||
      (info && (S_ISFIFO(info->st_mode) || S_ISSOCK(info->st_mode)))) {
    return Fail(ErrorCode::kUsage, "rows are not read from a pipe", path,
                "they are read more than once: give a file");
  }
  Status status;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        const std::string where = path + ":" + std::to_string(line.number);
        status = line.problem.empty()
                     ? on_line(line.text, where)
                     : Fail(ErrorCode::kCorrupt, line.problem, where);
        return status.has_value();
      },
      kMostRowBytes));
  return status;
}

Result<SampleHeader> ReadSample(
    const std::string& path,
    const std::function<Status(SampleRow row)>& on_row) {
  SampleHeader header;
  uint64_t draw = 0;
  bool has_header = false;
  const auto on_line = [&](std::string_view text,
                           const std::string& where) -> Status {
    if (text.find_first_not_of(" \t\r") == std::string::npos) return {};
    TWINSET_ASSIGN(const Json json, ParseLine(text, where));
    if (json.value("magic", "") == kMagic) {
      if (has_header || draw > 0) {
        return Fail(ErrorCode::kCorrupt, "a header that is not the first line",
                    where, "give several samples as several files");
      }
      has_header = true;
      return ParseHeader(json, where, &header);
    }
    TWINSET_ASSIGN(SampleRow row, ParseRow(json, draw++, where));
    return on_row(std::move(row));
  };
  TWINSET_TRY(ForEachRowLine(path, on_line));
  return header;
}

}  // namespace twinset
