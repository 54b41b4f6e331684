#include "domain/word/price_tag.h"

#include "base/duration.h"

namespace patra::domain {

Value PriceTag::ToValue() const {
  const auto or_null = [](const auto& value) { return value ? Value(*value) : Value(); };
  return Value::Object{{"slices", slices},
                       {"expectedRequests", requests},
                       {"requestsAreLeast", requests_are_least},
                       {"records", or_null(records)},
                       {"bytes", or_null(bytes)},
                       {"quotaPart", or_null(quota_part)},
                       {"takes", takes ? Value(FormatIsoDuration(*takes)) : Value()},
                       {"ratePerSecond", or_null(rate_per_second)},
                       {"basis", basis}};
}

}  // namespace patra::domain
