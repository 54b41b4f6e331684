// A small blocking HTTP client for the simulator's tests, by libcurl.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"

namespace patra::sim::testing {

struct Answer {
  int status = 0;     // 0: no answer
  std::string error;  // what curl says, empty if all went well
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  std::string Header(std::string_view lower_case_name) const;
  Value Json() const;  // fails the test if the body is no JSON
};

// Keeps its connection between requests. Not thread-safe.
class HttpClient {
 public:
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  Answer Get(const std::string& url, std::vector<std::string> headers = {});
  Answer Post(const std::string& url, const std::string& body,
              const std::string& type = "application/json");
  Answer Delete(const std::string& url);

  void TrustOnly(const std::string& certificate_pem);

 private:
  Answer Perform(const std::string& url, const std::vector<std::string>& headers);
  void* handle_;
  std::string certificate_;
};

}  // namespace patra::sim::testing
