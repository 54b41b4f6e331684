#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "infra/redis/redis_address.h"

struct redisContext;

namespace patra::infra::redis {

// What Redis answered. Nothing and false are an empty text.
struct Reply {
  std::string text{};
  std::int64_t number = 0;
  std::vector<Reply> parts{};
};

struct ConnectOptions {
  RedisAddress address;
  std::string password{};
  Duration timeout = std::chrono::milliseconds(500);  // for connecting, and for every answer
};

// One connection to one Redis. After an error of kUnavailable it is of no use any more: an answer may still come
// that belongs to what was asked before. Not thread-safe.
class Connection {
 public:
  // kRefused: the password or the database is not accepted; kUnavailable: nobody answers.
  static Result<std::unique_ptr<Connection>> Open(const ConnectOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Result<Reply> Ask(const std::vector<std::string_view>& words);

  // Runs a script by its hash, and hands its text over where the server does not know it, or no longer.
  // REQUIRES: the same text is at the same place
  Result<Reply> Run(std::string_view script, const std::vector<std::string_view>& keys,
                    const std::vector<std::string_view>& arguments);

  // Another one after every start of the server.
  const std::string& run_id() const { return run_id_; }

 private:
  explicit Connection(redisContext* context) : context_(context) {}
  Result<void> Greet(const ConnectOptions& options);

  redisContext* context_;
  std::string run_id_;
  std::map<const char*, std::string> hashes_;  // by the place of the script's text
};

}  // namespace patra::infra::redis
