#include "assess/assessment.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "core/field_list.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr std::string_view kMagic = "twinset-assessment";
constexpr uint64_t kVersion1 = 1;
constexpr uint64_t kMostBytes = 256 << 20;

Json PairsJson(const std::vector<AssessedPair>& pairs) {
  Json all = Json::array();
  for (size_t i = 0; i < pairs.size(); ++i) {
    Json row = {{"pair", i + 1}};
    row.update(FieldsToJson(pairs[i]));
    all.push_back(std::move(row));
  }
  return all;
}

tl::unexpected<Error> Bad(const std::string& name, const std::string& what) {
  return Fail(ErrorCode::kCorrupt, what, name, "draw the sample again");
}

}  // namespace

std::string Assessment::Digest() const {
  Json all = FieldsToJson(*this);
  all["pairs"] = PairsJson(pairs);
  const Hash128Value hash = Hash128(all.dump());
  return ToHex(hash.high) + ToHex(hash.low);
}

std::string Assessment::Text() const {
  // A pair per line.
  Json head = {{"magic", kMagic}, {"version", kVersion1}, {"digest", Digest()}};
  head.update(FieldsToJson(*this));
  std::string text = head.dump();
  text.pop_back();
  text += ",\"pairs\":[";
  const Json rows = PairsJson(pairs);
  for (size_t i = 0; i < rows.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + rows[i].dump();
  return text + "\n]}\n";
}

Result<Assessment> Assessment::Parse(std::string_view text,
                                     const std::string& name) {
  const Json json = Json::Parse(text);
  if (json["magic"] != kMagic)
    return Bad(name, "it is no sample of an assessment");
  if (json["version"] != kVersion1)
    return Bad(name, "a sample of another version");
  Assessment read;
  if (!FindChoice<AssessStrata>(json.value("strata", "")))
    return Bad(name, "its strata are not known");
  if (!FieldsFromJson(json, 0, &read))
    return Bad(name, "its seed or its methods cannot be read");
  for (const Json& row : json["pairs"]) {
    AssessedPair& pair = read.pairs.emplace_back();
    const auto is_known = [&](const PairDrawing& one) {
      return one.method < read.methods.size() &&
             one.stratum < read.methods[one.method].strata.size() &&
             one.similarity >= -1e6 && one.similarity <= 1e6;
    };
    if (!FieldsFromJson(row, 0, &pair))
      return Bad(name, "pair " + std::to_string(read.pairs.size()) +
                           " cannot be read");
    if (!std::all_of(pair.drawings.begin(), pair.drawings.end(), is_known))
      return Bad(name, "pair " + std::to_string(read.pairs.size()) +
                           " is of a stratum that is not there");
  }
  if (json.value("digest", "") != read.Digest())
    return Bad(name, "the sample was changed: its digest is another");
  return read;
}

Result<Assessment> ReadAssessment(const std::string& folder) {
  const std::string path = folder + "/sample.json";
  if (!FileExists(path))
    return Fail(ErrorCode::kUsage, "it holds no sample", folder,
                "give the folder of assess --out");
  TWINSET_ASSIGN(const std::string text, ReadWholeFile(path, kMostBytes));
  return Assessment::Parse(text, path);
}

}  // namespace twinset
