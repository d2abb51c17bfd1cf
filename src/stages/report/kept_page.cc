#include "report/kept_page.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>

#include "base/file.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kMagic[] = "twinset-page";
constexpr uint64_t kVersion = 1;
constexpr uint64_t kMostBytes = 64 << 20;

template <typename T, typename Member>
constexpr auto Field(const char* name, Member T::*member) {
  return std::make_pair(name, member);
}

// The members of each value, in the order of the file.
constexpr auto FieldsOf(const html::Cell*) {
  return std::make_tuple(Field("text", &html::Cell::text),
                         Field("number", &html::Cell::number),
                         Field("below", &html::Cell::below));
}
constexpr auto FieldsOf(const html::Lead*) {
  return std::make_tuple(Field("strong", &html::Lead::strong),
                         Field("text", &html::Lead::text));
}
constexpr auto FieldsOf(const html::Fact*) {
  return std::make_tuple(Field("name", &html::Fact::name),
                         Field("value", &html::Fact::value),
                         Field("beside", &html::Fact::beside));
}
constexpr auto FieldsOf(const html::Facts*) {
  return std::make_tuple(Field("facts", &html::Facts::facts));
}
constexpr auto FieldsOf(const html::Heading*) {
  return std::make_tuple(Field("text", &html::Heading::text),
                         Field("level", &html::Heading::level));
}
constexpr auto FieldsOf(const html::Paragraph*) {
  return std::make_tuple(Field("text", &html::Paragraph::text));
}
constexpr auto FieldsOf(const html::Note*) {
  return std::make_tuple(Field("text", &html::Note::text));
}
constexpr auto FieldsOf(const html::Warning*) {
  return std::make_tuple(Field("text", &html::Warning::text));
}
constexpr auto FieldsOf(const html::KeyValues*) {
  return std::make_tuple(Field("caption", &html::KeyValues::caption),
                         Field("rows", &html::KeyValues::rows));
}
constexpr auto FieldsOf(const html::Column*) {
  return std::make_tuple(Field("name", &html::Column::name),
                         Field("number", &html::Column::number));
}
constexpr auto FieldsOf(const html::Table*) {
  return std::make_tuple(Field("caption", &html::Table::caption),
                         Field("columns", &html::Table::columns),
                         Field("rows", &html::Table::rows));
}
constexpr auto FieldsOf(const html::Shares*) {
  return std::make_tuple(Field("title", &html::Shares::title),
                         Field("parts", &html::Shares::parts));
}
constexpr auto FieldsOf(const html::Bin*) {
  return std::make_tuple(Field("low", &html::Bin::low),
                         Field("high", &html::Bin::high),
                         Field("count", &html::Bin::count));
}
constexpr auto FieldsOf(const html::Histogram*) {
  return std::make_tuple(Field("title", &html::Histogram::title),
                         Field("description", &html::Histogram::description),
                         Field("x_label", &html::Histogram::x_label),
                         Field("y_label", &html::Histogram::y_label),
                         Field("bins", &html::Histogram::bins),
                         Field("note", &html::Histogram::note),
                         Field("log", &html::Histogram::log));
}
constexpr auto FieldsOf(const html::Axis*) {
  return std::make_tuple(
      Field("label", &html::Axis::label), Field("log", &html::Axis::log),
      Field("low", &html::Axis::low), Field("high", &html::Axis::high));
}
constexpr auto FieldsOf(const html::Point*) {
  return std::make_tuple(
      Field("x", &html::Point::x), Field("y", &html::Point::y),
      Field("low", &html::Point::low), Field("high", &html::Point::high),
      Field("label", &html::Point::label));
}
constexpr auto FieldsOf(const html::Series*) {
  return std::make_tuple(Field("name", &html::Series::name),
                         Field("points", &html::Series::points),
                         Field("line", &html::Series::line),
                         Field("marks", &html::Series::marks),
                         Field("band", &html::Series::band));
}
constexpr auto FieldsOf(const html::Chart*) {
  return std::make_tuple(
      Field("title", &html::Chart::title),
      Field("description", &html::Chart::description),
      Field("x", &html::Chart::x), Field("y", &html::Chart::y),
      Field("series", &html::Chart::series), Field("note", &html::Chart::note));
}
constexpr auto FieldsOf(const html::Piece*) {
  return std::make_tuple(Field("kind", &html::Piece::kind),
                         Field("text", &html::Piece::text));
}
constexpr auto FieldsOf(const html::PairSide*) {
  return std::make_tuple(Field("title", &html::PairSide::title),
                         Field("name", &html::PairSide::name),
                         Field("text", &html::PairSide::text));
}
constexpr auto FieldsOf(const html::TextPair*) {
  return std::make_tuple(Field("title", &html::TextPair::title),
                         Field("tags", &html::TextPair::tags),
                         Field("left", &html::TextPair::left),
                         Field("right", &html::TextPair::right),
                         Field("note", &html::TextPair::note));
}

