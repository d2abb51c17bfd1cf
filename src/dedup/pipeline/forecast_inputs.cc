#include "pipeline/forecast_inputs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "documents/side_check.h"
#include "read/bundle/bundle.h"
#include "read/codec.h"
#include "read/look.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr size_t kMostLooks = 10'000;  // files that are looked into
constexpr size_t kMostNamed = 100;     // files that are named
constexpr size_t kLeastPieces = 16, kMostPieces = 1024;

// What a document is in a file of the format, in words.
std::string DocumentOf(const InputLook& look, const ReadOptions& read) {
  const auto row = [&](const std::string& what) {
    const bool is_html = !read.html_field.empty();
    return what + ", whose " + (is_html ? "markup" : "text") +
           " is the field \"" + (is_html ? read.html_field : read.text_field) +
           "\"";
  };
  if (look.container == Container::kArchive)
    return "what each file in the archive holds";
  if (look.container == Container::kArray)
    return row("an element of the array");
  switch (look.format) {
    case InputFormat::kWarc:
    case InputFormat::kArc:
      return "a record with the status and the type that are asked for";
    case InputFormat::kTrec:
      return "a <DOC>";
    case InputFormat::kMediaWiki:
      return read.revisions == RevisionRule::kAll
                 ? "a revision of a page"
                 : "the newest revision of a page";
    case InputFormat::kJsonl:
      return row("a line");
    case InputFormat::kCsv:
    case InputFormat::kTsv:
    case InputFormat::kTable:
      return row("a row");
    case InputFormat::kHtml:
      return "the file, a page";
    case InputFormat::kText:
    case InputFormat::kAuto:
      break;
  }
  return "the file";
}

// Documents that the file is known to hold.
uint32_t PagesOf(const InputFile& file, const InputLook& look,
                 const ReadOptions& read) {
  if (look.container == Container::kNone)
    return look.format == InputFormat::kHtml ||
           look.format == InputFormat::kText;
  if (look.archive != "zip") return 0;
  auto source = OpenByteSource(file, nullptr, false);
  if (!source) return 0;
  const auto zip = OpenZip(std::move(*source), read);
  if (!zip) return 0;
  return static_cast<uint32_t>(
      std::min<uint64_t>((*zip)->listed_pages(), UINT32_MAX));
}

std::string ExtensionOf(const std::string& path) {
  const size_t name = path.rfind('/') + 1, dot = path.rfind('.');
  return dot == path.npos || dot < name ? std::string() : path.substr(dot);
}

// Files that are alike in how they are read.
struct Group {
  uint64_t files = 0, bytes = 0;
  std::string document;
};

class Looking {
 public:
  explicit Looking(const Plan& plan)
      : plan_(plan),
        step_((plan.inputs.files.size() + kMostLooks - 1) / kMostLooks) {}

  Result<InputsForecast> Do(const std::vector<std::string>& arguments) {
    SourceNames files;
    forecast_.pages.resize(plan_.inputs.files.size());
    for (size_t i = 0; i < plan_.inputs.files.size(); ++i) {
      if (plan_.inputs.IsStored(i)) continue;
      const InputFile& file = files.FileOf(plan_.inputs.files, i);
      ++files_;
      EndArgument(i, file);
      if (!file.state.regular) {
        forecast_.has_pipes = true;
        pipes_.push_back(NameText(file.path));
        continue;
      }
      all_bytes_ += file.state.size;
      if (i % std::max<size_t>(1, step_) == 0) {
        TWINSET_TRY(LookAtFile(i, file));
      } else {
        others_bytes_[plan_.inputs.SideOf(i)] += file.state.size;
        const auto like = is_page_.find(ExtensionOf(file.path));
        if (like != is_page_.end() && like->second) TakePages(i, file, 1);
      }
    }
    Finish(arguments);
    return std::move(forecast_);
  }

 private:
  // In the words that the run would have for them.
  void EndArgument(size_t i, const InputFile& file) {
    const InputList& files = plan_.inputs.files;
    has_bytes_ |= !file.state.regular || file.state.size > 0;
    if (!files.EndsArgument(i)) return;
    const char* side = plan_.inputs.SideOf(i) == 1 ? "B" : "A";
    if (!std::exchange(has_bytes_, false))
      unusable_.Add(SideOf(plan_.inputs.first_side == 0 ? "" : side,
                           files.ArgumentOf(i), ReadOutcome()));
  }

