#include "engines/http_client.h"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace twinset {

namespace {

constexpr uint64_t kMostHeaderBytes = 256 << 10;

bool IsHttp(const std::string& url) {
  std::string start = url.substr(0, 8);
  for (char& c : start)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return start.starts_with("http://") || start.starts_with("https://");
}

// What one transfer is told and tells.
struct Transfer {
  const HttpLimits* limits = nullptr;
  uint64_t header_bytes = 0;
  bool too_large = false;
  std::string refused;  // the address that the guard refused
  std::string body;
};

curl_socket_t OpenSocket(void* to, curlsocktype, curl_sockaddr* address) {
  auto* transfer = static_cast<Transfer*>(to);
  if (!transfer->limits->guard.Allows(&address->addr)) {
    transfer->refused = AddressText(&address->addr);
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

size_t TakeBody(char* bytes, size_t, size_t size, void* to) {
  auto* transfer = static_cast<Transfer*>(to);
  if (transfer->body.size() + size > transfer->limits->max_body_bytes) {
    transfer->too_large = true;
    return 0;
  }
  transfer->body.append(bytes, size);
  return size;
}

size_t TakeHeader(char*, size_t, size_t size, void* to) {
  auto* transfer = static_cast<Transfer*>(to);
  transfer->header_bytes += size;
  transfer->too_large |= transfer->header_bytes > kMostHeaderBytes;
  return transfer->too_large ? 0 : size;
}

std::string Header(CURL* curl, const char* name) {
  curl_header* header = nullptr;
  if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
    return "";
  return header->value;
}

tl::unexpected<Error> Failure(CURLcode code, const Transfer& transfer,
                              const std::string& url) {
  if (!transfer.refused.empty()) return OutsideNetworks(transfer.refused, url);
  if (transfer.too_large)
    return Fail(ErrorCode::kUnsupported, "the answer is too large", url);
  const ErrorCode kind =
      code == CURLE_COULDNT_RESOLVE_HOST ? ErrorCode::kNotFound
      : code == CURLE_URL_MALFORMAT      ? ErrorCode::kUsage
                                         : ErrorCode::kUnavailable;
  std::string message = curl_easy_strerror(code);
  if (code == CURLE_OPERATION_TIMEDOUT) message = "no answer in time";
  if (code == CURLE_UNSUPPORTED_PROTOCOL)
    message = "the server does not speak HTTP";
  if (code == CURLE_COULDNT_CONNECT) message = "cannot connect";
  if (code == CURLE_COULDNT_RESOLVE_HOST) message = "the host has no address";
  return Fail(kind, message, url);
}

}  // namespace

struct HttpClient::Parts {
  ~Parts() {
    curl_slist_free_all(resolve);
    curl_easy_cleanup(curl);
  }
  HttpLimits limits;
  CURL* curl = nullptr;
  curl_slist* resolve = nullptr;
  Transfer transfer;

  void SetUp();
  // One request, without redirects.
  Result<HttpPage> GetOnce(const std::string& url, int64_t left_ms,
                           std::string* target);
};

void HttpClient::Parts::SetUp() {
  const auto set = [this](CURLoption option, auto value) {
    curl_easy_setopt(curl, option, value);
  };
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  // The surroundings decide nothing: no proxy, no ~/.netrc.
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "");
  set(CURLOPT_USERAGENT, limits.user_agent.c_str());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_timeout_ms));
  set(CURLOPT_OPENSOCKETFUNCTION, OpenSocket);
  set(CURLOPT_OPENSOCKETDATA, &transfer);
  set(CURLOPT_WRITEFUNCTION, TakeBody);
  set(CURLOPT_WRITEDATA, &transfer);
  set(CURLOPT_HEADERFUNCTION, TakeHeader);
  set(CURLOPT_HEADERDATA, &transfer);
  for (const std::string& entry : limits.resolve)
    resolve = curl_slist_append(resolve, entry.c_str());
  set(CURLOPT_RESOLVE, resolve);
}

Result<HttpPage> HttpClient::Parts::GetOnce(const std::string& url,
                                            int64_t left_ms,
                                            std::string* target) {
  transfer = {};
  transfer.limits = &limits;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(left_ms));
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) return Failure(code, transfer, url);
  HttpPage page;
  page.url = url;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  page.status = static_cast<int>(std::clamp(status, 0L, 999L));
  page.content_type = Header(curl, "Content-Type");
  page.date = Header(curl, "Last-Modified");
  if (!Header(curl, "Retry-After").empty()) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
    page.retry_after_s = std::clamp<int64_t>(seconds, 0, 1 << 30);
  }
  const char* redirect = nullptr;
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
  *target = redirect == nullptr ? "" : redirect;
  page.body = std::move(transfer.body);
  return page;
}

HttpClient::HttpClient(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::Make(const HttpLimits& limits) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
    return Fail(ErrorCode::kIo, "libcurl does not start");
  auto parts = std::make_unique<Parts>();
  parts->limits = limits;
  parts->curl = curl_easy_init();
  if (parts->curl == nullptr)
    return Fail(ErrorCode::kIo, "libcurl does not start");
  parts->SetUp();
  return HttpClient(std::move(parts));
}

Result<HttpPage> HttpClient::Get(const std::string& url) {
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() +
                   std::chrono::milliseconds(parts_->limits.timeout_ms);
  if (!IsHttp(url))
    return Fail(ErrorCode::kUsage, "no address of http or https", url);
  std::vector<std::string> redirects;
  std::string next = url;
  while (true) {
    const int64_t left_ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(
            end - steady_clock::now())
            .count();
    if (left_ms <= 0)
      return Fail(ErrorCode::kUnavailable, "no answer in time", url);
    std::string target;
    TWINSET_ASSIGN(HttpPage page, parts_->GetOnce(next, left_ms, &target));
    if (target.empty() || parts_->limits.max_redirects == 0) {
      page.redirects = std::move(redirects);
      page.location = std::move(target);
      return page;
    }
    if (redirects.size() >= parts_->limits.max_redirects) {
      return Fail(ErrorCode::kUnavailable,
                  "more than " + std::to_string(parts_->limits.max_redirects) +
                      " redirects",
                  url);
    }
    if (!IsHttp(target)) {
      return Fail(ErrorCode::kUnsupported,
                  "it redirects to what is not of http or https", target);
    }
    redirects.push_back(std::exchange(next, std::move(target)));
  }
}

}  // namespace twinset
