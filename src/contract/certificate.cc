#include "contract/certificate.h"

#include <algorithm>
#include <span>

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

// A stretch may have a proof of each of a thousand plans.
Value::Array ProvenOf(const Certificate& certificate, std::size_t proofs_max) {
  Value::Array all;
  for (const auto& proven : certificate.proven) {
    Value::Array by;
    for (const auto& plan : proven.by) {
      if (proofs_max == 0) break;
      --proofs_max;
      by.push_back(ToValue(plan));
    }
    all.push_back(Value::Object{{"stretch", ToValue(proven.stretch)}, {"by", std::move(by)}});
  }
  return all;
}

std::int64_t CountProofs(const Certificate& certificate) {
  std::int64_t proofs = 0;
  for (const auto& proven : certificate.proven) proofs += std::ssize(proven.by);
  return proofs;
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
Value ListOf(std::span<const Row> rows) {
  Value::Array list;
  for (const auto& row : rows) list.push_back(ToValue(row));
  return list;
}

template <typename Row>
Value ListOf(const std::vector<Row>& rows) {
  return ListOf(std::span(rows));
}

Value::Object ColumnsOf(const std::vector<ProofOfDay>& days) {
  Value::Array states, proven, slices, records;
  for (const auto& day : days) {
    states.emplace_back(day.worst ? Code(*day.worst) : std::string_view("PROVEN"));
    proven.emplace_back(day.proven);
    slices.emplace_back(day.slices);
    records.emplace_back(day.records);
  }
  return {{"states", std::move(states)},
          {"proven", std::move(proven)},
          {"slices", std::move(slices)},
          {"records", std::move(records)}};
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

Value ToValue(const Certificate& certificate, const ShownOfCertificate& shown) {
  const auto gaps = std::span(certificate.gaps);
  Value::Array differing;
  for (const auto& key : certificate.asked_otherwise_by) differing.emplace_back(key);
  return Value::Object{
      {"source", certificate.key.source},
      {"endpoint", certificate.key.endpoint},
      {"queryHash", certificate.key.query_hash},
      {"range", ToValue(certificate.range)},
      {"issuedAt", TimeFact(certificate.issued_at)},
      {"complete", certificate.is_complete()},
      {"quarantineOpen", certificate.quarantine_open},
      {"sums", ToObject(FactsOf(certificate.sums))},
      {"proven", ProvenOf(certificate, shown.proofs_max)},
      {"proofsInAll", CountProofs(certificate)},
      {"gaps", ListOf(gaps.first(std::min(gaps.size(), shown.gaps_max)))},
      {"gapsInAll", std::ssize(certificate.gaps)},
      {"imbalances", ListOf(certificate.imbalances)},
      {"askedOtherwise", ListOf(certificate.asked_otherwise)},
      {"askedOtherwiseBy", std::move(differing)},
      {"days", certificate.days.empty() ? Value() : Value(ColumnsOf(certificate.days))}};
}

Value ToValue(const DaysOfProof& days) {
  auto columns = ColumnsOf(days.days);
  columns["source"] = days.key.source;
  columns["endpoint"] = days.key.endpoint;
  columns["queryHash"] = days.key.query_hash;
  columns["range"] = ToValue(days.range);
  columns["from"] = TimeFact(days.from);
  return columns;
}

}  // namespace patra::contract
