// Everything a run needs to know about a source, frozen when the plan is made (I2). An executor
// reads this and never the registry; editing a source changes nothing for a plan that exists.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::domain {

struct SpecSnapshot {
  struct Request {
    std::string base_url;
    std::string path;                                        // template
    std::vector<std::pair<std::string, std::string>> query;  // name and template
    friend bool operator==(const Request&, const Request&) = default;
  };
  struct Paging {
    int size = 100;
    std::int64_t first_page = 1;
    std::int64_t pages_max = 10'000;
    friend bool operator==(const Paging&, const Paging&) = default;
  };
  struct WindowPolicy {
    Instant start;          // where the first harvest begins
    Duration safety_lag{};  // how long a record may take to become visible
    Duration width{};       // of a slice
    Duration align{};       // ends of harvests lie on multiples of this
    std::string watermark_key;
    friend bool operator==(const WindowPolicy&, const WindowPolicy&) = default;
  };
  struct Response {
    std::string items;    // path to the list of records
    std::string id;       // path within a record
    std::string updated;  // path within a record
    std::string total;    // path to the announced total
    std::string deleted;  // path within a record that is true for a tombstone
    friend bool operator==(const Response&, const Response&) = default;
  };
  struct Field {
    std::string name;
    std::string path;
    bool required = false;
    friend bool operator==(const Field&, const Field&) = default;
  };
  struct Rate {
    int requests = 1;
    Duration per{};
    friend bool operator==(const Rate&, const Rate&) = default;
  };

  std::string provenance;
  std::string endpoint;
  Request request;
  Paging paging;
  WindowPolicy window;
  Response response;
  std::vector<Field> fields;
  Rate rate;

  Value ToValue() const;
  static Result<SpecSnapshot> FromValue(const Value& value);

  friend bool operator==(const SpecSnapshot&, const SpecSnapshot&) = default;
};

}  // namespace patra::domain
