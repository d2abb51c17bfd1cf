#include "datasketch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "buffer_view.h"
#include "kernels/datasketch.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

// How hashes become values; the numbers are those of the Python files.
enum class Scheme { kAffine32 = 32, kAffine64 = 64, kLegacy = 61 };

// The finalisers of MurmurHash3 (Appleby, public domain).
uint32_t Finalised(uint32_t h) {
  h = (h ^ h >> 16) * 0x85ebca6b;
  h = (h ^ h >> 13) * 0xc2b2ae35;
  return h ^ h >> 16;
}
uint64_t Finalised(uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

// Permutations in whole groups, and the minima of one set at a time.
template <typename T>
class Minima {
 public:
  // `permutations`: an array of two rows in one piece, multipliers and addends.
  explicit Minima(std::string_view permutations)
      : count_(permutations.size() / (2 * sizeof(T))) {
    using kernels::kPermutationGroup;
    const size_t padded = (count_ + kPermutationGroup - 1) / kPermutationGroup *
                          kPermutationGroup;
    multipliers_.resize(padded);
    addends_.resize(padded);
    minima_.resize(padded);
    std::memcpy(multipliers_.data(), permutations.data(), count_ * sizeof(T));
    std::memcpy(addends_.data(), permutations.data() + count_ * sizeof(T),
                count_ * sizeof(T));
  }
  size_t row_bytes() const { return count_ * sizeof(T); }

  // Lowers the values of a row to those of a set with these hashes, which it
  // changes.
  void LowerRow(Scheme scheme, std::vector<T>* hashes, char* row) {
    std::memcpy(minima_.data(), row, row_bytes());
    if (scheme != Scheme::kLegacy)
      for (T& hash : *hashes) hash = Finalised(hash);
    Lower(scheme, *hashes);
    std::memcpy(row, minima_.data(), row_bytes());
  }

 private:
  void Lower(Scheme, const std::vector<uint32_t>& hashes) {
    kernels::LowerAffine32(hashes, multipliers_, addends_, minima_.data());
  }
  void Lower(Scheme scheme, const std::vector<uint64_t>& hashes) {
    const auto lower = scheme == Scheme::kLegacy ? kernels::LowerMersenne
                                                 : kernels::LowerAffine64;
    lower(hashes, multipliers_, addends_, minima_.data());
  }

  const size_t count_;
  std::vector<T> multipliers_, addends_, minima_;
};

// Calls `run` with the Minima of these permutations.
template <typename Run>
void WithMinima(int number, nb::handle permutations, const Run& run) {
  const BufferView view(permutations, PyBUF_C_CONTIGUOUS);
  const Scheme scheme{number};
  const size_t bytes = scheme == Scheme::kAffine32 ? 4 : 8;
  if (view.item_bytes() != bytes || view.size() != 2 * view.row_bytes())
    throw nb::value_error("the permutations have another shape");
  if (scheme == Scheme::kAffine32)
    run(scheme, Minima<uint32_t>(view.bytes()));
  else
    run(scheme, Minima<uint64_t>(view.bytes()));
}

// The hashes of the tokens of one set after another.
class TokenHashes {
 public:
  // Those of a set, in no order.
  template <typename T>
  void Of(nb::handle tokens, Scheme scheme, std::vector<T>* hashes) {
    words_.clear();
    if (PyList_CheckExact(tokens.ptr())) {
      // A token's own code may change the list.
      for (Py_ssize_t i = 0; i < PyList_Size(tokens.ptr()); ++i)
        Add(PyList_GetItem(tokens.ptr(), i));
    } else {
      for (const nb::handle token : nb::iter(tokens)) Add(token);
    }
    hasher_.Finish(&words_);
    hashes->resize(words_.size());
    const uint64_t mask = scheme == Scheme::kAffine64 ? ~uint64_t{0} : ~0u;
    std::ranges::transform(words_, hashes->begin(), [&](uint64_t word) {
      return static_cast<T>(word & mask);
    });
  }

 private:
  void Add(nb::handle token) {
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_CheckExact(token.ptr())) {
      PyBytes_AsStringAndSize(token.ptr(), &bytes, &size);
      hasher_.Add({bytes, static_cast<size_t>(size)}, &words_);
      return;
    }
    if (PyUnicode_Check(token.ptr()))
      throw nb::type_error("a token is a str: encode it, as in token.encode()");
    const nb::object held = nb::borrow(token);
    hasher_.Add(BufferView(held).bytes(), &words_);
  }

  kernels::Sha1Words hasher_;
  std::vector<uint64_t> words_;
};

void CheckRow(const BufferView& row, size_t bytes) {
  if (row.size() != bytes)
    throw nb::value_error("values and permutations differ in number");
}

// Lowers values to those of tokens, hashed by SHA-1.
void SketchTokens(nb::handle tokens, nb::handle permutations, int scheme,
                  nb::handle values) {
  const BufferView row(values, PyBUF_CONTIG);
  WithMinima(scheme, permutations, [&]<typename T>(Scheme kind, Minima<T> m) {
    std::vector<T> hashes;
    TokenHashes().Of(tokens, kind, &hashes);
    CheckRow(row, m.row_bytes());
    m.LowerRow(kind, &hashes, row.data());
  });
}

// Lowers values to those of hashes, an array of the same type.
void SketchHashes(nb::handle numbers, nb::handle permutations, int scheme,
                  nb::handle values) {
  const BufferView in(numbers, PyBUF_C_CONTIGUOUS);
  const BufferView row(values, PyBUF_CONTIG);
  WithMinima(scheme, permutations, [&]<typename T>(Scheme kind, Minima<T> m) {
    std::vector<T> hashes(in.size() / sizeof(T));
    if (!hashes.empty())
      std::memcpy(hashes.data(), in.data(), hashes.size() * sizeof(T));
    CheckRow(row, m.row_bytes());
    m.LowerRow(kind, &hashes, row.data());
  });
}

// Lowers each row to the values of the next set of an iterator; returns for
// how many rows there were sets. Each set is hashed before the next
// one is asked for: an iterator may use one list for all.
size_t SketchSets(nb::handle sets, nb::handle permutations, int scheme,
                  nb::handle values) {
  const BufferView out(values, PyBUF_CONTIG);
  size_t rows = 0;
  WithMinima(scheme, permutations, [&]<typename T>(Scheme kind, Minima<T> m) {
    std::vector<T> hashes;
    TokenHashes hasher;
    for (; (rows + 1) * m.row_bytes() <= out.size(); ++rows) {
      const nb::object set = nb::steal(PyIter_Next(sets.ptr()));
      if (!set.is_valid()) {
        if (PyErr_Occurred()) throw nb::python_error();
        break;
      }
      hasher.Of(set, kind, &hashes);
      m.LowerRow(kind, &hashes, out.data() + rows * m.row_bytes());
    }
  });
  return rows;
}

}  // namespace

void BindDatasketch(nb::module_& module) {
  module.def("sketch_tokens", SketchTokens, nb::arg("tokens"),
             nb::arg("permutations"), nb::arg("scheme"), nb::arg("values"));
  module.def("sketch_hashes", SketchHashes, nb::arg("hashes"),
             nb::arg("permutations"), nb::arg("scheme"), nb::arg("values"));
  module.def("sketch_sets", SketchSets, nb::arg("sets"),
             nb::arg("permutations"), nb::arg("scheme"), nb::arg("values"));
}

}  // namespace twinset::python
