#include "app/send/access_tokens.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/value.h"

namespace patra::app {
namespace {

constexpr std::size_t kAnswerBytesMax = 64u << 10;
constexpr std::size_t kTokenBytesMax = 16u << 10;
constexpr std::int64_t kLifetimeMax = std::int64_t{366} * 86'400;

// Seconds; some servers send them as a text.
std::optional<Duration> LifetimeOf(const Value* value) {
  if (value == nullptr) return std::nullopt;
  std::optional<std::int64_t> seconds;
  if (const auto* number = value->AsInteger()) seconds = *number;
  if (const auto* text = value->AsString()) {
    if (const auto parsed = ParseJson(*text); parsed && parsed->AsInteger() != nullptr)
      seconds = *parsed->AsInteger();
  }
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::chrono::seconds(std::min(*seconds, kLifetimeMax));
}

}  // namespace

Result<AccessToken> ReadAccessToken(std::string_view body) {
  const auto answer = ParseJson(body, {.bytes_max = kAnswerBytesMax, .depth_max = 16});
  const auto* token = answer ? answer->Find("access_token") : nullptr;
  const auto* text = token != nullptr ? token->AsString() : nullptr;
  if (text == nullptr || text->empty() || text->size() > kTokenBytesMax)
    return Fail(ErrorCode::kUnavailable, "the token endpoint's answer has no access_token");
  return AccessToken{*text, LifetimeOf(answer->Find("expires_in"))};
}

std::shared_ptr<AccessTokens::Entry> AccessTokens::EntryOf(const domain::AuthSpec& auth,
                                                           const std::string& client_id) {
  const auto key = fmt::format("{}\n{}\n{}\n{}", auth.token_url.value_or(""), client_id,
                               auth.scope.value_or(""), auth.audience.value_or(""));
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[key];
  if (!entry) entry = std::make_shared<Entry>();
  return entry;
}

Result<std::optional<std::string>> AccessTokens::Get(const domain::AuthSpec& auth,
                                                     const std::string& client_id,
                                                     const Fetch& fetch) {
  const auto entry = EntryOf(auth, client_id);
  const std::lock_guard lock(entry->mutex);
  if (entry->token && (!entry->token->lifetime || clock_.Elapsed() < entry->renew_at))
    return entry->token->text;
  entry->token.reset();
  const auto asked_at = clock_.Elapsed();
  auto fetched = PATRA_TRY(fetch());
  if (!fetched) return std::nullopt;
  if (fetched->lifetime) {
    // A token that lives shorter than the margin would be renewed for every request.
    entry->renew_at =
        asked_at + std::max(*fetched->lifetime - auth.refresh_before, *fetched->lifetime / 2);
  }
  entry->token = *std::move(fetched);
  return entry->token->text;
}

void AccessTokens::Drop(const domain::AuthSpec& auth, const std::string& client_id,
                        std::string_view token) {
  const auto entry = EntryOf(auth, client_id);
  const std::lock_guard lock(entry->mutex);
  if (entry->token && entry->token->text == token) entry->token.reset();
}

}  // namespace patra::app
