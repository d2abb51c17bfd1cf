// How flags store their values. A path of members says where: it begins at the
// options of the library (FlagOptions), at Request, or at a type of which the
// request keeps one for the command (Request::Of).
#ifndef TWINSET_APPS_CLI_FLAGS_FLAG_SETTERS_H_
#define TWINSET_APPS_CLI_FLAGS_FLAG_SETTERS_H_

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "cli/values.h"
#include "flags.h"
#include "twinset/plain_words.h"

namespace twinset::cli {

using Values = std::vector<std::string>;

// For flags that are done with when the words are taken apart.
inline Status SetNothing(const Values&, Request*) { return {}; }

template <auto Member>
struct OwnerOf;
template <typename Owner, typename Field, Field Owner::*Member>
struct OwnerOf<Member> {
  using type = Owner;
};

template <auto Member, auto... Rest>
auto& Walk(auto& from) {
  if constexpr (sizeof...(Rest) == 0)
    return from.*Member;
  else
    return Walk<Rest...>(from.*Member);
}

// The field at the end of the path.
template <auto First, auto... Rest>
auto& At(Request& request) {
  using Owner = typename OwnerOf<First>::type;
  if constexpr (std::is_base_of_v<Owner, FlagOptions>)
    return Walk<First, Rest...>(request.options);
  else if constexpr (std::is_same_v<Owner, Request>)
    return Walk<First, Rest...>(request);
  else
    return Walk<First, Rest...>(request.Of<Owner>());
}

// The same; a field that may be absent is now there.
template <auto... Path>
auto& Slot(Request& request) {
  auto& field = At<Path...>(request);
  if constexpr (requires { field.emplace(); })
    return field.emplace();
  else
    return field;
}

template <auto... Path>
Status SetText(const Values& values, Request* request) {
  Slot<Path...>(*request) = values.back();
  return {};
}

// For a field that is one of a list, whose names are the choices of the flag.
template <auto... Path>
Status SetPick(const Values& values, Request* request) {
  auto& field = Slot<Path...>(*request);
  field =
      FindChoice<std::decay_t<decltype(field)>>(values.back()).value_or(field);
  return {};
}

template <auto... Path>
Status SetTextList(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), SplitLists(values));
  return {};
}

// For a list of values each of which is one of the choices of the flag.
template <auto... Path>
Status SetPickList(const Values& values, Request* request) {
  using Enum =
      typename std::decay_t<decltype(At<Path...>(*request))>::value_type;
  TWINSET_ASSIGN(const Values names, SplitLists(values));
  for (const std::string& name : names)
    if (const auto value = FindChoice<Enum>(name))
      At<Path...>(*request).push_back(*value);
  return {};
}

// For file names, which may hold commas.
template <auto... Path>
Status SetRepeated(const Values& values, Request* request) {
  At<Path...>(*request) = values;
  return {};
}

template <auto... Path>
Status SetSwitch(const Values&, Request* request) {
  At<Path...>(*request) = true;
  return {};
}

template <int kLow, int kHigh, auto... Path>
Status SetInt(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), ParseInt(values.back(), kLow, kHigh));
  return {};
}

template <auto... Path>
Status SetShare(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double share, ParseNumber(values.back()));
  if (!(share > 0 && share <= 1))
    return Fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not above 0 and at most 1", values.back()), {},
        share > 1 && share <= 100 ? NumberMeant(values.back() + "%") : "");
  At<Path...>(*request) = share;
  return {};
}

// From 0 to 1, both included.
template <auto... Path>
Status SetUpToOne(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double value, ParseNumber(values.back()));
  if (!(value >= 0 && value <= 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not from 0 to 1", values.back()));
  At<Path...>(*request) = value;
  return {};
}

// Between 0 and 1, neither included.
template <auto... Path>
Status SetProbability(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double value, ParseNumber(values.back()));
  if (!(value > 0 && value < 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not above 0 and below 1", values.back()));
  At<Path...>(*request) = value;
  return {};
}

template <auto... Path>
Status SetPart(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double part, ParseNumber(values.back()));
  if (!(part >= 0 && part < 1))
    return Fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not at least 0 and below 1", values.back()));
  At<Path...>(*request) = part;
  return {};
}

template <auto... Path>
Status SetNumber(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), ParseNumber(values.back()));
  return {};
}

template <auto... Path>
Status SetCount(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), ParseCount(values.back()));
  return {};
}

// A count that may be written as 1e10.
template <auto... Path>
Status SetLargeCount(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double count, ParseNumber(values.back()));
  if (!(count >= 1 && count <= 1e15))
    return Fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not a number from 1 to 1e15", values.back()));
  At<Path...>(*request) = static_cast<uint64_t>(count);
  return {};
}

template <auto... Path>
Status SetSize(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), ParseSize(values.back()));
  return {};
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FLAGS_FLAG_SETTERS_H_
