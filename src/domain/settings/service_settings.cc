#include "domain/settings/service_settings.h"

#include "base/close_match.h"
#include "base/comma_list.h"
#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

constexpr std::int64_t kConcurrencyMost = 64;

struct AllowedLengths {
  Duration least;
  Duration most;
};
constexpr AllowedLengths kStopWithin{std::chrono::seconds(1), std::chrono::hours(1)};
constexpr AllowedLengths kExecutionsFailAfter{std::chrono::minutes(1), std::chrono::days(1)};

const std::vector<SettingRow<ServiceSettings>>& ServiceTable() {
  using S = ServiceSettings;
  static const std::vector<SettingRow<S>> table{
      {.name = "roles",
       .field = [](S& s) -> std::string& { return s.roles; },
       .doc = "what this process does for those who share the store, divided by commas: "
              "scheduler, planner, executor, api"},
      {.name = "listen",
       .field = [](S& s) -> std::string& { return s.listen; },
       .doc = "where the API listens, ADDRESS:PORT; without a token only this machine may call it"},
      {.name = "read_from",
       .field = [](S& s) -> std::string& { return s.read_from; },
       .doc = "a replica of the store, mysql://USER@HOST/DATABASE, that the API reads for whoever "
              "looks; it may have a password of its own"},
      {.name = "certificate",
       .field = [](S& s) -> std::string& { return s.certificate; },
       .doc =
           "the API's certificate and those that vouch for it, a PEM file; with it, the API speaks "
           "TLS alone"},
      {.name = "key",
       .field = [](S& s) -> std::string& { return s.key; },
       .doc = "the key of that certificate, a PEM file that others cannot read"},
      {.name = "hosts",
       .field = [](S& s) -> std::string& { return s.hosts; },
       .doc = "names by which the API is called, beside localhost, divided by commas"},
      {.name = "origins",
       .field = [](S& s) -> std::string& { return s.origins; },
       .doc = "pages of other sites that may call the API, such as https://ops.example.org, "
              "divided by "
              "commas"},
      {.name = "concurrency",
       .field = [](S& s) -> std::int64_t& { return s.concurrency; },
       .doc = "how many tasks the executor runs at the same time",
       .least = 1,
       .most = kConcurrencyMost},
      {.name = "stop_within",
       .field = [](S& s) -> Duration& { return s.stop_within; },
       .doc = "how long work that is under way may take to end, once the service is told to stop; "
              "what has not ended by then is left to other executors, or to the next start"},
      {.name = "executions_fail_after",
       .field = [](S& s) -> Duration& { return s.executions_fail_after; },
       .doc = "how long nobody works at what a job started before that execution has failed"}};
  return table;
}

// What is out of bounds is a problem, and as usual.
void KeepWithin(const AllowedLengths& bounds, const std::string& name,
                Duration ServiceSettings::* setting, const DefinitionNode& checked,
                ServiceSettings& settings, std::vector<Error>& problems) {
  const auto given = settings.*setting;
  if (given >= bounds.least && given <= bounds.most) return;
  problems.push_back(
      {ErrorCode::kInvalidInput, fmt::format("{} cannot be {}", name, FormatDuration(given)),
       checked.At("service." + name)->place,
       fmt::format("{} to {}", FormatDuration(bounds.least), FormatDuration(bounds.most))});
  settings.*setting = ServiceSettings().*setting;
}

}  // namespace

Result<std::set<ServiceRole>> ServiceRolesOf(const std::string& list) {
  std::set<ServiceRole> roles;
  for (const auto& name : CommaList(list)) {
    const auto role = FindCode<ServiceRole>(name);
    if (!role)
      return Fail(
          ErrorCode::kInvalidInput, fmt::format("a service has no role \"{}\"", name), {},
          DidYouMean(name, LowerCodes<ServiceRole>(),
                     fmt::format("one or more of {}", fmt::join(LowerCodes<ServiceRole>(), ", "))));
    roles.insert(*role);
  }
  if (roles.empty())
    return Fail(ErrorCode::kInvalidInput, "a service without a role does nothing", {},
                fmt::format("one or more of {}", fmt::join(LowerCodes<ServiceRole>(), ", ")));
  return roles;
}

Shape ServiceShape() { return ShapeOf(ServiceTable()); }

ServiceSettings ReadServiceSettings(const DefinitionNode& checked, std::vector<Error>& problems) {
  auto settings = ReadSection(checked, "service", ServiceTable(), problems);
  if (const auto roles = ServiceRolesOf(settings.roles); !roles) {
    problems.push_back(Error(roles.error()).At(checked.At("service.roles")->place));
    settings.roles = ServiceSettings().roles;
  }
  KeepWithin(kStopWithin, "stop_within", &ServiceSettings::stop_within, checked, settings,
             problems);
  KeepWithin(kExecutionsFailAfter, "executions_fail_after", &ServiceSettings::executions_fail_after,
             checked, settings, problems);
  return settings;
}

std::vector<Setting> ShowServiceSettings(const ServiceSettings& settings) {
  return ShowSection(ServiceTable(), settings);
}

}  // namespace patra::domain
