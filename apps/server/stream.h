// Bodies of many documents, one JSON object a line, answered line by line.
#ifndef TWINSET_APPS_SERVER_STREAM_H_
#define TWINSET_APPS_SERVER_STREAM_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/documents.h"
#include "server/gate.h"
#include "server/http.h"
#include "server/service.h"

namespace twinset::server {

// Rows of an answer: in memory while there are few, then in a file without a
// name.
class RowSpool {
 public:
  RowSpool() = default;
  RowSpool(const RowSpool&) = delete;
  ~RowSpool();
  Status Add(const Json& row);
  // Gives all of them away.
  Result<HttpResponse> Finish();

 private:
  Status WriteOut();

  std::string memory_;
  int file_ = -1;
  uint64_t file_bytes_ = 0;
};

// A line that is no document has a row {"line","rejected","detail"}, and the
// others go on. What a row says was added is on the disk before the next
// documents are read.
class DocumentStream : public HttpExchange {
 public:
  static constexpr size_t kBatch = 256;
  static constexpr size_t kBatchBytes = 4 << 20;

  DocumentStream(Service* service, Asked asked, const DocumentQuery& query)
      : service_(service),
        asked_(asked),
        query_(query),
        held_(&service->held) {}

  std::optional<HttpResponse> Take(std::string_view piece) override;
  HttpResponse Finish() override;
  bool is_stream() const override { return true; }

 private:
  Status Line(std::string_view line);
  Status Refuse(const std::string& reason, const std::string& detail);
  Status Answer();
  HttpResponse Stopped(const Error& error) const;

  Service* const service_;
  const Asked asked_;
  const DocumentQuery query_;
  ByteAllowance::Share held_;
  std::string line_;          // that has not ended
  bool is_too_long_ = false;  // it, so that the rest of it is passed over
  uint64_t lines_ = 0, answered_ = 0;
  std::vector<IndexInput> batch_;
  size_t batch_bytes_ = 0;
  RowSpool rows_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_STREAM_H_
