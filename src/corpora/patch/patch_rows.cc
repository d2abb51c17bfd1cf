#include "patch/patch_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "pipeline/report/result_rows.h"

namespace twinset {

namespace {

// The numbers of sources by their names, which come in input order.
class SourceWalk {
 public:
  explicit SourceWalk(const InputList& inputs) : inputs_(inputs) {}
  Result<uint64_t> Find(const std::string& name) {
    while (at_ < inputs_.size() && names_.Of(inputs_, at_) != name) ++at_;
    if (at_ < inputs_.size()) return at_;
    return Fail(ErrorCode::kIo,
                "the run names an input that is not among those given, or in "
                "another order",
                name, "give the inputs of the run as dedup was given them");
  }

 private:
  const InputList& inputs_;
  SourceNames names_;
  size_t at_ = 0;
};

// Writes a place for each row that `take` gives one of.
template <typename Place>
Status CopyRows(const std::string& run, const std::string& list,
                const InputList& inputs, const std::string& path,
                bool (*take)(const Json& row, Place* place)) {
  TWINSET_ASSIGN(auto writer, RunWriter<Place>::Create(path, 0));
  SourceWalk walk(inputs);
  Status status;
  TWINSET_TRY(ForEachResultRow(run, list, [&](const Json& row) {
    Place place;
    if (!take(row, &place)) return true;
    const auto source = walk.Find(row["source"].get<std::string>());
    if (!source) {
      status = tl::unexpected(source.error());
      return false;
    }
    place.source = *source;
    place.ordinal = row["ordinal"].get<uint64_t>();
    status = writer.Append(place);
    return status.has_value();
  }));
  TWINSET_TRY(status);
  return writer.Finish(/*sync=*/false);
}

}  // namespace

Status CopyClusters(const std::string& run, const InputList& inputs,
                    const std::string& path) {
  return CopyRows<ClusteredPlace>(
      run, "clusters", inputs, path, [](const Json& row, ClusteredPlace* to) {
        to->cluster =
            EqualityHash::OfProcess().Long(row["cluster"].get<std::string>());
        to->size = row["size"].get<uint64_t>();
        to->is_representative = row["is_representative"].get<bool>();
        to->similarity = row["similarity"].get<double>();
        // Not there where nothing was verified.
        const Json& contained = row["contained"];
        if (contained.is_number()) to->contained = contained.get<double>();
        return true;
      });
}

Status CopyRefused(const std::string& run, const InputList& inputs,
                   const std::string& path) {
  return CopyRows<RefusedPlace>(
      run, "quarantine", inputs, path,
      [](const Json& row, RefusedPlace*) { return row["stage"] == "text"; });
}

Result<IdList> IdList::Open(const std::string& path) {
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  return IdList(std::move(file));
}

Status IdList::Fill(size_t bytes) {
  if (buffer_.size() - at_ >= bytes || ended_) return {};
  buffer_.erase(0, std::exchange(at_, 0));
  const size_t wanted = std::max<size_t>(bytes, 64 << 10);
  while (buffer_.size() < wanted && !ended_) {
    const size_t before = buffer_.size();
    buffer_.resize(wanted);
    TWINSET_ASSIGN(const size_t size,
                   file_.Read(buffer_.data() + before, wanted - before));
    buffer_.resize(before + size);
    ended_ = size == 0;
  }
  return {};
}

Result<bool> IdList::Take(std::string_view id, std::string* name) {
  constexpr size_t kMostNumber = 24;
  TWINSET_TRY(Fill(id.size() + kMostNumber));
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  if (!rest.starts_with(id)) return false;
  size_t end = id.size();
  if (end < rest.size() && rest[end] == '#') {
    ++end;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9') ++end;
    if (end == id.size() + 1) return false;
  }
  if (end >= rest.size() || rest[end] != '\n') return false;
  *name = end == id.size() ? "" : std::string(rest.substr(0, end));
  at_ += end + 1;
  return true;
}

Result<bool> IdList::AtEnd() {
  TWINSET_TRY(Fill(1));
  return at_ == buffer_.size();
}

}  // namespace twinset
