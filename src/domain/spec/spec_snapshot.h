// Everything a run needs to know about a source, frozen when the plan is made (I2). An executor
// reads this and never the registry; editing a source changes nothing for a plan that exists.
// Secrets are not in here: `auth` says where they are kept (I11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/word/codes.h"
#include "domain/word/window.h"

namespace patra::domain {

// What an endpoint gives: lists of records or of their ids; records by their ids; lists of measurements about records, which are
// items of their own.
enum class EndpointRole { kSearch, kDetail, kMetrics };
constexpr auto CodesOf(EndpointRole) {
  using enum EndpointRole;
  return std::to_array<Coded<EndpointRole>>(
      {{kSearch, "SEARCH"}, {kDetail, "DETAIL"}, {kMetrics, "METRICS"}});
}

// Lists are walked from page to page; what is asked for by ids is not.
constexpr bool IsWalked(EndpointRole role) { return role != EndpointRole::kDetail; }

enum class HttpMethod { kGet, kPost };
constexpr auto CodesOf(HttpMethod) {
  return std::to_array<Coded<HttpMethod>>({{HttpMethod::kGet, "GET"}, {HttpMethod::kPost, "POST"}});
}

enum class AuthType { kNone, kApiKey, kBasic, kBearer, kOauth2, kCustom };
constexpr auto CodesOf(AuthType) {
  using enum AuthType;
  return std::to_array<Coded<AuthType>>({{kNone, "NONE"},
                                         {kApiKey, "API_KEY"},
                                         {kBasic, "BASIC"},
                                         {kBearer, "BEARER"},
                                         {kOauth2, "OAUTH2"},
                                         {kCustom, "CUSTOM"}});
}

// Where a credential goes.
// Which of several keys a request takes.
enum class KeyOrder { kEvenly, kListed };
constexpr auto CodesOf(KeyOrder) {
  using enum KeyOrder;
  return std::to_array<Coded<KeyOrder>>({{kEvenly, "EVENLY"}, {kListed, "LISTED"}});
}

enum class AuthLocation { kHeader, kQuery, kBody };
constexpr auto CodesOf(AuthLocation) {
  using enum AuthLocation;
  return std::to_array<Coded<AuthLocation>>(
      {{kHeader, "HEADER"}, {kQuery, "QUERY"}, {kBody, "BODY"}});
}

enum class PagingStyle { kOffset, kPage, kToken, kUrl, kTime };
constexpr auto CodesOf(PagingStyle) {
  using enum PagingStyle;
  return std::to_array<Coded<PagingStyle>>(
      {{kOffset, "OFFSET"}, {kPage, "PAGE"}, {kToken, "TOKEN"}, {kUrl, "URL"}, {kTime, "TIME"}});
}

// What tells that a walk is over. Providers differ: an unchanged token is the end at one and means
// nothing at another.
enum class WalkEnd { kNoToken, kSameToken, kEmptyPage, kShortPage, kTotalReached, kHasMoreFalse };
constexpr auto CodesOf(WalkEnd) {
  using enum WalkEnd;
  return std::to_array<Coded<WalkEnd>>({{kNoToken, "NO_TOKEN"},
                                        {kSameToken, "SAME_TOKEN"},
                                        {kEmptyPage, "EMPTY_PAGE"},
                                        {kShortPage, "SHORT_PAGE"},
                                        {kTotalReached, "TOTAL_REACHED"},
                                        {kHasMoreFalse, "HAS_MORE_FALSE"}});
}

// What a token is to those who send it on.
enum class TokenKind {
  kText,
  kValue,       // a value of JSON, which templates take apart or put into a body as it is
  kParameters,  // an object whose members are parameters of the next request
};
constexpr auto CodesOf(TokenKind) {
  using enum TokenKind;
  return std::to_array<Coded<TokenKind>>(
      {{kText, "TEXT"}, {kValue, "VALUE"}, {kParameters, "PARAMETERS"}});
}

// By what an offset grows. Some providers choose the size of their pages themselves.
enum class OffsetStep { kSize, kReceived };
constexpr auto CodesOf(OffsetStep) {
  return std::to_array<Coded<OffsetStep>>(
      {{OffsetStep::kSize, "SIZE"}, {OffsetStep::kReceived, "RECEIVED"}});
}

// What leads from page to page: a place in the list, which every record that leaves before it shifts; a key, such as the
// last record's; or a snapshot that the provider keeps for the walk.
enum class PagedBy { kPlace, kKey, kSnapshot };
constexpr auto CodesOf(PagedBy) {
  using enum PagedBy;
  return std::to_array<Coded<PagedBy>>({{kPlace, "PLACE"}, {kKey, "KEY"}, {kSnapshot, "SNAPSHOT"}});
}

enum class SplitKind { kDate, kIdRange, kValues };
constexpr auto CodesOf(SplitKind) {
  using enum SplitKind;
  return std::to_array<Coded<SplitKind>>(
      {{kDate, "DATE"}, {kIdRange, "ID_RANGE"}, {kValues, "VALUES"}});
}

// Who keeps to the window: the provider's filter, we (records come sorted), or nobody (every
// harvest reads the whole list).
enum class WindowFilter { kServer, kClient, kNone };
constexpr auto CodesOf(WindowFilter) {
  using enum WindowFilter;
  return std::to_array<Coded<WindowFilter>>(
      {{kServer, "SERVER"}, {kClient, "CLIENT"}, {kNone, "NONE"}});
}

// The finest step of the provider's own filter.
enum class Granularity { kMicrosecond, kMillisecond, kSecond, kMinute, kHour, kDay };
constexpr auto CodesOf(Granularity) {
  using enum Granularity;
  return std::to_array<Coded<Granularity>>({{kMicrosecond, "MICROSECOND"},
                                            {kMillisecond, "MILLISECOND"},
                                            {kSecond, "SECOND"},
                                            {kMinute, "MINUTE"},
                                            {kHour, "HOUR"},
                                            {kDay, "DAY"}});
}
Duration LengthOf(Granularity granularity);

// Whether the provider's filter includes its upper end. Where it does, `${window.to}` in a template is the last moment that
// belongs to the window, in the steps of the filter.
enum class WindowEnds { kExclusive, kInclusive };
constexpr auto CodesOf(WindowEnds) {
  return std::to_array<Coded<WindowEnds>>(
      {{WindowEnds::kExclusive, "EXCLUSIVE"}, {WindowEnds::kInclusive, "INCLUSIVE"}});
}

enum class SortDirection { kAsc, kDesc };
constexpr auto CodesOf(SortDirection) {
  return std::to_array<Coded<SortDirection>>(
      {{SortDirection::kAsc, "ASC"}, {SortDirection::kDesc, "DESC"}});
}

enum class TotalKind { kNone, kExact, kEstimate };
constexpr auto CodesOf(TotalKind) {
  using enum TotalKind;
  return std::to_array<Coded<TotalKind>>(
      {{kNone, "NONE"}, {kExact, "EXACT"}, {kEstimate, "ESTIMATE"}});
}

// Which pages have the total.
enum class TotalPages { kEveryPage, kFirstPage };
constexpr auto CodesOf(TotalPages) {
  return std::to_array<Coded<TotalPages>>(
      {{TotalPages::kEveryPage, "EVERY_PAGE"}, {TotalPages::kFirstPage, "FIRST_PAGE"}});
}

// COLUMNS is JSON with the names of the columns once and a list of values per record.
enum class ResponseFormat { kJson, kXml, kColumns };
constexpr auto CodesOf(ResponseFormat) {
  using enum ResponseFormat;
  return std::to_array<Coded<ResponseFormat>>(
      {{kJson, "JSON"}, {kXml, "XML"}, {kColumns, "COLUMNS"}});
}

// What a page without its list of records is.
enum class ItemsMissing { kError, kEmpty };
constexpr auto CodesOf(ItemsMissing) {
  return std::to_array<Coded<ItemsMissing>>(
      {{ItemsMissing::kError, "ERROR"}, {ItemsMissing::kEmpty, "EMPTY"}});
}

enum class TextCase { kAsIs, kLower, kUpper };
constexpr auto CodesOf(TextCase) {
  using enum TextCase;
  return std::to_array<Coded<TextCase>>({{kAsIs, "AS_IS"}, {kLower, "LOWER"}, {kUpper, "UPPER"}});
}

// Only letters that have two cases everywhere: ids are codes, not words.
std::string InCase(std::string text, TextCase wanted);

enum class FieldType { kAny, kText, kInteger, kNumber, kBoolean, kInstant, kDate, kPartialDate };
constexpr auto CodesOf(FieldType) {
  using enum FieldType;
  return std::to_array<Coded<FieldType>>({{kAny, "ANY"},
                                          {kText, "TEXT"},
                                          {kInteger, "INTEGER"},
                                          {kNumber, "NUMBER"},
                                          {kBoolean, "BOOLEAN"},
                                          {kInstant, "INSTANT"},
                                          {kDate, "DATE"},
                                          {kPartialDate, "PARTIAL_DATE"}});
}

// Whose requests one limit counts together.
enum class RateScope { kSource, kEndpoint, kCredential, kCredentialEndpoint, kAddress, kOperation };
constexpr auto CodesOf(RateScope) {
  using enum RateScope;
  return std::to_array<Coded<RateScope>>({{kSource, "SOURCE"},
                                          {kEndpoint, "ENDPOINT"},
                                          {kCredential, "CREDENTIAL"},
                                          {kCredentialEndpoint, "CREDENTIAL_ENDPOINT"},
                                          {kAddress, "ADDRESS"},
                                          {kOperation, "OPERATION"}});
}

// What an answer that matches an error rule means: L1 RETRY and WAIT, L2 FAIL, L3 QUARANTINE,
// L4 STOP; the others are no failures.
enum class ErrorAction {
  kRetry,
  kWait,
  kFail,
  kQuarantine,
  kStop,
  kEmpty,
  kEnd,
  kRestartSlice,
  kPage,  // what looks like an error beside its records is none
};
constexpr auto CodesOf(ErrorAction) {
  using enum ErrorAction;
  return std::to_array<Coded<ErrorAction>>({{kRetry, "RETRY"},
                                            {kWait, "WAIT"},
                                            {kFail, "FAIL"},
                                            {kQuarantine, "QUARANTINE"},
                                            {kStop, "STOP"},
                                            {kEmpty, "EMPTY"},
                                            {kEnd, "END"},
                                            {kRestartSlice, "RESTART_SLICE"},
                                            {kPage, "PAGE"}});
}

// How the waits between the tries of a request grow.
enum class BackoffCurve {
  kExponentialJitter,   // exponential, a part of it longer or shorter
  kFullJitter,          // anything between nothing and the exponential
  kDecorrelatedJitter,  // anything between the first wait and three times the last one
  kExponential,         // first, first * factor, first * factor², …
  kFixed,               // always the first
};
constexpr auto CodesOf(BackoffCurve) {
  using enum BackoffCurve;
  return std::to_array<Coded<BackoffCurve>>({{kExponentialJitter, "EXPONENTIAL_JITTER"},
                                             {kFullJitter, "FULL_JITTER"},
                                             {kDecorrelatedJitter, "DECORRELATED_JITTER"},
                                             {kExponential, "EXPONENTIAL"},
                                             {kFixed, "FIXED"}});
}

enum class CursorScope { kExpr, kGlobal };
constexpr auto CodesOf(CursorScope) {
  return std::to_array<Coded<CursorScope>>(
      {{CursorScope::kExpr, "EXPR"}, {CursorScope::kGlobal, "GLOBAL"}});
}

// What becomes of a stored record that a list which was read whole does not name any more.
enum class GonePolicy { kKeep, kTombstone };
constexpr auto CodesOf(GonePolicy) {
  return std::to_array<Coded<GonePolicy>>(
      {{GonePolicy::kKeep, "KEEP"}, {GonePolicy::kTombstone, "TOMBSTONE"}});
}

enum class ExprOperator { kTerm, kIn, kRange, kExists, kToken };
constexpr auto CodesOf(ExprOperator) {
  using enum ExprOperator;
  return std::to_array<Coded<ExprOperator>>(
      {{kTerm, "TERM"}, {kIn, "IN"}, {kRange, "RANGE"}, {kExists, "EXISTS"}, {kToken, "TOKEN"}});
}

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct HttpSpec {
  HttpMethod method = HttpMethod::kGet;
  std::string base_url;
  std::string path{};                      // template, as all texts below
  NamedTexts query{};                      //
  std::optional<NamedTexts> next_query{};  // instead of `query` on every page but the first
  NamedTexts headers{};
  Value json_body{};  // a value whose strings are templates; null: none
  NamedTexts form_body{};
  std::optional<std::string> contact{};  // reference or text, for the User-Agent
  std::optional<std::string> proxy{};
  Duration connect_timeout = std::chrono::seconds(10);
  Duration read_timeout = std::chrono::seconds(30);
  Duration total_timeout = std::chrono::seconds(120);
  int redirects_max = 0;
  std::vector<std::string> hosts{};  // where redirects and `next` links may lead
  bool compression = true;

  friend bool operator==(const HttpSpec&, const HttpSpec&) = default;
};

struct AuthSpec {
  AuthType type = AuthType::kNone;
  bool required = false;
  AuthLocation location = AuthLocation::kHeader;
  std::string name{};                      // of the header, parameter or member
  std::string prefix{};                    // before the credential, such as "Bearer "
  std::vector<std::string> credentials{};  // references: env:NAME, file:PATH
  std::optional<KeyOrder> key_order{};     // else evenly
  std::optional<std::string> username{};   // BASIC; a reference, as the next
  std::optional<std::string> password{};
  std::optional<std::string> token_url{};  // OAUTH2 client credentials
  std::optional<std::string> client_id{};
  std::optional<std::string> client_secret{};
  std::optional<std::string> scope{};
  std::optional<std::string> audience{};
  Duration refresh_before = std::chrono::minutes(1);  // a token is renewed so long before its end
  std::optional<std::string> signing_hook{};          // CUSTOM

