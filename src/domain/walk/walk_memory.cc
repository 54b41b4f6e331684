#include "domain/walk/walk_memory.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/random.h"

namespace patra::domain {
namespace {

// Numbers of 64 bits do not fit into a JSON number.
std::string InHex(std::uint64_t number) { return fmt::format("{:016x}", number); }

Result<std::uint64_t> FromHex(const Value& in, std::string_view name) {
  const auto* member = in.Find(name);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  std::uint64_t number = 0;
  if (text != nullptr) {
    const auto [end, error] =
        std::from_chars(text->data(), text->data() + text->size(), number, 16);
    if (error == std::errc() && end == text->data() + text->size()) return number;
  }
  return Fail(ErrorCode::kCorruption, fmt::format("the memory of a walk has no '{}'", name));
}

std::optional<std::int64_t> IntegerIn(const Value& in, std::string_view name) {
  const auto* member = in.Find(name);
  const auto* number = member == nullptr ? nullptr : member->AsInteger();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

Value AccountValue(const WalkAccount& account) {
  Value::Object value{{"pages", account.pages},
                      {"rows", account.rows},
                      {"records", account.records},
                      {"digest", InHex(account.digest)}};
  if (account.returned > 0) value["returned"] = account.returned;
  if (account.filled > 0) value["filled"] = account.filled;
  if (account.page_most > 0) value["pageMost"] = account.page_most;
  if (account.last_filled > 0) value["lastFilled"] = account.last_filled;
  if (account.total_first) value["totalFirst"] = *account.total_first;
  if (account.total) value["total"] = *account.total;
  if (account.total_most > account.total) value["totalMost"] = *account.total_most;
  if (account.total_moved) value["totalMoved"] = true;
  if (account.elsewhere > 0) value["elsewhere"] = account.elsewhere;
  if (account.is_unchecked) value["unchecked"] = true;
  if (account.is_ended) value["ended"] = true;
  if (account.is_unsorted) value["unsorted"] = true;
  if (account.is_cut_off) value["cutOff"] = true;
  if (account.no_next) value["noNext"] = *account.no_next;
  if (account.unmet_member) value["unmetMember"] = *account.unmet_member;
  return value;
}

std::optional<std::string> TextIn(const Value& in, std::string_view name) {
  const auto* member = in.Find(name);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

Result<WalkAccount> AccountFrom(const Value& value) {
  return WalkAccount{
      .pages = IntegerIn(value, "pages").value_or(0),
      .rows = IntegerIn(value, "rows").value_or(0),
      .records = IntegerIn(value, "records").value_or(0),
      .returned = IntegerIn(value, "returned").value_or(0),
      .filled = IntegerIn(value, "filled").value_or(0),
      .page_most = IntegerIn(value, "pageMost").value_or(0),
      .last_filled = IntegerIn(value, "lastFilled").value_or(0),
      .total_first = IntegerIn(value, "totalFirst"),
      .total = IntegerIn(value, "total"),
      .total_most = IntegerIn(value, value.Find("totalMost") == nullptr ? "total" : "totalMost"),
      .total_moved = value.Find("totalMoved") != nullptr,
      .digest = PATRA_TRY(FromHex(value, "digest")),
      .elsewhere = IntegerIn(value, "elsewhere").value_or(0),
      .is_unchecked = value.Find("unchecked") != nullptr,
      .is_ended = value.Find("ended") != nullptr,
      .is_unsorted = value.Find("unsorted") != nullptr,
      .is_cut_off = value.Find("cutOff") != nullptr,
      .no_next = TextIn(value, "noNext"),
      .unmet_member = TextIn(value, "unmetMember")};
}

}  // namespace

std::uint64_t FingerprintOf(std::span<const std::uint64_t> ids) {
  std::uint64_t fingerprint = 0;
  for (const auto id : ids) fingerprint = MixBits(fingerprint ^ id);
  return fingerprint;
}

void WalkAccount::Announce(std::int64_t now) {
  if (!total_first) total_first = now;
  total_moved = total_moved || (total && *total != now);
  total = now;
  total_most = std::max(total_most.value_or(now), now);
}

void WalkAccount::ForgetTotal() {
  total_first.reset();
  total.reset();
  total_most.reset();
  total_moved = false;
}

bool WalkAccount::SawTheSameAs(const WalkAccount& other) const {
  return rows == other.rows && records == other.records && digest == other.digest &&
         total == other.total;
}

WalkMemory WalkMemory::Next(std::int64_t elsewhere) const {
  WalkMemory next{.walks = walks + 1,
                  .earlier = account.is_ended ? std::optional(account) : earlier,
                  .alike = account.is_ended ? alike_by_now() : alike,
                  .records_most = std::max(records_most, account.records)};
  if (account.is_ended) next.earlier->elsewhere = elsewhere;
  return next;
}

Value WalkMemory::ToValue() const {
  Value::Object value{{"walks", walks}, {"account", AccountValue(account)}};
  if (earlier) value["earlier"] = AccountValue(*earlier);
  if (alike > 0) value["alike"] = alike;
  if (records_most > 0) value["recordsMost"] = records_most;
  if (edge) {
    value["edge"] = Value::Object{{"at", edge->at.ToValue()},
                                  {"fingerprint", InHex(edge->fingerprint)},
                                  {"readAt", FormatRfc3339(edge->read_at)}};
  }
  return value;
}

Result<WalkMemory> WalkMemory::FromValue(const Value& value) {
  const auto* account = value.Find("account");
  if (account == nullptr)
    return Fail(ErrorCode::kCorruption, "the memory of a walk has no 'account'");
  WalkMemory memory{.walks = static_cast<int>(IntegerIn(value, "walks").value_or(1)),
                    .account = PATRA_TRY(AccountFrom(*account)),
                    .alike = static_cast<int>(IntegerIn(value, "alike").value_or(0)),
                    .records_most = IntegerIn(value, "recordsMost").value_or(0)};
  if (const auto* earlier = value.Find("earlier"))
    memory.earlier = PATRA_TRY(AccountFrom(*earlier));
  if (const auto* edge = value.Find("edge"); edge != nullptr && edge->Find("at") != nullptr) {
    memory.edge = Edge{.at = PATRA_TRY(Position::FromValue(*edge->Find("at"))),
                       .fingerprint = PATRA_TRY(FromHex(*edge, "fingerprint"))};
    const auto* read_at = edge->Find("readAt");
    if (read_at != nullptr && read_at->AsString() != nullptr)
      memory.edge->read_at = PATRA_TRY(ParseRfc3339(*read_at->AsString()));
  }
  return memory;
}

}  // namespace patra::domain
