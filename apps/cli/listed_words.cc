#include "listed_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "twinset/lists.h"
#include "twinset/plain_words.h"
#include "values.h"

// toml++ asserts, and without assertions assumes, what files may break.
#define TOML_EXCEPTIONS 1
// Its streams would bring all of the standard library's locales.
#define TOML_FLOAT_CHARCONV 1
#define TOML_ASSERT(expr) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace twinset::cli {
namespace {

constexpr std::string_view kListFlag = "--files-from";

// Names the line of the file.
tl::unexpected<Error> BadConfig(const std::string& path,
                                const toml::source_region& place,
                                std::string message, std::string remedy) {
  return Fail(ErrorCode::kUsage, std::move(message),
              fmt::format("{}:{}", NameText(path), place.begin.line),
              std::move(remedy));
}

tl::unexpected<Error> NoSuchFlag(const Command& command, const toml::key& key,
                                 const std::string& path) {
  const std::string name(key.str());
  std::vector<std::string> names;
  for (const Flag* flag : FlagsOf(command))
    if (flag->name != "--config") names.emplace_back(flag->name.substr(2));
  const std::string near = DidYouMean(name, names);
  return BadConfig(
      path, key.source(),
      fmt::format("{} has no flag --{}", command.name, Printable(name)),
      near.empty() ? fmt::format("see 'twinset {} --help'", command.name)
                   : near);
}

// A text, number or truth value as the command line takes it.
std::optional<std::string> TextOf(const toml::node& node) {
  return node.visit([](const auto& value) -> std::optional<std::string> {
    using Value = decltype(value);
    if constexpr (toml::is_string<Value> || toml::is_number<Value> ||
                  toml::is_boolean<Value>)
      return fmt::format("{}", value.get());
    return std::nullopt;
  });
}

// Adds what an entry says of the flag: one value, or a list of them.
Status AddValues(const Flag& flag, const toml::node& node,
                 const std::string& path, std::vector<std::string>* values) {
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& item : *list)
      TWINSET_TRY(AddValues(flag, item, path, values));
    return {};
  }
  const std::optional<std::string> value = TextOf(node);
  if (!value)
    return BadConfig(path, node.source(),
                     fmt::format("{} is no text, number or truth value",
                                 flag.name.substr(2)),
                     "a text stands in quotes");
  if (value->empty())
    return BadConfig(path, node.source(),
                     fmt::format("{} is empty", flag.name.substr(2)),
                     "leave it out, or give it a value");
  if (!flag.IsSwitch() || *value == "true") {
    values->push_back(flag.IsSwitch() ? "" : *value);
  } else if (*value != "false") {
    return BadConfig(
        path, node.source(),
        fmt::format("{} is '{}'", flag.name.substr(2), Printable(*value)),
        "it is a switch: write true or false");
  }
  return {};
}

}  // namespace

Status AddListedInputs(Request* request) {
  for (const auto& [flag, path] : request->given) {
    if (flag != kListFlag) continue;
    TWINSET_ASSIGN(std::vector<std::string> names,
                   ReadNameList(path, request->options.resources.memory_bytes));
    if (path == "-" && std::count(names.begin(), names.end(), "-") > 0)
      return Fail(ErrorCode::kUsage,
                  "standard input cannot be the list and an input");
    request->operands.insert(request->operands.end(),
                             std::make_move_iterator(names.begin()),
                             std::make_move_iterator(names.end()));
    if (names.empty())
      return Fail(ErrorCode::kUsage, "the list names no input", NameText(path));
  }
  return {};
}

Status AddConfig(const Command& command, FlagValues* values) {
  const std::vector<const Flag*> flags = FlagsOf(command);
  const auto place_of = [&](std::string_view name) {
    return static_cast<size_t>(
        std::find_if(flags.begin(), flags.end(),
                     [&](const Flag* f) { return f->name.substr(2) == name; }) -
        flags.begin());
  };
  const size_t config = place_of("config");
  if (config == flags.size() || (*values)[config].empty()) return {};
  const std::string path = (*values)[config].back();
  TWINSET_ASSIGN(const std::string text, ReadSettings(path));
  toml::table file;
  try {
    file = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return BadConfig(path, error.source(), std::string(error.description()),
                     "write TOML: a text stands in quotes");
  }
  FlagValues found(flags.size());
  for (const toml::table* section : {&file, file[command.name].as_table()}) {
    if (section == nullptr) continue;
    for (const auto& [key, node] : *section) {
      const std::string name(key.str());
      if (section == &file && node.is_table()) {
        if (FindCommand(name) != nullptr) continue;
        return BadConfig(path, node.source(),
                         fmt::format("unknown section [{}]", Printable(name)),
                         "a section has the name of a command");
      }
      const size_t place = place_of(name);
      if (place == flags.size() || place == config)
        return NoSuchFlag(command, key, path);
      TWINSET_TRY(AddValues(*flags[place], node, path, &found[place]));
    }
  }
  for (size_t i = 0; i < flags.size(); ++i)
    if ((*values)[i].empty()) (*values)[i] = std::move(found[i]);
  return {};
}

}  // namespace twinset::cli
