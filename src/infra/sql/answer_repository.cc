#include "infra/sql/answer_repository.h"

namespace patra::infra::sql {
namespace {

constexpr int kOldAtATime = 100;
// Older programs do not say that they are still at it.
constexpr Duration kUnsaid = std::chrono::hours(1);

constexpr std::string_view kOldAnswers = R"sql(
    SELECT key_hash FROM ing_api_answer WHERE asked_at < :kept_since ORDER BY asked_at LIMIT :rows_max)sql";

constexpr std::string_view kFindAnswer = R"sql(
    SELECT request_hash, http_status, coalesce(body, '') AS body, leased_until, asked_at FROM ing_api_answer
    WHERE key_hash = :key_hash LIMIT 1)sql";

constexpr std::string_view kBeginAnswer = R"sql(
    INSERT INTO ing_api_answer (key_hash, request_hash, owner, leased_until, asked_at)
    VALUES (:key_hash, :request_hash, :owner, :until, :now))sql";

constexpr std::string_view kTakeOverAnswer = R"sql(
    UPDATE ing_api_answer SET owner = :owner, leased_until = :until WHERE key_hash = :key_hash)sql";

constexpr std::string_view kKeepAnswerAlive = R"sql(
    UPDATE ing_api_answer SET leased_until = :until
    WHERE key_hash = :key_hash AND owner = :owner AND http_status IS NULL)sql";

constexpr std::string_view kFinishAnswer = R"sql(
    UPDATE ing_api_answer SET http_status = :http_status, body = :body
    WHERE key_hash = :key_hash AND owner = :owner)sql";

constexpr std::string_view kForgetAnswer =
    "DELETE FROM ing_api_answer WHERE key_hash = :key_hash AND owner = :owner";

constexpr std::string_view kDropAnswer = "DELETE FROM ing_api_answer WHERE key_hash = :key_hash";

constexpr std::string_view kCountAnswers = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_api_answer LIMIT :at_most) AS counted)sql";

Result<void> DropOldAnswers(Session& session, Instant kept_since) {
  std::vector<std::string> old;
  {
    auto rows = PATRA_TRY(
        session.Query(kOldAnswers, {{"kept_since", kept_since}, {"rows_max", kOldAtATime}}));
    while (PATRA_TRY(rows.Next())) old.push_back(rows.Text("key_hash"));
  }
  for (const auto& key_hash : old) PATRA_TRY(session.Run(kDropAnswer, {{"key_hash", key_hash}}));
  return {};
}

struct FoundAnswer {
  app::StoredAnswer answer;
  bool is_abandoned = false;
};

Result<std::optional<FoundAnswer>> FindAnswer(Session& session, const std::string& key_hash,
                                              Instant now) {
  auto rows = PATRA_TRY(session.Query(kFindAnswer, {{"key_hash", key_hash}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  FoundAnswer found{.answer = {.request_hash = rows.Text("request_hash"),
                               .status = rows.OptionalInteger("http_status"),
                               .body = rows.Text("body")}};
  const auto until = rows.OptionalTime("leased_until").value_or(rows.Time("asked_at") + kUnsaid);
  found.is_abandoned = !found.answer.status && until < now;
  return found;
}

}  // namespace

Result<app::AnswerBegun> AnswerRepository::Begin(const app::AnswerClaim& claim,
                                                 Instant kept_since) {
  return database_.Write([&](Session& session) -> Result<app::AnswerBegun> {
    PATRA_TRY(DropOldAnswers(session, kept_since));
    const auto now = clock_.Now();
    auto found = PATRA_TRY(FindAnswer(session, claim.key_hash, now));
    if (!found) {
      PATRA_TRY(session.Run(kBeginAnswer, {{"key_hash", claim.key_hash},
                                           {"request_hash", claim.request_hash},
                                           {"owner", claim.owner},
                                           {"until", claim.until},
                                           {"now", now}}));
      return app::AnswerBegun{};
    }
    const bool is_same = found->answer.request_hash == claim.request_hash;
    if (!is_same || !found->is_abandoned)
      return app::AnswerBegun{.before = std::move(found->answer)};
    PATRA_TRY(session.Run(
        kTakeOverAnswer,
        {{"key_hash", claim.key_hash}, {"owner", claim.owner}, {"until", claim.until}}));
    return app::AnswerBegun{.is_taken_over = true};
  });
}

Result<void> AnswerRepository::KeepAlive(const std::string& key_hash, const std::string& owner,
                                         Instant until) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kKeepAnswerAlive,
                          {{"key_hash", key_hash}, {"owner", owner}, {"until", until}}));
    return {};
  });
}

Result<void> AnswerRepository::Finish(const std::string& key_hash, const std::string& owner,
                                      std::int64_t status, const std::string& body) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(
        kFinishAnswer,
        {{"http_status", status}, {"body", body}, {"key_hash", key_hash}, {"owner", owner}}));
    return {};
  });
}

Result<void> AnswerRepository::Forget(const std::string& key_hash, const std::string& owner) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kForgetAnswer, {{"key_hash", key_hash}, {"owner", owner}}));
    return {};
  });
}

Result<std::int64_t> AnswerRepository::Count(std::int64_t at_most) {
  return database_.Read(
      [&](Session& session) { return session.Integer(kCountAnswers, {{"at_most", at_most}}); });
}

}  // namespace patra::infra::sql
