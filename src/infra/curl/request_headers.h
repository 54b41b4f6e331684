// The headers of a request as libcurl takes them.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "app/port/transport.h"
#include "base/result.h"

namespace patra::infra::curl {

class HeaderList {
 public:
  HeaderList() = default;
  ~HeaderList() { curl_slist_free_all(list_); }
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  void Add(const std::string& line) {
    auto* grown = curl_slist_append(list_, line.c_str());
    PATRA_ASSERT(grown != nullptr);
    list_ = grown;
  }
  curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

// Those of the request and those that every request has. An error where one cannot be a header, or is the transport's own.
Result<void> AddHeaders(const app::HttpRequest& request, HeaderList& list);

// RFC 9110 §5.6.2.
bool IsToken(std::string_view text);

}  // namespace patra::infra::curl
