#include "grader/lti/curl_http.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lti/curl_library.hpp"

namespace grader {
namespace {

constexpr std::size_t kMostHeaderBytes = std::size_t{64} << 10;
constexpr std::size_t kReasonLimit = 300;

/// What arrives while libcurl works.
struct Arrival {
  HttpAnswer answer;
  std::size_t header_bytes = 0;
  std::size_t most_bytes = 0;
  bool is_too_large = false;
};

std::size_t take_body(const char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& arrival = *static_cast<Arrival*>(target);
  const std::size_t length = size * count;
  arrival.is_too_large = length > arrival.most_bytes - arrival.answer.body.size();
  if (arrival.is_too_large) return 0;  // ends the transfer
  arrival.answer.body.append(bytes, length);
  return length;
}

/// Ends a transfer that is not to be waited for any more.
class Stopper {
 public:
  Stopper(const std::function<bool()>& is_stopped, std::int64_t grace_ms)
      : is_stopped_(is_stopped), grace_(grace_ms) {}

  [[nodiscard]] bool ends_transfer() {
    if (!is_stopped_ || !is_stopped_()) return false;
    if (!end_) end_ = Clock::now() + grace_;
    return Clock::now() >= *end_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::function<bool()>& is_stopped_;
  std::chrono::milliseconds grace_;
  std::optional<Clock::time_point> end_;
};

int look_whether_to_stop(void* stopper, curl_off_t /*down*/, curl_off_t /*downloaded*/,
                         curl_off_t /*up*/, curl_off_t /*uploaded*/) {
  return static_cast<Stopper*>(stopper)->ends_transfer() ? 1 : 0;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::size_t take_header(const char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& arrival = *static_cast<Arrival*>(target);
  const std::string_view line(bytes, size * count);
  arrival.header_bytes += line.size();
  arrival.is_too_large = arrival.header_bytes > kMostHeaderBytes;
  if (arrival.is_too_large) return 0;
  if (line.starts_with("HTTP/")) arrival.answer.headers.clear();  // an interim answer came before
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return line.size();
  std::string name(trimmed(line.substr(0, colon)));
  std::ranges::transform(name, name.begin(), [](unsigned char character) {
    return static_cast<char>(std::tolower(character));
  });
  std::string& value = arrival.answer.headers[name];
  if (!value.empty()) value += ", ";
  value += trimmed(line.substr(colon + 1));
  return line.size();
}

HttpFailure::Kind kind_of(CURLcode code, long sent_bytes) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST: return HttpFailure::Kind::unknown;
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR: return HttpFailure::Kind::unreachable;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return HttpFailure::Kind::impossible;
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_OPERATION_TIMEDOUT:
      return sent_bytes == 0 ? HttpFailure::Kind::unreachable : HttpFailure::Kind::unanswered;
    default: return HttpFailure::Kind::unanswered;
  }
}

/// Header lines as libcurl wants them.
class HeaderList {
 public:
  explicit HeaderList(const CurlLibrary& library) : library_(library) {}
  ~HeaderList() { library_.slist_free_all(list_); }
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;
  void add(const std::string& line) {
    curl_slist* longer = library_.slist_append(list_, line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    list_ = longer;
  }
  [[nodiscard]] curl_slist* get() const { return list_; }

 private:
  const CurlLibrary& library_;
  curl_slist* list_ = nullptr;
};

}  // namespace

struct CurlHttp::Handle {
  const CurlLibrary& library = CurlLibrary::loaded();
  CURL* curl = library.easy_init();

  Handle() {
    if (curl == nullptr) {
      throw EnvironmentFault("libcurl cannot be used.", "Free some memory and try again.");
    }
  }
  ~Handle() { library.easy_cleanup(curl); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  template <class Value>
  void set(CURLoption option, Value value) const {
    const CURLcode code = library.easy_setopt(curl, option, value);
    if (code != CURLE_OK) {
      throw EnvironmentFault(std::string("libcurl refuses a setting that pushing needs: ") +
                                 library.easy_strerror(code) + ".",
                             kInstallCurl);
    }
  }
};

CurlHttp::CurlHttp(Options options)
    : options_(std::move(options)), handle_(std::make_unique<Handle>()) {
  handle_->set(CURLOPT_NOSIGNAL, 1L);
  handle_->set(CURLOPT_PROTOCOLS_STR, "https");
  handle_->set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  handle_->set(CURLOPT_FOLLOWLOCATION, 0L);
  handle_->set(CURLOPT_SSL_VERIFYPEER, 1L);
  handle_->set(CURLOPT_SSL_VERIFYHOST, 2L);
  handle_->set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  handle_->set(CURLOPT_USERAGENT, "attention-grader");
  handle_->set(CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout_ms));
  handle_->set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connection_ms));
  if (!options_.ca_file.empty()) handle_->set(CURLOPT_CAINFO, options_.ca_file.c_str());
  handle_->set(CURLOPT_WRITEFUNCTION, take_body);
  handle_->set(CURLOPT_HEADERFUNCTION, take_header);
  handle_->set(CURLOPT_XFERINFOFUNCTION, look_whether_to_stop);
  handle_->set(CURLOPT_NOPROGRESS, 0L);
}

CurlHttp::~CurlHttp() = default;

HttpOutcome CurlHttp::send(const HttpRequest& request) {
  const CurlLibrary& library = handle_->library;
  HeaderList headers(library);
  headers.add("Expect:");  // no interim answers
  for (const std::string& header : request.headers) headers.add(header);
  if (request.method == HttpRequest::Method::post) {
    handle_->set(CURLOPT_POST, 1L);
    handle_->set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    handle_->set(CURLOPT_POSTFIELDS, request.body.data());
  } else {
    handle_->set(CURLOPT_HTTPGET, 1L);
  }
  // Where a kept connection breaks, libcurl repeats the request without a word, and nobody would
  // know that it may have been carried out before.
  handle_->set(CURLOPT_FRESH_CONNECT, request.method == HttpRequest::Method::post ? 1L : 0L);
  Arrival arrival;
  arrival.most_bytes = options_.most_bytes;
  std::array<char, CURL_ERROR_SIZE> details{};
  handle_->set(CURLOPT_URL, request.url.c_str());
  handle_->set(CURLOPT_HTTPHEADER, headers.get());
  handle_->set(CURLOPT_WRITEDATA, static_cast<void*>(&arrival));
  handle_->set(CURLOPT_HEADERDATA, static_cast<void*>(&arrival));
  handle_->set(CURLOPT_ERRORBUFFER, details.data());
  Stopper stopper(options_.is_stopped, options_.grace_ms);
  handle_->set(CURLOPT_XFERINFODATA, static_cast<void*>(&stopper));
  const CURLcode code = library.easy_perform(handle_->curl);
  handle_->set(CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));
  if (code != CURLE_OK) {
    long sent_bytes = 0;
    library.easy_getinfo(handle_->curl, CURLINFO_REQUEST_SIZE, &sent_bytes);
    std::string reason = details[0] == '\0' ? library.easy_strerror(code) : details.data();
    if (arrival.is_too_large) reason = "its answer is too large";
    if (code == CURLE_ABORTED_BY_CALLBACK) reason = "it was not waited for";
    return HttpFailure{kind_of(code, sent_bytes), plain_line(reason, kReasonLimit)};
  }
  long status = 0;
  library.easy_getinfo(handle_->curl, CURLINFO_RESPONSE_CODE, &status);
  arrival.answer.status = static_cast<int>(status);
  return std::move(arrival.answer);
}

}  // namespace grader