  Status LookAtFile(size_t i, const InputFile& file) {
    const size_t side = plan_.inputs.SideOf(i);
    const auto look = LookAt(file, plan_.inputs.ReadOf(i));
    if (!look && look.error().code == ErrorCode::kInterrupted)
      return tl::unexpected(look.error());
    ++looked_at_;
    const std::string refusal = look ? look->refusal : look.error().ToString();
    if (!refusal.empty()) {
      ++refused_;
      if (not_read_.size() < kMostNamed)
        not_read_.push_back({{"path", NameText(file.path)},
                             {"bytes", file.state.size},
                             {"reason", refusal}});
      return {};
    }
    forecast_.bytes[side] += file.state.size;
    const uint32_t pages = PagesOf(file, *look, plan_.inputs.ReadOf(i));
    is_page_[ExtensionOf(file.path)] = pages == 1;
    TakePages(i, file, pages);
    const std::string format = look->container == Container::kArchive
                                   ? look->archive
                                   : std::string(ChoiceName(look->format));
    const bool is_array = look->container == Container::kArray;
    const std::string compression(CompressionName(look->compression));
    Group& group = groups_[{side, format, compression, is_array}];
    ++group.files;
    group.bytes += file.state.size;
    group.document = DocumentOf(*look, plan_.inputs.ReadOf(i));
    if (named_.size() < kMostNamed)
      named_.push_back({{"path", NameText(file.path)},
                        {"bytes", file.state.size},
                        {"format", format},
                        {"compression", compression}});
    return {};
  }

  void TakePages(size_t i, const InputFile& file, uint32_t pages) {
    if (pages == 0 || file.state.size == 0) return;
    forecast_.pages[i] = pages;
    const size_t side = plan_.inputs.SideOf(i);
    auto& of = pages == 1 ? forecast_.files[side] : forecast_.archives[side];
    of.count += pages;
    of.bytes += file.state.size;
  }

  void Finish(const std::vector<std::string>& arguments) {
    // What was not looked into is taken to be as what was.
    for (size_t side = 0; side < 2; ++side) {
      const double read = looked_at_ == 0
                              ? 0
                              : 1 - static_cast<double>(refused_) /
                                        static_cast<double>(looked_at_);
      forecast_.bytes[side] += static_cast<uint64_t>(
          read * static_cast<double>(others_bytes_[side]));
    }
    forecast_.warnings = unusable_.sentences();
    Json& json = forecast_.json;
    json["files"] = files_;
    json["bytes"] = all_bytes_;
    json["looked_at"] = looked_at_;
    Json kinds = Json::array();
    for (const auto& [key, group] : groups_) {
      const auto& [side, format, compression, is_array] = key;
      Json kind = {{"format", format}, {"compression", compression}};
      if (is_array) kind["array"] = true;
      if (plan_.inputs.first_side != 0) kind["side"] = side == 0 ? "a" : "b";
      kind["files"] = group.files;
      kind["bytes"] = group.bytes;
      kind["document"] = group.document;
      kinds.push_back(std::move(kind));
    }
    json["kinds"] = std::move(kinds);
    json["named"] = std::move(named_);
    json["pipes"] = pipes_;
    json["not_read_files"] = refused_;
    json["not_read"] = std::move(not_read_);
    const LeftOutFiles left_out = CountLeftOut(arguments);
    json["left_out"] = {{"hidden", left_out.hidden},
                        {"links_to_folders", left_out.folder_links},
                        {"no_files", left_out.others}};
  }

  const Plan& plan_;
  const size_t step_;  // of the files one is looked into
  InputsForecast forecast_;
  uint64_t files_ = 0, all_bytes_ = 0, looked_at_ = 0, refused_ = 0;
  std::array<uint64_t, 2> others_bytes_{};
  std::map<std::string, bool> is_page_;  // the last one looked at, by extension
  std::vector<std::string> pipes_;
  bool has_bytes_ = false;  // of the present argument
  UnusableInputs unusable_;
  Json named_ = Json::array(), not_read_ = Json::array();
  std::map<std::tuple<size_t, std::string, std::string, bool>, Group> groups_;
};

struct Place {
  size_t input = 0;
  uint64_t bytes = 0;
};

uint64_t BytesOf(const std::vector<Place>& places) {
  uint64_t bytes = 0;
  for (const Place& place : places) bytes += place.bytes;
  return bytes;
}

// How many of as many inputs stand for all in a sample of `bytes`.
size_t PiecesOf(const std::vector<Place>& places, uint64_t bytes) {
  const uint64_t mean = std::max<uint64_t>(1, BytesOf(places) / places.size());
  return std::clamp<size_t>(bytes / mean, kLeastPieces, kMostPieces);
}

