#include "leak/item_list.h"

#include <algorithm>
#include <utility>

#include "documents/field_text.h"
#include "documents/id_numbering.h"
#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "estimate/intervals.h"
#include "methods/measures.h"
#include "pipeline/report/pair_excerpt.h"

namespace twinset {
namespace {

constexpr size_t kExcerptBytes = 400;

// An error of a pass over the items, where flags of their own are given.
Error OfItems(const LeakOptions& options, Error error) {
  if (!IsSaid(options.test_input)) return error;
  for (const char* field : {"id", "text", "html", "url", "date"}) {
    const std::string flag = std::string(field) + "-field";
    error.message = Replaced(error.message, " --" + flag, " --test-" + flag);
    error.remedy = Replaced(error.remedy, " --" + flag, " --test-" + flag);
  }
  return error;
}

}  // namespace

std::string Replaced(std::string text, std::string_view from,
                     std::string_view to) {
  for (size_t at = text.find(from); at != text.npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

Result<uint32_t> LeakGramWords(const FeatureOptions& features) {
  TWINSET_ASSIGN(const auto kinds, ParseShingles(features.shingle));
  if (kinds.size() == 1 && kinds[0].unit == ShingleKind::kWord)
    return kinds[0].n;
  return Fail(ErrorCode::kUsage,
              "leak knows shingles of words only, not " + features.shingle, {},
              "--shingle word:N");
}

Result<std::unique_ptr<Verifier>> LeakVerifier(double threshold) {
  MethodOptions options;
  options.measure = Measure::kContainment;
  options.threshold = threshold;
  TWINSET_TRY(MeasureVerifier(options, nullptr));
  return MakeContainmentVerifier(threshold);
}

bool IsSaid(const AgainstOptions& test) {
  return test.format || test.preset || test.id_field || test.text_field ||
         test.html_field || test.url_field || test.date_field;
}

InputOptions LeakTestInput(const LeakOptions& options) {
  InputOptions input = options.input;
  input.inputs = options.test;
  const AgainstOptions& test = options.test_input;
  if (!IsSaid(test)) return input;
  input.preset = test.preset;
  if (test.format) input.format = *test.format;
  if (test.id_field) input.id_field = *test.id_field;
  if (test.text_field) {
    input.text_field = *test.text_field;
    input.html_field.clear();
  }
  if (test.html_field) input.html_field = *test.html_field;
  if (test.url_field) input.url_field = *test.url_field;
  if (test.date_field) input.date_field = *test.date_field;
  return input;
}

Status LeakStopStatus(const LeakOptions& options) {
  if (options.stop == nullptr || !*options.stop) return {};
  return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
}

Status ForEachLeakItem(
    const LeakOptions& options, const FeatureExtractor& extractor,
    LeakResult* result,
    const std::function<Status(const DocumentText&, const std::string&)>&
        on_item) {
  TWINSET_ASSIGN(
      SideCounter counter,
      SideCounter::Make("test set", options.test, options.input.networks));
  std::vector<std::string> fields;
  if (!options.split_field.empty()) fields.push_back(options.split_field);
  PassProgress progress(options.on_progress, "items", "", "items");
  Status status;
  const Status read = ForEachTextWithFields(
      LeakTestInput(options), options.features, {}, fields,
      [&](const DocumentText& text, const FieldValues& values) {
        std::string split = text.source;
        for (const auto& [field, value] : values)
          if (!value.empty()) split = value;
        status = on_item(text, split);
        if (status)
          counter.Document(text.source, !extractor.HasToken(text.text));
        progress.Add();
        if (status) status = LeakStopStatus(options);
        return status.has_value();
      },
      [&](const RejectedRecord& record) {
        counter.Rejected(record);
        result->quarantined += record.quarantined;
      });
  TWINSET_TRY(status);
  // What was not reached is not empty.
  if (!read && read.error().code != ErrorCode::kUsage) return read;
  result->sides = counter.sides();
  const std::string remedy =
      "--test-text-field names the field of the text of test items";
  for (const SideRead& side : result->sides) {
    const bool is_all = result->sides.size() == 1;
    TWINSET_TRY(CheckSideAfter(is_all ? read : Status(), side, remedy));
  }
  if (!read) return tl::unexpected(OfItems(options, read.error()));
  return {};
}

uint64_t LeakExcerptWords(uint64_t item_tokens) {
  constexpr uint64_t kWords = 10;
  return std::min(kWords, item_tokens);
}

std::string LeakExcerpt(std::string_view text, size_t begin) {
  return BeginningOf(text.substr(std::min(begin, text.size())), kExcerptBytes);
}

LeakKind LeakKindOf(uint64_t item_tokens, uint64_t document_tokens,
                    double share, double threshold) {
  return share >= threshold &&
                 static_cast<double>(document_tokens) * threshold <=
                     static_cast<double>(item_tokens)
             ? LeakKind::kWhole
             : LeakKind::kEmbedded;
}

std::vector<std::string> ItemList::Add(const DocumentText& text,
                                       const std::string& split,
                                       LeakResult* result) {
  LeakItem item;
  item.id = text.id;
  std::vector<std::string> first;  // of a short item all
  extractor_->ForEachToken(text.text, [&](const TokenView& token) {
    if (++item.tokens < words_) first.emplace_back(token.text);
  });
  item.leak.item_text = LeakExcerpt(text.text, 0);
  const auto [place, is_new] =
      splits_.try_emplace(split, result->splits.size());
  item.split = place->second;
  if (is_new) {
    result->splits.push_back({split});
    bytes_ += sizeof(LeakSplit) + 2 * split.size() + 100;
  }
  LeakSplit& of = result->splits[item.split];
  ++of.items;
  of.empty += item.tokens == 0;
  const bool is_short = item.tokens > 0 && item.tokens < words_;
  of.shorts += is_short;
  if (!is_short) first.clear();
  bytes_ += sizeof(LeakItem) + 3 * item.id.size() + kExcerptBytes + 200;
  items_.push_back(std::move(item));
  return first;
}

void ItemList::NameAll() {
  IdNumbering ids;
  for (const LeakItem& item : items_) ids.Own(item.id);
  for (LeakItem& item : items_) item.id = ids.NameOf(item.id);
}

void ItemList::Finish(LeakResult* result, std::vector<std::string>* clean) {
  for (LeakItem& item : items_) {
    LeakSplit& split = result->splits[item.split];
    const LeakKind kind = item.leak.kind;
    split.whole += kind == LeakKind::kWhole;
    split.embedded += kind == LeakKind::kEmbedded;
    split.short_embedded += kind == LeakKind::kShortEmbedded;
    if (kind == LeakKind::kClean || kind == LeakKind::kShortEmbedded)
      clean->push_back(item.id);
    if (kind == LeakKind::kClean) continue;
    item.leak.item = std::move(item.id);
    item.leak.split = split.name;
    result->leaks.push_back(std::move(item.leak));
  }
  items_.clear();
  for (LeakSplit& split : result->splits) {
    const Interval interval = WilsonInterval(split.leaked(), split.items);
    split.low = interval.low;
    split.high = interval.high;
  }
}

LeakParameters LeakParametersOf(const LeakOptions& options) {
  return {.rule = options.rule,
          .threshold = options.threshold,
          .split_field = options.split_field,
          .shingle = options.features.shingle,
          .tokens = options.features.tokens,
          .content = options.features.content};
}

}  // namespace twinset
