#include "sim/fault_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/http_date.h"
#include "base/random.h"
#include "sim/bombs.h"

namespace patra::sim {
namespace {

// What the answer says that it is.
Instant DateOf(const Response& response) {
  const auto real = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  for (const auto& [name, text] : response.headers) {
    if (EqualIgnoringCase(name, "date")) return ParseHttpDate(text, real).value_or(real);
  }
  return real;
}

std::int64_t AmountOr(const FaultSpec& spec, std::int64_t otherwise) {
  return spec.amount != 0 ? spec.amount : otherwise;
}

RecordDefect DefectOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kMissingId:
      return RecordDefect::kMissingId;
    case FaultKind::kUnparsableDate:
      return RecordDefect::kUnparsableDate;
    case FaultKind::kFutureDate:
      return RecordDefect::kFutureDate;
    case FaultKind::kMissingField:
      return RecordDefect::kMissingField;
    case FaultKind::kTypeChange:
      return RecordDefect::kTypeChange;
    case FaultKind::kSchemaChange:
      return RecordDefect::kSchemaChange;
    case FaultKind::kHugeInteger:
      return RecordDefect::kHugeInteger;
    case FaultKind::kInvalidUtf8:
      return RecordDefect::kInvalidUtf8;
    default:
      return RecordDefect::kNone;
  }
}

// An empty `retry_after` leaves what is there.
void SetRetryAfter(const FaultSpec& spec, Response& response) {
  if (spec.retry_after.empty()) return;
  std::erase_if(response.headers, [](const NameAndText& header) {
    return EqualIgnoringCase(header.first, "retry-after");
  });
  if (spec.retry_after == "none") return;
  if (spec.retry_after == "date") {
    const auto wait = std::chrono::seconds(AmountOr(spec, 2));
    response.SetHeader("retry-after", FormatHttpDate(DateOf(response) + wait));
    return;
  }
  response.SetHeader("retry-after", spec.retry_after);
}

// In the provider's own words, whatever its limits are.
void RejectAsProvider(const FaultSpec& spec, const Provider& provider, const Call& call,
                      Response& response) {
  const auto rules = provider.DefaultLimits();
  Rejection rejection;
  rejection.rule = rules.empty() ? LimitRule{.count_max = 1} : rules.front();
  rejection.count = rejection.rule.count_max + 1;
  rejection.retry_after = std::chrono::seconds(2);
  const auto date = DateOf(response);
  provider.Reject(call, rejection, response);
  response.SetHeader("date",
                     FormatHttpDate(date));  // also where the provider writes its own headers
  SetRetryAfter(spec, response);
}

void AnswerWithStatus(int status, Response& response) {
  response.status = status;
  response.content_type = "text/html";
  response.body = fmt::format(
      "<html>\n<head><title>{0} {1}</title></head>\n<body>\n<center><h1>{0} "
      "{1}</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n",
      status, ReasonOf(status));
}

void Redirect(std::string location, Response& response) {
  AnswerWithStatus(302, response);
  response.SetHeader("location", std::move(location));
}

Duration DrawDelay(const Strike& strike) {
  const auto& spec = strike.spec;
  SeededRandom random(strike.seed);
  const auto cap = spec.delay_max > Duration::zero() ? spec.delay_max : spec.delay * 20;
  if (spec.distribution == "uniform" && spec.delay_max > spec.delay) {
    return Duration(random.Between(spec.delay.count(), spec.delay_max.count()));
  }
  if (spec.distribution == "exponential") {
    const auto mean = static_cast<double>(spec.delay.count());
    const auto drawn = -mean * std::log(1.0 - random.Fraction());
    return std::min(cap, Duration(static_cast<Duration::rep>(drawn)));
  }
  return spec.delay;
}

// What Latin-1 cannot say becomes a question mark.
std::string ToLatin1(std::string_view utf8) {
  std::string latin;
  latin.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x80) {
      latin += utf8[i];
    } else if ((byte & 0xC0) == 0xC0) {
      const auto next = i + 1 < utf8.size() ? static_cast<unsigned char>(utf8[i + 1]) : 0u;
      const bool fits = byte == 0xC2 || byte == 0xC3;
      latin += fits ? static_cast<char>((byte & 0x03u) << 6 | (next & 0x3Fu)) : '?';
    }
  }
  return latin;
}

