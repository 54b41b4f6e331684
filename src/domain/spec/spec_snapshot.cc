// Each part lists its members once (`Members`); a Writer and a Reader walk the same list, so what is
// written and what is read cannot drift apart.
#include "domain/spec/spec_snapshot.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/duration.h"
#include "base/hash.h"
#include "domain/spec/template_reads.h"

namespace patra::domain {
namespace {

constexpr int kFormatVersion = 5;
// From this format on `window.ends` acts. In an older snapshot it is a note, and `${window.to}` the end of the window
// whatever it says.
constexpr int kFormatOfActingEnds = 3;
// From this format on there are hooks. Who does not know them would misread every answer.
constexpr int kFormatOfHooks = 4;
// From this format on a list may be left out, and a token be more than a text of the document.
constexpr int kFormatOfLists = 5;

bool EndsAct(const SpecSnapshot& spec) {
  return spec.window.ends == WindowEnds::kInclusive && Reads(spec, "window.to");
}

// A snapshot is written in the oldest format that says the same: its hashes stay what they were, and an older patra can
// read it.
int FormatOf(const SpecSnapshot& spec) {
  if (spec.response.items_missing || (spec.details && spec.details->response.items_missing) ||
      spec.paging.next_header || spec.paging.token_kind)
    return kFormatOfLists;
  if (spec.hooks || (spec.details && spec.details->hooks)) return kFormatOfHooks;
  return EndsAct(spec) ? kFormatOfActingEnds : kFormatOfActingEnds - 1;
}

void Members(auto& with, auto& part, const HttpSpec*) {
  with("method", part.method);
  with("baseUrl", part.base_url);
  with("pathTemplate", part.path);
  with("queryTemplate", part.query);
  with("nextQueryTemplate", part.next_query);
  with("headersTemplate", part.headers);
  with("bodyTemplate", part.json_body);
  with("formTemplate", part.form_body);
  with("contact", part.contact);
  with("proxy", part.proxy);
  with("connectTimeout", part.connect_timeout);
  with("readTimeout", part.read_timeout);
  with("totalTimeout", part.total_timeout);
  with("redirectsMax", part.redirects_max);
  with("allowedHosts", part.hosts);
  with("compression", part.compression);
}

void Members(auto& with, auto& part, const AuthSpec*) {
  with("type", part.type);
  with("required", part.required);
  with("location", part.location);
  with("name", part.name);
  with("prefix", part.prefix);
  with("credentialRefs", part.credentials);
  with("keyOrder", part.key_order);
  with("usernameRef", part.username);
  with("passwordRef", part.password);
  with("tokenUrl", part.token_url);
  with("clientIdRef", part.client_id);
  with("clientSecretRef", part.client_secret);
  with("scope", part.scope);
  with("audience", part.audience);
  with("refreshBefore", part.refresh_before);
  with("signingHook", part.signing_hook);
}

void Members(auto& with, auto& part, const SplitDimension*) {
  with("name", part.name);
  with("kind", part.kind);
  with("values", part.values);
}

void Members(auto& with, auto& part, const PagingSpec*) {
  with("type", part.style);
  with("by", part.by);
  with("pageSize", part.size);
  with("pageSizeMax", part.size_max);
  with("firstPage", part.first_page);
  with("step", part.step);
  with("initialToken", part.first_token);
  with("nextPath", part.next);
  with("nextInLinkHeader", part.next_in_link_header);
  with("nextHeader", part.next_header);
  with("tokenKind", part.token_kind);
  with("replayable", part.replayable);
  with("tokenLifetime", part.token_lifetime);
  with("ends", part.ends);
  with("hasMorePath", part.has_more);
  with("maxPage", part.pages_max);
  with("reach", part.reach);
  with("splitBy", part.split_by);
  with("tailProbe", part.tail_probe);
}

void Members(auto& with, auto& part, const WindowSpec*) {
  with("filter", part.filter);
  with("start", part.start);
  with("safetyLag", part.safety_lag);
  with("safetyLagMax", part.safety_lag_max);
  with("width", part.width);
  with("minWindow", part.width_min);
  with("maxWindow", part.width_max);
  with("longest", part.longest);
  with("align", part.align);
  with("lookback", part.lookback);
  with("watermarkKey", part.watermark_key);
  with("granularity", part.granularity);
  with("ends", part.ends);
  with("updatedIsFiltered", part.updated_is_filtered);
  with("settles", part.settles);
  with("outsideMax", part.outside_max);
  with("timezone", part.timezone);
}

void Members(auto& with, auto& part, const OrderSpec*) {
  with("by", part.by);
  with("direction", part.direction);
  with("stable", part.stable);
}

void Members(auto& with, auto& part, const ResponseSpec*) {
  with("format", part.format);
  with("itemsPath", part.items);
  with("itemsMissing", part.items_missing);
  with("oneRecord", part.one_record);
  with("repeats", part.repeats);
  with("envelopePath", part.envelope);
  with("columnsPath", part.columns);
  with("idPaths", part.id);
  with("idJoin", part.id_join);
  with("idCase", part.id_case);
  with("updatedAtPath", part.updated);
  with("updatedAtFormats", part.updated_formats);
  with("updatedAtMayLieAhead", part.updated_may_lie_ahead);
  with("versionPath", part.version);
  with("deletedPath", part.deleted);
  with("mergedIntoPath", part.merged_into);
  with("retractsPath", part.retracts);
  with("totalPath", part.total);
  with("totalKind", part.total_kind);
  with("totalOnFirstPage", part.total_on_first_page);
  with("totalWithin", part.total_within);
  with("namespaces", part.namespaces);
  with("timezone", part.timezone);
}

void Members(auto& with, auto& part, const FieldSpec*) {
  with("name", part.name);
  with("path", part.path);
  with("type", part.type);
  with("required", part.required);
  with("many", part.many);
  with("join", part.join);
  with("formats", part.formats);
  with("oneOf", part.one_of);
  with("pattern", part.pattern);
  with("keepWhenEmpty", part.keep_when_empty);
  with("signalWhenEmpty", part.signal_when_empty);
}

void Members(auto& with, auto& part, const StatusRange*) {
  with("from", part.from);
  with("to", part.to);
}

void Members(auto& with, auto& part, const ErrorRule*) {
  with("statuses", part.statuses);
  with("header", part.header);
  with("headerMatches", part.header_matches);
  with("body", part.body);
  with("text", part.text);
  with("action", part.action);
  with("until", part.until);
}

void Members(auto& with, auto& part, const RateSpec*) {
  with("requests", part.requests);
  with("per", part.per);
}

void Members(auto& with, auto& part, const LimitSpec*) {
  with("rate", part.rate);
  with("burst", part.burst);
  with("concurrency", part.concurrency);
  with("quotas", part.quotas);
  with("quotaReserve", part.quota_reserve);
  with("per", part.per);
  with("learnFrom", part.learn_from);
  with("slowDownFactor", part.slow_down_factor);
  with("rateMinPerSecond", part.rate_min_per_second);
  with("warmUp", part.warm_up);
  with("quotaTimezone", part.quota_zone);
  with("urgentRate", part.urgent_rate);
  with("urgentQuota", part.urgent_quota);
  with("ceiling", part.ceiling);
}

void Members(auto& with, auto& part, const RetrySpec*) {
  with("maxAttempts", part.attempts_max);
  with("backoff", part.backoff);
  with("firstDelay", part.first_delay);
  with("maxDelay", part.delay_max);
  with("factor", part.factor);
  with("jitter", part.jitter);
  with("retryableStatus", part.statuses);
  with("giveUpStatus", part.give_up);
  with("networkErrors", part.network_errors);
  with("retryAfterCap", part.retry_after_cap);
  with("circuitFailuresMax", part.circuit_failures_max);
  with("circuitCoolDown", part.circuit_cool_down);
}

void Members(auto& with, auto& part, const ExprField*) {
  with("field", part.field);
  with("op", part.op);
  with("negatable", part.negatable);
  with("valuesMax", part.values_max);
  with("render", part.render);
  with("joiner", part.joiner);
  with("parameter", part.parameter);
}

void Members(auto& with, auto& part, const ExprSpec*) {
  with("timezone", part.timezone);
  with("nullPolicy", part.null_policy);
  with("and", part.and_joiner);
  with("or", part.or_joiner);
  with("not", part.not_prefix);
  with("fields", part.fields);
  with("parameters", part.parameters);
}

void Members(auto& with, auto& part, const HookSpec*) {
  with("request", part.request);
  with("response", part.response);
  with("paging", part.paging);
}

void Members(auto& with, auto& part, const DetailSpec*) {
  with("endpointName", part.endpoint);
  with("idBatchSize", part.id_batch_size);
  with("threshold", part.threshold);
  with("combineThreshold", part.combine_threshold);
  with("forUpdateOnly", part.for_update_only);
  with("cost", part.cost);
  with("http", part.http);
  with("response", part.response);
  with("fields", part.fields);
  with("errors", part.errors);
  with("hooks", part.hooks);
  with("rateLimits", part.limits);
  with("quotaPart", part.quota_part);
}

void Members(auto& with, auto& part, const FreshnessSpec*) {
  with("within", part.within);
  with("parts", part.parts);
}

void Members(auto& with, auto& part, const BudgetSpec*) {
  with("maxRequests", part.requests_max);
  with("maxRecords", part.records_max);
  with("maxDuration", part.duration_max);
  with("pause", part.pause);
  with("quotas", part.quotas);
  with("maxOpenTasks", part.open_tasks_max);
}

void Members(auto& with, auto& part, const SpecSnapshot*) {
  with("provenanceCode", part.provenance);
  with("endpointName", part.endpoint);
  with("operation", part.operation);
  with("role", part.role);
  with("timezone", part.timezone);
  with("params", part.params);
  with("query", part.query);
  with("cost", part.cost);
  with("keepRawPages", part.keep_raw_pages);
  with("http", part.http);
  with("auth", part.auth);
  with("pagination", part.paging);
  with("window", part.window);
  with("order", part.order);
  with("cursorScope", part.cursor_scope);
  with("gone", part.gone);
  with("twoPhase", part.details);
  with("freshness", part.freshness);
  with("response", part.response);
  with("fields", part.fields);
  with("rateLimits", part.limits);
  with("quotaPart", part.quota_part);
  with("budget", part.budget);
  with("retry", part.retry);
  with("errors", part.errors);
  with("hooks", part.hooks);
  with("expr", part.expr);
}

class Writer {
 public:
  // What is absent is left out.
  template <typename T>
  void operator()(std::string_view name, const std::optional<T>& member) {
    if (member) (*this)(name, *member);
  }
  template <typename T>
  void operator()(std::string_view name, const T& member) {
    object_.emplace(name, Write(member));
  }

