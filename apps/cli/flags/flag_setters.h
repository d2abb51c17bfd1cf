// How flags store their values: setters for the rows of the flag tables.
// `Field` is a function from the request to a reference to its field.
#ifndef TWINSET_APPS_CLI_FLAGS_FLAG_SETTERS_H_
#define TWINSET_APPS_CLI_FLAGS_FLAG_SETTERS_H_

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

#include "cli/values.h"
#include "flags.h"
#include "twinset/nearest.h"

namespace twinset::cli::setters {

using Values = std::vector<std::string>;

template <auto Field>
Status Text(const std::vector<std::string>& values, Request* request) {
  Field(*request) = values.back();
  return {};
}

// For a field that is one of a list, whose names are the choices of the flag.
template <auto Field>
Status Pick(const std::vector<std::string>& values, Request* request) {
  auto& field = Field(*request);
  field =
      FindChoice<std::decay_t<decltype(field)>>(values.back()).value_or(field);
  return {};
}

template <auto Field>
Status TextList(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), SplitLists(values));
  return {};
}

// For a list of values each of which is one of the choices of the flag.
template <auto Field>
Status PickList(const std::vector<std::string>& values, Request* request) {
  using Enum = typename std::decay_t<decltype(Field(*request))>::value_type;
  TWINSET_ASSIGN(const Values names, SplitLists(values));
  for (const std::string& name : names)
    if (const auto value = FindChoice<Enum>(name))
      Field(*request).push_back(*value);
  return {};
}

// For file names, which may hold commas.
template <auto Field>
Status Repeated(const std::vector<std::string>& values, Request* request) {
  Field(*request) = values;
  return {};
}

template <auto Field>
Status Switch(const std::vector<std::string>&, Request* request) {
  Field(*request) = true;
  return {};
}

template <auto Field, int kLow, int kHigh>
Status Int(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseInt(values.back(), kLow, kHigh));
  return {};
}

template <auto Field>
Status Share(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(const double share, ParseNumber(values.back()));
  if (!(share > 0 && share <= 1))
    return Fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not above 0 and at most 1", values.back()), {},
        share > 1 && share <= 100 ? NumberMeant(values.back() + "%") : "");
  Field(*request) = share;
  return {};
}

template <auto Field>
Status Part(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(const double part, ParseNumber(values.back()));
  if (!(part >= 0 && part < 1))
    return Fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not at least 0 and below 1", values.back()));
  Field(*request) = part;
  return {};
}

template <auto Field>
Status Number(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseNumber(values.back()));
  return {};
}

template <auto Field>
Status Count(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseCount(values.back()));
  return {};
}

template <auto Field>
Status Size(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseSize(values.back()));
  return {};
}

}  // namespace twinset::cli::setters

#endif  // TWINSET_APPS_CLI_FLAGS_FLAG_SETTERS_H_