// Calls `body` with the name of each member and the member of each of `values`.
template <typename T, typename Body, typename... Values>
void ForEachField(const T* type, const Body& body, Values&... values) {
  const auto visit = [&](const auto& field) {
    body(field.first, values.*(field.second)...);
  };
  std::apply([&](const auto&... fields) { (visit(fields), ...); },
             FieldsOf(type));
}
template <typename T>
concept HasFields = requires(const T* value) {
  FieldsOf(value);
};

// ---- To JSON ----

Json ToJson(const std::string& text) { return text; }
Json ToJson(bool value) { return value; }
Json ToJson(int value) { return value; }
Json ToJson(uint64_t value) { return value; }
Json ToJson(html::Piece::Kind kind) { return static_cast<int>(kind); }

// JSON has no number for what is not finite.
Json ToJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

template <typename T>
Json ToJson(const std::optional<T>& value) {
  return value ? ToJson(*value) : Json();
}
template <typename First, typename Second>
Json ToJson(const std::pair<First, Second>& pair);
template <typename T>
Json ToJson(const std::vector<T>& list);

// Members that have their defaults are left out.
template <HasFields T>
Json ToJson(const T& value) {
  const T usual{};
  Json json = Json::object();
  ForEachField(
      &value,
      [&json](const char* name, const auto& member, const auto& common) {
        Json written = ToJson(member);
        if (!(written == ToJson(common))) json[name] = std::move(written);
      },
      value, usual);
  return json;
}

template <typename First, typename Second>
Json ToJson(const std::pair<First, Second>& pair) {
  return Json::array({ToJson(pair.first), ToJson(pair.second)});
}

template <typename T>
Json ToJson(const std::vector<T>& list) {
  Json json = Json::array();
  for (const T& item : list) json.push_back(ToJson(item));
  return json;
}

// ---- From JSON: false for a value of another type ----

bool FromJson(const Json& json, std::string* text) {
  json.get_to(*text);
  return json.is_string();
}
bool FromJson(const Json& json, bool* value) {
  json.get_to(*value);
  return json.is_boolean();
}
bool FromJson(const Json& json, int* value) {
  json.get_to(*value);
  return json.is_number_integer();
}
bool FromJson(const Json& json, uint64_t* value) {
  json.get_to(*value);
  return json.is_number_unsigned();
}
bool FromJson(const Json& json, html::Piece::Kind* kind) {
  const auto number = json.get<uint64_t>();
  *kind = static_cast<html::Piece::Kind>(number);
  return json.is_number_unsigned() && number <= html::Piece::kSkipped;
}
bool FromJson(const Json& json, double* value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  json.get_to(*value);
  if (json.is_number()) return true;
  *value = json == "nan"    ? std::numeric_limits<double>::quiet_NaN()
           : json == "-inf" ? -kInfinity
                            : kInfinity;
  return json == "nan" || json == "-inf" || json == "inf";
}

template <typename T>
bool FromJson(const Json& json, std::optional<T>* value) {
  if (json.is_null()) return true;
  return FromJson(json, &value->emplace());
}
template <typename First, typename Second>
bool FromJson(const Json& json, std::pair<First, Second>* pair);
template <typename T>
bool FromJson(const Json& json, std::vector<T>* list);

template <HasFields T>
bool FromJson(const Json& json, T* value) {
  bool is_good = json.is_object();
  ForEachField(
      value,
      [&](const char* name, auto& member) {
        if (json.contains(name))
          is_good = FromJson(json[name], &member) && is_good;
      },
      *value);
  return is_good;
}

template <typename First, typename Second>
bool FromJson(const Json& json, std::pair<First, Second>* pair) {
  return json.is_array() && json.size() == 2 &&
         FromJson(json[0], &pair->first) && FromJson(json[1], &pair->second);
}

template <typename T>
bool FromJson(const Json& json, std::vector<T>* list) {
  if (!json.is_array()) return false;
  for (const Json& item : json)
    if (!FromJson(item, &list->emplace_back())) return false;
  return true;
}

bool HaveSum(const html::Shares& shares) {
  uint64_t left = std::numeric_limits<uint64_t>::max();
  for (const auto& [name, count] : shares.parts) {
    if (count > left) return false;
    left -= count;
  }
  return true;
}

Error NoPage(const char* what) {
  return {ErrorCode::kCorrupt,
          std::string("page.json ") + what,
          {},
          "run the command again that wrote the folder"};
}

}  // namespace

// The blocks by name.
struct KeptPage::Codec {
  static constexpr const char* kNames[] = {
      "lead",   "facts",    "heading", "paragraph", "note",  "warning",
      "values", "table",    "shares",  "histogram", "chart", "pair",
      "fold",   "fold_end", "run",     "run_end"};
  static_assert(std::size(kNames) == std::variant_size_v<Block>);