  Value Finish() { return std::move(object_); }

 private:
  static Value Write(const std::string& text) { return text; }
  static Value Write(bool flag) { return flag; }
  static Value Write(int number) { return number; }
  static Value Write(std::int64_t number) { return number; }
  static Value Write(double number) { return number; }
  static Value Write(const Value& value) { return value; }
  static Value Write(Duration length) { return FormatIsoDuration(length); }
  static Value Write(Instant moment) { return FormatRfc3339(moment); }
  template <CodedEnum E>
  static Value Write(E value) {
    return CodeOf(value);
  }
  static Value Write(const std::pair<std::string, std::string>& named) {
    return Value::Object{{"name", named.first}, {"text", named.second}};
  }
  template <typename T>
  static Value Write(const std::vector<T>& list) {
    Value::Array items;
    for (const auto& item : list) items.push_back(Write(item));
    return items;
  }
  template <typename T>
    requires std::is_aggregate_v<T>
  static Value Write(const T& part) {
    Writer writer;
    Members(writer, part, static_cast<const T*>(nullptr));
    return writer.Finish();
  }

  Value::Object object_;
};

// Reads members of an object and remembers the first that is missing or of the wrong type.
class Reader {
 public:
  explicit Reader(const Value& value, std::optional<Error>& problem)
      : value_(value), problem_(problem) {}

