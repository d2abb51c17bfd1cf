// Documents from a source of one's own: pages with addresses and a rank.
#include <twinset/collection.h>

#include <iostream>
#include <string>

namespace {

class Queue : public twinset::Source {
 public:
  twinset::Result<bool> Next(twinset::Document* document) override {
    if (next_ == 3) return false;
    document->kind = twinset::ContentKind::kHtml;
    document->provenance.url = "http://example.org/" + std::to_string(next_);
    document->fields = {{"rank", std::to_string(next_ * 10)}};
    document->payload =
        "<title>Mill</title><p>The old mill by the river was "
        "closed for years before it ground again.";
    ++next_;
    return true;
  }

 private:
  int next_ = 0;
};

}  // namespace

int main() {
  Queue queue;
  twinset::CollectionOptions options;
  options.keep = {"max:rank"};
  options.resources.memory_bytes = 256 << 20;  // whatever comes
  const auto found = twinset::Dedup(queue, options);
  if (!found) {
    std::cerr << found.error().ToString() << '\n';
    return 1;
  }
  for (const uint64_t kept : found->kept) std::cout << "kept " << kept << '\n';
}
