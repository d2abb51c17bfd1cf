#include "server/http_front.h"

#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace twinset::server {
namespace {

using Clock = std::chrono::steady_clock;

// An answer that comes before its body was read is lost with the connection,
// where the client still sends: so much is read and thrown away before it.
constexpr uint64_t kMostDiscarded = 1 << 20;
// A body, and who takes an answer, may be so slow beyond --timeout.
constexpr double kLeastBytesASecond = 16 << 10;
constexpr double kSecondsToRead = 1;
constexpr unsigned kConnectionsToTell = 64;
constexpr size_t kHeaderBytes = 32 << 10;
constexpr size_t kStackBytes = 8 << 20;  // parsers need some; used as needed

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string RawText(const HttpResponse& response) {
  std::string text =
      "HTTP/1.1 " + std::to_string(response.status) + " " +
      std::string(StatusText(response.status)) +
      "\r\nContent-Type: " + response.content_type +
      "\r\nContent-Length: " + std::to_string(response.body.size()) +
      "\r\nConnection: close\r\n";
  for (const auto& [name, value] : response.headers)
    text += name + ": " + value + "\r\n";
  return text + "\r\n" + response.body;
}

// The library lets nobody answer in the middle of a body; nothing else writes
// to the socket then.
void SendRaw(int descriptor, const HttpResponse& response) {
  const std::string text = RawText(response);
  (void)::send(descriptor, text.data(), text.size(),
               MSG_DONTWAIT | MSG_NOSIGNAL);
}

struct Connection {
  // Waiting for a request or its headers; for its body; for who takes the
  // answer. While it is computed nobody ends it.
  enum Phase { kHead, kBody, kWork, kAnswer };

  int descriptor = -1;
  std::string peer;
  std::mutex mutex;  // over phase, since, bytes, allows, is_ended
  Phase phase = kHead;
  Clock::time_point since = Clock::now();
  double allows = 0;  // seconds beyond the timeout
  bool is_ended = false;
  bool is_late = false;  // it was told so instead of an answer

  // The connection's own thread alone uses these.
  std::string uri;
  HttpRequest request;
  Clock::time_point begun;
  bool is_begun = false;
  std::unique_ptr<HttpExchange> exchange;
  std::optional<HttpResponse> response;  // waits for the end of the body
  uint64_t received = 0, discarded = 0;
  std::string body;  // of the response that is sent
  uint64_t sent = 0;
  int status = 0;

  // False where it was told that it is too late.
  bool BeginsWork() {
    const std::lock_guard lock(mutex);
    if (is_ended || is_late) return false;
    phase = kWork;
    return true;
  }
  void Enter(Phase next, double more = 0) {
    const std::lock_guard lock(mutex);
    phase = next;
    since = Clock::now();
    allows = more;
  }
  // With `mutex`, as those that follow. What still comes is thrown away for a
  // second: where a socket is closed before it was read, the answer is lost.
  void TellLate(const HttpResponse& told, double timeout) {
    SendRaw(descriptor, told);
    ::shutdown(descriptor, SHUT_WR);
    is_late = true;
    since = Clock::now();
    allows = kSecondsToRead - timeout;
  }
  void End() {
    if (!std::exchange(is_ended, true)) ::shutdown(descriptor, SHUT_RDWR);
  }
};

MHD_Result AddHeader(void* to, MHD_ValueKind, const char* name,
                     const char* value) {
  static_cast<HttpRequest*>(to)->headers.emplace_back(
      name, value == nullptr ? "" : value);
  return MHD_YES;
}

}  // namespace

struct HttpFront::Parts {
  HttpHandler* handler = nullptr;
  FrontOptions options;
  MHD_Daemon* daemon = nullptr;
  std::atomic<bool> is_stopping = false;
  mutable std::mutex mutex;  // over what follows; before that of a connection
  std::unordered_set<Connection*> connections;

  uint64_t count() const {
    const std::lock_guard lock(mutex);
    return connections.size();
  }

