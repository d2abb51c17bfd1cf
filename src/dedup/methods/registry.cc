#include "methods/registry.h"

#include <algorithm>
#include <functional>

#include "base/choice.h"
#include "methods/method_rows.h"
#include "options/parameters.h"
#include "sketch/simd_target.h"

namespace twinset {

namespace {

std::vector<Method> CollectMethods() {
  std::vector<Method> methods;
  for (auto* family : {ExactMethods, MinHashMethods, SimHashMethods,
                       LexiconMethods, CombinedMethods, JoinMethods}) {
    for (Method& row : family()) methods.push_back(Guarded(std::move(row)));
  }
  return methods;
}

// The first row that has the mark.
const Method& Marked(bool MethodInfo::*mark) {
  return *std::find_if(
      AllMethods().begin(), AllMethods().end(),
      [mark](const Method& method) { return method.info.*mark; });
}

}  // namespace

const std::vector<Method>& AllMethods() {
  static const std::vector<Method> methods = CollectMethods();
  return methods;
}

const Method& StandardMethod() { return Marked(&MethodInfo::is_standard); }

std::string MethodsWith(const std::function<bool(const Method&)>& property) {
  std::vector<std::string> names;
  for (const Method& method : AllMethods())
    if (property(method)) names.push_back(method.info.name);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

Result<const Method*> FindMethod(std::string_view name) {
  if (name.empty()) return &StandardMethod();
  for (const Method& method : AllMethods())
    if (method.info.name == name) return &method;
  return NoSuchChoice(
      name, "no method is called '" + std::string(name) + "'", AllMethods(),
      [](const Method& method) -> const auto& { return method.info.name; });
}

Result<const Method*> FindSketchMethod(std::string_view name) {
  if (name.empty()) return &Marked(&MethodInfo::is_standard_sketch);
  return FindMethod(name);
}

std::vector<MethodInfo> v1::Methods() {
  std::vector<MethodInfo> rows;
  for (const Method& method : AllMethods()) rows.push_back(method.info);
  return rows;
}

std::vector<std::string> v1::SimdTargets() { return ListSimdTargets(); }

std::vector<std::string> v1::MethodsReading(std::string_view parameter) {
  std::vector<std::string> names;
  for (const MethodInfo& method : Methods())
    if (Reads(method, parameter)) names.push_back(method.name);
  return names;
}

void v1::ForgetUnread(std::string_view name, MethodOptions* options) {
  for (const MethodInfo& method : Methods()) {
    if (method.name != name) continue;
    const double threshold = options->threshold;  // of a study, for all
    *options = OnlyRead(method, *options);
    options->threshold = threshold;
  }
}

Status CheckParameters(const MethodInfo& method, const MethodOptions& options) {
  const std::string_view unread = FirstUnread(method, options);
  if (unread.empty()) return CheckRanges(method, options);
  std::string readers;
  for (const std::string& name : MethodsReading(unread))
    readers += (readers.empty() ? "" : ", ") + name;
  return Fail(
      ErrorCode::kUsage,
      "method " + method.name + " does not read --" + std::string(unread), "",
      "leave it out, or name a method that reads it: " + readers);
}

}  // namespace twinset
