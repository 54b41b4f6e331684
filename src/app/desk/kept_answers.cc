#include "app/api/kept_answers.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "base/duration.h"
#include "base/hash.h"
#include "base/process_name.h"

namespace patra::app {
namespace {

constexpr Duration kAnswersKept = std::chrono::hours(24);
constexpr std::int64_t kAnswersMax = 100'000;
constexpr std::size_t kKeyBytesMax = 200;

// Nobody meets the keys of others.
std::string KeyOf(const RepeatableRequest& request) {
  return Sha256Hex(fmt::format("{}:{}{}", request.caller.size(), request.caller, request.key));
}

class StoreKeptAnswers final : public KeptAnswers {
 public:
  explicit StoreKeptAnswers(const DeskPorts& ports)
      : answers_(ports.store.answers()), clock_(ports.clock), owner_(NewProcessName(ports.clock)) {}

  Result<RepeatBegun> Begin(const RepeatableRequest& request) override {
    if (request.key.empty() || request.key.size() > kKeyBytesMax) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("a key of requests has 1 to {} characters", kKeyBytesMax), {},
                  "make a new random one for each request that is not sent again");
    }
    if (PATRA_TRY(answers_.Count(kAnswersMax)) >= kAnswersMax) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("{} answers of the last day are kept already", kAnswersMax), {},
                  "send it without a key, or later");
    }
    const auto key = KeyOf(request);
    const auto hash = Sha256Hex(request.text);
    if (auto known = PATRA_TRY(Enter(key, hash))) return RepeatBegun{.before = std::move(known)};
    auto begun = Claim(key, hash);
    if (!begun || begun->before) Leave(key);
    return begun;
  }

  Result<void> KeepAlive() override {
    std::map<std::string, UnderWay> under_way;
    {
      const std::lock_guard lock(mutex_);
      under_way = under_way_;
    }
    for (const auto& [key, request] : under_way) {
      if (request.answer) {
        PATRA_TRY(Keep(key, *request.answer));
      } else {
        PATRA_TRY(answers_.KeepAlive(key, owner_, clock_.Now() + kUnderWayFor));
      }
    }
    return {};
  }

  Result<void> Finish(const RepeatableRequest& request, const KeptAnswer& answer) override {
    const auto key = KeyOf(request);
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = under_way_.find(key); found != under_way_.end())
        found->second.answer = answer;
    }
    return Keep(key, answer);
  }

  Result<void> Forget(const RepeatableRequest& request) override {
    const auto key = KeyOf(request);
    const auto forgotten = answers_.Forget(key, owner_);
    Leave(key);
    return forgotten;
  }

 private:
  struct UnderWay {
    std::string hash;                    // of what was asked
    std::optional<KeptAnswer> answer{};  // once it is done, until the store has it
  };

  static std::unexpected<Error> OtherRequest() {
    return Fail(ErrorCode::kInvalidInput, "another request was sent under this key", {},
                "each request has a key of its own");
  }

  static std::unexpected<Error> StillUnderWay() {
    return Fail(ErrorCode::kConflict, "this request is under way", {},
                fmt::format("ask again; should its process have died, it is begun anew {} after "
                            "that was heard of last",
                            FormatDuration(kUnderWayFor)));
  }

  // Of this process only one at a time is at it, whatever becomes of the store meanwhile; what was done and could not be kept is
  // answered here.
  Result<std::optional<KeptAnswer>> Enter(const std::string& key, const std::string& hash) {
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = under_way_.try_emplace(key, UnderWay{.hash = hash});
    if (is_new) return std::nullopt;
    const auto& request = found->second;
    if (request.hash != hash) return OtherRequest();
    if (!request.answer) return StillUnderWay();
    return request.answer;
  }

  // Where the store is away, it is tried again.
  Result<void> Keep(const std::string& key, const KeptAnswer& answer) {
    PATRA_TRY(answers_.Finish(key, owner_, answer.status, answer.body));
    Leave(key);
    return {};
  }

  void Leave(const std::string& key) {
    const std::lock_guard lock(mutex_);
    under_way_.erase(key);
  }

  Result<RepeatBegun> Claim(const std::string& key, const std::string& hash) {
    const auto now = clock_.Now();
    const auto begun = PATRA_TRY(answers_.Begin(
        {.key_hash = key, .request_hash = hash, .owner = owner_, .until = now + kUnderWayFor},
        now - kAnswersKept));
    if (!begun.before) return RepeatBegun{.is_taken_over = begun.is_taken_over};
    if (begun.before->request_hash != hash) return OtherRequest();
    if (!begun.before->status) return StillUnderWay();
    return RepeatBegun{.before = KeptAnswer{.status = static_cast<int>(*begun.before->status),
                                            .body = begun.before->body}};
  }

  AnswerRepository& answers_;
  Clock& clock_;
  const std::string owner_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, UnderWay> under_way_;
};

}  // namespace

std::unique_ptr<KeptAnswers> MakeKeptAnswers(const DeskPorts& ports) {
  return std::make_unique<StoreKeptAnswers>(ports);
}

}  // namespace patra::app
