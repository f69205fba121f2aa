#include "grader/lti/curl_library.hpp"

#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

TEST(CurlLibraryTest, IsLoadedOnce) {
  EXPECT_EQ(&CurlLibrary::loaded(), &CurlLibrary::loaded());
  EXPECT_STREQ(CurlLibrary::loaded().easy_strerror(CURLE_OK), "No error");
}

TEST(CurlLibraryTest, AMissingLibraryIsNamedWithWhatToInstall) {
  const std::string what =
      sentence_of<EnvironmentFault>([] { load_curl_library("libcurl-absent.so.4"); });
  EXPECT_NE(what.find("libcurl-absent.so.4"), std::string::npos) << what;
}

TEST(CurlLibraryTest, AnotherLibraryIsRefusedByTheFunctionThatIsMissing) {
  const std::string what = sentence_of<EnvironmentFault>([] { load_curl_library("libm.so.6"); });
  EXPECT_NE(what.find("curl_global_init"), std::string::npos) << what;
}

}  // namespace
}  // namespace grader
