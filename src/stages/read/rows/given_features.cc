#include "read/rows/given_features.h"

#include <simdjson.h>

#include <charconv>

#include "base/ascii.h"
#include "base/free_string.h"
#include "read/json_check.h"
#include "read/utf8.h"

namespace twinset {

namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SUCCESS;

constexpr double kLeastWeight = 1.0 / 65536, kMostWeight = 65535;
constexpr size_t kKeptCapacity = 1 << 20;  // of the parser, between rows

std::string Shown(std::string_view name) {
  constexpr size_t kMost = 60;
  return "\"" + ReplaceMalformedUtf8(name.substr(0, kMost)) + "\"";
}

std::string AppendName(std::string_view name, std::string* text) {
  if (name.empty()) return "a feature has an empty name";
  for (const char c : name) {
    switch (c) {
      case '\\':
        *text += "\\\\";
        break;
      case '\t':
        *text += "\\t";
        break;
      case '\n':
        *text += "\\n";
        break;
      case '\r':
        *text += "\\r";
        break;
      default:
        *text += c;
    }
  }
  return "";
}

// Behind the name of a feature, which messages quote.
std::string AppendWeight(ondemand::value value, std::string_view name,
                         std::string* text) {
  ondemand::json_type type;
  if (value.type().get(type) != SUCCESS ||
      type != ondemand::json_type::number) {
    return "the weight of " + Shown(name) + " is not a number";
  }
  const std::string_view written = Trim(value.raw_json_token());
  double weight = 0;
  const auto [end, error] =
      std::from_chars(written.data(), written.data() + written.size(), weight);
  if (error != std::errc() || end != written.data() + written.size() ||
      !(weight >= kLeastWeight && weight <= kMostWeight)) {
    return "the weight of " + Shown(name) + " is " +
           std::string(written.substr(0, 60)) +
           ", but must be from 2^-16 to 65535";
  }
  *text += '\t';
  *text += written;
  return "";
}

std::string AppendObject(ondemand::object object, std::string* text) {
  for (auto field : object) {
    std::string_view name;
    ondemand::value value;
    if (field.unescaped_key().get(name) != SUCCESS ||
        field.value().get(value) != SUCCESS) {
      return "not JSON";
    }
    std::string why = AppendName(name, text);
    if (why.empty()) why = AppendWeight(value, name, text);
    if (!why.empty()) return why;
    *text += '\n';
  }
  return "";
}

// ["name", weight].
std::string AppendPair(ondemand::array pair, std::string* text) {
  std::string_view name;
  size_t place = 0;
  for (auto element : pair) {
    ondemand::value value;
    if (element.get(value) != SUCCESS) return "not JSON";
    std::string why;
    if (place == 0) {
      if (value.get_string().get(name) != SUCCESS)
        return "a pair does not begin with the name of a feature";
      why = AppendName(name, text);
    } else if (place == 1) {
      why = AppendWeight(value, name, text);
    }
    if (!why.empty()) return why;
    ++place;
  }
  return place == 2 ? ""
                    : "a pair has " + std::to_string(place) +
                          " elements, not a name and a weight";
}

std::string AppendList(ondemand::array list, std::string* text) {
  for (auto element : list) {
    ondemand::value value;
    ondemand::json_type type;
    if (element.get(value) != SUCCESS || value.type().get(type) != SUCCESS)
      return "not JSON";
    std::string why =
        "an element is neither a name nor a pair of name and "
        "weight";
    std::string_view name;
    ondemand::array pair;
    if (type == ondemand::json_type::string &&
        value.get_string().get(name) == SUCCESS) {
      why = AppendName(name, text);
    } else if (type == ondemand::json_type::array &&
               value.get_array().get(pair) == SUCCESS) {
      why = AppendPair(pair, text);
    }
    if (!why.empty()) return why;
    *text += '\n';
  }
  return "";
}

}  // namespace

struct GivenFeatures::Parser {
  ondemand::parser parser;
  std::string buffer;
};

GivenFeatures::GivenFeatures() = default;
GivenFeatures::~GivenFeatures() = default;

std::string GivenFeatures::Read(std::string_view json, std::string* text) {
  text->clear();
  const JsonCheck check = CheckJson(json);
  if (!check.ok) {
    return "not JSON: " + std::string(check.message) + " at byte " +
           std::to_string(check.error_at + 1);
  }
  if (!parser_) parser_ = std::make_unique<Parser>();
  std::string& buffer = parser_->buffer;
  buffer = json;
  MakeUtf8(&buffer);
  if (check.lone_surrogate) ReplaceLoneSurrogates(&buffer);
  const size_t size = buffer.size();
  buffer.append(simdjson::SIMDJSON_PADDING, '\0');
  std::string why = "neither an object of weights nor a list";
  {
    ondemand::document document;
    ondemand::object object;
    ondemand::array list;
    ondemand::json_type type;
    if (parser_->parser.iterate(buffer.data(), size, buffer.size())
                .get(document) != SUCCESS ||
        document.type().get(type) != SUCCESS) {
      why = "not JSON";
    } else if (type == ondemand::json_type::object &&
               document.get_object().get(object) == SUCCESS) {
      why = AppendObject(object, text);
    } else if (type == ondemand::json_type::array &&
               document.get_array().get(list) == SUCCESS) {
      why = AppendList(list, text);
    }
  }
  if (buffer.capacity() > kKeptCapacity) parser_.reset();
  if (!why.empty()) FreeString(text);
  return why;
}

}  // namespace twinset
