#include "grader/lti/tls_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <list>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace grader {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("test server: cannot ") + what);
}

void add_extension(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  require(extension != nullptr, "describe the certificate");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

X509* make_certificate(EVP_PKEY* key) {
  constexpr long kSerial = 1;
  constexpr long kDay = 86'400;
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), kSerial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), kDay);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* text = reinterpret_cast<const unsigned char*>("localhost");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate, NID_subject_alt_name, "DNS:localhost");
  require(X509_sign(certificate, key, EVP_sha256()) > 0, "sign the certificate");
  return certificate;
}

/// One connection: requests in, answers out.
class Connection {
 public:
  Connection(SSL_CTX* context, int socket) : ssl_(SSL_new(context)), socket_(socket) {
    SSL_set_fd(ssl_, socket);
  }
  ~Connection() {
    SSL_free(ssl_);
    shutdown(socket_, SHUT_RDWR);  // the server has a second descriptor of it
    close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool accept() { return SSL_accept(ssl_) == 1; }

  std::optional<ServedRequest> receive() {
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive_more()) return std::nullopt;
    }
    ServedRequest request = head_in(std::string_view(received_).substr(0, end + 2));
    const auto length = request.headers.find("content-length");
    const std::size_t size = length == request.headers.end() ? 0 : std::stoul(length->second);
    while (received_.size() < end + 4 + size) {
      if (!receive_more()) return std::nullopt;
    }
    request.body = received_.substr(end + 4, size);
    received_.erase(0, end + 4 + size);
    return request;
  }

  /// Whether the connection goes on.
  bool send(const ServedAnswer& answer) {
    if (answer.fate == ServedAnswer::Fate::lost) return false;
    std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " Status\r\n";
    for (const auto& [name, value] : answer.headers) text += name + ": " + value + "\r\n";
    text += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
    const bool is_cut = answer.fate == ServedAnswer::Fate::cut_off;
    if (is_cut) text.resize(text.size() - (answer.body.size() + 1) / 2);
    return SSL_write(ssl_, text.data(), static_cast<int>(text.size())) > 0 && !is_cut;
  }

  /// Waits until the other side has had enough.
  void stall() {
    std::array<char, 256> rest{};
    SSL_read(ssl_, rest.data(), static_cast<int>(rest.size()));
  }

 private:
  bool receive_more() {
    std::array<char, 8192> bytes{};
    const int count = SSL_read(ssl_, bytes.data(), static_cast<int>(bytes.size()));
    if (count > 0) received_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  static ServedRequest head_in(std::string_view head) {
    ServedRequest request;
    bool is_first = true;
    for (std::size_t end = 0; (end = head.find("\r\n")) != std::string_view::npos;
         head.remove_prefix(end + 2)) {
      const std::string line(head.substr(0, end));
      if (std::exchange(is_first, false)) {
        const std::size_t method_end = line.find(' ');
        const std::string target =
            line.substr(method_end + 1, line.find(' ', method_end + 1) - method_end - 1);
        request.method = line.substr(0, method_end);
        request.path = target.substr(0, target.find('?'));
        if (request.path.size() < target.size()) {
          request.query = target.substr(request.path.size() + 1);
        }
        continue;
      }
      std::string name = line.substr(0, line.find(':'));
      std::ranges::transform(name, name.begin(), [](unsigned char character) {
        return static_cast<char>(std::tolower(character));
      });
      const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
      request.headers[name] = value == std::string::npos ? "" : line.substr(value);
    }
    return request;
  }

  SSL* ssl_;
  int socket_;
  std::string received_;
};

}  // namespace

struct TlsServer::State {
  Handler handler;
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
  SSL_CTX* context = nullptr;
  int listening = -1;
  int port = 0;
  std::thread accepting;
  std::mutex mutex;
  std::list<std::pair<std::thread, int>> connections;  ///< with their sockets
  std::atomic<bool> is_ending = false;

  void listen_on_loopback() {
    listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* general = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    require(bind(listening, general, size) == 0 && listen(listening, 16) == 0 &&
                getsockname(listening, general, &size) == 0,
            "listen on loopback");
    port = ntohs(address.sin_port);
  }

  void serve(int socket) const {
    Connection connection(context, socket);
    if (!connection.accept()) return;
    while (const auto request = connection.receive()) {
      const ServedAnswer answer = handler(*request);
      if (answer.fate == ServedAnswer::Fate::stalls) {
        connection.stall();
        return;
      }
      if (!connection.send(answer)) return;
    }
  }

  void accept_all() {
    while (!is_ending) {
      const int socket = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      const std::lock_guard lock(mutex);
      // A descriptor of one's own to wake the thread by: the connection closes the other.
      const int handle = dup(socket);
      connections.emplace_back(std::thread([this, socket] { serve(socket); }), handle);
    }
  }
};

TlsServer::TlsServer(const std::filesystem::path& certificate, Handler handler)
    : state_(std::make_unique<State>()) {
  std::signal(SIGPIPE, SIG_IGN);  // clients that have had enough
  state_->handler = std::move(handler);
  state_->key = EVP_EC_gen("P-256");
  state_->certificate = make_certificate(state_->key);
  state_->context = SSL_CTX_new(TLS_server_method());
  require(SSL_CTX_use_certificate(state_->context, state_->certificate) == 1 &&
              SSL_CTX_use_PrivateKey(state_->context, state_->key) == 1,
          "use its certificate");
  FILE* file = std::fopen(certificate.c_str(), "w");
  require(file != nullptr && PEM_write_X509(file, state_->certificate) == 1,
          "write its certificate");
  std::fclose(file);
  state_->listen_on_loopback();
  state_->accepting = std::thread([state = state_.get()] { state->accept_all(); });
}

TlsServer::~TlsServer() {
  state_->is_ending = true;
  shutdown(state_->listening, SHUT_RDWR);
  state_->accepting.join();
  close(state_->listening);
  for (auto& [thread, socket] : state_->connections) {
    shutdown(socket, SHUT_RDWR);
    thread.join();
    close(socket);
  }
  SSL_CTX_free(state_->context);
  X509_free(state_->certificate);
  EVP_PKEY_free(state_->key);
}

std::string TlsServer::url() const { return "https://localhost:" + std::to_string(state_->port); }

}  // namespace grader
