#include "transfer/study_plan.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <utility>

#include "base/lists/list_text.h"
#include "documents/page_text.h"
#include "twinset/plain_words.h"

// toml++ asserts, and without assertions assumes, what files may break: that a
// key stands behind "[". Its checks behind that find the fault.
#define TOML_EXCEPTIONS 1
// Its streams would bring all of the standard library's locales.
#define TOML_FLOAT_CHARCONV 1
#define TOML_ASSERT(expr) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace twinset {
namespace {

constexpr uint64_t kMostConfigBytes = 1 << 20;

// One table of the file. The first error of all of them is kept.
class Section {
 public:
  Section(const toml::table* table, std::string name, const std::string* file,
          Status* status)
      : table_(table), name_(std::move(name)), file_(file), status_(status) {}

  // A key that may stand in the table, and what is done with its value.
  Section& Key(std::string_view key,
               const std::function<Status(const toml::node&)>& use) {
    known_.push_back(key);
    const toml::node* const node =
        table_ == nullptr ? nullptr : table_->get(key);
    if (node == nullptr || !*status_) return *this;
    if (Status used = use(*node); !used) {
      Error error = std::move(used).error();
      error.where = Where(*node);
      error.message = "'" + FullName(key) + "': " + error.message;
      *status_ = tl::unexpected<Error>(std::move(error));
    }
    return *this;
  }

  Section& Text(std::string_view key, std::string* to) {
    return Key(key, [to](const toml::node& node) { return TextOf(node, to); });
  }
  // One text or a list of them.
  Section& Texts(std::string_view key, std::vector<std::string>* to) {
    return Key(key, [to](const toml::node& node) -> Status {
      to->clear();
      if (node.is_string()) return TextOf(node, &to->emplace_back());
      const toml::array* const list = node.as_array();
      if (list == nullptr || list->empty())
        return Fail(ErrorCode::kUsage, "a text or a list of texts is wanted");
      for (const toml::node& item : *list)
        TWINSET_TRY(TextOf(item, &to->emplace_back()));
      return {};
    });
  }
  // The same, of paths.
  Section& Paths(std::string_view key, const std::string& folder,
                 std::vector<std::string>* to) {
    Texts(key, to);
    if (table_ != nullptr && table_->contains(key))
      for (std::string& path : *to)
        if (!path.empty() && path[0] != '/') path.insert(0, folder);
    return *this;
  }
  template <typename Integer>
  Section& Whole(std::string_view key, int64_t least, int64_t most,
                 Integer* to) {
    return Key(key, [=](const toml::node& node) -> Status {
      const auto* const value = node.as_integer();
      if (value == nullptr || value->get() < least || value->get() > most)
        return Fail(ErrorCode::kUsage, "a whole number from " +
                                           std::to_string(least) + " to " +
                                           std::to_string(most) + " is wanted");
      *to = static_cast<Integer>(value->get());
      return {};
    });
  }
  Section& Share(std::string_view key, double* to) {
    return Key(key, [to](const toml::node& node) { return ShareOf(node, to); });
  }
  Section& Shares(std::string_view key, std::vector<double>* to) {
    return Key(key, [to](const toml::node& node) -> Status {
      const toml::array* const list = node.as_array();
      if (list == nullptr)
        return Fail(ErrorCode::kUsage, "a list of shares is wanted");
      to->clear();
      for (const toml::node& item : *list)
        TWINSET_TRY(ShareOf(item, &to->emplace_back()));
      return {};
    });
  }
  Section& Switch(std::string_view key, bool* to) {
    return Key(key, [to](const toml::node& node) -> Status {
      if (!node.is_boolean())
        return Fail(ErrorCode::kUsage, "true or false is wanted");
      *to = node.as_boolean()->get();
      return {};
    });
  }
  template <ChoiceEnum Enum>
  Section& Choice(std::string_view key, Enum* to) {
    return Key(key, [to](const toml::node& node) -> Status {
      return ChoiceOf(node, to);
    });
  }
  template <ChoiceEnum Enum>
  Section& Choices(std::string_view key, std::vector<Enum>* to) {
    return Key(key, [to](const toml::node& node) -> Status {
      const toml::array* const list = node.as_array();
      if (list == nullptr || list->empty())
        return Fail(ErrorCode::kUsage,
                    "a list of " + Known<Enum>() + " is wanted");
      to->clear();
      for (const toml::node& item : *list) {
        Enum value = {};
        TWINSET_TRY(ChoiceOf(item, &value));
        if (std::find(to->begin(), to->end(), value) != to->end())
          return Fail(ErrorCode::kUsage, "a value stands twice");
        to->push_back(value);
      }
      return {};
    });
  }
  Section Table(std::string_view key) {
    const toml::table* table = nullptr;
    Key(key, [&](const toml::node& node) -> Status {
      table = node.as_table();
      if (table == nullptr)
        return Fail(ErrorCode::kUsage, "a table is wanted", {},
                    "[" + std::string(key) + "]");
      return {};
    });
    return {table, FullName(key), file_, status_};
  }

