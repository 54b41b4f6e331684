#include "domain/word/hold.h"

#include <fmt/format.h>

#include "domain/word/step.h"

namespace patra::domain {
namespace {

std::string NameOf(const Hold& hold) {
  return hold.endpoint == kEveryEndpoint ? hold.provenance : hold.provenance + "/" + hold.endpoint;
}

}  // namespace

std::string_view Code(Role role) { return role == Role::kPlanner ? "PLANNER" : "EXECUTOR"; }

std::string Hold::Describe() const {
  auto text = fmt::format("{} is {}", NameOf(*this), is_fuse ? "stopped" : "paused");
  if (since) text += " since " + FormatRfc3339(*since);
  if (until) text += " until " + FormatRfc3339(*until);
  return fmt::format("{}: {}", text, reason);
}

std::string Hold::Release() const {
  return is_fuse ? NextStep("fuse.reset", {NameOf(*this)})
                 : NextStep("source.resume", {NameOf(*this)});
}

}  // namespace patra::domain
