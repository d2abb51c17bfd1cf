#include "assess/assessment.h"

#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/math/round_to.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr std::string_view kMagic = "twinset-assessment";
constexpr uint64_t kVersion1 = 1;
constexpr uint64_t kMostBytes = 256 << 20;

Json MethodsJson(const std::vector<AssessMethod>& methods) {
  Json all = Json::array();
  for (const AssessMethod& method : methods) {
    Json strata = Json::array();
    for (const AssessStratum& stratum : method.strata)
      strata.push_back({{"name", stratum.name},
                        {"pairs", stratum.pairs},
                        {"drawn", stratum.drawn}});
    all.push_back({{"name", method.name}, {"strata", std::move(strata)}});
  }
  return all;
}

Json PairsJson(const std::vector<AssessedPair>& pairs) {
  Json all = Json::array();
  for (size_t i = 0; i < pairs.size(); ++i) {
    Json drawings = Json::array();
    for (const PairDrawing& drawing : pairs[i].drawings)
      drawings.push_back({{"method", drawing.method},
                          {"stratum", drawing.stratum},
                          {"similarity", RoundTo(drawing.similarity, 6)}});
    all.push_back({{"pair", i + 1},
                   {"a", pairs[i].a},
                   {"b", pairs[i].b},
                   {"drawings", std::move(drawings)}});
  }
  return all;
}

tl::unexpected<Error> Bad(const std::string& name, const std::string& what) {
  return Fail(ErrorCode::kCorrupt, what, name, "draw the sample again");
}

void ReadMethods(const Json& json, std::vector<AssessMethod>* methods) {
  for (const Json& row : json) {
    AssessMethod& method = methods->emplace_back();
    method.name = row.value("name", "");
    for (const Json& stratum : row["strata"])
      method.strata.push_back({stratum.value("name", ""),
                               stratum["pairs"].get<uint64_t>(),
                               stratum["drawn"].get<uint64_t>()});
  }
}

}  // namespace

std::string Assessment::Digest() const {
  const Json all = {{"seed", seed},
                    {"strata", strata},
                    {"methods", MethodsJson(methods)},
                    {"pairs", PairsJson(pairs)}};
  const Hash128Value hash = Hash128(all.dump());
  return ToHex(hash.high) + ToHex(hash.low);
}

std::string Assessment::Text() const {
  // A pair per line.
  std::string text = Json({{"magic", kMagic},
                           {"version", kVersion1},
                           {"digest", Digest()},
                           {"seed", seed},
                           {"strata", strata},
                           {"methods", MethodsJson(methods)}})
                         .dump();
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
  read.seed = json["seed"].get<uint64_t>();
  const auto strata = FindChoice<AssessStrata>(json.value("strata", ""));
  if (!strata) return Bad(name, "its strata are not known");
  read.strata = *strata;
  ReadMethods(json["methods"], &read.methods);
  for (const Json& row : json["pairs"]) {
    AssessedPair& pair = read.pairs.emplace_back();
    pair.a = row.value("a", "");
    pair.b = row.value("b", "");
    for (const Json& drawing : row["drawings"]) {
      const PairDrawing one{drawing["method"].get<size_t>(),
                            drawing["stratum"].get<size_t>(),
                            drawing["similarity"].get<double>()};
      if (one.method >= read.methods.size() ||
          one.stratum >= read.methods[one.method].strata.size() ||
          !(one.similarity >= -1e6 && one.similarity <= 1e6))
        return Bad(name, "pair " + std::to_string(read.pairs.size()) +
                             " is of a stratum that is not there");
      pair.drawings.push_back(one);
    }
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
