#include "app/send/redacting_reader.h"

#include "base/canonical_json.h"
#include "base/hash.h"

namespace patra::app {
namespace {

void RedactFields(domain::Record& record, const Redactor& redactor) {
  if (!redactor.IsInData(record.fields)) return;
  const auto fields = ParseJson(record.fields);
  PATRA_ASSERT(fields.has_value());  // the reader wrote them
  record.fields = CanonicalJson(redactor.RedactData(*fields));
  record.version.content_hash = Sha256Hex(record.fields);
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

Result<PageContent> RedactingReader::Redacted(Result<PageContent> read) const {
  if (!read) return std::unexpected(redactor_.RedactError(std::move(read).error()));
  for (auto& record : read->records) RedactRecord(record, redactor_);
  for (auto& record : read->bad_records) RedactBad(record, redactor_);
  for (auto& id : read->ids) redactor_.RedactBody(id);
  for (auto& bytes : read->bytes) redactor_.RedactBody(bytes);
  if (read->next) redactor_.RedactBody(*read->next);
  return read;
}

Result<PageContent> RedactingReader::Read(const domain::SpecSnapshot& spec,
                                          const HttpResponse& response) {
  return Redacted(reader_.Read(spec, response));
}

Result<PageContent> RedactingReader::ReadDetails(const domain::SpecSnapshot& spec,
                                                 const HttpResponse& response) {
  return Redacted(reader_.ReadDetails(spec, response));
}

Result<PageContent> RedactingReader::ReadWithBytes(const domain::SpecSnapshot& spec,
                                                   const HttpResponse& response, bool is_detail) {
  return Redacted(reader_.ReadWithBytes(spec, response, is_detail));
}

Result<PageContent> RedactingReader::ReadRecord(const domain::SpecSnapshot& spec,
                                                const LoneRecord& record) {
  return Redacted(reader_.ReadRecord(spec, record));
}

}  // namespace patra::app
