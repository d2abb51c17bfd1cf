#include "pipeline/read/view_store.h"

#include "base/bytes.h"

namespace twinset {

namespace {
size_t Padded(uint64_t size) { return (size + 7) / 8 * 8; }
}  // namespace

ViewWriter::ViewWriter(size_t count, std::string* bytes)
    : bytes_(bytes), begin_(8 * count) {
  bytes->assign(begin_, '\0');
}

void ViewWriter::End() {
  const uint64_t size = bytes_->size() - begin_;
  StoreLE(bytes_->data() + 8 * number_++, size);
  begin_ += Padded(size);
  bytes_->resize(begin_);
}

std::string EncodeViews(const std::vector<std::string>& views) {
  std::string bytes;
  size_t total = 8 * views.size();
  for (const std::string& view : views) total += Padded(view.size());
  bytes.reserve(total);
  ViewWriter writer(views.size(), &bytes);
  for (const std::string& view : views) {
    bytes += view;
    writer.End();
  }
  return bytes;
}

Status DecodeViews(std::string_view bytes, size_t count,
                   std::vector<std::string_view>* views) {
  const auto damaged = [] {
    return Fail(ErrorCode::kCorrupt, "the stored views are damaged");
  };
  if (bytes.size() < 8 * count) return damaged();
  std::string_view rest = bytes.substr(8 * count);
  for (size_t i = 0; i < count; ++i) {
    const auto size = LoadLE<uint64_t>(bytes.data() + 8 * i);
    if (size > rest.size() || Padded(size) > rest.size()) return damaged();
    views->push_back(rest.substr(0, size));
    rest.remove_prefix(Padded(size));
  }
  if (!rest.empty()) return damaged();
  return {};
}

}  // namespace twinset