// Some of the inputs, each as likely as any other.
std::vector<size_t> Anyhow(std::vector<Place> places, uint64_t bytes) {
  std::vector<size_t> chosen;
  if (places.empty()) return chosen;
  const bool all_fit = BytesOf(places) <= bytes && places.size() <= kMostPieces;
  const size_t pieces = all_fit ? places.size() : PiecesOf(places, bytes);
  if (pieces < places.size()) {
    std::sort(places.begin(), places.end(), [](const Place& x, const Place& y) {
      return Mix64(x.input) < Mix64(y.input);
    });
    places.resize(pieces);
  }
  for (const Place& place : places) chosen.push_back(place.input);
  return chosen;
}

// Those at places that stand evenly among the bytes of all.
std::vector<size_t> Evenly(const std::vector<Place>& places, uint64_t bytes) {
  std::vector<size_t> chosen;
  const uint64_t all = BytesOf(places);
  if (all == 0) return chosen;
  const size_t pieces = PiecesOf(places, bytes);
  if ((pieces >= places.size() || all <= bytes) &&
      places.size() <= kMostPieces) {
    for (const Place& place : places) chosen.push_back(place.input);
    return chosen;
  }
  size_t at = 0;
  uint64_t end = places[0].bytes;  // of the input, in the bytes of all
  for (size_t n = 0; n < pieces; ++n) {
    const auto place = static_cast<uint64_t>((static_cast<double>(n) + .5) *
                                             static_cast<double>(all) /
                                             static_cast<double>(pieces));
    while (end <= place) end += places[++at].bytes;
    if (chosen.empty() || chosen.back() != places[at].input)
      chosen.push_back(places[at].input);
  }
  return chosen;
}

// Some of the inputs [begin, end), in order.
std::vector<size_t> SomeOf(const InputList& inputs, size_t begin, size_t end,
                           const std::vector<uint32_t>& pages, uint64_t bytes) {
  std::vector<Place> files, others;
  SourceNames names;
  for (size_t i = begin; i < end; ++i) {
    const FileState& state = names.FileOf(inputs, i).state;
    if (!state.regular || state.size == 0) continue;
    const bool is_page = i < pages.size() && pages[i] == 1;
    (is_page ? files : others).push_back({i, state.size});
  }
  const auto all = static_cast<double>(BytesOf(files) + BytesOf(others));
  const double share = all == 0 ? 0 : static_cast<double>(BytesOf(files)) / all;
  const auto of_files =
      static_cast<uint64_t>(share * static_cast<double>(bytes));
  std::vector<size_t> chosen = Anyhow(std::move(files), of_files);
  const auto of_others = Evenly(others, bytes - of_files);
  chosen.insert(chosen.end(), of_others.begin(), of_others.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// How much of each file there may be, so that all together have `bytes`: small
// files leave room to large ones.
uint64_t LevelOf(const InputList& inputs, uint64_t bytes) {
  constexpr uint64_t kLeast = 64 << 10, kUnpacked = 4;
  std::vector<uint64_t> sizes;  // decoded, about
  for (const InputFile& file : inputs) {
    const bool is_packed = CompressionOfPath(file.path) != Compression::kNone;
    sizes.push_back(file.state.size * (is_packed ? kUnpacked : 1));
  }
  std::sort(sizes.begin(), sizes.end());
  uint64_t left = bytes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const uint64_t share = left / (sizes.size() - i);
    if (sizes[i] > share) return std::max(kLeast, share);
    left -= sizes[i];
  }
  return bytes;
}

}  // namespace

Result<InputsForecast> LookAtInputs(const Plan& plan,
                                    const std::vector<std::string>& arguments) {
  return Looking(plan).Do(arguments);
}

bool TakePieces(uint64_t bytes, Plan* plan, std::vector<uint32_t>* pages) {
  const InputList all = plan->inputs.files;
  const size_t sides = plan->inputs.first_side == 0 ? 1 : 2;
  const size_t first =
      plan->inputs.first_side == 0 ? all.size() : plan->inputs.first_side;
  std::vector<size_t> chosen = SomeOf(all, 0, first, *pages, bytes / sides);
  plan->inputs.first_side = sides == 1 ? 0 : chosen.size();
  if (sides == 2) {
    const auto second = SomeOf(all, first, all.size(), *pages, bytes / sides);
    chosen.insert(chosen.end(), second.begin(), second.end());
  }
  plan->inputs.files = InputList();
  std::vector<uint32_t> pages_of_chosen;
  for (const size_t i : chosen) {
    plan->inputs.files.Add(all[i]);
    pages_of_chosen.push_back(i < pages->size() ? (*pages)[i] : 0);
  }
  *pages = std::move(pages_of_chosen);
  plan->inputs.sample_bytes = LevelOf(plan->inputs.files, bytes);
  size_t others = 0;  // without a byte
  for (const InputFile& file : all)
    others += file.state.regular && file.state.size == 0;
  return chosen.size() + others == all.size();
}

}  // namespace twinset
