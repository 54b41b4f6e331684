#include "infra/log/worded_log.h"

namespace patra::infra::log {

void WordedLog::Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
                      const Value::Object& details) {
  Value::Object worded;
  for (const auto& [name, value] : details) worded.emplace(name, Worded(value));
  log_->Write(level, event, lineage, worded);
}

// What lies deeper is an evidence of the provider's, and none of our texts.
Value WordedLog::Worded(const Value& value) const {
  if (const auto* text = value.AsString()) return wording_(*text);
  if (const auto* items = value.AsArray()) {
    Value::Array worded;
    for (const auto& item : *items)
      worded.push_back(item.AsString() != nullptr ? Value(wording_(*item.AsString())) : item);
    return worded;
  }
  return value;
}

}  // namespace patra::infra::log
