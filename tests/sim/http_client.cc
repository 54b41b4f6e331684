#include "tests/sim/http_client.h"

#include <curl/curl.h>
#include <gtest/gtest.h>

#include "sim/http_message.h"

namespace patra::sim::testing {
namespace {

std::size_t TakeBody(char* bytes, std::size_t size, std::size_t count, void* answer) {
  static_cast<Answer*>(answer)->body.append(bytes, size * count);
  return size * count;
}

std::size_t TakeHeader(char* bytes, std::size_t size, std::size_t count, void* answer) {
  std::string line(bytes, size * count);
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.pop_back();
  if (const auto colon = line.find(": "); colon != std::string::npos) {
    static_cast<Answer*>(answer)->headers.emplace_back(LowerCase(line.substr(0, colon)),
                                                       line.substr(colon + 2));
  }
  return size * count;
}

}  // namespace

std::string Answer::Header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return {};
}

Value Answer::Json() const {
  auto parsed = ParseJson(body);
  EXPECT_TRUE(parsed) << parsed.error().Describe() << "\n" << body.substr(0, 500);
  return parsed ? *parsed : Value();
}

HttpClient::HttpClient() : handle_(curl_easy_init()) {}
HttpClient::~HttpClient() { curl_easy_cleanup(handle_); }

void HttpClient::TrustOnly(const std::string& certificate_pem) { certificate_ = certificate_pem; }

Answer HttpClient::Perform(const std::string& url, const std::vector<std::string>& headers) {
  Answer answer;
  curl_slist* list = nullptr;
  for (const auto& header : headers) list = curl_slist_append(list, header.c_str());
  curl_easy_setopt(handle_, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, TakeBody);
  curl_easy_setopt(handle_, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, TakeHeader);
  curl_easy_setopt(handle_, CURLOPT_HEADERDATA, &answer);
  curl_easy_setopt(handle_, CURLOPT_TIMEOUT, 30L);
  curl_easy_setopt(handle_, CURLOPT_NOPROXY, "*");
  curl_blob blob{certificate_.data(), certificate_.size(), CURL_BLOB_NOCOPY};
  if (!certificate_.empty()) curl_easy_setopt(handle_, CURLOPT_CAINFO_BLOB, &blob);
  const auto done = curl_easy_perform(handle_);
  long status = 0;
  curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  if (done != CURLE_OK) answer.error = curl_easy_strerror(done);
  curl_slist_free_all(list);
  return answer;
}

Answer HttpClient::Get(const std::string& url, std::vector<std::string> headers) {
  curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, nullptr);
  curl_easy_setopt(handle_, CURLOPT_HTTPGET, 1L);
  return Perform(url, headers);
}

Answer HttpClient::Post(const std::string& url, const std::string& body, const std::string& type) {
  curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, nullptr);
  curl_easy_setopt(handle_, CURLOPT_POST, 1L);
  curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  return Perform(url, {"content-type: " + type});
}

Answer HttpClient::Delete(const std::string& url) {
  curl_easy_setopt(handle_, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, "DELETE");
  return Perform(url, {});
}

}  // namespace patra::sim::testing
