// TuShare Pro: POST /tushare with {"api_name","token","params","fields"}; column replies, row caps
// with has_more, errors inside HTTP 200 and two meanings of code 40203. The APIs are daily,
// stock_basic and trade_cal; fina_indicator stands for those that need more points.
#pragma once

#include "sim/provider.h"
#include "sim/world.h"

namespace patra::sim {

class TushareProvider final : public Provider {
 public:
  explicit TushareProvider(const World& world);

  std::string_view name() const override { return "tushare"; }
  void Answer(const Call& call, Response& response) override;
  Caller IdentifyCaller(const Call& call) const override;
  std::vector<LimitRule> DefaultLimits() const override;
  void Reject(const Call& call, const Rejection& rejection, Response& response) const override;
  void FailInside(const Call& call, Response& response) const override;
  void RefuseCredentials(const Call& call, Response& response) const override;
  std::unique_ptr<TruthWalk> Truth(std::string_view variant, Instant from, Instant to,
                                   Instant now) const override;
  std::vector<std::string> Endpoints() const override;

  using Day = std::chrono::sys_days;

  // One stock on one trading day. Some rows are corrected the day after.
  struct Row {
    std::int64_t stock = 0;
    Day day;
    int version = 1;
  };
  static std::string IdOf(const Row& row);  // 600001.SH:20251231
  Value MappedFields(const Row& row) const;

 private:
  class DailyTruth;
  struct Table;

  Row RowAt(std::int64_t stock, Day day, Instant now) const;
  std::optional<Day> LastTradingDay(Instant now) const;
  void AnswerDaily(const Call& call, const Value& params, const std::string& fields,
                   Response& response) const;
  void AnswerStocks(const Call& call, const Value& params, const std::string& fields,
                    Response& response) const;
  void AnswerCalendar(const Call& call, const Value& params, const std::string& fields,
                      Response& response) const;
  std::vector<Value> ColumnsOf(const Row& row) const;

  const std::uint64_t seed_;
  const Day first_day_;
  const std::int64_t stocks_;
};

}  // namespace patra::sim
