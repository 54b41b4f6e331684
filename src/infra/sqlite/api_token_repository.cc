#include "infra/sqlite/api_token_repository.h"

#include <chrono>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/value.h"
#include "infra/sqlite/audit_table.h"

namespace patra::infra::sqlite {
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
    auto& token = tokens.emplace_back(app::ApiToken{.id = rows.Integer(0),
                                                    .name = rows.Text(1),
                                                    .hash = rows.Text(2),
                                                    .created_at = rows.Time(4),
                                                    .expires_at = rows.OptionalTime(5),
                                                    .last_used_at = rows.OptionalTime(6)});
    const auto scopes = PATRA_TRY(ParseJson(rows.View(3)));
    for (const auto& scope : PATRA_TRY(ScopesIn(scopes, token.name))) {
      if (const auto* name = scope.AsString()) token.scopes.push_back(*name);
    }
  }
  return tokens;
}

}  // namespace

Result<void> ApiTokenRepository::Add(const app::ApiToken& token, const app::Decision& decision) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    const auto now = clock_.Now();
    Value::Array scopes(token.scopes.begin(), token.scopes.end());
    const auto added =
        PATRA_TRY(connection.Run(kInsert, ids_.Next(), token.name, token.hash,
                                 CanonicalJson(Value(std::move(scopes))), now, token.expires_at));
    if (added == 0) {
      return Fail(ErrorCode::kConflict, fmt::format("there is a token \"{}\" already", token.name),
                  {}, "revoke it first, or choose another name");
    }
    return audit_table::Insert(connection, "ADD", "TOKEN", token.name, decision, ids_.Next(), now);
  });
}

Result<void> ApiTokenRepository::Revoke(const std::string& name, const app::Decision& decision) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    const auto now = clock_.Now();
    if (PATRA_TRY(connection.Run(kRevoke, now, name)) == 0)
      return Fail(ErrorCode::kNotFound, fmt::format("there is no token \"{}\"", name));
    return audit_table::Insert(connection, "REVOKE", "TOKEN", name, decision, ids_.Next(), now);
  });
}

Result<std::optional<app::ApiToken>> ApiTokenRepository::Use(const std::string& hash) {
  const auto now = clock_.Now();
  auto found =
      PATRA_TRY(store_.Read([&](Connection& connection) -> Result<std::vector<app::ApiToken>> {
        return ReadTokens(PATRA_TRY(connection.Query(kFind, hash, now)));
      }));
  if (found.empty()) return std::nullopt;
  auto& token = found.front();
  if (!token.last_used_at || now - *token.last_used_at >= kUseGrain) {
    PATRA_TRY(store_.Write(
        [&](Connection& connection) { return connection.Run(kRemember, now, token.id); }));
    token.last_used_at = now;
  }
  return std::move(token);
}

Result<std::vector<app::ApiToken>> ApiTokenRepository::List() {
  return store_.Read([&](Connection& connection) -> Result<std::vector<app::ApiToken>> {
    return ReadTokens(PATRA_TRY(connection.Query(kList)));
  });
}

}  // namespace patra::infra::sqlite
