#include "infra/redis/connection.h"

#include <signal.h>
#include <sys/time.h>

#include <fmt/format.h>
#include <hiredis.h>

namespace patra::infra::redis {
namespace {

// hiredis writes to sockets that may be closed, which would end the process: the signal is kept from this thread
// meanwhile, and taken away if it came.
class WithoutBrokenPipes {
 public:
  WithoutBrokenPipes() {
    sigemptyset(&broken_pipe_);
    sigaddset(&broken_pipe_, SIGPIPE);
    sigset_t waiting;
    sigpending(&waiting);
    was_waiting_ = sigismember(&waiting, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  ~WithoutBrokenPipes() {
    const timespec at_once{};
    if (!was_waiting_) sigtimedwait(&broken_pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutBrokenPipes(const WithoutBrokenPipes&) = delete;
  WithoutBrokenPipes& operator=(const WithoutBrokenPipes&) = delete;

 private:
  sigset_t broken_pipe_{};
  sigset_t before_{};
  bool was_waiting_ = false;
};

timeval AsTimeval(Duration duration) {
  constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
  return {.tv_sec = static_cast<time_t>(duration.count() / kMicrosecondsPerSecond),
          .tv_usec = static_cast<suseconds_t>(duration.count() % kMicrosecondsPerSecond)};
}

Reply ReplyOf(const redisReply& reply) {
  Reply read;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      read.text.assign(reply.str, static_cast<std::size_t>(reply.len));
      break;
    case REDIS_REPLY_INTEGER:
      read.number = reply.integer;
      break;
    case REDIS_REPLY_ARRAY:
      for (std::size_t i = 0; i < reply.elements; ++i)
        read.parts.push_back(ReplyOf(*reply.element[i]));
      break;
    default:
      break;
  }
  return read;
}

ErrorCode CodeOf(std::string_view message) {
  for (const auto word : {"NOAUTH", "WRONGPASS", "NOPERM"}) {
    if (message.starts_with(word)) return ErrorCode::kRefused;
  }
  if (message.starts_with("NOSCRIPT")) return ErrorCode::kNotFound;
  return ErrorCode::kUnavailable;  // LOADING, READONLY, OOM, MASTERDOWN, BUSY and what else passes
}

std::string RunIdIn(std::string_view info) {
  constexpr std::string_view kName = "run_id:";
  const auto at = info.find(kName);
  if (at == std::string_view::npos) return {};
  const auto value = info.substr(at + kName.size());
  return std::string(value.substr(0, value.find_first_of("\r\n")));
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::Open(const ConnectOptions& options) {
  const WithoutBrokenPipes guard;
  auto* context = redisConnectWithTimeout(options.address.host.c_str(), options.address.port,
                                          AsTimeval(options.timeout));
  if (context == nullptr) return Fail(ErrorCode::kExhausted, "no memory for a connection to Redis");
  std::unique_ptr<Connection> connection(new Connection(context));
  if (context->err != 0) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{}: {}", options.address.Text(), context->errstr), {},
                "is Redis there?");
  }
  redisSetTimeout(context, AsTimeval(options.timeout));
  auto greeted = connection->Greet(options);
  if (!greeted) return std::unexpected(std::move(greeted).error().While(options.address.Text()));
  return connection;
}

Result<void> Connection::Greet(const ConnectOptions& options) {
  if (!options.password.empty()) {
    auto accepted = Ask({"AUTH", options.password});
    if (!accepted) {
      auto error = std::move(accepted).error();
      // A server that has none says so in words of its own.
      if (error.message.contains("AUTH")) error.code = ErrorCode::kRefused;
      return std::unexpected(std::move(error).Hint("PATRA_GATE_PASSWORD is not accepted"));
    }
  }
  auto selected = Ask({"SELECT", std::to_string(options.address.database)});
  if (!selected) {
    auto error = std::move(selected).error();
    if (error.message.contains("DB index")) {
      error.code = ErrorCode::kRefused;
      error.hint = "the server has fewer databases: the number behind the last / of the address";
    } else if (error.code == ErrorCode::kRefused) {
      error.hint = "set PATRA_GATE_PASSWORD, or PATRA_GATE_PASSWORD_FILE with a file's name";
    }
    return std::unexpected(std::move(error));
  }
  run_id_ = RunIdIn(PATRA_TRY(Ask({"INFO", "server"})).text);
  if (run_id_.empty()) {
    return Fail(ErrorCode::kRefused, "Redis does not say its run_id", {},
                "the gate knows by it that a server has been started anew: allow INFO");
  }
  return {};
}

Connection::~Connection() {
  const WithoutBrokenPipes guard;
  redisFree(context_);
}

Result<Reply> Connection::Ask(const std::vector<std::string_view>& words) {
  const WithoutBrokenPipes guard;
  std::vector<const char*> starts;
  std::vector<std::size_t> sizes;
  for (const auto word : words) {
    starts.push_back(word.data());
    sizes.push_back(word.size());
  }
  if (context_->err != 0) return Fail(ErrorCode::kUnavailable, context_->errstr);
  auto* reply = static_cast<redisReply*>(
      redisCommandArgv(context_, static_cast<int>(words.size()), starts.data(), sizes.data()));
  if (reply == nullptr) return Fail(ErrorCode::kUnavailable, context_->errstr);
  const std::unique_ptr<redisReply, void (*)(void*)> owned(reply, freeReplyObject);
  if (reply->type == REDIS_REPLY_ERROR) {
    std::string message(reply->str, static_cast<std::size_t>(reply->len));
    const auto code = CodeOf(message);
    return Fail(code, std::move(message));
  }
  return ReplyOf(*reply);
}

Result<Reply> Connection::Run(std::string_view script, const std::vector<std::string_view>& keys,
                              const std::vector<std::string_view>& arguments) {
  const auto count = std::to_string(keys.size());
  for (int tries = 0; tries < 2; ++tries) {
    auto& hash = hashes_[script.data()];
    if (hash.empty()) hash = PATRA_TRY(Ask({"SCRIPT", "LOAD", script})).text;
    std::vector<std::string_view> words{"EVALSHA", hash, count};
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto reply = Ask(words);
    if (reply || reply.error().code != ErrorCode::kNotFound) return reply;
    hash.clear();
  }
  return Fail(ErrorCode::kUnavailable, "Redis forgets scripts as soon as it has them");
}

}  // namespace patra::infra::redis
