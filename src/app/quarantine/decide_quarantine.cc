#include "app/quarantine/decide_quarantine.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/page/page_reader.h"

namespace patra::app {
namespace {

Result<std::string> CanonicalFields(const std::string& text) {
  const auto fields = PATRA_TRY(ParseJson(text));
  if (fields.AsObject() == nullptr) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("fields are a JSON object, and this is a {}", fields.TypeName()), {},
                "such as {\"title\": \"…\"}");
  }
  return CanonicalJson(fields);
}

}  // namespace

Result<QuarantinedBytes> DecideQuarantine::Find(Id id) {
  auto found = PATRA_TRY(quarantine_.Find(id));
  if (found) return *std::move(found);
  return Fail(ErrorCode::kNotFound, fmt::format("nothing is quarantined as {}", id), {},
              "see `‹quarantine.list›`");
}

Result<SharedSource> DecideQuarantine::CurrentSource(const domain::Lane& lane) {
  return sources_.Of(PATRA_TRY(current_spec_(lane)));
}

Result<QuarantineDecided> DecideQuarantine::Approve(const Approval& approval,
                                                    const Decision& decision) {
  const auto found = PATRA_TRY(Find(approval.id));
  if (found.entry.level != "RECORD") {
    return Fail(ErrorCode::kInvalidInput, "this is a whole page and no record", {},
                "correct the definition and harvest its window again, or reject it");
  }
  domain::Record record;
  record.version = {.updated_at = found.fetched_at, .fetched_at = found.fetched_at};
  const auto source = PATRA_TRY(CurrentSource(found.entry.lane));
  auto mapped = source->reader().ReadRecord(
      {.bytes = found.bytes, .fetched_at = found.fetched_at, .is_lenient = true});
  if (mapped) record = std::move(mapped->records.front());
  if (!mapped && !approval.fields)
    return std::unexpected(std::move(mapped.error())
                               .While("mapping the record")
                               .Hint("say what it holds: ‹wish.fields FILE›"));
  if (approval.fields) record.fields = PATRA_TRY(CanonicalFields(*approval.fields));
  record.version.content_hash = Sha256(record.fields);

  if (record.id.empty()) record.id = found.entry.item_id.value_or("");
  if (approval.item_id) record.id = *approval.item_id;
  if (record.id.empty())
    return Fail(ErrorCode::kInvalidInput, "the record has no id", {}, "say which: ‹wish.id ID›");
  return quarantine_.TakeIn(approval.id, record, QuarantineStatus::kApproved, decision);
}

Result<QuarantineDecided> DecideQuarantine::Reject(Id id, const Decision& decision) {
  return quarantine_.Reject(id, decision);
}

Result<QuarantineDecided> DecideQuarantine::Retry(Id id, const Decision& decision) {
  const auto found = PATRA_TRY(Find(id));
  const auto& entry = found.entry;
  const auto source = PATRA_TRY(CurrentSource(entry.lane));
  const auto mapped =
      source->reader().ReadRecord({.bytes = found.bytes, .fetched_at = found.fetched_at});
  if (mapped && !mapped->records.empty())
    return quarantine_.TakeIn(id, mapped->records.front(), QuarantineStatus::kRetried, decision);

  auto item_id = entry.item_id;
  if (!item_id && mapped && !mapped->bad_records.empty()) item_id = mapped->bad_records.front().id;
  auto by_id = entry.lane;
  by_id.operation = domain::Operation::kUpdate;
  const auto update = current_spec_(by_id);
  const bool can_fetch = item_id && update && update->details;
  if (can_fetch) return quarantine_.FetchAgain(id, *item_id, decision);
  const auto still = !mapped ? mapped.error().Describe()
                             : fmt::format("{}: {}", mapped->bad_records.front().path,
                                           mapped->bad_records.front().reason);
  return Fail(ErrorCode::kInvalidInput, fmt::format("the record is still bad: {}", still), {},
              item_id ? "correct the definition, or approve it with ‹wish.fields›"
                      : "it has no id to fetch it by; correct the definition, or approve it with "
                        "‹wish.id› and ‹wish.fields›");
}

}  // namespace patra::app