void Spoil(const Strike& strike, Response& response) {
  const auto& spec = strike.spec;
  auto& delivery = response.delivery;
  const auto half = response.body.size() / 2;
  switch (spec.kind) {
    case FaultKind::kLatency:
      delivery.delay += DrawDelay(strike);
      return;
    case FaultKind::kResetBeforeHead:
      delivery.reset_before_head = true;
      return;
    case FaultKind::kResetMidBody:
      delivery.cut_after = half;
      delivery.end = Delivery::End::kReset;
      return;
    case FaultKind::kTruncated:
      delivery.cut_after = half;
      delivery.end = Delivery::End::kClose;
      return;
    case FaultKind::kTruncatedSilently:
      response.body.resize(half);
      return;
    case FaultKind::kWrongLength: {
      const auto declared = static_cast<std::int64_t>(response.body.size()) + AmountOr(spec, 1'000);
      delivery.framing = Delivery::Framing::kContentLength;
      delivery.declared_bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, declared));
      delivery.end = Delivery::End::kClose;
      return;
    }
    case FaultKind::kSlowDrip:
      delivery.framing = Delivery::Framing::kContentLength;
      delivery.drip_bytes = static_cast<std::size_t>(std::max<std::int64_t>(1, AmountOr(spec, 16)));
      delivery.drip_pause = spec.delay;
      return;
    case FaultKind::kWrongCharset: {
      const auto type = response.content_type.substr(0, response.content_type.find(';'));
      if (spec.charset.empty()) response.body = ToLatin1(response.body);
      response.content_type =
          fmt::format("{}; charset={}", type, spec.charset.empty() ? "utf-8" : spec.charset);
      return;
    }
    case FaultKind::kHugeHeaders: {
      const auto kilobytes = std::clamp<std::int64_t>(AmountOr(spec, 256), 1, 16'384);
      for (std::int64_t i = 0; i < kilobytes; ++i) {
        response.headers.emplace_back(fmt::format("x-filler-{}", i), std::string(1'000, 'x'));
      }
      return;
    }
    case FaultKind::kClockSkew: {
      const auto skew = std::chrono::seconds(AmountOr(spec, 3'600));
      response.SetHeader("date", FormatHttpDate(DateOf(response) + skew));
      return;
    }
    default:
      return;
  }
}

}  // namespace

PageTroubles TroublesOf(const std::vector<Strike>& strikes) {
  PageTroubles troubles;
  for (const auto& strike : strikes) {
    const auto& spec = strike.spec;
    switch (spec.kind) {
      case FaultKind::kRepeatedPage:
        troubles.repeat_page = true;
        break;
      case FaultKind::kRepeatedToken:
        troubles.repeat_token = true;
        break;
      case FaultKind::kDeadToken:
        troubles.dead_token = true;
        break;
      case FaultKind::kMissingNext:
        troubles.drop_next = true;
        break;
      case FaultKind::kEmptyPage:
        troubles.empty_page = true;
        break;
      case FaultKind::kMovingTotal:
        troubles.total_shift += AmountOr(spec, 17);
        break;
      case FaultKind::kMissingTotal:
        troubles.drop_total = true;
        break;
      case FaultKind::kIgnoredFilter:
        troubles.ignore_filter = true;
        break;
      case FaultKind::kDrift:
        troubles.drift += AmountOr(spec, 1);
        break;
      case FaultKind::kShrink:
        troubles.drift += AmountOr(spec, 3);
        troubles.total_shift -= AmountOr(spec, 3);
        break;
      case FaultKind::kSwappedPages:
        troubles.swap_pages = true;
        break;
      case FaultKind::kShuffledItems:
        troubles.shuffle_items = true;
        break;
      case FaultKind::kDuplicateItems:
        troubles.duplicates += AmountOr(spec, 1);
        break;
      case FaultKind::kForeignNext:
        troubles.foreign_next = spec.origin;
        break;
      default:
        break;
    }
    troubles.seed ^= strike.seed;
    if (const auto defect = DefectOf(spec.kind); defect != RecordDefect::kNone) {
      troubles.defect = defect;
      troubles.defect_at = static_cast<std::size_t>(strike.seed);
    }
  }
  return troubles;
}

bool AnswerInstead(const std::vector<Strike>& strikes, const Provider& provider, const Call& call,
                   Response& response) {
  for (const auto& strike : strikes) {
    const auto& spec = strike.spec;
    switch (spec.kind) {
      case FaultKind::kTooManyRequests:
        RejectAsProvider(spec, provider, call, response);
        return true;
      case FaultKind::kServerError:
        AnswerWithStatus(spec.status == 0 ? 503 : spec.status, response);
        SetRetryAfter(spec, response);
        return true;
      case FaultKind::kErrorBody:
        provider.FailInside(call, response);
        return true;
      case FaultKind::kEmptyError:
        response.content_type = "application/json";
        response.body = R"({"total":0,"items":[],"ids":[],"error":"the backend is overloaded"})";
        return true;
      case FaultKind::kHtml:
        response.content_type = "text/html; charset=utf-8";
        response.body =
            "<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head>\n"
            "<body><form method=\"post\"><input name=\"user\"></form></body></html>\n";
        return true;
      case FaultKind::kAuthExpired:
        provider.RefuseCredentials(call, response);
        return true;
      case FaultKind::kRedirectLoop:
        Redirect(call.request.target, response);
        return true;
      case FaultKind::kForeignRedirect:
        Redirect(spec.origin + call.request.target, response);
        return true;
      case FaultKind::kGzipBomb:
        response.SetHeader("content-encoding", "gzip");
        response.body = GzipBomb(AmountOr(spec, 256));
        return true;
      case FaultKind::kDeepJson:
        response.body = DeepJson(AmountOr(spec, 100'000));
        return true;
      case FaultKind::kEntityBomb:
        response.content_type = "text/xml; charset=utf-8";
        response.body = EntityBomb();
        return true;
      default:
        break;
    }
  }
  return false;
}

void SpoilAnswer(const std::vector<Strike>& strikes, Response& response) {
  for (const auto& strike : strikes) Spoil(strike, response);
}

}  // namespace patra::sim