  bool is_there() const { return table_ != nullptr; }

  // Behind the last key: none else may stand there.
  void Finish() const {
    if (table_ == nullptr || !*status_) return;
    for (const auto& [key, node] : *table_) {
      if (std::find(known_.begin(), known_.end(), key.str()) != known_.end())
        continue;
      std::string remedy = DidYouMean(key.str(), known_);
      if (remedy.empty()) remedy = "known: " + OrList(known_);
      *status_ = Fail(ErrorCode::kUsage,
                      "there is no key '" + NameText(FullName(key.str())) + "'",
                      Where(node), std::move(remedy));
      return;
    }
  }

 private:
  static Status TextOf(const toml::node& node, std::string* to) {
    const auto* const value = node.as_string();
    if (value == nullptr || value->get().empty())
      return Fail(ErrorCode::kUsage, "a text is wanted");
    *to = value->get();
    return {};
  }
  static Status ShareOf(const toml::node& node, double* to) {
    const auto value = node.value<double>();
    if (!value || !(*value > 0 && *value <= 1))
      return Fail(ErrorCode::kUsage, "a number above 0, at most 1, is wanted");
    *to = *value;
    return {};
  }
  template <ChoiceEnum Enum>
  static std::string Known() {
    return OrList(ChoiceNames<Enum>());
  }
  template <ChoiceEnum Enum>
  static Status ChoiceOf(const toml::node& node, Enum* to) {
    std::string name;
    TWINSET_TRY(TextOf(node, &name));
    const auto value = FindChoice<Enum>(name);
    if (!value)
      return Fail(ErrorCode::kUsage, "there is no '" + NameText(name) + "'", {},
                  "known: " + Known<Enum>());
    *to = *value;
    return {};
  }
  std::string FullName(std::string_view key) const {
    return (name_.empty() ? name_ : name_ + ".") + std::string(key);
  }
  std::string Where(const toml::node& node) const {
    return *file_ + ":" + std::to_string(node.source().begin.line);
  }

  const toml::table* table_;
  std::string name_;
  const std::string* file_;
  Status* status_;
  std::vector<std::string_view> known_;
};

// The parameters of the thesis; what the file says beside it counts more.
constexpr std::string_view kThesis = "grassegger14";
void UseThesis(StudyPlan* plan) {
  plan->content = {ContentMode::kAll};
  plan->candidates.tables = "4";
  plan->candidates.feature_hash = FeatureHash::kMd5;
}

void ReadSide(Section* section, const std::string& folder, InputOptions* side) {
  section->Paths("inputs", folder, &side->inputs)
      .Choice("format", &side->format)
      .Text("id_field", &side->id_field)
      .Text("text_field", &side->text_field)
      .Text("html_field", &side->html_field)
      .Text("url_field", &side->url_field);
}

Status CheckPlan(const StudyPlan& plan, const std::string& where) {
  const auto fail = [&](std::string message, std::string remedy) -> Status {
    return Fail(ErrorCode::kUsage, std::move(message), where,
                std::move(remedy));
  };
  if (plan.a.inputs.empty())
    return fail("it names no inputs of A", "[a] inputs = [\"a.warc.gz\"]");
  if (plan.b.inputs.empty())
    return fail("it names no inputs of B", "[b] inputs = [\"b.warc.gz\"]");
  if (plan.qrels.empty())
    return fail("it names no judgements of A", "[a] qrels = [\"a.qrels\"]");
  if (plan.segment_pattern.empty() && plan.b.inputs.size() > kMostSegments)
    return fail("B has more than " + std::to_string(kMostSegments) +
                    " inputs, each of which would be a segment",
                "name folders, or [b] segment_pattern");
  for (const ContentMode content : plan.content)
    if (content == ContentMode::kRaw)
      return fail("'content' is all or main, or both",
                  "content = [\"all\", \"main\"]");
  FeatureOptions features;
  features.tokens = plan.tokens;
  std::vector<std::string> shingles = plan.candidates.mixes;
  for (size_t i = 0; i < shingles.size(); ++i)
    if (std::find(
            shingles.begin(), shingles.begin() + static_cast<std::ptrdiff_t>(i),
            shingles[i]) != shingles.begin() + static_cast<std::ptrdiff_t>(i))
      return fail("the mix " + shingles[i] + " stands twice", {});
  shingles.push_back(plan.measure);
  for (const std::string& shingle : shingles) {
    features.shingle = shingle;
    if (const auto reader = TextReader::Make(features); !reader)
      return fail(reader.error().message, reader.error().remedy);
  }
  const std::string& pairs = plan.retrieval.pairs;
  const auto& mixes = plan.candidates.mixes;
  if (plan.retrieval.topics.empty()) return {};
  if (pairs == "complete" && !plan.candidates.complete)
    return fail("retrieval.pairs are those of the complete join, which is off",
                "candidates.complete = true, or name a mix");
  if (pairs != "complete" &&
      std::find(mixes.begin(), mixes.end(), pairs) == mixes.end())
    return fail("retrieval.pairs is no mix of candidates.mixes", {});
  return {};
}

// toml++ does not bear other characters between strings (its tables of Unicode
// end in unreachable code), so they are not handed over.
Status CheckCharacters(const std::string& text, const std::string& where) {
  size_t line = 1;
  for (const char c : text) {
    line += c == '\n';
    const bool is_plain =
        (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || c == '\r';
    if (!is_plain)
      return Fail(ErrorCode::kUsage, "a character that is not printable ASCII",
                  where + ":" + std::to_string(line),
                  "write it as \\uXXXX in a string");
  }
  return {};
}

// toml++ stops at the first fault by an exception.
Result<toml::table> ParseToml(const std::string& text,
                              const std::string& where) {
  TWINSET_TRY(CheckCharacters(text, where));
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return Fail(ErrorCode::kUsage,
                "it is no TOML: " + NameText(error.description()),
                where + ":" + std::to_string(error.source().begin.line));
  }
}

}  // namespace

