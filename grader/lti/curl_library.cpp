#include "grader/lti/curl_library.hpp"

#include <dlfcn.h>

#include <string>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

// The name that promises the interface of curl.h, since 2006.
constexpr const char* kLibrary = "libcurl.so.4";
constexpr std::size_t kReasonLimit = 300;

[[noreturn]] void refuse(const std::string& what) {
  throw EnvironmentFault("Pushing needs libcurl, and " + what + ".", kInstallCurl);
}

std::string last_error() {
  const char* error = ::dlerror();
  return error == nullptr ? "no reason was given" : plain_line(error, kReasonLimit);
}

/// Sets `function` to the one called `name`.
template <class Function>
void find(void* library, const char* name, Function& function) {
  void* found = ::dlsym(library, name);
  if (found == nullptr) refuse("a function of it is missing: " + last_error());
  function = reinterpret_cast<Function>(found);
}

}  // namespace

CurlLibrary load_curl_library(const char* file) {
  void* library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse("it cannot be loaded: " + last_error());
  decltype(&::curl_global_init) global_init = nullptr;
  find(library, "curl_global_init", global_init);
  CurlLibrary curl{};
  find(library, "curl_easy_init", curl.easy_init);
  find(library, "curl_easy_cleanup", curl.easy_cleanup);
  find(library, "curl_easy_setopt", curl.easy_setopt);
  find(library, "curl_easy_perform", curl.easy_perform);
  find(library, "curl_easy_getinfo", curl.easy_getinfo);
  find(library, "curl_easy_strerror", curl.easy_strerror);
  find(library, "curl_slist_append", curl.slist_append);
  find(library, "curl_slist_free_all", curl.slist_free_all);
  if (const CURLcode code = global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK) {
    refuse(std::string("it cannot be made ready: ") + curl.easy_strerror(code));
  }
  return curl;
}

const CurlLibrary& CurlLibrary::loaded() {
  static const CurlLibrary kCurl = load_curl_library(kLibrary);
  return kCurl;
}

}  // namespace grader
