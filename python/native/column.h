// Columns of results, as Python and other packages get them.
#ifndef TWINSET_PYTHON_NATIVE_COLUMN_H_
#define TWINSET_PYTHON_NATIVE_COLUMN_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace twinset::python {

// Texts side by side.
struct TextValues {
  std::string bytes;
  std::vector<int64_t> offsets = {0};

  size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](size_t i) const {
    return std::string_view(bytes).substr(
        static_cast<size_t>(offsets[i]),
        static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
  void Add(std::string_view text) {
    bytes += text;
    offsets.push_back(static_cast<int64_t>(bytes.size()));
  }
};

// Values without nulls. Immutable once Python has it; a copy costs a pointer.
class Column {
 public:
  using Values = std::variant<std::vector<int64_t>, std::vector<double>,
                              std::vector<uint8_t>, TextValues>;  // bytes: bool

  explicit Column(Values values)
      : values_(std::make_shared<const Values>(std::move(values))) {}

  size_t size() const;
  const Values& values() const { return *values_; }
  // The values at the rows of `rows`, a column of whole numbers.
  Column At(const Column& rows) const;
  nanobind::object Get(size_t row) const;
  nanobind::list List() const;
  std::shared_ptr<const Values> shared() const { return values_; }

 private:
  std::shared_ptr<const Values> values_;
};

// Ids in the order of documents: whole numbers as long as all are.
class IdValues {
 public:
  void AddNumber(int64_t number);
  void AddText(std::string_view text);
  Column Finish() &&;

 private:
  std::vector<int64_t> numbers_;
  TextValues texts_;
  bool is_text_ = false;
};

// A capsule "arrow_array_stream" of one batch with these columns.
nanobind::object ArrowStream(const std::vector<std::string>& names,
                             const std::vector<Column>& columns);

void BindColumns(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_COLUMN_H_
