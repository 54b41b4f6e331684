// A request and its answer, apart from whatever carries them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace patra::adapter::rest {

class EventFeed;

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;
  std::string target;  // as it was sent, with the query
  Headers headers{};   // names in lower case
  std::string body{};
  std::string peer{};  // the address that it came from
  bool is_from_loopback = false;

  // The first of that name; empty where there is none.
  std::string_view Header(std::string_view name) const {
    for (const auto& [known, value] : headers) {
      if (known == name) return value;
    }
    return {};
  }
  bool HasHeader(std::string_view name) const {
    for (const auto& [known, value] : headers) {
      if (known == name) return true;
    }
    return false;
  }
};

struct HttpAnswer {
  int status = 200;
  std::string content_type{};
  std::string body{};
  Headers headers{};
  std::shared_ptr<EventFeed> feed{};  // instead of a body: what goes on until somebody hangs up
};

}  // namespace patra::adapter::rest