  static Json ToLine(const Block& block) {
    Json content = std::visit(
        [](const auto& value) -> Json {
          using T = std::decay_t<decltype(value)>;
          if constexpr (HasFields<T>)
            return ToJson(value);
          else if constexpr (std::same_as<T, FoldBegin>)
            return value.summary;
          else
            return true;
        },
        block);
    Json line = Json::object();
    line[kNames[block.index()]] = std::move(content);
    return line;
  }

  template <size_t kIndex>
  static bool FromLineAs(const Json& line, std::vector<Block>* blocks) {
    using T = std::variant_alternative_t<kIndex, Block>;
    if (!line.contains(kNames[kIndex])) return false;
    const Json& content = line[kNames[kIndex]];
    T value{};
    bool is_good = true;
    if constexpr (HasFields<T>)
      is_good = FromJson(content, &value);
    else if constexpr (std::same_as<T, FoldBegin>)
      is_good = FromJson(content, &value.summary);
    blocks->emplace_back(std::move(value));
    return is_good;
  }

  template <size_t... kIndices>
  static bool FromLine(const Json& line, std::vector<Block>* blocks,
                       std::index_sequence<kIndices...>) {
    return line.is_object() && line.size() == 1 &&
           (FromLineAs<kIndices>(line, blocks) || ...);
  }
};

HtmlReport KeptPage::Drawn() const {
  HtmlReport report(title_);
  DrawOn(&report);
  return report;
}

void KeptPage::DrawOn(HtmlReport* report) const {
  for (const Block& block : blocks_) {
    std::visit(
        [report](const auto& value) {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::same_as<T, FoldBegin>)
            report->BeginFolded(value.summary);
          else if constexpr (std::same_as<T, FoldEnd>)
            report->EndFolded();
          else if constexpr (std::same_as<T, RunBegin>)
            report->BeginRun();
          else if constexpr (std::same_as<T, RunEnd>)
            report->EndRun();
          else
            report->Add(value);
        },
        block);
  }
}

std::string KeptPage::Text() const {
  const Json head = {{"magic", kMagic},
                     {"version", kVersion},
                     {"command", command_},
                     {"title", title_}};
  std::string text = head.dump();
  text.back() = ',';
  text += "\"blocks\":[";
  for (const Block& block : blocks_) {
    text += text.back() == '[' ? "\n" : ",\n";
    text += Codec::ToLine(block).dump();
  }
  return text + "\n]}\n";
}

// Folds are closed, what depends on the machine stands once, in no fold, and
// the parts of a whole have a sum.
bool KeptPage::IsSound() const {
  int folds = 0, runs = 0, ends = 0;
  for (const Block& block : blocks_) {
    const auto* const shares = std::get_if<html::Shares>(&block);
    if (shares != nullptr && !HaveSum(*shares)) return false;
    folds += std::holds_alternative<FoldBegin>(block);
    folds -= std::holds_alternative<FoldEnd>(block);
    const bool begins = std::holds_alternative<RunBegin>(block),
               ends_here = std::holds_alternative<RunEnd>(block);
    runs += begins;
    ends += ends_here;
    if (folds < 0 || runs > 1 || ends > runs) return false;
    if ((begins || ends_here) && folds > 0) return false;
  }
  return folds == 0 && runs == ends;
}

Result<KeptPage> KeptPage::Parse(std::string_view text) {
  const Json json = Json::Parse(text);
  if (json["magic"] != kMagic) return tl::unexpected(NoPage("is no page"));
  if (json["version"] != kVersion)
    return tl::unexpected(NoPage("is of another version of twinset"));
  KeptPage page("", "");
  bool is_good = FromJson(json["command"], &page.command_) &&
                 FromJson(json["title"], &page.title_) &&
                 json["blocks"].is_array();
  for (const Json& line : json["blocks"]) {
    is_good =
        is_good &&
        Codec::FromLine(line, &page.blocks_,
                        std::make_index_sequence<std::variant_size_v<Block>>());
  }
  if (!is_good || !page.IsSound()) return tl::unexpected(NoPage("is damaged"));
  return page;
}

Status WriteKeptPage(const KeptPage& page, const std::string& folder,
                     const std::string& html) {
  const std::string text = page.Text();
  TWINSET_TRY(WriteWholeFile(folder + "/" + KeptPage::kFileName, text));
  if (html.empty()) return {};
  TWINSET_ASSIGN(const KeptPage kept, KeptPage::Parse(text));
  return WriteWholeFile(folder + "/" + html, kept.Drawn().Finish());
}

Result<KeptPage> ReadKeptPage(const std::string& folder) {
  TWINSET_ASSIGN(const std::string text,
                 ReadWholeFile(folder + "/" + KeptPage::kFileName, kMostBytes));
  auto page = KeptPage::Parse(text);
  if (!page) page.error().where = NameText(folder);
  return page;
}

}  // namespace twinset