  friend bool operator==(const AuthSpec&, const AuthSpec&) = default;
};

// A further way to cut a slice that holds more than paging can reach.
struct SplitDimension {
  std::string name;
  SplitKind kind = SplitKind::kDate;
  std::vector<std::string> values{};

  friend bool operator==(const SplitDimension&, const SplitDimension&) = default;
};

struct PagingSpec {
  PagingStyle style = PagingStyle::kPage;
  PagedBy by = PagedBy::kPlace;
  std::int64_t size = 100;
  std::optional<std::int64_t> size_max{};
  std::int64_t first_page = 1;
  OffsetStep step = OffsetStep::kSize;
  std::optional<std::string> first_token{};
  std::optional<std::string> next{};         // path to the next token or URL in the document
  bool next_in_link_header = false;          // URL: rel=next of the Link header
  std::optional<std::string> next_header{};  // a header of the answer that has it, by name
  std::optional<TokenKind> token_kind{};     // TOKEN; else a text
  bool replayable = true;                    // whether a token may be sent twice
  std::optional<Duration> token_lifetime{};  // since its last use
  std::vector<WalkEnd> ends{};
  std::optional<std::string> has_more{};
  std::optional<std::int64_t> pages_max{};
  std::optional<std::int64_t> reach{};  // how many records paging can get at: the page wall
  std::vector<SplitDimension> split_by{};
  bool tail_probe = false;  // ask once more where the provider at times forgets `next`