  template <typename T>
  void operator()(std::string_view name, std::optional<T>& member) {
    if (value_.Find(name) == nullptr) return;
    member.emplace();
    (*this)(name, *member);
  }
  // A flag that an older snapshot does not have keeps what it meant before there was one.
  void operator()(std::string_view name, bool& member) {
    if (const auto* found = value_.Find(name)) Read(name, *found, member);
  }
  template <typename T>
  void operator()(std::string_view name, T& member) {
    const auto* found = value_.Find(name);
    Read(name, found == nullptr ? kNothing : *found, member);
  }

 private:
  static inline const Value kNothing;

  void Complain(std::string_view name, std::string_view wanted) {
    if (problem_) return;
    problem_ =
        Error{ErrorCode::kCorruption, fmt::format("the snapshot's '{}' is not {}", name, wanted)};
  }

  void Read(std::string_view name, const Value& value, std::string& text) {
    if (const auto* found = value.AsString()) {
      text = *found;
    } else {
      Complain(name, "text");
    }
  }
  void Read(std::string_view name, const Value& value, bool& flag) {
    if (const auto* found = value.AsBool()) {
      flag = *found;
    } else {
      Complain(name, "true or false");
    }
  }
  void Read(std::string_view name, const Value& value, std::int64_t& number) {
    if (const auto* found = value.AsInteger()) {
      number = *found;
    } else {
      Complain(name, "an integer");
    }
  }
  void Read(std::string_view name, const Value& value, int& number) {
    std::int64_t wide = 0;
    Read(name, value, wide);
    number = static_cast<int>(wide);
  }
  void Read(std::string_view name, const Value& value, double& number) {
    if (const auto* whole = value.AsInteger()) {
      number = static_cast<double>(*whole);
    } else if (const auto* found = value.AsDouble()) {
      number = *found;
    } else {
      Complain(name, "a number");
    }
  }
  void Read(std::string_view, const Value& value, Value& anything) { anything = value; }
  void Read(std::string_view name, const Value& value, Duration& length) {
    const auto* text = value.AsString();
    const auto read = text ? ParseDuration(*text) : Fail(ErrorCode::kCorruption, "");
    if (read) {
      length = *read;
    } else {
      Complain(name, "a duration");
    }
  }
  void Read(std::string_view name, const Value& value, Instant& moment) {
    const auto* text = value.AsString();
    const auto read = text ? ParseRfc3339(*text) : Fail(ErrorCode::kCorruption, "");
    if (read) {
      moment = *read;
    } else {
      Complain(name, "a moment");
    }
  }
  template <CodedEnum E>
  void Read(std::string_view name, const Value& value, E& member) {
    const auto* text = value.AsString();
    const auto known = text ? FindCode<E>(*text) : std::nullopt;
    if (known) {
      member = *known;
    } else {
      Complain(name, "one of its codes");
    }
  }
  void Read(std::string_view name, const Value& value, std::pair<std::string, std::string>& named) {
    Reader member(value, problem_);
    if (value.AsObject() == nullptr) return Complain(name, "a list of names and texts");
    member("name", named.first);
    member("text", named.second);
  }
  template <typename T>
  void Read(std::string_view name, const Value& value, std::vector<T>& list) {
    if (value.AsArray() == nullptr) return Complain(name, "a list");
    list.clear();
    for (const auto& item : *value.AsArray()) Read(name, item, list.emplace_back());
  }
  template <typename T>
    requires std::is_aggregate_v<T>
  void Read(std::string_view name, const Value& value, T& part) {
    if (value.AsObject() == nullptr) return Complain(name, "an object");
    Reader members(value, problem_);
    Members(members, part, static_cast<const T*>(nullptr));
  }

