// What Python calls of a BandIndex.
#include <utility>
#include <vector>

#include "band_index.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

nb::bytes Bytes(std::string_view bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

std::string_view View(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

}  // namespace

void BandIndex::Insert(nb::handle key, nb::handle values, size_t width,
                       bool check) {
  const std::string bytes = Encoded(values, width);
  const uint32_t hash = KeyHash(key);
  CheckIdle();
  const size_t slot = FindKey(key, hash);
  if (check && FirstRow(slot) != kNone)
    throw nb::value_error("The given key already exists");
  CheckWidth(bytes.size());
  const uint32_t row = AddRow(key, hash, slot, bytes, true);
  for (uint32_t band = 0; band < bands_; ++band) Link(row, band);
}

void BandIndex::Remove(nb::handle key) {
  // Released at the end: that may run code of Python.
  std::vector<nb::object> released;
  const uint32_t hash = KeyHash(key);
  CheckIdle();
  const size_t slot = FindKey(key, hash);
  const uint32_t first = FirstRow(slot);
  if (first == kNone) throw nb::value_error("The given key does not exist");
  for (uint32_t band = 0; band < bands_; ++band) {
    // Where the first row is not in its bucket, another row is for it.
    uint32_t row = IsLinked(first, band) ? first : keys_.row(slot);
    while (row != kNone &&
           !(IsLinked(row, band) && BandAt(row, band) == BandAt(first, band)))
      row = RowAt(row)->next_of_key;
    if (row != kNone) Unlink(row, band);
  }
  for (uint32_t row = first; row != kNone; row = RowAt(row)->next_of_key)
    RowAt(row)->is_of_key = RowAt(row)->is_first = 0;
  --key_count_;
  FreeUnused(slot, &released);
  if (free_rows_ > 1024 && free_rows_ > rows_ / 2) Compact();
}

void BandIndex::Merge(BandIndex* other) {
  CheckIdle();
  other->CheckIdle();
  // Neither changes but by what follows.
  const Busy busy(&is_busy_), other_busy(&other->is_busy_);
  std::vector<uint32_t> rows;
  for (uint32_t first = 0, end = other->rows_; first < end; ++first) {
    if (other->RowAt(first)->key == nullptr || !other->RowAt(first)->is_first)
      continue;
    rows.clear();
    for (uint32_t row = first; row != kNone;
         row = other->RowAt(row)->next_of_key)
      rows.push_back(row);
    const nb::object key = nb::borrow(other->RowAt(first)->key);
    const uint32_t hash = other->RowAt(first)->key_hash;
    CheckWidth(other->BytesAt(first).size());
    for (const uint32_t row : rows) {
      const std::string bytes(other->BytesAt(row));
      const uint32_t added = AddRow(key, hash, FindKey(key, hash), bytes, true);
      for (uint32_t band = 0; row == first && band < bands_; ++band)
        Link(added, band);
    }
  }
}

bool BandIndex::Contains(nb::handle key) {
  return FirstRow(FindKey(key, KeyHash(key))) != kNone;
}

nb::list BandIndex::Query(nb::handle values, size_t width, uint32_t bands) {
  const std::string bytes = Encoded(values, width);
  nb::list found;
  if (bands > bands_) throw nb::index_error("there is no such band");
  if (rows_ == 0 || bytes.size() != bands_ * band_bytes_) return found;
  if (++query_ == 0) {  // all stamps are older
    for (uint32_t row = 0; row < rows_; ++row) RowAt(row)->asked = 0;
    query_ = 1;
  }
  const auto asked = [&](uint32_t band) {
    return std::string_view(bytes).substr(band * band_bytes_, band_bytes_);
  };
  std::vector<uint32_t> hashes(bands);
  for (uint32_t band = 0; band < bands; ++band) {
    hashes[band] = BandHash(asked(band));
    buckets_[band].Prefetch(hashes[band]);
  }
  // Nothing but the index is touched until all rows are found.
  std::vector<uint32_t> rows;
  for (uint32_t band = 0; band < bands; ++band) {
    const size_t slot = buckets_[band].Find(hashes[band], [&](uint32_t row) {
      return BandAt(row, band) == asked(band);
    });
    if (slot == RowSlots::kNowhere) continue;
    for (uint32_t row = buckets_[band].row(slot); row != kNone;
         row = LinksAt(row)[band].next) {
      if (std::exchange(RowAt(row)->asked, query_) != query_)
        rows.push_back(row);
    }
  }
  for (const uint32_t row : rows) found.append(nb::handle(RowAt(row)->key));
  if (rows.size() < 2) return found;
  const nb::object once = nb::steal(PySet_New(found.ptr()));
  if (!once.is_valid()) throw nb::python_error();
  return nb::list(once);
}

nb::list BandIndex::Keys() const {
  nb::list keys;
  for (uint32_t row = 0; row < rows_; ++row)
    if (RowAt(row)->key != nullptr && RowAt(row)->is_first)
      keys.append(nb::handle(RowAt(row)->key));
  return keys;
}

nb::list BandIndex::BandsOf(nb::handle key) {
  nb::list bands;
  for (uint32_t row = FirstRow(FindKey(key, KeyHash(key))); row != kNone;
       row = RowAt(row)->next_of_key)
    for (uint32_t band = 0; band < bands_; ++band)
      bands.append(Bytes(BandAt(row, band)));
  return bands;
}

nb::list BandIndex::Buckets(uint32_t band) const {
  nb::list buckets;
  const RowSlots& slots = At(band);
  for (size_t i = 0; i < slots.slots(); ++i)
    if (slots.row(i) != kNone)
      buckets.append(Bytes(BandAt(slots.row(i), band)));
  return buckets;
}

nb::list BandIndex::BucketKeys(uint32_t band, const nb::bytes& bytes) const {
  nb::list keys;
  const size_t slot = FindBucket(band, View(bytes));
  if (slot == RowSlots::kNowhere) return keys;
  for (uint32_t row = buckets_[band].row(slot); row != kNone;
       row = LinksAt(row)[band].next)
    keys.append(nb::handle(RowAt(row)->key));
  return keys;
}

nb::dict BandIndex::BucketSizes(uint32_t band) const {
  nb::dict sizes;
  const RowSlots& slots = At(band);
  for (size_t i = 0; i < slots.slots(); ++i) {
    if (slots.row(i) == kNone) continue;
    size_t size = 0;
    for (uint32_t row = slots.row(i); row != kNone;
         row = LinksAt(row)[band].next)
      ++size;
    sizes[Bytes(BandAt(slots.row(i), band))] = size;
  }
  return sizes;
}

nb::tuple BandIndex::State() const {
  nb::list keys;
  std::string bytes, marks;
  for (uint32_t row = 0; row < rows_; ++row) {
    if (RowAt(row)->key == nullptr) continue;
    keys.append(nb::handle(RowAt(row)->key));
    bytes += BytesAt(row);
    marks += static_cast<char>(RowAt(row)->is_of_key);
    for (uint32_t band = 0; band < bands_; ++band)
      marks += static_cast<char>(IsLinked(row, band));
  }
  return nb::make_tuple(keys, Bytes(bytes), Bytes(marks));
}

void BandIndex::Restore(const nb::list& keys, const nb::bytes& rows,
                        const nb::bytes& marks) {
  CheckIdle();
  const size_t count = keys.size();
  if (count == 0) return;
  const std::string_view bytes = View(rows), flags = View(marks);
  const size_t row_bytes = bytes.size() / count;
  if (rows_ != 0 || row_bytes == 0 || row_bytes % bands_ != 0 ||
      bytes.size() != row_bytes * count || flags.size() != count * (bands_ + 1))
    throw nb::value_error("this is no state of an index");
  const Busy busy(&is_busy_);
  CheckWidth(row_bytes);
  for (size_t i = 0; i < count; ++i) {
    const nb::object key = keys[i];
    const std::string_view mark = flags.substr(i * (bands_ + 1), bands_ + 1);
    const uint32_t hash = KeyHash(key);
    const uint32_t row =
        AddRow(key, hash, FindKey(key, hash),
               bytes.substr(i * row_bytes, row_bytes), mark[0] != 0);
    for (uint32_t band = 0; band < bands_; ++band)
      if (mark[band + 1] != 0) Link(row, band);
  }
}

void BindBandIndex(nb::module_& module) {
  nb::class_<BandIndex>(module, "BandIndex")
      .def(nb::init<uint32_t>(), nb::arg("bands"))
      .def("insert", &BandIndex::Insert, nb::arg("key").none(),
           nb::arg("values"), nb::arg("width"), nb::arg("check"))
      .def("remove", &BandIndex::Remove, nb::arg("key").none())
      .def("merge", &BandIndex::Merge, nb::arg("other"))
      .def("query", &BandIndex::Query, nb::arg("values"), nb::arg("width"),
           nb::arg("bands"))
      .def("__contains__", &BandIndex::Contains, nb::arg("key").none())
      .def("__len__", &BandIndex::key_count)
      .def("keys", &BandIndex::Keys)
      .def("bands_of", &BandIndex::BandsOf, nb::arg("key").none())
      .def("bucket_count", &BandIndex::BucketCount, nb::arg("band"))
      .def("buckets", &BandIndex::Buckets, nb::arg("band"))
      .def("bucket_keys", &BandIndex::BucketKeys, nb::arg("band"),
           nb::arg("bytes"))
      .def("bucket_sizes", &BandIndex::BucketSizes, nb::arg("band"))
      .def("state", &BandIndex::State)
      .def("restore", &BandIndex::Restore, nb::arg("keys"), nb::arg("rows"),
           nb::arg("marks"));
}

}  // namespace twinset::python
