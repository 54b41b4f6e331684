#include "app/schedule/job_file.h"

#include <map>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/duration.h"
#include "domain/schedule/job_shape.h"

namespace patra::app {
namespace {

using domain::DefinitionNode;

constexpr std::size_t kJobsOfFileMax = 10'000;

std::optional<std::string> TextAt(const DefinitionNode& job, std::string_view key) {
  const auto* node = job.Find(key);
  return node != nullptr && node->is_scalar() ? std::optional(node->text) : std::nullopt;
}

// What a file does not say is as usual, whatever the job was before: the file is all that there is to know.
JobRequest RequestIn(const DefinitionNode& job) {
  const auto* arguments = job.Find("arguments");
  return {.id = TextAt(job, "job").value_or(""),
          .target = TextAt(job, "source"),
          .operation = TextAt(job, "operation").value_or("harvest"),
          .cron = TextAt(job, "cron"),
          .timezone = TextAt(job, "timezone").value_or("UTC"),
          .arguments = arguments == nullptr ? "{}" : CanonicalJson(arguments->ToValue()),
          .query = TextAt(job, "query").value_or(""),
          .misfire = TextAt(job, "misfire").value_or("once"),
          .jitter = TextAt(job, "jitter").value_or("0s"),
          .enabled = TextAt(job, "enabled").value_or("true") == "true",
          .reason = "as its file says"};
}

DefinitionNode NodeOf(const Value& value) {
  if (const auto* members = value.AsObject()) {
    auto map = DefinitionNode::Map();
    for (const auto& [name, member] : *members) map.Set(name, NodeOf(member));
    return map;
  }
  if (const auto* items = value.AsArray()) {
    DefinitionNode list{.kind = DefinitionNode::Kind::kList};
    for (const auto& item : *items) list.items.push_back(NodeOf(item));
    return list;
  }
  const auto* text = value.AsString();
  return DefinitionNode::Scalar(value, text == nullptr ? PrintJson(value) : *text);
}

DefinitionNode NodeOf(const domain::Job& job) {
  auto node = DefinitionNode::Map();
  const auto say = [&](const char* key, std::string text) {
    node.Set(key, DefinitionNode::Text(std::move(text)));
  };
  say("job", job.id);
  say("source", job.Target());
  if (job.operation != domain::Operation::kHarvest)
    say("operation", domain::LowerCode(domain::Code(job.operation)));
  say("cron", job.cron);
  if (job.timezone != "UTC") say("timezone", job.timezone);
  const auto arguments = ParseJson(job.params);
  const bool has_arguments =
      arguments && arguments->AsObject() != nullptr && !arguments->AsObject()->empty();
  if (has_arguments) node.Set("arguments", NodeOf(*arguments));
  if (job.query) say("query", *job.query);
  if (job.misfire != domain::Misfire::kOnce) say("misfire", domain::LowerCode(CodeOf(job.misfire)));
  if (job.jitter > Duration::zero()) say("jitter", FormatDuration(job.jitter));
  if (!job.enabled) node.Set("enabled", DefinitionNode::Scalar(false, "false"));
  return node;
}

void FindRepeated(const std::vector<WrittenJob>& jobs, std::vector<Error>& problems) {
  std::map<std::string, int> lines;
  for (const auto& job : jobs) {
    const auto [known, is_new] = lines.emplace(job.request.id, job.node.place.line);
    if (is_new) continue;
    problems.push_back({ErrorCode::kInvalidInput,
                        fmt::format("job '{}' is there twice", job.request.id), job.node.place,
                        fmt::format("it is also in line {}", known->second)});
  }
}

}  // namespace

Error WrittenJob::Placed(const JobProblem& problem) const {
  auto error = problem.error;
  if (!error.place.file.empty()) return error;
  const auto* field = node.At(problem.field);
  error.place = field == nullptr ? node.place : field->place;
  return error;
}

JobFile ReadJobFile(const DefinitionFile& file) {
  JobFile read{.problems = file.problems};
  if (!read.problems.empty()) return read;
  if (file.tree.is_null()) {
    read.problems.push_back({ErrorCode::kInvalidInput,
                             "the file says nothing",
                             {.file = file.path},
                             "it has a list of jobs under `jobs:`"});
    return read;
  }
  const auto checked = domain::CheckShape(file.tree, domain::ScheduleShape(), "", read.problems);
  const auto* jobs = checked.Find("jobs");
  if (jobs == nullptr || !read.problems.empty()) return read;
  if (jobs->items.size() > kJobsOfFileMax) {
    read.problems.push_back({ErrorCode::kLimit,
                             fmt::format("{} jobs are too many", jobs->items.size()), jobs->place,
                             fmt::format("at most {} in a file", kJobsOfFileMax)});
    return read;
  }
  for (const auto& job : jobs->items) read.jobs.push_back({RequestIn(job), job});
  FindRepeated(read.jobs, read.problems);
  return read;
}

DefinitionNode JobFileOf(std::span<const domain::Job> jobs) {
  DefinitionNode list{.kind = DefinitionNode::Kind::kList};
  for (const auto& job : jobs) list.items.push_back(NodeOf(job));
  auto file = DefinitionNode::Map();
  file.Set("jobs", std::move(list));
  return file;
}

}  // namespace patra::app
