// Serves saved exchanges: what was recorded is answered again, matched by method, path and
// normalised query, in sequence where the same request was answered differently.
//
// A folder holds bodies and, beside a body X.json, its X.headers.txt:
//
//   # recorded request: GET https://api.example.org/works?rows=2
//   HTTP 200
//   content-type: application/json
//
// Bodies without such a file are found by an INDEX.md in the folder or above it, whose rows name a
// body and the request that it answered. Hosts are ignored, unless the path starts with one:
// /api.example.org/works.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/server.h"

namespace patra::sim {

struct Exchange {
  std::string method;
  std::string host;
  std::string path;
  Parameters parameters;  // of the query, and of a form body
  bool has_form = false;
  int status = 200;
  std::string content_type;
  std::vector<NameAndText> headers;
  std::filesystem::path body_file;
};

// "GET https://host/path?query", optionally with " body a=b" behind it.
Result<Exchange> ParseRecordedRequest(std::string_view text);

// All exchanges below a folder, in the order of their names.
Result<std::vector<Exchange>> LoadExchanges(const std::filesystem::path& folder);

// Thread-safe.
class Player final : public Handler {
 public:
  explicit Player(std::vector<Exchange> exchanges);

  void Answer(const Request& request, Response& response) override;

  std::size_t size() const { return exchanges_.size(); }
  std::vector<std::string> Requests() const;  // for people

 private:
  bool Matches(const Exchange& exchange, const Request& request, const Parameters& sent) const;

  const std::vector<Exchange> exchanges_;
  std::mutex mutex_;
  std::map<std::string, std::size_t> answered_;  // how often each request came
};

}  // namespace patra::sim
