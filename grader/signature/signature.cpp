#include "grader/signature/signature.hpp"

#include <openssl/evp.h>

#include <array>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/json.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/signature/canonical_json.hpp"
#include "grader/signature/keys.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;
using Signature = std::array<unsigned char, 64>;
using Context = std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)>;

constexpr std::size_t kDocumentLimit = std::size_t{256} << 20U;
constexpr std::size_t kSignatureFileLimit = std::size_t{1} << 16U;
constexpr int kVersion = 1;
constexpr const char* kSuffix = ".sig";

std::string hexadecimal(const Signature& signature) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned byte : signature) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xfU];
  }
  return text;
}

std::optional<Signature> from_hexadecimal(std::string_view text) {
  Signature signature{};
  if (text.size() != 2 * signature.size()) return std::nullopt;
  for (unsigned char& byte : signature) {
    const auto end = std::from_chars(text.data(), text.data() + 2, byte, 16);
    if (end.ec != std::errc() || end.ptr != text.data() + 2) return std::nullopt;
    text.remove_prefix(2);
  }
  return signature;
}

struct SignatureFile {
  std::string key;
  Signature signature{};
};

std::optional<SignatureFile> parsed(std::string_view text) {
  const Json json = parsed_json<Json>(text);
  if (!json.is_object() || json.value("schema_version", Json()) != kVersion ||
      json.value("algorithm", Json()) != "Ed25519") {
    return std::nullopt;
  }
  const Json key = json.value("key", Json());
  const Json digits = json.value("signature", Json());
  if (!key.is_string() || !digits.is_string()) return std::nullopt;
  const auto signature = from_hexadecimal(digits.get_ref<const std::string&>());
  if (!signature) return std::nullopt;
  return SignatureFile{key.get<std::string>(), *signature};
}

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Context new_context() {
  Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (context == nullptr) throw InternalFault("OpenSSL gave no context");
  return context;
}

bool is_signed_by(const std::string& canonical, const Signature& signature, EVP_PKEY& public_key) {
  const Context context = new_context();
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, &public_key) != 1) {
    throw InternalFault("OpenSSL cannot verify with this key");
  }
  return EVP_DigestVerify(context.get(), signature.data(), signature.size(), bytes_of(canonical),
                          canonical.size()) == 1;
}

}  // namespace

fs::path signature_file(const fs::path& scorecard) {
  fs::path file = scorecard;
  file += kSuffix;
  return file;
}

std::string signature_of(std::string_view document, const std::string& name,
                         EVP_PKEY& signing_key) {
  const std::string canonical = canonical_json(document, name);
  const Context context = new_context();
  Signature signature{};
  std::size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, &signing_key) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, bytes_of(canonical),
                     canonical.size()) != 1 ||
      size != signature.size()) {
    throw InternalFault("OpenSSL cannot sign with this key");
  }
  return Json{{"schema_version", kVersion},
              {"algorithm", "Ed25519"},
              {"key", key_id(signing_key)},
              {"signature", hexadecimal(signature)}}
             .dump() +
         "\n";
}

SignatureVerdict verdict_on(std::string_view document, std::string_view signature,
                            EVP_PKEY& public_key) {
  std::string canonical;
  try {
    canonical = canonical_json(document, "The scorecard");
  } catch (const UsageFault& fault) {
    return {SignatureState::unreadable, fault.what()};
  }
  const std::optional<SignatureFile> file = parsed(signature);
  if (!file) return {SignatureState::damaged, "Its signature is damaged, or of a later version."};
  if (is_signed_by(canonical, file->signature, public_key)) return {SignatureState::holds, ""};
  if (file->key != key_id(public_key)) {
    return {SignatureState::other_key, "It was signed with another key."};
  }
  return {SignatureState::edited, "It was edited after it was signed."};
}

SignatureVerdict verdict_on(const fs::path& scorecard, EVP_PKEY& public_key) {
  std::error_code error;
  const fs::path beside = signature_file(scorecard);
  if (!fs::exists(beside, error)) return {SignatureState::is_unsigned, "It is not signed."};
  if (!fs::exists(scorecard, error)) {
    return {SignatureState::scorecard_is_gone, "Its signature is there, and it is gone."};
  }
  std::string document;
  try {
    document = read_file(scorecard, kDocumentLimit);
  } catch (const UsageFault& fault) {
    return {SignatureState::unreadable, fault.what()};
  }
  try {
    return verdict_on(document, read_file(beside, kSignatureFileLimit), public_key);
  } catch (const UsageFault& fault) {
    return {SignatureState::damaged, fault.what()};
  }
}

void sign_file(const fs::path& scorecard, EVP_PKEY& signing_key) {
  const std::string document = read_file(scorecard, kDocumentLimit);
  // Who signs says that this is a result: nothing else gets a signature.
  scorecard_from_json(document, scorecard.string());
  write_atomically(signature_file(scorecard),
                   signature_of(document, scorecard.string(), signing_key));
}

std::vector<fs::path> scorecards_of(const fs::path& source) {
  std::error_code error;
  if (!fs::is_directory(source, error)) {
    if (fs::exists(source, error)) return {source};
    throw UsageFault("There is no " + source.string() + ".",
                     "Name a scorecard.json, or a folder that holds some.");
  }
  std::set<fs::path> found;
  for (auto entry = fs::recursive_directory_iterator(source);
       entry != fs::recursive_directory_iterator(); ++entry) {
    fs::path path = entry->path();
    const std::string name = path.filename().string();
    // What students handed in, and what a running batch is at work on.
    if (name == "submission" || name.starts_with('.')) entry.disable_recursion_pending();
    if (name == "scorecard.json.sig") path.replace_extension();
    if (path.filename() == "scorecard.json") found.insert(path);
  }
  if (found.empty()) {
    throw UsageFault("There is no scorecard.json in " + source.string() + ".",
                     "Name a scorecard that `grade` wrote, or a folder that holds some.");
  }
  return {found.begin(), found.end()};
}

}  // namespace grader
