#include "app/execute/tell_failure.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace patra::app {

void TellFailure(Log& log, const FetchScope& scope, const NoPage& none, int batch_no) {
  const bool is_fatal = none.kind == NoPage::Kind::kFatal;
  if (!is_fatal && none.kind != NoPage::Kind::kWrong) return;
  const auto level = is_fatal ? domain::ErrorLevel::kL4 : domain::ErrorLevel::kL2;
  Value::Object details{{"level", std::string(Code(level))},
                        {"batchNo", std::int64_t{batch_no}},
                        {"field", none.wrong_parameter},
                        {"reason", none.reason}};
  if (!none.body.empty()) {
    details["answerHash"] = fmt::format("sha256:{}", Sha256Hex(none.body));
    details["answerBytes"] = std::ssize(none.body);
  }
  log.Write(is_fatal ? LogLevel::kError : LogLevel::kWarn, "request.failed", scope.lineage,
            details);
}

}  // namespace patra::app
