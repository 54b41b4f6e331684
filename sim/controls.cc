#include "sim/controls.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "sim/text_format.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

// Truth of tens of millions of items leaves piece by piece.
class TruthLines final : public BodySource {
 public:
  explicit TruthLines(std::unique_ptr<TruthWalk> walk) : walk_(std::move(walk)) {}

  bool Next(std::string& piece) override {
    constexpr std::size_t kPieceBytes = 128u << 10;
    while (piece.size() < kPieceBytes) {
      const auto entry = walk_->Next();
      if (!entry) return false;
      AppendTruthLine(*entry, piece);
    }
    return true;
  }

 private:
  std::unique_ptr<TruthWalk> walk_;
};

Result<Instant> ReadMoment(const Parameters& parameters, std::string_view name, Instant otherwise) {
  const auto* text = parameters.Find(name);
  if (!text || text->empty()) return otherwise;
  const auto period = ParsePeriod(*text);
  if (!period) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("{}: '{}' is no date", name, *text), {},
                "write 2026-01-01 or 2026-01-01T00:00:00Z");
  }
  return period->first;
}

void Print(const Value& value, Response& response) {
  response.content_type = "application/json";
  response.body = PrintJson(value, 2) + "\n";
}

Result<Value> ReadBody(const Request& request) {
  auto body = ParseJson(request.body);
  if (!body) return std::unexpected(std::move(body).error().While("reading the request body"));
  return body;
}

}  // namespace

void Controls::Answer(const Request& request, Response& response) {
  Result<void> answered;
  if (request.path == "/__sim" || request.path == "/__sim/") {
    AnswerInfo(response);
  } else if (request.path == "/__sim/truth") {
    answered = AnswerTruth(request, response);
  } else if (request.path == "/__sim/clock") {
    answered = AnswerClock(request, response);
  } else if (request.path == "/__sim/limits") {
    answered = AnswerLimits(request, response);
  } else if (request.path == "/__sim/faults") {
    answered = AnswerFaults(request, response);
  } else if (request.path == "/__sim/stats") {
    answered = AnswerStats(request, response);
  } else {
    answered = Fail(ErrorCode::kNotFound, "no such control", {}, "GET /__sim lists what there is");
  }
  if (answered) return;
  response.Reset();
  response.status = answered.error().code == ErrorCode::kNotFound ? 404 : 400;
  Print(Value::Object{{"error", answered.error().Describe()}}, response);
}

void Controls::AnswerInfo(Response& response) const {
  Value::Array endpoints;
  for (auto& line : target_.Endpoints()) endpoints.emplace_back(std::move(line));
  Value::Array controls;
  for (const auto* line :
       {"GET /__sim/truth?source=rest&from=&to=", "GET|POST /__sim/clock", "GET|POST /__sim/limits",
        "GET|POST|DELETE /__sim/faults", "GET|DELETE /__sim/stats"}) {
    controls.emplace_back(line);
  }
  Print(Value::Object{{"url", target_.url()},
                      {"now", PrintSeconds(target_.WorldNow())},
                      {"endpoints", std::move(endpoints)},
                      {"controls", std::move(controls)}},
        response);
}

Result<void> Controls::AnswerTruth(const Request& request, Response& response) const {
  const auto from = PATRA_TRY(ReadMoment(request.parameters, "from", kWindowMin));
  const auto to = PATRA_TRY(ReadMoment(request.parameters, "to", kWindowMax));
  auto walk = PATRA_TRY(target_.Truth(request.parameters.Get("source", "rest"), from, to));
  response.content_type = "application/x-ndjson";
  response.source = std::make_shared<TruthLines>(std::move(walk));
  return {};
}

Result<void> Controls::AnswerClock(const Request& request, Response& response) {
  if (request.method == "POST") {
    const auto body = PATRA_TRY(ReadBody(request));
    const auto* advance = body.Find("advance");
    const auto* now = body.Find("now");
    if (advance && advance->AsString()) {
      const auto duration = PATRA_TRY(ParseDuration(*advance->AsString()));
      if (duration < Duration::zero()) {
        return Fail(ErrorCode::kInvalidInput, "the world cannot go back");
      }
      target_.Advance(duration);
    } else if (now && now->AsString()) {
      const auto period = ParsePeriod(*now->AsString());
      if (!period || period->first < target_.WorldNow()) {
        return Fail(ErrorCode::kInvalidInput, "'now' must be a date that is not in the past");
      }
      target_.Advance(period->first - target_.WorldNow());
    } else {
      return Fail(ErrorCode::kInvalidInput, "neither 'advance' nor 'now'", {},
                  R"(send {"advance":"36h"} or {"now":"2026-02-01T00:00:00Z"})");
    }
  }
  Print(Value::Object{{"now", PrintSeconds(target_.WorldNow())}}, response);
  return {};
}

Result<void> Controls::AnswerLimits(const Request& request, Response& response) {
  if (request.method == "POST") {
    const auto body = PATRA_TRY(ReadBody(request));
    const auto* source = body.Find("source");
    const auto* rules = body.Find("rules");
    if (!source || !source->AsString() || !rules) {
      return Fail(ErrorCode::kInvalidInput, "'source' or 'rules' is missing", {},
                  R"(send {"source":"rest","rules":[{"kind":"sliding","count":3,"window":"1s"}]})");
    }
    if (auto set = target_.SetLimits(*source->AsString(), *rules); !set) return set;
  }
  Print(target_.Limits(), response);
  return {};
}

Result<void> Controls::AnswerFaults(const Request& request, Response& response) {
  if (request.method == "POST") {
    const auto body = PATRA_TRY(ReadBody(request));
    if (auto set = target_.SetFaults(body); !set) return set;
  } else if (request.method == "DELETE") {
    if (auto set = target_.SetFaults({}); !set) return set;
  }
  Print(target_.Faults(), response);
  return {};
}

Result<void> Controls::AnswerStats(const Request& request, Response& response) {
  if (request.method == "DELETE") target_.ClearStats();
  Print(target_.Stats(), response);
  return {};
}

}  // namespace patra::sim
