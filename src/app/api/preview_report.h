// Real requests and what they bring, mapped, and nothing stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace patra::app {

struct PreviewWish {
  std::int64_t records_max = 5;  // shown of each page
  int pages_max = 1;
  // How long to wait for a provider in trouble; without it, seconds.
  std::optional<std::string> wait_max{};
  bool saves = false;  // what came as exchanges that definitions are tested with
};

// As the provider sent it, and as it would be stored.
struct PreviewedRecord {
  std::string id;
  std::string updated;
  bool is_deleted = false;
  std::string raw;
  std::string mapped;  // JSON
};

// One request and its answer. No text holds a secret.
struct PreviewedPage {
  std::string what;  // "page 1", "details of 3 ids"
  std::string method;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};    // of the request
  std::string answer{};  // status, type, size and time
  std::vector<std::string> outline{};
  std::string verdict{};  // why it is no page; empty where it is one
  bool is_later = false;  // no answer tells that: the provider gave none, and may later
  std::int64_t records = 0;
  std::int64_t bad_records = 0;
  std::vector<PreviewedRecord> first_records{};
  std::vector<std::string> first_bad{};
  std::int64_t ids = 0;  // instead of records, where details are a second phase
  std::vector<std::string> first_ids{};
  std::optional<std::int64_t> announced{};
  std::string next{};  // what comes after this page
};

struct PreviewReport {
  std::vector<Error> problems{};
  std::vector<std::string> warnings{};
  std::string source;
  std::string endpoint;
  std::string window;
  std::vector<PreviewedPage> pages{};
  std::string saved{};  // the file that has them as exchanges; empty: none
};

}  // namespace patra::app
