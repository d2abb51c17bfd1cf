#include "documents.h"

#include <utility>

namespace nb = nanobind;

namespace twinset::python {
namespace {

constexpr std::string_view kId = "id", kField = "field:";

// What the library says of a row without a text.
void SetText(std::optional<std::string> text, const ColumnRoles& roles,
             Document* document) {
  document->kind = roles.is_html ? ContentKind::kHtml : ContentKind::kText;
  document->has_text = text.has_value();
  if (text) document->payload = *std::move(text);
}

void SetOther(const std::string& role, std::string value, Document* document) {
  if (role == "url") {
    document->provenance.url = std::move(value);
  } else if (role == "date") {
    document->provenance.date = std::move(value);
  } else {
    document->fields.emplace_back(role.substr(kField.size()), std::move(value));
  }
}

class ArrowSource : public Source {
 public:
  ArrowSource(std::unique_ptr<ArrowTable> table, ColumnRoles roles,
              IdValues* ids)
      : table_(std::move(table)), roles_(std::move(roles)), ids_(ids) {}

  Result<bool> Next(Document* document) override {
    while (row_ == rows_) {
      TWINSET_ASSIGN(const bool more, table_->Next());
      if (!more) return false;
      row_ = 0;
      rows_ = table_->rows();
      if (!table_->columns()[0].IsText())
        return Fail(ErrorCode::kUsage, "the column of the text has no strings",
                    "", "name a column of strings, or make it one");
    }
    const std::vector<ArrowColumn>& columns = table_->columns();
    SetText(columns[0].Text(row_), roles_, document);
    for (size_t i = 0; i < roles_.others.size(); ++i) {
      const ArrowColumn& column = columns[i + 1];
      if (roles_.others[i] == kId) {
        if (const auto number = column.Number(row_))
          ids_->AddNumber(*number);
        else
          ids_->AddText(column.Text(row_).value_or(std::to_string(given_)));
      } else if (auto value = column.Text(row_)) {
        SetOther(roles_.others[i], *std::move(value), document);
      }
    }
    ++row_;
    ++given_;
    return true;
  }

 private:
  const std::unique_ptr<ArrowTable> table_;
  const ColumnRoles roles_;
  IdValues* const ids_;
  int64_t row_ = 0, rows_ = 0;  // of the batch
  uint64_t given_ = 0;
};

std::optional<std::string> TextOf(nb::handle value) {
  if (value.is_none()) return std::nullopt;
  if (PyUnicode_Check(value.ptr())) return Utf8(value);
  return Utf8(nb::str(value));
}

class BatchSource : public Source {
 public:
  BatchSource(nb::object next, ColumnRoles roles, ServedCall* call,
              IdValues* ids)
      : next_(std::move(next)),
        roles_(std::move(roles)),
        call_(call),
        ids_(ids) {}
  ~BatchSource() override {
    const nb::gil_scoped_acquire gil;
    next_.reset();
  }

  Result<bool> Next(Document* document) override {
    if (row_ == documents_.size()) {
      row_ = 0;
      documents_.clear();
      // The exception itself is kept by the call.
      if (!call_->Ask([this] { Fill(); }))
        return Fail(ErrorCode::kInterrupted, "the data could not be read");
      if (documents_.empty()) return false;
    }
    *document = std::move(documents_[row_++]);
    return true;
  }

 private:
  // The next rows; none at the end.
  void Fill() {
    while (documents_.empty()) {
      const nb::object batch = next_();
      if (batch.is_none()) return;
      const auto columns = nb::cast<nb::sequence>(batch);
      const auto texts = nb::cast<nb::list>(columns[0]);
      documents_.resize(texts.size());
      for (size_t i = 0; i < documents_.size(); ++i)
        SetText(TextOf(nb::object(texts[i])), roles_, &documents_[i]);
      for (size_t c = 0; c < roles_.others.size(); ++c) {
        const auto values = nb::cast<nb::list>(columns[c + 1]);
        if (values.size() != documents_.size())
          throw nb::value_error("the columns of a batch differ in length");
        for (size_t i = 0; i < documents_.size(); ++i) {
          const nb::object value = values[i];
          if (roles_.others[c] == kId) {
            AddId(value, given_ + i);
          } else if (auto text = TextOf(value)) {
            SetOther(roles_.others[c], *std::move(text), &documents_[i]);
          }
        }
      }
      given_ += documents_.size();
    }
  }
  void AddId(nb::handle value, uint64_t row) {
    int64_t number = 0;
    if (PyLong_Check(value.ptr()) && nb::try_cast(value, number))
      ids_->AddNumber(number);
    else
      ids_->AddText(TextOf(value).value_or(std::to_string(row)));
  }

  nb::object next_;
  const ColumnRoles roles_;
  ServedCall* const call_;
  IdValues* const ids_;
  std::vector<Document> documents_;  // of the batch
  size_t row_ = 0;
  uint64_t given_ = 0;  // documents of the batches so far
};

}  // namespace

std::string Utf8(nb::handle text) {
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return {bytes, static_cast<size_t>(size)};
  PyErr_Clear();
  const auto bytes = nb::steal<nb::object>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  char* data = nullptr;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0)
    throw nb::python_error();
  std::string utf8;
  utf8.reserve(static_cast<size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    // A surrogate is ED A0..BF and one byte more; nothing else begins so.
    if (static_cast<uint8_t>(data[i]) == 0xED && i + 2 < size &&
        static_cast<uint8_t>(data[i + 1]) >= 0xA0) {
      utf8 += "\xEF\xBF\xBD";
      i += 2;
    } else {
      utf8 += data[i];
    }
  }
  return utf8;
}

std::unique_ptr<ArrowTable> TableOf(nb::object data,
                                    const std::vector<std::string>& names) {
  const nb::object capsule = data.attr("__arrow_c_stream__")();
  auto* const stream = static_cast<ArrowArrayStream*>(
      PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  auto table = std::make_unique<ArrowTable>(stream);
  Take(table->Choose(names));
  return table;
}

std::unique_ptr<Source> FromArrow(nb::object data,
                                  const std::vector<std::string>& names,
                                  ColumnRoles roles, IdValues* ids) {
  return std::make_unique<ArrowSource>(TableOf(std::move(data), names),
                                       std::move(roles), ids);
}

std::unique_ptr<Source> FromBatches(nb::object next, ColumnRoles roles,
                                    ServedCall* call, IdValues* ids) {
  return std::make_unique<BatchSource>(std::move(next), std::move(roles), call,
                                       ids);
}

}  // namespace twinset::python
