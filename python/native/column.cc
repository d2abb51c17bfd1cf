#include "column.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arrow.h"
#include "documents.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

using Numbers = std::vector<int64_t>;
using Reals = std::vector<double>;
using Truths = std::vector<uint8_t>;

nb::object Value(const Numbers& values, size_t i) {
  return nb::int_(values[i]);
}
nb::object Value(const Reals& values, size_t i) {
  return nb::float_(values[i]);
}
nb::object Value(const Truths& values, size_t i) {
  return nb::bool_(values[i] != 0);
}
nb::object Value(const TextValues& values, size_t i) {
  const std::string_view text = values[i];
  return nb::steal(PyUnicode_DecodeUTF8(
      text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// What an exported struct owns, until its release is called.
struct ExportedSchema {
  std::vector<std::string> names;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};
struct ExportedArray {
  std::vector<Column> columns;
  std::vector<std::vector<uint8_t>> bits;  // of truth values
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  std::vector<std::vector<const void*>> buffers;
};
struct ExportedStream {
  std::vector<std::string> names;
  std::vector<Column> columns;
  bool is_given = false;
};

const char* FormatOf(const Column& column) {
  constexpr const char* kFormats[] = {"l", "g", "b", "U"};
  return kFormats[column.values().index()];
}

void ReleaseSchema(ArrowSchema* schema) {
  delete static_cast<ExportedSchema*>(schema->private_data);
  schema->release = nullptr;
}
void ReleaseArray(ArrowArray* array) {
  delete static_cast<ExportedArray*>(array->private_data);
  array->release = nullptr;
}
// Children go with their parent.
void ReleaseChild(ArrowSchema* schema) { schema->release = nullptr; }
void ReleaseChildArray(ArrowArray* array) { array->release = nullptr; }

void ExportSchema(const ExportedStream& stream, ArrowSchema* schema) {
  auto* const own = new ExportedSchema{stream.names, {}, {}};
  own->children.resize(stream.columns.size());
  for (size_t i = 0; i < stream.columns.size(); ++i) {
    ArrowSchema& child = own->children[i];
    child = {};
    child.format = FormatOf(stream.columns[i]);
    child.name = own->names[i].c_str();
    child.release = ReleaseChild;
    own->pointers.push_back(&child);
  }
  *schema = {};
  schema->format = "+s";
  schema->name = "";
  schema->n_children = static_cast<int64_t>(own->children.size());
  schema->children = own->pointers.data();
  schema->release = ReleaseSchema;
  schema->private_data = own;
}

// The buffers of a column behind its validity, which it has not.
std::vector<const void*> BuffersOf(const Column& column,
                                   std::vector<uint8_t>* bits) {
  std::vector<const void*> buffers = {nullptr};
  std::visit(
      [&]<typename T>(const T& values) {
        if constexpr (std::is_same_v<T, TextValues>) {
          buffers.push_back(values.offsets.data());
          buffers.push_back(values.bytes.data());
        } else if constexpr (std::is_same_v<T, Truths>) {
          bits->assign(values.size() / 8 + 1, 0);
          for (size_t i = 0; i < values.size(); ++i)
            if (values[i] != 0)
              (*bits)[i / 8] =
                  static_cast<uint8_t>((*bits)[i / 8] | 1 << i % 8);
          buffers.push_back(bits->data());
        } else {
          buffers.push_back(values.data());
        }
      },
      column.values());
  return buffers;
}

void ExportArray(const ExportedStream& stream, ArrowArray* array) {
  const size_t count = stream.columns.size();
  auto* const own = new ExportedArray{stream.columns, {}, {}, {}, {}};
  own->bits.resize(count);
  own->children.resize(count);
  own->buffers.resize(count + 1);
  const auto rows =
      static_cast<int64_t>(count == 0 ? 0 : stream.columns[0].size());
  for (size_t i = 0; i < count; ++i) {
    own->buffers[i] = BuffersOf(own->columns[i], &own->bits[i]);
    ArrowArray& child = own->children[i];
    child = {};
    child.length = rows;
    child.n_buffers = static_cast<int64_t>(own->buffers[i].size());
    child.buffers = own->buffers[i].data();
    child.release = ReleaseChildArray;
    own->pointers.push_back(&child);
  }
  own->buffers[count] = {nullptr};
  *array = {};
  array->length = rows;
  array->n_buffers = 1;
  array->buffers = own->buffers[count].data();
  array->n_children = static_cast<int64_t>(count);
  array->children = own->pointers.data();
  array->release = ReleaseArray;
  array->private_data = own;
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* schema) {
  ExportSchema(*static_cast<ExportedStream*>(stream->private_data), schema);
  return 0;
}
int GetNext(ArrowArrayStream* stream, ArrowArray* array) {
  auto* const own = static_cast<ExportedStream*>(stream->private_data);
  *array = {};
  if (!std::exchange(own->is_given, true)) ExportArray(*own, array);
  return 0;
}
const char* LastError(ArrowArrayStream*) { return nullptr; }
void ReleaseStream(ArrowArrayStream* stream) {
  delete static_cast<ExportedStream*>(stream->private_data);
  stream->release = nullptr;
}

// What nobody took from the capsule.
void DestroyCapsule(PyObject* capsule) {
  auto* const stream = static_cast<ArrowArrayStream*>(
      PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream == nullptr) return PyErr_Clear();
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

// What numpy reads of a column of numbers.
nb::object ArrayInterface(const Column& column) {
  const char* type = nullptr;
  const void* data = nullptr;
  std::visit(
      [&]<typename T>(const T& values) {
        if constexpr (!std::is_same_v<T, TextValues>) {
          type = std::is_same_v<T, Numbers> ? "<i8"
                 : std::is_same_v<T, Reals> ? "<f8"
                                            : "|b1";
          data = values.data();
        }
      },
      column.values());
  if (type == nullptr)
    throw nb::attribute_error("a column of texts is no array of numbers");
  nb::dict made;
  made["version"] = 3;
  made["shape"] = nb::make_tuple(column.size());
  made["typestr"] = type;
  made["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(data), true);
  return made;
}

// Whole numbers, all numbers, truth values, or else texts.
Column ColumnOf(const nb::list& values) {
  size_t truths = 0, whole = 0, reals = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const nb::object value = values[i];
    if (PyBool_Check(value.ptr()))
      ++truths;
    else if (int64_t number; PyLong_Check(value.ptr()))
      whole += nb::try_cast(value, number);  // others are texts
    else if (PyFloat_Check(value.ptr()))
      ++reals;
  }
  const auto made = [&]<typename T, typename Cast>(T column, Cast) {
    for (size_t i = 0; i < values.size(); ++i)
      column.push_back(static_cast<typename T::value_type>(
          nb::cast<Cast>(nb::object(values[i]))));
    return Column(std::move(column));
  };
  const size_t count = values.size();
  if (count > 0 && truths == count) return made(Truths(), bool());
  if (count > 0 && whole == count) return made(Numbers(), int64_t());
  if (count > 0 && whole + reals == count) return made(Reals(), double());
  TextValues texts;
  for (size_t i = 0; i < count; ++i)
    texts.Add(Utf8(nb::str(nb::object(values[i]))));
  return Column(std::move(texts));
}

}  // namespace

size_t Column::size() const {
  return std::visit([](const auto& values) { return values.size(); }, *values_);
}

Column Column::At(const Column& rows) const {
  const auto& at = std::get<Numbers>(rows.values());
  for (const int64_t row : at)
    if (row < 0 || static_cast<size_t>(row) >= size())
      throw nb::index_error("the column ends before this row");
  return std::visit(
      [&]<typename T>(const T& values) {
        T chosen;
        for (const int64_t row : at) {
          if constexpr (std::is_same_v<T, TextValues>)
            chosen.Add(values[static_cast<size_t>(row)]);
          else
            chosen.push_back(values[static_cast<size_t>(row)]);
        }
        return Column(std::move(chosen));
      },
      *values_);
}

nb::object Column::Get(size_t row) const {
  if (row >= size()) throw nb::index_error("the column ends before this row");
  return std::visit([&](const auto& values) { return Value(values, row); },
                    *values_);
}

nb::list Column::List() const {
  nb::list list;
  std::visit(
      [&](const auto& values) {
        for (size_t i = 0; i < values.size(); ++i)
          list.append(Value(values, i));
      },
      *values_);
  return list;
}

void IdValues::AddNumber(int64_t number) {
  if (is_text_)
    texts_.Add(std::to_string(number));
  else
    numbers_.push_back(number);
}

void IdValues::AddText(std::string_view text) {
  if (!is_text_) {
    for (const int64_t number : numbers_) texts_.Add(std::to_string(number));
    numbers_ = {};
    is_text_ = true;
  }
  texts_.Add(text);
}

Column IdValues::Finish() && {
  return is_text_ ? Column(std::move(texts_)) : Column(std::move(numbers_));
}

nb::object ArrowStream(const std::vector<std::string>& names,
                       const std::vector<Column>& columns) {
  auto* const stream = new ArrowArrayStream{};
  stream->get_schema = GetSchema;
  stream->get_next = GetNext;
  stream->get_last_error = LastError;
  stream->release = ReleaseStream;
  stream->private_data = new ExportedStream{names, columns};
  return nb::steal(PyCapsule_New(stream, "arrow_array_stream", DestroyCapsule));
}

void BindColumns(nb::module_& module) {
  nb::class_<Column>(module, "Column",
                     "Values of one type without nulls; len(), indexing, "
                     "tolist() and, for numbers, numpy.asarray().")
      .def("__len__", &Column::size)
      .def("__getitem__", &Column::Get)
      .def("tolist", &Column::List)
      .def("take", &Column::At, nb::arg("rows"),
           "The values at the rows, a column of whole numbers.")
      .def_prop_ro("__array_interface__", ArrayInterface);
  module.def("column_of", ColumnOf, nb::arg("values"),
             "A column of a list of one type: int, float, bool, or str.");
  module.def("arrow_stream", ArrowStream, nb::arg("names"), nb::arg("columns"),
             "A capsule of the Arrow C stream interface.");
}

}  // namespace twinset::python
