#include "app/send/redact_page.h"

#include "base/canonical_json.h"
#include "base/hash.h"

namespace patra::app {
namespace {

void RedactFields(domain::Record& record, const Redactor& redactor) {
  if (!redactor.IsInData(record.fields)) return;
  const auto fields = ParseJson(record.fields);
  PATRA_ASSERT(fields.has_value());  // the reader wrote them
  record.fields = CanonicalJson(redactor.RedactData(*fields));
  record.version.content_hash = Sha256(record.fields);
}

void RedactRecord(domain::Record& record, const Redactor& redactor) {
  redactor.RedactBody(record.id);
  if (record.merged_into) redactor.RedactBody(*record.merged_into);
  for (auto& concern : record.concerns) {
    redactor.RedactBody(concern.item_id);
    redactor.RedactBody(concern.note);
  }
  RedactFields(record, redactor);
}

void RedactBad(domain::BadRecord& record, const Redactor& redactor) {
  if (record.id) redactor.RedactBody(*record.id);
  record.reason = redactor.Redact(record.reason);
  redactor.RedactBody(record.bytes);
}

}  // namespace

Result<domain::PageContent> RedactPage(Result<domain::PageContent> read, const Redactor& redactor) {
  if (!read) return std::unexpected(redactor.RedactError(std::move(read).error()));
  for (auto& record : read->records) RedactRecord(record, redactor);
  for (auto& record : read->bad_records) RedactBad(record, redactor);
  for (auto& id : read->ids) redactor.RedactBody(id);
  for (auto& bytes : read->bytes) redactor.RedactBody(bytes);
  if (read->next) redactor.RedactBody(*read->next);
  return read;
}

}  // namespace patra::app
