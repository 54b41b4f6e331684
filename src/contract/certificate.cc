#include "contract/certificate.h"

namespace patra::contract {
namespace {

Value ToValue(const Stretch& stretch) {
  return Value::Object{{"from", TimeFact(stretch.from)}, {"to", TimeFact(stretch.to)}};
}

Value ToValue(const ProvenBy& by) {
  return Value::Object{{"plan", IdFact(by.plan)},
                       {"operation", by.operation},
                       {"slices", by.slices},
                       {"firstSlice", IdFact(by.first_slice)},
                       {"lastSlice", IdFact(by.last_slice)},
                       {"closedFirst", TimeFact(by.closed_first)},
                       {"closedLast", TimeFact(by.closed_last)},
                       {"sums", ToObject(FactsOf(by.sums))},
                       {"byExactTotal", by.by_exact_total},
                       {"byEstimate", by.by_estimate},
                       {"byEndRule", by.by_end_rule}};
}

Value ToValue(const ProvenStretch& proven) {
  Value::Array by;
  for (const auto& plan : proven.by) by.push_back(ToValue(plan));
  return Value::Object{{"stretch", ToValue(proven.stretch)}, {"by", std::move(by)}};
}

Value ToValue(const CertificateGap& gap) {
  return Value::Object{{"stretch", ToValue(gap.stretch)},
                       {"kind", Code(gap.kind)},
                       {"reason", gap.reason},
                       {"plan", IdFact(gap.plan)},
                       {"slice", IdFact(gap.slice)},
                       {"task", IdFact(gap.task)},
                       {"repair", gap.repair}};
}

Value ToValue(const Imbalance& imbalance) {
  return Value::Object{{"plan", IdFact(imbalance.plan)},
                       {"slice", IdFact(imbalance.slice)},
                       {"stretch", ToValue(imbalance.stretch)},
                       {"reason", imbalance.reason}};
}

template <typename Row>
Value ListOf(const std::vector<Row>& rows) {
  Value::Array list;
  for (const auto& row : rows) list.push_back(ToValue(row));
  return list;
}

}  // namespace

std::string_view Code(GapKind kind) {
  switch (kind) {
    case GapKind::kNeverPlanned:
      return "NEVER_PLANNED";
    case GapKind::kUnfinished:
      return "UNFINISHED";
    case GapKind::kFailed:
      return "FAILED";
    case GapKind::kPartial:
      return "PARTIAL";
    case GapKind::kEarly:
      return "EARLY";
    case GapKind::kCancelled:
      break;
  }
  return "CANCELLED";
}

Value ToValue(const Certificate& certificate) {
  Value::Array differing;
  for (const auto& key : certificate.asked_otherwise_by) differing.emplace_back(key);
  return Value::Object{{"source", certificate.key.source},
                       {"endpoint", certificate.key.endpoint},
                       {"queryHash", certificate.key.query_hash},
                       {"range", ToValue(certificate.range)},
                       {"issuedAt", TimeFact(certificate.issued_at)},
                       {"complete", certificate.is_complete()},
                       {"quarantineOpen", certificate.quarantine_open},
                       {"sums", ToObject(FactsOf(certificate.sums))},
                       {"proven", ListOf(certificate.proven)},
                       {"gaps", ListOf(certificate.gaps)},
                       {"imbalances", ListOf(certificate.imbalances)},
                       {"askedOtherwise", ListOf(certificate.asked_otherwise)},
                       {"askedOtherwiseBy", std::move(differing)}};
}

}  // namespace patra::contract
