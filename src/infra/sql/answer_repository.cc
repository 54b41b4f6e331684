#include "infra/sql/answer_repository.h"

namespace patra::infra::sql {
namespace {

constexpr int kOldAtATime = 100;

constexpr std::string_view kOldAnswers = R"sql(
    SELECT key_hash FROM ing_api_answer WHERE asked_at < :kept_since ORDER BY asked_at LIMIT :rows_max)sql";

constexpr std::string_view kFindAnswer = R"sql(
    SELECT request_hash, http_status, coalesce(body, '') AS body FROM ing_api_answer
    WHERE key_hash = :key_hash LIMIT 1)sql";

constexpr std::string_view kBeginAnswer = R"sql(
    INSERT INTO ing_api_answer (key_hash, request_hash, asked_at)
    VALUES (:key_hash, :request_hash, :now))sql";

constexpr std::string_view kFinishAnswer = R"sql(
    UPDATE ing_api_answer SET http_status = :http_status, body = :body WHERE key_hash = :key_hash)sql";

constexpr std::string_view kForgetAnswer = "DELETE FROM ing_api_answer WHERE key_hash = :key_hash";

constexpr std::string_view kCountAnswers = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_api_answer LIMIT :at_most) AS counted)sql";

Result<void> DropOldAnswers(Session& session, Instant kept_since) {
  std::vector<std::string> old;
  {
    auto rows = PATRA_TRY(
        session.Query(kOldAnswers, {{"kept_since", kept_since}, {"rows_max", kOldAtATime}}));
    while (PATRA_TRY(rows.Next())) old.push_back(rows.Text("key_hash"));
  }
  for (const auto& key_hash : old) PATRA_TRY(session.Run(kForgetAnswer, {{"key_hash", key_hash}}));
  return {};
}

}  // namespace

Result<std::optional<app::StoredAnswer>> AnswerRepository::Begin(const std::string& key_hash,
                                                                 const std::string& request_hash,
                                                                 Instant kept_since) {
  return database_.Write([&](Session& session) -> Result<std::optional<app::StoredAnswer>> {
    PATRA_TRY(DropOldAnswers(session, kept_since));
    {
      auto rows = PATRA_TRY(session.Query(kFindAnswer, {{"key_hash", key_hash}}));
      if (PATRA_TRY(rows.Next())) {
        return app::StoredAnswer{.request_hash = rows.Text("request_hash"),
                                 .status = rows.OptionalInteger("http_status"),
                                 .body = rows.Text("body")};
      }
    }
    PATRA_TRY(session.Run(
        kBeginAnswer,
        {{"key_hash", key_hash}, {"request_hash", request_hash}, {"now", clock_.Now()}}));
    return std::nullopt;
  });
}

Result<void> AnswerRepository::Finish(const std::string& key_hash, std::int64_t status,
                                      const std::string& body) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kFinishAnswer,
                          {{"http_status", status}, {"body", body}, {"key_hash", key_hash}}));
    return {};
  });
}

Result<void> AnswerRepository::Forget(const std::string& key_hash) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kForgetAnswer, {{"key_hash", key_hash}}));
    return {};
  });
}

Result<std::int64_t> AnswerRepository::Count(std::int64_t at_most) {
  return database_.Read(
      [&](Session& session) { return session.Integer(kCountAnswers, {{"at_most", at_most}}); });
}

}  // namespace patra::infra::sql