Result<StudyPlan> ParseStudyPlan(const std::string& text,
                                 const std::string& where,
                                 const std::string& folder) {
  TWINSET_ASSIGN(const toml::table parsed, ParseToml(text, where));
  StudyPlan plan;
  Status status;
  Section root(&parsed, "", &where, &status);
  root.Key("preset", [&](const toml::node& node) -> Status {
    const auto* const name = node.as_string();
    if (name == nullptr || name->get() != kThesis)
      return Fail(ErrorCode::kUsage, "there is no such preset", {},
                  "known: " + std::string(kThesis));
    UseThesis(&plan);
    return {};
  });
  root.Whole("seed", 0, INT64_MAX, &plan.seed)
      .Share("threshold", &plan.threshold)
      .Text("measure", &plan.measure)
      .Choice("tokens", &plan.tokens)
      .Choices("content", &plan.content);
  Section a = root.Table("a");
  ReadSide(&a, folder, &plan.a);
  a.Paths("qrels", folder, &plan.qrels).Finish();
  // B and the control are written as A unless they say otherwise.
  plan.b = plan.control = plan.a;
  plan.b.inputs.clear();
  plan.control.inputs.clear();
  Section b = root.Table("b");
  ReadSide(&b, folder, &plan.b);
  b.Text("segment_pattern", &plan.segment_pattern).Finish();
  Section control = root.Table("control");
  ReadSide(&control, folder, &plan.control);
  control.Finish();
  Section candidates = root.Table("candidates");
  candidates.Texts("mixes", &plan.candidates.mixes)
      .Whole("bits", 1, 384, &plan.candidates.bits)
      .Whole("distance", 0, 384, &plan.candidates.distance)
      .Text("tables", &plan.candidates.tables)
      .Choice("feature_hash", &plan.candidates.feature_hash)
      .Whole("bucket_limit", 0, INT64_MAX, &plan.candidates.bucket_limit)
      .Switch("complete", &plan.candidates.complete)
      .Finish();
  Section extrapolation = root.Table("extrapolation");
  extrapolation
      .Whole("fit", 3, static_cast<int64_t>(kMostSegments),
             &plan.extrapolation.fit)
      .Whole("draws", 1, 10000, &plan.extrapolation.draws)
      .Whole("to", 0, 1000000, &plan.extrapolation.to)
      .Finish();
  Section retrieval = root.Table("retrieval");
  retrieval.Paths("topics", folder, &plan.retrieval.topics)
      .Text("pairs", &plan.retrieval.pairs)
      .Choice("conflict", &plan.retrieval.conflict)
      .Whole("results", 1, 1000000, &plan.retrieval.results)
      .Whole("relevance_level", 1, 1000000, &plan.retrieval.relevance_level)
      .Whole("permutations", 1, 10000000, &plan.retrieval.permutations)
      .Whole("draws", 1, 1000, &plan.retrieval.draws)
      .Shares("shares", &plan.retrieval.shares)
      .Finish();
  Section assessment = root.Table("assessment");
  plan.assessment.wanted = assessment.is_there();
  assessment.Whole("pairs", 1, 10000, &plan.assessment.pairs)
      .Share("least_grade", &plan.assessment.least_grade)
      .Paths("labels", folder, &plan.assessment.labels)
      .Finish();
  root.Finish();
  TWINSET_TRY(status);
  TWINSET_TRY(CheckPlan(plan, where));
  return plan;
}

Result<StudyPlan> ReadStudyPlan(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadListText(path, kMostConfigBytes));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return ParseStudyPlan(text, path, folder.empty() ? folder : folder + "/");
}

std::string FileWord(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '+' || c == '-';
    if (plain) word += c;
  }
  return word;
}

}  // namespace twinset
