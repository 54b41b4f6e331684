// Every stock trades on every weekday, so that row r of a window is stock r % stocks on trading day
// r / stocks, and nothing needs to be stored.
#include "sim/tushare_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "base/random.h"
#include "sim/text_format.h"

namespace patra::sim {
namespace {

using Day = TushareProvider::Day;

constexpr std::int64_t kStocks = 500;
constexpr std::int64_t kDailyRowsMax = 6'000;
constexpr std::int64_t kStockRowsMax = 2'000;
constexpr Duration kPublished = std::chrono::hours(8);   // 16:00 in China
constexpr Duration kCorrected = std::chrono::hours(33);  // the evening after

constexpr auto kDailyColumns =
    std::to_array<std::string_view>({"ts_code", "trade_date", "open", "high", "low", "close",
                                     "pre_close", "change", "pct_chg", "vol", "amount"});
constexpr auto kStockColumns = std::to_array<std::string_view>(
    {"ts_code", "symbol", "name", "area", "industry", "market", "list_date"});
constexpr auto kCalendarColumns =
    std::to_array<std::string_view>({"exchange", "cal_date", "is_open", "pretrade_date"});

std::string CodeOf(std::int64_t stock) {
  return stock % 2 == 0 ? fmt::format("{:06}.SZ", stock + 1)
                        : fmt::format("{:06}.SH", 600'000 + stock);
}

std::string DateOf(Day day) { return PrintDay(day, ""); }

std::optional<Day> ParseDay(std::string_view text) {
  if (text.size() != 8) return std::nullopt;
  const auto number = ParseInteger(text);
  if (!number || *number < 19'000'101) return std::nullopt;
  const std::chrono::year_month_day date(
      std::chrono::year(static_cast<int>(*number / 10'000)),
      std::chrono::month(static_cast<unsigned>(*number / 100 % 100)),
      std::chrono::day(static_cast<unsigned>(*number % 100)));
  if (!date.ok()) return std::nullopt;
  return Day(date);
}

bool IsTradingDay(Day day) {
  const std::chrono::weekday weekday(day);
  return weekday != std::chrono::Saturday && weekday != std::chrono::Sunday;
}

Day PreviousTradingDay(Day day) {
  do day -= std::chrono::days(1);
  while (!IsTradingDay(day));
  return day;
}

// Weekdays in [first, last].
std::int64_t CountTradingDays(Day first, Day last) {
  std::int64_t count = (last - first).count() / 7 * 5;
  for (Day day = first + std::chrono::days((last - first).count() / 7 * 7); day <= last;
       day += std::chrono::days(1)) {
    count += IsTradingDay(day) ? 1 : 0;
  }
  return last < first ? 0 : count;
}

std::string Uuid(std::uint64_t seed) {
  const auto a = MixBits(seed);
  const auto b = MixBits(a);
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     b >> 48 & 0xfff, b & 0xffffffffffff);
}

// Parameters come as numbers or as texts.
std::string TextOf(const Value& params, std::string_view name) {
  const auto* value = params.Find(name);
  if (!value || value->is_null()) return {};
  if (const auto* text = value->AsString()) return *text;
  if (const auto* number = value->AsInteger()) return std::to_string(*number);
  return {};
}

void Fault(Response& response, const Call& call, int code, std::string_view message) {
  response.content_type = "application/json";
  response.body = fmt::format(R"({{"request_id":"{}","code":{},"data":null,"msg":{}}})",
                              Uuid(static_cast<std::uint64_t>(call.server_time.count())), code,
                              JsonText(message));
}

constexpr std::string_view kDetails =
    "权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。";

std::optional<Value> ReadBody(const Request& request) {
  auto body = ParseJson(request.body, {.bytes_max = 1u << 20, .depth_max = 16});
  if (!body || !body->AsObject()) return std::nullopt;
  return std::move(*body);
}

double Decimal(std::int64_t digits, double scale) { return static_cast<double>(digits) / scale; }

}  // namespace

// A column reply under construction: only the wanted columns, in the wanted order.
struct TushareProvider::Table {
  std::vector<std::size_t> wanted;
  std::string fields;
  std::string items;
  std::size_t last_row = 0;  // where it starts in `items`
  bool first = true;

  template <std::size_t kSize>
  static std::optional<Table> For(const std::array<std::string_view, kSize>& columns,
                                  std::string_view names) {
    Table table;
    if (names.empty()) {
      for (std::size_t i = 0; i < kSize; ++i) table.wanted.push_back(i);
    }
    while (!names.empty()) {
      const auto comma = names.find(',');
      const auto found = std::ranges::find(columns, names.substr(0, comma));
      if (found != columns.end()) {
        table.wanted.push_back(static_cast<std::size_t>(found - columns.begin()));
      }
      names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
    }
    if (table.wanted.empty()) return std::nullopt;
    for (const auto index : table.wanted) {
      if (!table.fields.empty()) table.fields += ',';
      table.fields += fmt::format("\"{}\"", columns[index]);
    }
    return table;
  }

  void Add(const std::vector<Value>& row) {
    if (!first) items += ',';
    first = false;
    last_row = items.size();
    items += '[';
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (i > 0) items += ',';
      items += PrintJson(row[wanted[i]]);
    }
    items += ']';
  }

  // A row is an array, so its columns are spoiled by their place: id, date, then a price.
  void SpoilLastRow(RecordDefect defect) {
    if (defect == RecordDefect::kNone) return;
    if (defect == RecordDefect::kSchemaChange) {
      if (const auto at = fields.rfind(",\""); at != std::string::npos) {
        fields.replace(at, std::string::npos, ",\"renamed\"");
      }
      return;
    }
    const auto row = CutJson(items, last_row);
    if (!row || row->pieces.empty()) return;
    const auto column = [&](std::size_t index) {
      return row->pieces[std::min(index, row->pieces.size() - 1)];
    };
    const auto replace = [&](const JsonPiece& piece, std::string_view by) {
      items.replace(piece.begin, piece.end - piece.begin, by);
    };
    switch (defect) {
      case RecordDefect::kMissingId:
        return replace(column(0), "null");
      case RecordDefect::kUnparsableDate:
        return replace(column(1), "\"31st of Febtober\"");
      case RecordDefect::kFutureDate:
        return replace(column(1), "\"99991231\"");
      case RecordDefect::kMissingField:
        return replace(column(5), "null");
      case RecordDefect::kTypeChange:
        return replace(column(5), R"({"value":[1,null,"?"]})");
      case RecordDefect::kHugeInteger:
        return replace(column(9), "123456789012345678901234567890");
      case RecordDefect::kInvalidUtf8:
        return replace(column(1), "\"\xC3\x28\xFF\"");
      default:
        return;
    }
  }

  void Finish(const Call& call, bool has_more, Response& response) const {
    response.content_type = "application/json";
    response.body = fmt::format(
        R"({{"request_id":"{}","code":0,"data":{{"fields":[{}],"items":[{}],"has_more":{},"count":-1}},"msg":""}})",
        Uuid(static_cast<std::uint64_t>(call.server_time.count())), fields, items, has_more);
  }
};

std::string TushareProvider::IdOf(const Row& row) {
  return fmt::format("{}:{}", CodeOf(row.stock), DateOf(row.day));
}

TushareProvider::TushareProvider(const World& world)
    : seed_(world.corpus.seed()),
      first_day_(std::chrono::floor<std::chrono::days>(world.corpus.TimeAt(0))),
      stocks_(kStocks) {}

TushareProvider::Row TushareProvider::RowAt(std::int64_t stock, Day day, Instant now) const {
  const auto mixed = MixBits(seed_ ^ MixBits(static_cast<std::uint64_t>(
                                         stock * 100'000 + day.time_since_epoch().count())));
  const bool corrected = mixed % 200 == 0 && Instant(day) + kCorrected <= now;
  return {stock, day, corrected ? 2 : 1};
}

std::vector<Value> TushareProvider::ColumnsOf(const Row& row) const {
  const auto day = static_cast<std::uint64_t>(row.day.time_since_epoch().count());
  auto mixed = MixBits(seed_ ^ MixBits(day * 1'000'003 + static_cast<std::uint64_t>(row.stock)));
  const auto draw = [&](std::uint64_t below) {
    mixed = MixBits(mixed);
    return static_cast<std::int64_t>(mixed % below);
  };
  const auto base = 500 + row.stock * 37 % 20'000;
  const auto pre_close = base + draw(100);
  const auto open = pre_close + draw(61) - 30;
  const auto close = open + draw(81) - 40 + (row.version - 1);
  const auto high = std::max(open, close) + draw(30);
  const auto low = std::min(open, close) - draw(30);
  const auto volume = 10'000 + draw(90'000'000);
  const bool first_listed = draw(500) == 0;
  const auto change = close - pre_close;
  const auto percent = change * 1'000'000 / pre_close;
  return {CodeOf(row.stock),
          DateOf(row.day),
          Decimal(open, 100),
          Decimal(high, 100),
          Decimal(low, 100),
          Decimal(close, 100),
          first_listed ? Value() : Value(Decimal(pre_close, 100)),
          first_listed ? Value() : Value(Decimal(change, 100)),
          first_listed ? Value() : Value(Decimal(percent, 10'000)),
          Decimal(volume, 100),
          Decimal(volume * close / 100, 1'000)};
}

Value TushareProvider::MappedFields(const Row& row) const {
  const auto columns = ColumnsOf(row);
  Value::Object fields;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].is_null()) fields[std::string(kDailyColumns[i])] = columns[i];
  }
  return fields;
}

std::optional<Day> TushareProvider::LastTradingDay(Instant now) const {
  Day day = std::chrono::floor<std::chrono::days>(now - kPublished);
  if (!IsTradingDay(day)) day = PreviousTradingDay(day);
  if (day < first_day_) return std::nullopt;
  return day;
}

Caller TushareProvider::IdentifyCaller(const Call& call) const {
  Caller caller;
  caller.address = call.request.peer;
  const auto body = ReadBody(call.request);
  if (body) {
    caller.key = TextOf(*body, "token");
    caller.endpoint = TextOf(*body, "api_name");
  }
  if (caller.key.empty()) caller.key = caller.address;
  return caller;
}

std::vector<LimitRule> TushareProvider::DefaultLimits() const {
  return {{.kind = LimitRule::Kind::kFixedWindow,
           .scope = LimitRule::Scope::kKeyAndEndpoint,
           .count_max = 500,
           .window = std::chrono::minutes(1)}};
}

void TushareProvider::Reject(const Call& call, const Rejection& rejection,
                             Response& response) const {
  const auto window = rejection.rule.window;
  const std::string_view span = window >= std::chrono::days(1)    ? "每天"
                                : window >= std::chrono::hours(1) ? "每小时"
                                                                  : "每分钟";
  Fault(response, call, 40203,
        fmt::format("抱歉，您{}最多访问该接口{}次，{}", span, rejection.rule.count_max, kDetails));
}

void TushareProvider::FailInside(const Call& call, Response& response) const {
  Fault(response, call, -2001, "系统内部错误，请稍后重试");
}

void TushareProvider::RefuseCredentials(const Call& call, Response& response) const {
  Fault(response, call, 40101, "您的token不对，请确认。");
}

std::vector<std::string> TushareProvider::Endpoints() const { return {"POST /tushare"}; }

void TushareProvider::Answer(const Call& call, Response& response) {
  if (call.request.method != "POST") {
    response.status = 405;
    response.content_type = "text/plain";
    response.body = "POST a JSON object\n";
    return;
  }
  const auto body = ReadBody(call.request);
  if (!body) return Fault(response, call, -2001, "请求参数格式错误");
  const auto token = TextOf(*body, "token");
  if (token.empty() || token == "invalid") return RefuseCredentials(call, response);
  const auto api = TextOf(*body, "api_name");
  const auto* given = body->Find("params");
  const Value params = given && given->AsObject() ? *given : Value(Value::Object{});
  const auto fields = TextOf(*body, "fields");
  if (api == "daily") return AnswerDaily(call, params, fields, response);
  if (api == "stock_basic") return AnswerStocks(call, params, fields, response);
  if (api == "trade_cal") return AnswerCalendar(call, params, fields, response);
  if (api == "fina_indicator") {
    return Fault(response, call, 40203, fmt::format("抱歉，您没有接口访问权限，{}", kDetails));
  }
  Fault(response, call, -2001, "请指定正确的接口名");
}

void TushareProvider::AnswerDaily(const Call& call, const Value& params, const std::string& fields,
                                  Response& response) const {
  auto table = Table::For(kDailyColumns, fields);
  if (!table) return Fault(response, call, -2001, "参数错误：fields");
  const auto last_day = LastTradingDay(call.world_now);
  Day first = first_day_;
  Day last = last_day.value_or(first_day_ - std::chrono::days(1));
  const auto narrow = [&](std::string_view name, bool lower, bool upper) {
    const auto text = TextOf(params, name);
    if (text.empty()) return true;
    const auto day = ParseDay(text);
    if (day && lower) first = std::max(first, *day);
    if (day && upper) last = std::min(last, *day);
    return day.has_value();
  };
  if (!narrow("trade_date", true, true) || !narrow("start_date", true, false) ||
      !narrow("end_date", false, true)) {
    return Fault(response, call, -2001, "参数错误：日期格式应为YYYYMMDD");
  }
  std::vector<std::int64_t> stocks;
  const auto codes = TextOf(params, "ts_code");
  for (std::int64_t stock = 0; stock < stocks_; ++stock) {
    if (codes.empty() ||
        fmt::format(",{},", codes).find(fmt::format(",{},", CodeOf(stock))) != std::string::npos) {
      stocks.push_back(stock);
    }
  }

  const auto count = static_cast<std::int64_t>(stocks.size());
  const auto total = count * CountTradingDays(first, last);
  const auto offset = std::max<std::int64_t>(0, ParseInteger(TextOf(params, "offset")).value_or(0));
  auto limit = ParseInteger(TextOf(params, "limit")).value_or(kDailyRowsMax);
  limit = limit <= 0 ? kDailyRowsMax : std::min(limit, kDailyRowsMax);  // cut without a word
  const auto& troubles = call.troubles;
  auto from = std::clamp<std::int64_t>(offset + (offset > 0 ? troubles.drift : 0), 0, total);
  if (troubles.repeat_page && from >= limit) from -= limit;
  const auto to = troubles.empty_page ? from : std::min(from + limit, total);

  if (from < to) {
    const auto spoiled =
        static_cast<std::int64_t>(troubles.defect_at % static_cast<std::size_t>(to - from));
    Day day = IsTradingDay(last) ? last : PreviousTradingDay(last);  // newest first
    for (auto skip = from / count; skip > 0; --skip) day = PreviousTradingDay(day);
    auto column = from % count;
    for (auto row = from; row < to; ++row) {
      table->Add(ColumnsOf(RowAt(stocks[static_cast<std::size_t>(column)], day, call.world_now)));
      if (row - from == spoiled) table->SpoilLastRow(troubles.defect);
      if (++column == count) {
        column = 0;
        day = PreviousTradingDay(day);
      }
    }
  }
  table->Finish(call, offset + limit < total && !troubles.drop_next, response);
}

void TushareProvider::AnswerStocks(const Call& call, const Value& params, const std::string& fields,
                                   Response& response) const {
  auto table = Table::For(kStockColumns, fields);
  if (!table) return Fault(response, call, -2001, "参数错误：fields");
  const auto offset = std::max<std::int64_t>(0, ParseInteger(TextOf(params, "offset")).value_or(0));
  auto limit = ParseInteger(TextOf(params, "limit")).value_or(kStockRowsMax);
  limit = limit <= 0 ? kStockRowsMax : std::min(limit, kStockRowsMax);
  for (auto stock = offset; stock < std::min(stocks_, offset + limit); ++stock) {
    const auto code = CodeOf(stock);
    table->Add({code, code.substr(0, 6), fmt::format("模拟股份{}", stock), "深圳", "软件服务",
                "主板", DateOf(first_day_)});
  }
  table->Finish(call, offset + limit < stocks_, response);
}

void TushareProvider::AnswerCalendar(const Call& call, const Value& params,
                                     const std::string& fields, Response& response) const {
  constexpr std::int64_t kDaysMax = 4'000;
  auto table = Table::For(kCalendarColumns, fields);
  if (!table) return Fault(response, call, -2001, "参数错误：fields");
  const Day today = std::chrono::floor<std::chrono::days>(call.world_now);
  const auto first = ParseDay(TextOf(params, "start_date")).value_or(first_day_);
  auto day = ParseDay(TextOf(params, "end_date")).value_or(today);
  for (std::int64_t rows = 0; day >= first && rows < kDaysMax;
       ++rows, day -= std::chrono::days(1)) {
    table->Add({"SSE", DateOf(day), IsTradingDay(day) ? 1 : 0, DateOf(PreviousTradingDay(day))});
  }
  table->Finish(call, day >= first, response);
}

// The rows of `daily`, oldest day first. Its window counts trading days.
class TushareProvider::DailyTruth final : public TruthWalk {
 public:
  DailyTruth(const TushareProvider& provider, Day first, Day last, Instant now)
      : provider_(provider), day_(first), last_(last), now_(now) {}

  std::optional<TruthEntry> Next() override {
    while (day_ <= last_ && !IsTradingDay(day_)) day_ += std::chrono::days(1);
    if (day_ > last_) return std::nullopt;
    const auto row = provider_.RowAt(stock_, day_, now_);
    if (++stock_ == provider_.stocks_) {
      stock_ = 0;
      day_ += std::chrono::days(1);
    }
    return TruthEntry{.id = IdOf(row),
                      .version = row.version,
                      .updated = row.day,
                      .hash = Sha256Hex(CanonicalJson(provider_.MappedFields(row)))};
  }

 private:
  const TushareProvider& provider_;
  Day day_;
  Day last_;
  Instant now_;
  std::int64_t stock_ = 0;
};

std::unique_ptr<TruthWalk> TushareProvider::Truth(std::string_view variant, Instant from,
                                                  Instant to, Instant now) const {
  if (!variant.empty() && variant != "daily") return nullptr;
  const Day first = std::max(first_day_, std::chrono::ceil<std::chrono::days>(from));
  const Day last_asked = std::chrono::ceil<std::chrono::days>(to) - std::chrono::days(1);
  const auto last = LastTradingDay(now);
  return std::make_unique<DailyTruth>(
      *this, first, last ? std::min(*last, last_asked) : first - std::chrono::days(1), now);
}

}  // namespace patra::sim