  friend bool operator==(const PagingSpec&, const PagingSpec&) = default;
};

// Of the records of a slice, the part that a filter of the provider may let pass though it should not.
inline constexpr double kOutsideMax = 0.05;

struct WindowSpec {
  WindowFilter filter = WindowFilter::kServer;
  Instant start;                                     // where the first harvest begins
  Duration safety_lag = std::chrono::minutes(10);    // how long a record may stay invisible
  Duration safety_lag_max = std::chrono::hours(24);  // to which it may be raised by itself
  Duration width = std::chrono::hours(24);           // of the first slices
  Duration width_min = std::chrono::minutes(1);
  Duration width_max = std::chrono::hours(24);
  std::optional<Duration> longest{};         // the longest window that the provider answers for
  Duration align = std::chrono::minutes(1);  // ends of harvests lie on multiples of this
  Duration lookback{};                       // read again before the watermark
  std::string watermark_key = "updated_at";
  Granularity granularity = Granularity::kSecond;
  WindowEnds ends = WindowEnds::kExclusive;
  bool updated_is_filtered = false;     // the response's `updated` is the very field of the filter
  bool settles = false;                 // once behind its lag, nothing comes in any more
  std::optional<double> outside_max{};  // part of a slice that may lie outside; else kOutsideMax
  std::string timezone = "UTC";         // of the dates in the filter

