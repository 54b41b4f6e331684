#include "infra/log/json_log.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "base/utf8.h"

namespace patra::infra::log {
namespace {

std::string_view NameOf(app::LogLevel level) {
  switch (level) {
    case app::LogLevel::kDebug:
      return "DEBUG";
    case app::LogLevel::kInfo:
      return "INFO";
    case app::LogLevel::kWarn:
      return "WARN";
    case app::LogLevel::kError:
      break;
  }
  return "ERROR";
}

std::string TextOf(Id id) { return id == 0 ? std::string() : fmt::format_int(id).str(); }

// Valid UTF-8 of bounded length: what providers send need be neither.
std::string Tame(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= JsonLog::kTextBytesMax) {
      out += "…";
      break;
    }
    const auto character = DecodeUtf8(text, at);
    if (character.valid()) {
      out += text.substr(at, character.length);
    } else {
      out += "\uFFFD";
    }
    at += std::max<std::size_t>(character.length, 1);
  }
  return out;
}

Value Tame(const Value& value, int depth) {
  constexpr int kDepthMax = 16;
  if (depth > kDepthMax) return "…";
  if (const auto* text = value.AsString()) return Tame(*text);
  if (const auto* items = value.AsArray()) {
    Value::Array tamed;
    for (const auto& item : *items) tamed.push_back(Tame(item, depth + 1));
    return tamed;
  }
  if (const auto* members = value.AsObject()) {
    Value::Object tamed;
    for (const auto& [name, member] : *members) tamed.emplace(Tame(name), Tame(member, depth + 1));
    return tamed;
  }
  return value;
}

}  // namespace

void JsonLog::Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
                    const Value::Object& details) {
  if (level < least_) return;
  auto line = Tame(Value(details), 0);
  line["ts"] = FormatRfc3339(clock_.Now());
  line["level"] = NameOf(level);
  line["event"] = Tame(event);
  if (const auto& lane = lineage.lane; !lane.provenance.empty()) {
    line["source"] = Tame(lane.provenance);
    line["endpoint"] = Tame(lane.endpoint);
    line["operation"] = Code(lane.operation);
  }
  line["correlation_id"] =
      lineage.correlation.empty() ? TextOf(lineage.trigger) : lineage.correlation;
  line["schedule_instance_id"] = TextOf(lineage.trigger);
  line["plan_id"] = TextOf(lineage.plan);
  line["slice_id"] = TextOf(lineage.slice);
  line["task_id"] = TextOf(lineage.task);
  line["run_id"] = TextOf(lineage.run);
  line["batch_id"] = TextOf(lineage.batch);
  sink_.Write(Spelled(PrintJson(line)));
}

}  // namespace patra::infra::log
