#include "method_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

// The flag of a parameter that a spec may set: the measure is one for all.
const Flag* FlagOf(const std::string& name) {
  if (FindParameter(name) == nullptr || name == "measure") return nullptr;
  return FindFlag(*FindCommand("evaluate"), "--" + name);
}

tl::unexpected<Error> Bad(const std::string& spec, const std::string& what,
                          std::string remedy) {
  return Fail(
      ErrorCode::kUsage,
      fmt::format("--methods: {}: {}", Printable(spec), Printable(what)), {},
      std::move(remedy));
}

Status SetPart(const std::string& spec, const std::string& part,
               Request* request) {
  const size_t equals = part.find('=');
  const std::string name = part.substr(0, equals);
  const Flag* flag = FlagOf(name);
  if (flag == nullptr) {
    std::vector<std::string_view> names;
    for (const Parameter& parameter : Parameters())
      if (FlagOf(std::string(parameter.name)) != nullptr)
        names.push_back(parameter.name);
    const std::string meant = DidYouMean(name, names);
    return Bad(
        spec, fmt::format("'{}' is no parameter of a method", name),
        meant.empty() ? "write NAME@FLAG=VALUE, as simhash@distance=5" : meant);
  }
  if (flag->IsSwitch() != (equals == std::string::npos))
    return Bad(spec,
               fmt::format("'{}' {} a value", name,
                           flag->IsSwitch() ? "takes no" : "needs"),
               flag->IsSwitch() ? "@" + name : "@" + name + "=VALUE");
  const std::string value =
      equals == std::string::npos ? "true" : part.substr(equals + 1);
  const Status status = SetFlag(*flag, {value}, request);
  if (!status) return Bad(spec, status.error().message, status.error().remedy);
  return {};
}

Status SetName(const std::string& spec, const std::string& name,
               Request* request) {
  std::vector<std::string> names;
  for (const MethodInfo& method : Methods()) {
    if (method.name == name) {
      request->options.method.name = name;
      return {};
    }
    names.push_back(method.name);
  }
  for (const PresetInfo& preset : Presets()) {
    if (preset.name == name) return ApplyPreset(name, &request->options);
    names.push_back(preset.name);
  }
  const std::string meant = DidYouMean(name, names);
  return Bad(
      spec, fmt::format("no method or preset is called '{}'", name),
      meant.empty() ? "see 'twinset methods' and 'twinset presets'" : meant);
}

Status CheckSomeMethodReads(const std::vector<std::string>& given,
                            const std::vector<EvaluateMethod>& methods) {
  for (const std::string& name : given) {
    const std::vector<std::string> readers = MethodsReading(name);
    const bool read =
        std::any_of(methods.begin(), methods.end(), [&](const auto& method) {
          return std::find(readers.begin(), readers.end(),
                           method.method.name) != readers.end();
        });
    if (readers.empty() || read || name == "seed") continue;
    return Fail(ErrorCode::kUsage,
                fmt::format("none of the methods reads --{}", name), {},
                fmt::format("it is read by {}", fmt::join(readers, ", ")));
  }
  return {};
}

}  // namespace

Result<EvaluateMethod> ParseMethodSpec(const std::string& spec,
                                       const Request& request) {
  std::vector<std::string> parts(1);
  for (const char c : spec) {
    if (c == '@')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  Request own = request;
  TWINSET_TRY(SetName(spec, parts[0], &own));
  // What is given beside --methods counts for those that read it.
  ForgetUnread(own.options.method.name, &own.options.method);
  for (size_t i = 1; i < parts.size(); ++i)
    TWINSET_TRY(SetPart(spec, parts[i], &own));
  return EvaluateMethod{spec, own.options.features, own.options.method};
}

Result<std::vector<EvaluateMethod>> ParseMethodSpecs(const Request& request) {
  std::vector<EvaluateMethod> methods;
  TWINSET_ASSIGN(const auto specs, SplitLists(request.methods));
  for (const std::string& spec : specs) {
    TWINSET_ASSIGN(EvaluateMethod method, ParseMethodSpec(spec, request));
    methods.push_back(std::move(method));
  }
  if (methods.empty())
    return Fail(ErrorCode::kUsage, "no methods are given", {},
                "--methods minhash,simhash");
  TWINSET_TRY(CheckSomeMethodReads(request.options.method.given, methods));
  return methods;
}

}  // namespace twinset::cli