  friend bool operator==(const WindowSpec&, const WindowSpec&) = default;
};

struct OrderSpec {
  std::string by =
      "updated";  // a record's `updated`, the date that the window counts, or something else
  SortDirection direction = SortDirection::kDesc;
  bool stable = false;

  friend bool operator==(const OrderSpec&, const OrderSpec&) = default;
};

struct ResponseSpec {
  ResponseFormat format = ResponseFormat::kJson;
  std::string items{};                          // path to the list of records
  std::optional<ItemsMissing> items_missing{};  // else an error
  bool one_record = false;                      // `items` leads to one record and to no list
  bool repeats = false;                         // the list names records more than once
  std::optional<std::string> envelope{};        // a path without which this is no page at all
  std::optional<std::string> columns{};         // COLUMNS: path to the names
  std::vector<std::string> id{};                // paths within a record
  std::string id_join = ":";                    // between them
  TextCase id_case = TextCase::kAsIs;
  std::optional<std::string> updated{};        // path within a record; none: fetched_at decides
  std::vector<std::string> updated_formats{};  // date patterns; none: ISO 8601 of any length
  bool updated_may_lie_ahead = false;          // it says nothing about which version is newer
  std::optional<std::string> version{};        // path within a record
  std::optional<std::string> deleted{};        // path within a record, true for a tombstone
  std::optional<std::string> merged_into{};    // path within a record
  std::optional<std::string> retracts{};       // path to ids of others, within a record
  std::optional<std::string> total{};          // path to the announced total
  TotalKind total_kind = TotalKind::kNone;
  bool total_on_first_page = false;  // the others need not have it
  double total_within = 0;           // an estimate may be off by this part
  NamedTexts namespaces{};           // XML prefixes
  std::string timezone = "UTC";      // of dates that name none