  MHD_Result Send(MHD_Connection* to, Connection* from, HttpResponse response) {
    from->status = response.status;
    from->body = std::move(response.body);
    MHD_Response* made = nullptr;
    if (response.file >= 0) {
      from->sent = response.file_bytes;
      made = MHD_create_response_from_fd64(response.file_bytes, response.file);
    } else {
      from->sent = from->body.size();
      made = MHD_create_response_from_buffer(
          from->body.size(), from->body.data(), MHD_RESPMEM_PERSISTENT);
    }
    if (made == nullptr) {
      if (response.file >= 0) ::close(response.file);
      return MHD_NO;
    }
    MHD_add_response_header(made, "Content-Type",
                            response.content_type.c_str());
    for (const auto& [name, value] : response.headers)
      MHD_add_response_header(made, name.c_str(), value.c_str());
    if (response.closes || is_stopping)
      MHD_add_response_header(made, "Connection", "close");
    from->Enter(Connection::kAnswer,
                static_cast<double>(from->sent) / kLeastBytesASecond);
    const MHD_Result queued =
        MHD_queue_response(to, static_cast<unsigned>(response.status), made);
    MHD_destroy_response(made);
    return queued;
  }

  MHD_Result Begin(MHD_Connection* connection, Connection* own,
                   const char* method) {
    own->is_begun = true;
    own->begun = Clock::now();
    own->received = own->discarded = own->sent = 0;
    own->status = 0;
    own->exchange.reset();
    own->response.reset();
    own->request = {};
    own->request.method = method;
    const size_t mark = own->uri.find('?');
    own->request.path = own->uri.substr(0, mark);
    if (mark != std::string::npos)
      own->request.query = own->uri.substr(mark + 1);
    own->request.peer = own->peer;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddHeader,
                              &own->request);
    if (count() > static_cast<uint64_t>(options.connections)) {
      own->response = handler->TooMany();
      own->response->closes = true;
    } else {
      own->Enter(Connection::kWork);
      HttpHandler::Begun begun = handler->Begin(own->request);
      own->response = std::move(begun.response);
      own->exchange = std::move(begun.exchange);
    }
    own->Enter(Connection::kBody);
    const std::string* const length = own->request.Header("Content-Length");
    if (own->response && length != nullptr &&
        std::strtoull(length->c_str(), nullptr, 10) > kMostDiscarded) {
      own->response->closes = true;
      return Send(connection, own, *std::exchange(own->response, {}));
    }
    return MHD_YES;
  }

  MHD_Result Take(Connection* own, std::string_view piece) {
    own->received += piece.size();
    if (own->response) {
      own->discarded += piece.size();
      if (own->discarded <= kMostDiscarded) return MHD_YES;
      SendRaw(own->descriptor, *own->response);
      own->status = own->response->status;
      return MHD_NO;
    }
    if (own->exchange == nullptr) return MHD_NO;
    if (!own->BeginsWork()) return MHD_YES;  // it is read, and thrown away
    own->response = own->exchange->Take(piece);
    const std::lock_guard lock(own->mutex);
    own->phase = Connection::kBody;
    own->allows = static_cast<double>(own->received) / kLeastBytesASecond;
    if (own->exchange->is_stream()) own->since = Clock::now();
    return MHD_YES;
  }

  MHD_Result Finish(MHD_Connection* connection, Connection* own) {
    if (!own->BeginsWork()) return MHD_NO;
    if (!own->response && own->exchange != nullptr)
      own->response = own->exchange->Finish();
    own->exchange.reset();
    if (!own->response) return MHD_NO;
    return Send(connection, own, *std::exchange(own->response, {}));
  }

  void Done(Connection* own) {
    own->exchange.reset();
    if (!own->is_begun) return;
    own->is_begun = false;
    {
      const std::lock_guard lock(own->mutex);
      if (own->is_late) own->status = 408;
    }
    handler->Done(
        {&own->request, own->status, own->sent, SecondsSince(own->begun)});
    own->Enter(Connection::kHead);
  }

  static Connection* OwnOf(MHD_Connection* connection) {
    const MHD_ConnectionInfo* const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == nullptr ? nullptr
                           : static_cast<Connection*>(info->socket_context);
  }

  static void* OnUri(void*, const char* uri, MHD_Connection* connection) {
    if (Connection* const own = OwnOf(connection)) own->uri = uri;
    return nullptr;
  }

  static MHD_Result OnRequest(void* parts, MHD_Connection* connection,
                              const char*, const char* method, const char*,
                              const char* data, size_t* size, void**) try {
    auto* const self = static_cast<Parts*>(parts);
    Connection* const own = OwnOf(connection);
    if (own == nullptr) return MHD_NO;
    if (!own->is_begun) return self->Begin(connection, own, method);
    if (*size == 0) return self->Finish(connection, own);
    const MHD_Result taken = self->Take(own, {data, *size});
    *size = 0;
    return taken;
  } catch (const std::bad_alloc&) {
    return MHD_NO;
  }

  static void OnCompleted(void* parts, MHD_Connection* connection, void**,
                          MHD_RequestTerminationCode) try {
    if (Connection* const own = OwnOf(connection))
      static_cast<Parts*>(parts)->Done(own);
  } catch (const std::bad_alloc&) {
    return;  // it is not logged
  }

  static void OnConnection(void* parts, MHD_Connection* connection,
                           void** context,
                           MHD_ConnectionNotificationCode code) try {
    auto* const self = static_cast<Parts*>(parts);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
      auto own = std::make_unique<Connection>();
      own->descriptor =
          MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
              ->connect_fd;
      own->peer = PeerOf(own->descriptor);
      const std::lock_guard lock(self->mutex);
      self->connections.insert(own.get());
      *context = own.release();
    } else if (*context != nullptr) {
      const std::unique_ptr<Connection> own(static_cast<Connection*>(*context));
      *context = nullptr;
      const std::lock_guard lock(self->mutex);
      self->connections.erase(own.get());
    }
  } catch (const std::bad_alloc&) {
    return;  // a connection without its own part is refused at its request
  }

  static size_t KeepEscapes(void*, MHD_Connection*, char* text) {
    return std::strlen(text);
  }

  // Ends what is too slow, and with `idle` what has no request. Returns how
  // many requests there are.
  uint64_t Sweep(bool idle) {
    const std::lock_guard lock(mutex);
    uint64_t requests = 0;
    for (Connection* const own : connections) {
      const std::lock_guard one(own->mutex);
      requests += own->phase != Connection::kHead && !own->is_ended;
      if (own->phase == Connection::kHead && idle) own->End();
      if (own->phase == Connection::kWork || own->is_ended ||
          SecondsSince(own->since) <= options.timeout + own->allows)
        continue;
      if (own->phase == Connection::kBody && !own->is_late)
        own->TellLate(handler->TooSlow(), options.timeout);
      else
        own->End();
    }
    return requests;
  }
};

