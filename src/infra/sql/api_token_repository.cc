#include "infra/sql/api_token_repository.h"

#include <chrono>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/value.h"
#include "infra/sql/audit_table.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_api_token (id, name, token_hash, scopes, created_at, expires_at)
    VALUES (:id, :name, :token_hash, :scopes, :now, :expires_at)
    ON CONFLICT DO NOTHING)sql";

constexpr std::string_view kRevoke =
    "UPDATE ing_api_token SET revoked_at = :now WHERE name = :name AND revoked_at IS NULL";

constexpr std::string_view kFind = R"sql(
    SELECT id, name, token_hash, scopes, created_at, expires_at, last_used_at FROM ing_api_token
    WHERE token_hash = :token_hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now) LIMIT 1)sql";

constexpr std::string_view kRemember =
    "UPDATE ing_api_token SET last_used_at = :now WHERE id = :id";

constexpr std::string_view kList = R"sql(
    SELECT id, name, token_hash, scopes, created_at, expires_at, last_used_at FROM ing_api_token
    WHERE revoked_at IS NULL ORDER BY name LIMIT 10000)sql";

// Uses are remembered this coarsely, so that a busy token does not write with every request.
constexpr auto kUseGrain = std::chrono::minutes(1);

Result<Value::Array> ScopesIn(const Value& value, const std::string& token) {
  if (const auto* scopes = value.AsArray()) return *scopes;
  return Fail(ErrorCode::kCorruption, fmt::format("token \"{}\" has no list of scopes", token));
}

Result<std::vector<app::ApiToken>> ReadTokens(Rows rows) {
  std::vector<app::ApiToken> tokens;
  while (PATRA_TRY(rows.Next())) {
    auto& token =
        tokens.emplace_back(app::ApiToken{.id = rows.Integer("id"),
                                          .name = rows.Text("name"),
                                          .hash = rows.Text("token_hash"),
                                          .created_at = rows.Time("created_at"),
                                          .expires_at = rows.OptionalTime("expires_at"),
                                          .last_used_at = rows.OptionalTime("last_used_at")});
    const auto scopes = PATRA_TRY(ParseJson(rows.View("scopes")));
    for (const auto& scope : PATRA_TRY(ScopesIn(scopes, token.name))) {
      if (const auto* name = scope.AsString()) token.scopes.push_back(*name);
    }
  }
  return tokens;
}

}  // namespace

Result<void> ApiTokenRepository::Add(const app::ApiToken& token, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    Value::Array scopes(token.scopes.begin(), token.scopes.end());
    const auto added =
        PATRA_TRY(session.Run(kInsert, {{"id", ids_.Next()},
                                        {"name", token.name},
                                        {"token_hash", token.hash},
                                        {"scopes", CanonicalJson(Value(std::move(scopes)))},
                                        {"now", now},
                                        {"expires_at", token.expires_at}}));
    if (added == 0) {
      return Fail(ErrorCode::kConflict, fmt::format("there is a token \"{}\" already", token.name),
                  {}, "revoke it first, or choose another name");
    }
    return audit_table::Insert(session, "ADD", "TOKEN", token.name, decision, ids_.Next(), now);
  });
}

Result<void> ApiTokenRepository::Revoke(const std::string& name, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    if (PATRA_TRY(session.Run(kRevoke, {{"now", now}, {"name", name}})) == 0)
      return Fail(ErrorCode::kNotFound, fmt::format("there is no token \"{}\"", name));
    return audit_table::Insert(session, "REVOKE", "TOKEN", name, decision, ids_.Next(), now);
  });
}

Result<std::optional<app::ApiToken>> ApiTokenRepository::Use(const std::string& hash) {
  const auto now = clock_.Now();
  auto found =
      PATRA_TRY(database_.Read([&](Session& session) -> Result<std::vector<app::ApiToken>> {
        return ReadTokens(PATRA_TRY(session.Query(kFind, {{"token_hash", hash}, {"now", now}})));
      }));
  if (found.empty()) return std::nullopt;
  auto& token = found.front();
  if (!token.last_used_at || now - *token.last_used_at >= kUseGrain) {
    PATRA_TRY(database_.Write([&](Session& session) {
      return session.Run(kRemember, {{"now", now}, {"id", token.id}});
    }));
    token.last_used_at = now;
  }
  return std::move(token);
}

Result<std::vector<app::ApiToken>> ApiTokenRepository::List() {
  return database_.Read([&](Session& session) -> Result<std::vector<app::ApiToken>> {
    return ReadTokens(PATRA_TRY(session.Query(kList)));
  });
}

}  // namespace patra::infra::sql