  friend bool operator==(const ResponseSpec&, const ResponseSpec&) = default;
};

struct FieldSpec {
  std::string name;
  std::string path;
  FieldType type = FieldType::kAny;
  bool required = false;
  bool many = false;                     // everything the path selects, as a list
  std::optional<std::string> join{};     // everything the path selects, as one text
  std::vector<std::string> formats{};    // date patterns
  std::vector<std::string> one_of{};     // the texts that it may be
  std::optional<std::string> pattern{};  // I-Regexp that the text matches as a whole
  bool keep_when_empty = false;          // a stored value survives a new one that is empty
  bool signal_when_empty = false;        // a record without it is to be fetched again

  friend bool operator==(const FieldSpec&, const FieldSpec&) = default;
};

struct StatusRange {
  std::int64_t from = 0;
  std::int64_t to = 0;  // included

  friend bool operator==(const StatusRange&, const StatusRange&) = default;
};

// All conditions that are given have to hold.
struct ErrorRule {
  std::vector<StatusRange> statuses{};
  std::optional<std::string> header{};          // name of a header
  std::optional<std::string> header_matches{};  // I-Regexp that part of it matches
  std::optional<std::string> body{};            // a path that selects something true
  std::optional<std::string> text{};            // I-Regexp that part of the raw bytes matches
  ErrorAction action = ErrorAction::kFail;
  std::optional<std::string> until{};  // WAIT: NEXT_MINUTE, NEXT_HOUR, NEXT_DAY or a duration

