#include "sessions.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/parse.h"
#include "column.h"
#include "documents.h"
#include "served_call.h"
#include "twinset/hamming.h"
#include "twinset/saved_run.h"
#include "twinset/session.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

using Words = std::vector<std::string>;

// The texts of a list of str where Python has them. They stay, whatever becomes
// of the list meanwhile. Made and destroyed under the GIL.
struct Texts {
  nb::tuple held;
  std::vector<std::string_view> texts;
  std::deque<std::string> repaired;  // of those that are no Unicode

  explicit Texts(const nb::list& list) : held(list) {
    texts.reserve(held.size());
    for (const nb::handle text : held) {
      if (!PyUnicode_Check(text.ptr()))
        throw nb::type_error("a text is not a str");
      Py_ssize_t size = 0;
      if (const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
        texts.emplace_back(utf8, static_cast<size_t>(size));
      } else {
        PyErr_Clear();
        texts.push_back(repaired.emplace_back(Utf8(text)));
      }
    }
  }
  TextBatch batch() const { return TextBatch(texts); }
};

// An array that owns its values.
template <typename T>
nb::object Array(std::vector<T> values, std::vector<size_t> shape) {
  auto* const held = new std::vector<T>(std::move(values));
  const nb::capsule owner(
      held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const T>(held->data(), shape.size(),
                                                  shape.data(), owner));
}

// (values, offsets), of a method whose sketches have one length a matrix:
// (values in rows, None).
template <typename Matrix>
nb::object MatrixArrays(Matrix matrix) {
  const size_t rows = matrix.size();
  const size_t width = rows == 0 ? 0 : matrix.offsets[1];
  bool is_even = true;
  for (size_t i = 0; i < rows; ++i)
    is_even = is_even && matrix.offsets[i + 1] - matrix.offsets[i] == width;
  const size_t count = matrix.values.size();
  if (is_even)
    return nb::make_tuple(Array(std::move(matrix.values), {rows, width}),
                          nb::none());
  return nb::make_tuple(Array(std::move(matrix.values), {count}),
                        Array(std::move(matrix.offsets), {rows + 1}));
}

class Sketcher {
 public:
  explicit Sketcher(const Words& words) : session_(Take(Make(words))) {}

  nb::object Sketch(const nb::list& list, size_t which) const {
    const Texts texts(list);
    return MatrixArrays(Take(
        WithoutGil([&] { return session_.Sketch(texts.batch(), which); })));
  }
  nb::object Keys(const nb::list& list) const {
    const Texts texts(list);
    return MatrixArrays(
        Take(WithoutGil([&] { return session_.Keys(texts.batch()); })));
  }
  std::vector<uint64_t> KeysOf(const nb::str& text) const {
    const std::string utf8 = Utf8(text);
    const std::vector<uint64_t> offsets = {0, utf8.size()};
    return Take(session_.Keys({utf8, offsets})).values;
  }
  nb::object Shingles(const nb::str& text) const {
    std::vector<uint64_t> shingles = session_.Shingles(Utf8(text));
    const size_t count = shingles.size();
    return Array(std::move(shingles), {count});
  }
  double Estimate(const std::vector<uint32_t>& a,
                  const std::vector<uint32_t>& b, size_t which) const {
    return session_.Estimate(a, b, which);
  }
  double Similarity(const nb::str& a, const nb::str& b) const {
    const std::string x = Utf8(a), y = Utf8(b);
    return WithoutGil([&] { return session_.Similarity(x, y); });
  }

 private:
  static Result<Session> Make(const Words& words) {
    TWINSET_ASSIGN(const cli::Request request,
                   cli::Parse(*cli::FindCommand("sketch"), words));
    SessionOptions options;
    options.features = request.options.features;
    options.method = request.options.method;
    options.corpus = request.options.input;
    options.corpus.inputs = request.operands;
    return Session::Make(options);
  }
  const Session session_;
};

class Saved {
 public:
  Saved(const std::string& folder, std::optional<double> threshold, int threads)
      : collection_(Open(folder, threshold, threads)) {}

  uint64_t size() const { return collection_->size(); }
  nb::list Find(const nb::str& text) const {
    const std::string utf8 = Utf8(text);
    return Rows(Take(WithoutGil([&] { return collection_->Find(utf8); })));
  }
  // For each text what Find returns.
  nb::list FindAll(const nb::list& list) const {
    const Texts texts(list);
    const TextBatch batch = texts.batch();
    std::vector<std::vector<FoundDocument>> found(batch.size());
    Take(WithoutGil([&]() -> Status {
      for (size_t i = 0; i < batch.size(); ++i) {
        TWINSET_ASSIGN(found[i], collection_->Find(batch[i]));
      }
      return {};
    }));
    nb::list rows;
    for (const auto& one : found) rows.append(Rows(one));
    return rows;
  }

 private:
  // (id, similarity, document) of each.
  static nb::list Rows(const std::vector<FoundDocument>& found) {
    nb::list rows;
    for (const FoundDocument& one : found)
      rows.append(nb::make_tuple(one.id, one.similarity, one.document));
    return rows;
  }
  static std::unique_ptr<SavedCollection> Open(const std::string& folder,
                                               std::optional<double> threshold,
                                               int threads) {
    SavedCollectionOptions options;
    options.threshold = threshold;
    options.threads = threads;
    return std::make_unique<SavedCollection>(Take(
        WithoutGil([&] { return SavedCollection::Open(folder, options); })));
  }

  const std::unique_ptr<SavedCollection> collection_;
};

}  // namespace

void BindSessions(nb::module_& module) {
  nb::class_<Sketcher>(module, "Sketcher")
      .def(nb::init<Words>(), nb::arg("words"))
      .def("sketch", &Sketcher::Sketch, nb::arg("texts"), nb::arg("which") = 0)
      .def("keys", &Sketcher::Keys, nb::arg("texts"))
      .def("keys_of", &Sketcher::KeysOf, nb::arg("text"))
      .def("shingles", &Sketcher::Shingles, nb::arg("text"))
      .def("estimate", &Sketcher::Estimate, nb::arg("a"), nb::arg("b"),
           nb::arg("which") = 0)
      .def("similarity", &Sketcher::Similarity, nb::arg("a"), nb::arg("b"));
  nb::class_<Saved>(module, "Saved")
      .def(nb::init<const std::string&, std::optional<double>, int>(),
           nb::arg("folder"), nb::arg("threshold").none() = nb::none(),
           nb::arg("threads") = 0)
      .def("__len__", &Saved::size)
      .def("find", &Saved::Find, nb::arg("text"))
      .def("find_all", &Saved::FindAll, nb::arg("texts"));
}

}  // namespace twinset::python
