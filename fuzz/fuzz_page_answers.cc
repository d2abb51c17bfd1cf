// A recorded answer of the web made of any bytes is refused or read; what was
// read is written and read back the same. Any answer survives the way there and
// back.
#include "net/recorded_fetcher.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(page_answers) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (const auto record = twinset::ParseFetchRecord(bytes)) {
    const std::string line =
        twinset::FetchRecordLine(record->url, record->response);
    const auto again = twinset::ParseFetchRecord(line);
    twinset::Require(again.has_value());
    twinset::Require(again->url == record->url);
    twinset::Require(again->response.body == record->response.body);
    twinset::Require(twinset::FetchRecordLine(again->url, again->response) ==
                     line);
  }
  twinset::FetchResponse response;
  response.body = bytes;
  response.url = bytes;
  const auto back =
      twinset::ParseFetchRecord(twinset::FetchRecordLine(bytes, response));
  twinset::Require(back.has_value() && back->url == bytes &&
                   back->response.body == bytes);
  return 0;
}
