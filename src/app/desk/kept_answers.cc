#include "app/api/kept_answers.h"

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "base/hash.h"

namespace patra::app {
namespace {

constexpr Duration kAnswersKept = std::chrono::hours(24);
constexpr std::int64_t kAnswersMax = 100'000;
constexpr std::size_t kKeyBytesMax = 200;

class StoreKeptAnswers final : public KeptAnswers {
 public:
  explicit StoreKeptAnswers(const DeskPorts& ports)
      : answers_(ports.store.answers()), clock_(ports.clock) {}

  Result<std::optional<KeptAnswer>> Begin(const RepeatableRequest& request) override {
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
    const auto hash = Sha256Hex(request.text);
    const auto found = PATRA_TRY(answers_.Begin(KeyOf(request), hash, clock_.Now() - kAnswersKept));
    if (!found) return std::nullopt;
    if (found->request_hash != hash) {
      return Fail(ErrorCode::kInvalidInput, "another request was sent under this key", {},
                  "each request has a key of its own");
    }
    if (!found->status) {
      return Fail(ErrorCode::kConflict, "this request is under way", {},
                  "ask again; where no answer comes within minutes, look whether it was done, and "
                  "use another key");
    }
    return KeptAnswer{.status = static_cast<int>(*found->status), .body = found->body};
  }

  Result<void> Finish(const RepeatableRequest& request, const KeptAnswer& answer) override {
    return answers_.Finish(KeyOf(request), answer.status, answer.body);
  }

  Result<void> Forget(const RepeatableRequest& request) override {
    return answers_.Forget(KeyOf(request));
  }

 private:
  // Nobody meets the keys of others.
  static std::string KeyOf(const RepeatableRequest& request) {
    return Sha256Hex(fmt::format("{}:{}{}", request.caller.size(), request.caller, request.key));
  }

  AnswerRepository& answers_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<KeptAnswers> MakeKeptAnswers(const DeskPorts& ports) {
  return std::make_unique<StoreKeptAnswers>(ports);
}

}  // namespace patra::app
