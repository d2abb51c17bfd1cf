// Bytes of objects of Python that share them.
#ifndef TWINSET_PYTHON_NATIVE_BUFFER_VIEW_H_
#define TWINSET_PYTHON_NATIVE_BUFFER_VIEW_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string_view>

namespace twinset::python {

// The bytes of an object, in one piece, as long as this lives. `flags` are
// those of PyObject_GetBuffer; throws what that raises.
class BufferView {
 public:
  explicit BufferView(nanobind::handle object, int flags = PyBUF_SIMPLE) {
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0)
      throw nanobind::python_error();
  }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;
  ~BufferView() { PyBuffer_Release(&view_); }

  std::string_view bytes() const {
    return {static_cast<const char*>(view_.buf), size()};
  }
  size_t size() const { return static_cast<size_t>(view_.len); }
  char* data() const { return static_cast<char*>(view_.buf); }
  size_t item_bytes() const { return static_cast<size_t>(view_.itemsize); }
  // Bytes of one element of the first dimension. Needs PyBUF_ND.
  size_t row_bytes() const {
    const size_t rows =
        view_.ndim > 0 ? static_cast<size_t>(view_.shape[0]) : 0;
    return rows == 0 ? 0 : size() / rows;
  }

 private:
  Py_buffer view_;
};

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_BUFFER_VIEW_H_