  friend bool operator==(const ErrorRule&, const ErrorRule&) = default;
};

struct RateSpec {
  int requests = 1;
  Duration per = std::chrono::seconds(1);
  friend bool operator==(const RateSpec&, const RateSpec&) = default;
};

struct LimitSpec {
  std::optional<RateSpec> rate{};
  std::int64_t burst = 1;
  std::optional<std::int64_t> concurrency{};
  std::vector<RateSpec> quotas{};  // per hour, day, …
  double quota_reserve = 0.1;      // kept back of every quota
  RateScope per = RateScope::kEndpoint;
  std::vector<std::string> learn_from{};  // headers that tell the provider's own numbers
  double slow_down_factor = 2;            // on 429 the rate is divided by this
  double rate_min_per_second = 0.1;
  Duration warm_up{};
  std::optional<std::string> quota_zone{};  // whose days and hours its quotas count; else UTC
  // What others leave to harvests: of the rate while harvests have to wait, of a quota less and less until its window ends.
  std::optional<double> urgent_rate{};
  std::optional<double> urgent_quota{};
  std::optional<RateSpec> ceiling{};  // the rate is a guess that may be raised up to this

  friend bool operator==(const LimitSpec&, const LimitSpec&) = default;
};

struct RetrySpec {
  std::int64_t attempts_max = 5;
  std::optional<BackoffCurve> backoff{};  // else exponential with jitter
  Duration first_delay = std::chrono::milliseconds(100);
  Duration delay_max = std::chrono::seconds(30);
  double factor = 2;
  double jitter = 0.2;
  std::vector<StatusRange> statuses{};
  std::vector<StatusRange> give_up{};
  bool network_errors = true;
  std::optional<Duration> retry_after_cap{};  // beyond it the task is parked and people are told
  std::int64_t circuit_failures_max = 3;
  Duration circuit_cool_down = std::chrono::minutes(1);

  friend bool operator==(const RetrySpec&, const RetrySpec&) = default;
};

// Names of code for what no key can say: domain/hook/provider_hooks.h.
struct HookSpec {
  std::optional<std::string> request{};
  std::optional<std::string> response{};
  std::optional<std::string> paging{};

  friend bool operator==(const HookSpec&, const HookSpec&) = default;
};

// How one field of a source-neutral query is written for this provider.
struct ExprField {
  std::string field;
  ExprOperator op = ExprOperator::kTerm;
  bool negatable = false;
  std::int64_t values_max = 0;  // IN; 0: any number
  std::string render;           // template over ${value}, ${from}, ${to}
  std::string joiner = " OR ";  // IN
  std::optional<std::string>
      parameter{};  // a request parameter of its own; none: in the query text

  friend bool operator==(const ExprField&, const ExprField&) = default;
};

struct ExprSpec {
  std::string timezone = "UTC";
  std::string null_policy = "OMIT";
  std::string and_joiner = " AND ";
  std::string or_joiner = " OR ";
  std::string not_prefix = "NOT ";
  std::vector<ExprField> fields{};
  NamedTexts parameters{};  // standard key → the provider's parameter

