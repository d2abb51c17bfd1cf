#include "documents/find_document.h"

#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/field_text.h"
#include "documents/side_check.h"

namespace twinset {

namespace {

constexpr TextDetails kDetails = {
    .layout = true, .other = true, .payload = true};

std::string ReasonOf(const RejectedRecord& rejected) {
  return rejected.reason + " " + rejected.detail;
}

// How `dedup` names repeats: the n-th further document called `base` gets the
// n-th number from 2 on that no other id has taken. `taken` are such numbers.
uint64_t RepeatWithNumber(const std::set<uint64_t>& taken, uint64_t number) {
  const auto end = taken.upper_bound(number);
  return number - 1 - static_cast<uint64_t>(std::distance(taken.begin(), end));
}

// "base#number" with a number that dedup gives; false for any other name.
bool SplitRepeatName(const std::string& name, std::string* base,
                     uint64_t* number) {
  const size_t hash = name.rfind('#');
  if (hash == std::string::npos || hash + 1 == name.size() ||
      name[hash + 1] == '0') {
    return false;
  }
  const char* end = name.data() + name.size();
  const auto [stop, error] =
      std::from_chars(name.data() + hash + 1, end, *number);
  *base = name.substr(0, hash);
  return error == std::errc() && stop == end && *number >= 2 &&
         *number < 1'000'000'000;
}

// One look for a document in the inputs.
struct Search {
  const PassWatch& watch;
  DocumentText found;
  bool has_found = false;
  std::string reason;              // why a record of that name is no document
  std::vector<std::string> empty;  // inputs without a document, among others

  // Stops at the first document that `matches`.
  Status Run(const InputOptions& input, const FeatureOptions& features,
             const std::string& name,
             const std::function<bool(const DocumentText&)>& matches) {
    TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("--in", input));
    PassProgress progress(watch.on_progress, "explain", "find", "documents");
    Status stopped;
    const Status read = ForEachListedText(
        counter.files(), input, features, kDetails, {},
        [&](const DocumentText& text, const FieldValues&) {
          stopped = CheckStop(watch.stop);
          if (!stopped) return false;
          progress.Add();
          counter.Document(text.source, /*is_wordless=*/false);
          if (!matches(text)) return true;
          found = text;
          has_found = true;
          return false;
        },
        counter.Counting([&](const RejectedRecord& rejected) {
          if (rejected.id == name) reason = ReasonOf(rejected);
        }));
    TWINSET_TRY(stopped);
    if (watch.cut_offs != nullptr) watch.cut_offs->Take("", counter.reasons());
    TWINSET_TRY(CheckSideAfter(read, counter.Whole("--in")));
    empty = counter.Warnings();
    return {};
  }
};

// The document that a run over `in` calls `name`, or would but for what no list
// can hold.
Result<DocumentText> FindById(const std::string& name, const InputOptions& in,
                              const FeatureOptions& features,
                              const PassWatch& watch) {
  std::string base;
  uint64_t number = 0;
  const bool may_be_repeat = SplitRepeatName(name, &base, &number);
  std::set<uint64_t> taken;
  Search search{watch, {}, false, {}, {}};
  TWINSET_TRY(search.Run(in, features, name, [&](const DocumentText& text) {
    std::string other_base;
    uint64_t other = 0;
    if (may_be_repeat && SplitRepeatName(text.id, &other_base, &other) &&
        other_base == base) {
      taken.insert(other);
    }
    return text.id == name || (BreaksLists(name) && text.original_id == name);
  }));
  if (!search.has_found && may_be_repeat && !taken.contains(number)) {
    const uint64_t repeat = RepeatWithNumber(taken, number);
    uint64_t seen = 0;
    TWINSET_TRY(search.Run(in, features, name, [&](const DocumentText& text) {
      return text.id == base && seen++ == repeat;
    }));
    search.found.id = name;
  }
  if (search.has_found) return search.found;
  std::string remedy = "twinset text --json lists the ids";
  if (!search.empty.empty()) remedy = search.empty.front() + "; " + remedy;
  if (!search.reason.empty())
    remedy = "a record of that id is no document: " + search.reason;
  return Fail(ErrorCode::kUsage, "no document has the id '" + name + "'", "",
              std::move(remedy));
}

}  // namespace

Result<DocumentText> FindDocument(const std::string& name,
                                  const InputOptions& in,
                                  const FeatureOptions& features,
                                  const PassWatch& watch) {
  if (!in.inputs.empty()) {
    TWINSET_TRY(RefuseReadOnce(in.inputs));
    return FindById(name, in, features, watch);
  }
  InputOptions input = in;
  input.inputs = {name};
  std::vector<DocumentText> found;
  std::string reason;
  std::map<std::string, uint64_t> reasons;
  TWINSET_TRY(ForEachText(
      input, features, kDetails,
      [&](const DocumentText& text) {
        found.push_back(text);
        return found.size() < 2;
      },
      [&](const RejectedRecord& rejected) {
        reason = ReasonOf(rejected);
        if (rejected.quarantined) ++reasons[rejected.reason];
      }));
  if (watch.cut_offs != nullptr) watch.cut_offs->Take(name, reasons);
  if (found.size() == 1) return std::move(found[0]);
  if (found.empty())
    return Fail(ErrorCode::kUsage, "the file holds no document", name, reason);
  return Fail(ErrorCode::kUsage,
              "the file holds several documents: '" + found[0].id + "', '" +
                  found[1].id + "' ...",
              name,
              "name the documents by their ids and the files by --in: --in " +
                  name + " '" + found[0].id + "' '" + found[1].id + "'");
}

}  // namespace twinset
