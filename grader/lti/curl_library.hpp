// libcurl, loaded when it is first needed: with TLS, Kerberos and all else it brings, loading it
// takes more time than everything else at the start of the program, and only pushing needs it.
#pragma once

#include <curl/curl.h>

// curl.h wraps some of these in macros of the same name that check arguments.
#undef curl_easy_getinfo
#undef curl_easy_setopt

namespace grader {

/// What to do where libcurl cannot serve.
inline constexpr const char* kInstallCurl =
    "Install libcurl 7.85 or later with OpenSSL (Debian: apt install libcurl4) and try again.";

/// The functions of libcurl that this program uses, under their own names.
struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;

  /// The library, loaded and made ready by the first call; it stays for the life of the program.
  /// Throws EnvironmentFault where it is missing, too old or cannot be used.
  static const CurlLibrary& loaded();
};

/// As above, of the library in `file` as dlopen finds it.
CurlLibrary load_curl_library(const char* file);

}  // namespace grader