  const Value& value_;
  std::optional<Error>& problem_;
};

}  // namespace

std::string InCase(std::string text, TextCase wanted) {
  for (auto& c : text) {
    if (wanted == TextCase::kLower && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (wanted == TextCase::kUpper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

Duration LengthOf(Granularity granularity) {
  using namespace std::chrono_literals;
  switch (granularity) {
    case Granularity::kMicrosecond:
      return Duration(1);
    case Granularity::kMillisecond:
      return 1ms;
    case Granularity::kSecond:
      return 1s;
    case Granularity::kMinute:
      return 1min;
    case Granularity::kHour:
      return 1h;
    case Granularity::kDay:
      return 24h;
  }
  return Duration(1);
}

Value SpecSnapshot::ToValue() const {
  Writer writer;
  writer("format", FormatOf(*this));
  Members(writer, *this, static_cast<const SpecSnapshot*>(nullptr));
  return writer.Finish();
}

Result<SpecSnapshot> SpecSnapshot::FromValue(const Value& value) {
  std::optional<Error> problem;
  Reader reader(value, problem);
  std::int64_t format = 0;
  reader("format", format);
  if (format > kFormatVersion) {
    return Fail(ErrorCode::kUnavailable, "this snapshot was made by a newer patra", {},
                "the task stays queued for an executor that can read it");
  }
  SpecSnapshot spec;
  Members(reader, spec, static_cast<const SpecSnapshot*>(nullptr));
  if (problem) return std::unexpected(*problem);
  if (format < kFormatOfActingEnds && EndsAct(spec)) spec.window.ends = WindowEnds::kExclusive;
  return spec;
}

Value SpecSnapshot::ExprPrototype() const {
  auto whole = ToValue();
  auto& members = *whole.AsObject();
  for (const auto* name : {"rateLimits", "quotaPart", "budget", "retry", "cost", "auth",
                           "operation", "query", "freshness", "keepRawPages", "gone"})
    members.erase(name);
  members.at("pagination").AsObject()->erase("by");
  if (const auto two_phase = members.find("twoPhase"); two_phase != members.end()) {
    for (const auto* name : {"threshold", "combineThreshold"})
      two_phase->second.AsObject()->erase(name);
  }
  auto& of_window = *members.at("window").AsObject();
  for (const auto* name : {"start", "safetyLag", "safetyLagMax", "width", "minWindow", "maxWindow",
                           "longest", "align", "lookback", "settles", "outsideMax"}) {
    of_window.erase(name);
  }
  auto& request = *members.at("http").AsObject();
  for (const auto* name : {"connectTimeout", "readTimeout", "totalTimeout", "proxy", "contact"}) {
    request.erase(name);
  }
  return whole;
}

bool IsSortedByTime(const SpecSnapshot& spec) {
  return spec.order.by == "updated" || spec.order.by == spec.window.watermark_key;
}

bool AreCountedByPlace(const SpecSnapshot& spec) {
  return spec.paging.style != PagingStyle::kTime && spec.paging.by == PagedBy::kPlace &&
         !spec.order.stable;
}

bool TotalTellsOfMoves(const SpecSnapshot& spec) {
  return spec.response.total_kind == TotalKind::kExact && spec.window.settles &&
         spec.window.filter != WindowFilter::kNone;
}

std::string SpecFingerprint(const SpecSnapshot& spec) {
  return Sha256Hex(CanonicalJson(spec.ToValue()));
}

std::string ExprPrototypeHash(const SpecSnapshot& spec) {
  return Sha256Hex(CanonicalJson(spec.ExprPrototype()));
}

}  // namespace patra::domain
