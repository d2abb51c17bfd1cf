// An entry of the log of an index made of any bytes is refused, or is one that
// could have been written: written again it says the same. Its text, if it can
// be unpacked, has the length that was told.
#include "scratch_file.h"
#include "segments/index_record.h"
#include "target.h"

TWINSET_FUZZ_TARGET(index_record) {
  twinset::FuzzInput input(data, size);
  const uint64_t entry = input.Number(2);
  const auto record = twinset::DecodeIndexRecord(input.Rest(), entry);
  if (!record) return 0;
  std::string written, again;
  twinset::EncodeIndexRecord(*record, entry, &written);
  const auto back = twinset::DecodeIndexRecord(written, entry);
  twinset::Require(back.has_value());
  twinset::EncodeIndexRecord(*back, entry, &again);
  twinset::Require(again == written);
  twinset::Require(back->Name() == record->Name());
  if (!record->is_document()) return 0;
  const auto text = twinset::UnpackText(record->packed, record->text_bytes);
  twinset::Require(!text || text->size() == record->text_bytes);
  return 0;
}