  friend bool operator==(const ExprSpec&, const ExprSpec&) = default;
};

// The second phase: details by id.
struct DetailSpec {
  std::string endpoint;
  std::int64_t id_batch_size = 200;
  std::optional<std::int64_t> threshold{};          // fewer ids are asked for one by one
  std::optional<std::int64_t> combine_threshold{};  // ids that answers lacked wait for as many
  bool for_update_only = false;  // the walk gives whole records; only UPDATE asks by id
  std::int64_t cost = 1;
  HttpSpec http{};
  ResponseSpec response{};
  std::vector<FieldSpec> fields{};
  std::vector<ErrorRule> errors{};
  std::optional<HookSpec> hooks{};
  std::vector<LimitSpec> limits{};
  std::optional<double> quota_part{};  // as in SpecSnapshot

  friend bool operator==(const DetailSpec&, const DetailSpec&) = default;
};

// How often every record should be looked at, also where nothing says that it changed.
struct FreshnessSpec {
  Duration within{};
  int parts = 1;  // a round takes so many days

  friend bool operator==(const FreshnessSpec&, const FreshnessSpec&) = default;
};

// What patra itself allows a source, endpoint and operation, whatever the provider does.
struct BudgetSpec {
  // Of one run of a slice.
  std::optional<std::int64_t> requests_max{};
  std::optional<std::int64_t> records_max{};
  std::optional<Duration> duration_max{};
  Duration pause = std::chrono::hours(1);        // before the rest of the slice goes on
  std::vector<RateSpec> quotas{};                // of all requests, per hour, day, …
  std::optional<std::int64_t> open_tasks_max{};  // beyond it the rest of a plan waits

  friend bool operator==(const BudgetSpec&, const BudgetSpec&) = default;
};

struct SpecSnapshot {
  std::string provenance;
  std::string endpoint;
  std::string operation = "HARVEST";
  EndpointRole role = EndpointRole::kSearch;
  std::string timezone = "UTC";
  NamedTexts params{};                 // what templates see as ${params.NAME}
  std::optional<std::string> query{};  // the provider's own syntax, what templates see as ${query}
  std::int64_t cost = 1;
  bool keep_raw_pages = true;
  HttpSpec http{};
  AuthSpec auth{};
  PagingSpec paging{};
  WindowSpec window{};
  OrderSpec order{};
  CursorScope cursor_scope = CursorScope::kExpr;
  std::optional<GonePolicy> gone{};  // else they are kept
  std::optional<DetailSpec> details{};
  std::optional<FreshnessSpec> freshness{};
  ResponseSpec response{};
  std::vector<FieldSpec> fields{};
  std::vector<LimitSpec> limits{};
  std::optional<double> quota_part{};  // what the endpoint may spend of quotas that others share
  std::optional<BudgetSpec> budget{};
  RetrySpec retry{};
  std::vector<ErrorRule> errors{};
  std::optional<HookSpec> hooks{};
  ExprSpec expr{};

  Value ToValue() const;
  static Result<SpecSnapshot> FromValue(const Value& value);

  // What shapes requests and the reading of answers, without how fast, how often and of which query and
  // stretch of time: two snapshots with the same prototype make the same records of the same answers.
  Value ExprPrototype() const;

  friend bool operator==(const SpecSnapshot&, const SpecSnapshot&) = default;
};

// Whether the list comes in the order of the time that the window counts.
bool IsSortedByTime(const SpecSnapshot& spec);
// Pages that are counted by place show nothing of a record that left before them.
bool AreCountedByPlace(const SpecSnapshot& spec);
// Whether one exact total from end to end tells that none left: where records may come in, one that came hides it.
bool TotalTellsOfMoves(const SpecSnapshot& spec);

// SHA-256 over the canonical JSON of the whole snapshot, and of its prototype.
std::string SpecFingerprint(const SpecSnapshot& spec);
std::string ExprPrototypeHash(const SpecSnapshot& spec);

}  // namespace patra::domain
