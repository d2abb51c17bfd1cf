#include "pipeline/registry.h"

#include <iterator>

#include "pipeline/method_rows.h"
#include "sketch/simd_target.h"

namespace twinset {

namespace {

constexpr std::string_view kStandardMethod = "minhash";
constexpr std::string_view kCompleteJoin = "prefix-join";

std::vector<Method> CollectMethods() {
  std::vector<Method> methods;
  for (auto* family : {ExactMethods, MinHashMethods, SimHashMethods,
                       LexiconMethods, CombinedMethods, JoinMethods}) {
    std::vector<Method> rows = family();
    methods.insert(methods.end(), std::make_move_iterator(rows.begin()),
                   std::make_move_iterator(rows.end()));
  }
  return methods;
}

}  // namespace

const std::vector<Method>& AllMethods() {
  static const std::vector<Method> methods = CollectMethods();
  return methods;
}

Result<const Method*> FindMethod(std::string_view name) {
  if (name.empty()) name = kStandardMethod;
  std::string known;
  for (const Method& method : AllMethods()) {
    if (method.info.name == name) return &method;
    known += (known.empty() ? "" : ", ") + method.info.name;
  }
  return Fail(ErrorCode::kUsage,
              "no method is called '" + std::string(name) + "'", "",
              "use one of: " + known);
}

Result<const Method*> FindMethod(const MethodOptions& options) {
  TWINSET_ASSIGN(const Method* named, FindMethod(options.name));
  if (!options.name.empty()) {
    if (!options.exact || options.name == kCompleteJoin) return named;
    return Fail(ErrorCode::kUsage,
                "--exact is the complete join and does not go with --method " +
                    options.name,
                "", "leave out one of the two");
  }
  // Bands see sets of shingles: of these measures they would find what they
  // happen to, so that what nobody chose is the complete join.
  const bool of_sequences = options.measure == "edit" ||
                            options.measure == "hamming" ||
                            options.measure == "cosine-tf";
  const bool of_bands =
      !options.generator.empty() || options.bands != 0 || !options.verify;
  const bool complete = options.exact || options.generator == "prefix" ||
                        (of_sequences && !of_bands);
  return complete ? FindMethod(kCompleteJoin) : named;
}

std::vector<MethodInfo> Methods() {
  std::vector<MethodInfo> rows;
  for (const Method& method : AllMethods()) rows.push_back(method.info);
  return rows;
}

std::vector<std::string> SimdTargets() { return ListSimdTargets(); }

}  // namespace twinset