HttpFront::HttpFront(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<HttpFront>> HttpFront::Start(
    Listener listener, HttpHandler* handler, const FrontOptions& options) {
  auto parts = std::make_unique<Parts>();
  parts->handler = handler;
  parts->options = options;
  const std::string address = listener.address();
  const int descriptor = listener.Take();
  // The library has the socket from here on, and closes it.
  parts->daemon = MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
          MHD_USE_POLL | MHD_USE_ITC,
      0, nullptr, nullptr, &Parts::OnRequest, parts.get(),
      MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_LIMIT,
      static_cast<unsigned>(options.connections) + kConnectionsToTell,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, kHeaderBytes,
      MHD_OPTION_THREAD_STACK_SIZE, kStackBytes, MHD_OPTION_STRICT_FOR_CLIENT,
      1, MHD_OPTION_UNESCAPE_CALLBACK, &Parts::KeepEscapes, nullptr,
      MHD_OPTION_URI_LOG_CALLBACK, &Parts::OnUri, nullptr,
      MHD_OPTION_NOTIFY_COMPLETED, &Parts::OnCompleted, parts.get(),
      MHD_OPTION_NOTIFY_CONNECTION, &Parts::OnConnection, parts.get(),
      MHD_OPTION_END);
  if (parts->daemon == nullptr) {
    ::close(descriptor);
    return Fail(ErrorCode::kIo, "the server cannot start", address,
                "is there memory for its threads? give a smaller "
                "--connections");
  }
  return std::unique_ptr<HttpFront>(new HttpFront(std::move(parts)));
}

HttpFront::~HttpFront() {
  const auto begun = Clock::now();
  const MHD_socket listening = MHD_quiesce_daemon(parts_->daemon);
  if (listening != MHD_INVALID_SOCKET) ::close(listening);
  parts_->is_stopping = true;
  while (parts_->Sweep(true) > 0 &&
         SecondsSince(begun) < parts_->options.timeout)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  MHD_stop_daemon(parts_->daemon);
}

void HttpFront::Sweep() { parts_->Sweep(false); }

uint64_t HttpFront::connections() const { return parts_->count(); }

}  // namespace twinset::server
