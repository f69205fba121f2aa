#include "grader/lti/private_key.hpp"

#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "grader/base/fault.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr int kFewestBits = 2048;
constexpr std::size_t kLargestKey = std::size_t{64} << 10;
constexpr mode_t kOthers = 077;

constexpr const char* kMakeOne =
    "Make one with `openssl genrsa -out lti.key 3072`, and tell the platform its public half.";

template <class T, void (*free_it)(T*)>
struct Freeing {
  void operator()(T* object) const { free_it(object); }
};
void free_bio(BIO* bio) { BIO_free(bio); }
using Bio = std::unique_ptr<BIO, Freeing<BIO, free_bio>>;
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY, EVP_PKEY_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freeing<EVP_MD_CTX, EVP_MD_CTX_free>>;

/// In place of OpenSSL's question on the terminal.
int no_password(char* /*buffer*/, int /*size*/, int /*is_writing*/, void* was_asked) {
  *static_cast<bool*>(was_asked) = true;
  return -1;
}

/// A secret in memory, wiped when it goes away.
class Secret {
 public:
  explicit Secret(std::size_t size) : bytes_(size, '\0') {}
  ~Secret() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

[[noreturn]] void refuse(const fs::path& file, const std::string& why, const std::string& hint) {
  throw UsageFault("The private key " + file.string() + " " + why + ".", hint);
}

/// Opens a file that is ours and closed to others; asks the file that was opened, not its name.
Descriptor open_secret(const fs::path& file) {
  Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!opened || fstat(opened.get(), &status) != 0) {
    refuse(file, std::string("cannot be read: ") + std::strerror(errno),
           "Name it as private_key_file, relative to the platform file.");
  }
  if (!S_ISREG(status.st_mode)) refuse(file, "is no regular file", kMakeOne);
  if (status.st_uid != geteuid() && status.st_uid != 0) {
    refuse(file, "belongs to another user, who may change it", "Use a copy of your own.");
  }
  if ((status.st_mode & kOthers) != 0) {
    refuse(file, "can be read or changed by other users",
           "Close it with `chmod 600 " + file.string() +
               "`; if others may have read it, make a new one.");
  }
  return opened;
}

}  // namespace

struct PrivateKey::State {
  Key key;
};

PrivateKey::PrivateKey(std::string_view pem, const std::string& name)
    : state_(std::make_unique<State>()) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (!bio) throw std::bad_alloc();
  bool is_encrypted = false;
  state_->key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, &is_encrypted));
  ERR_clear_error();  // what it says may quote the key
  if (is_encrypted) {
    throw UsageFault(name + " is encrypted, and there is nobody to ask for its password.",
                     "Use a key without one, in a file that only you can read.");
  }
  if (!state_->key) throw UsageFault(name + " is no private key in PEM.", kMakeOne);
  if (EVP_PKEY_get_base_id(state_->key.get()) != EVP_PKEY_RSA ||
      EVP_PKEY_get_bits(state_->key.get()) < kFewestBits) {
    throw UsageFault(name + " is no RSA key of at least 2048 bits, as LTI asks for.", kMakeOne);
  }
}

PrivateKey::~PrivateKey() = default;
PrivateKey::PrivateKey(PrivateKey&&) noexcept = default;
PrivateKey& PrivateKey::operator=(PrivateKey&&) noexcept = default;

std::string PrivateKey::sign(std::string_view bytes) const {
  const DigestContext context(EVP_MD_CTX_new());
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::string signature;
  std::size_t length = 0;
  bool is_signed =
      context != nullptr &&
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, state_->key.get()) == 1 &&
      EVP_DigestSign(context.get(), nullptr, &length, data, bytes.size()) == 1;
  if (is_signed) {
    signature.resize(length);
    auto* target = reinterpret_cast<unsigned char*>(signature.data());
    is_signed = EVP_DigestSign(context.get(), target, &length, data, bytes.size()) == 1;
  }
  if (!is_signed) throw InternalFault("OpenSSL does not sign with a key that it has read");
  signature.resize(length);
  return signature;
}

PrivateKey read_private_key(const fs::path& file) {
  const Descriptor opened = open_secret(file);
  Secret secret(kLargestKey + 1);
  std::size_t length = 0;
  while (length < secret.bytes().size()) {
    const ssize_t count =
        read(opened.get(), secret.bytes().data() + length, secret.bytes().size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(file, std::string("cannot be read: ") + std::strerror(errno), kMakeOne);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
  }
  if (length > kLargestKey) refuse(file, "is too large for a key", kMakeOne);
  return PrivateKey(std::string_view(secret.bytes()).substr(0, length),
                    "The private key " + file.string());
}

}  // namespace grader
