#include "app/api/names.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "base/close_match.h"
#include "domain/task/states.h"
#include "domain/word/codes.h"

namespace patra::app {
namespace {

// In the order of the moves that lead there.
template <typename Status>
std::vector<std::string> CodesOfStates() {
  std::vector<std::string> codes;
  const auto add = [&](Status status) {
    auto code = domain::LowerCode(domain::Code(status));
    if (std::ranges::find(codes, code) == codes.end()) codes.push_back(std::move(code));
  };
  for (const auto& move : domain::Transitions<Status>()) {
    add(move.from);
    add(move.to);
  }
  return codes;
}

std::vector<std::string> StatesOf(std::string_view kind) {
  if (kind == "plan") return CodesOfStates<domain::PlanStatus>();
  if (kind == "slice") return CodesOfStates<domain::SliceStatus>();
  if (kind == "task") return CodesOfStates<domain::TaskStatus>();
  if (kind == "run") return CodesOfStates<domain::RunStatus>();
  return CodesOfStates<domain::BatchStatus>();
}

class StoreNames final : public Names {
 public:
  explicit StoreNames(const DeskPorts& ports)
      : definitions_(ports), store_(ports.store), clock_(ports.clock) {}

  Result<void> CheckTarget(const std::string& source, const std::string& endpoint) override {
    if (source.empty() && endpoint.empty()) return {};
    const auto known = source.empty() ? CheckEndpoint(PATRA_TRY(definitions_.All()), endpoint)
                                      : definitions_.CheckTarget(TargetOf(source, endpoint));
    if (known || PATRA_TRY(IsInStore(source, endpoint))) return {};
    auto error = known.error();
    error.code = ErrorCode::kInvalidInput;
    return std::unexpected(std::move(error));
  }

  Result<void> CheckState(std::string_view of, const std::string& state) override {
    if (state.empty()) return {};
    const auto codes = StatesOf(of);
    if (std::ranges::find(codes, domain::LowerCode(state)) != codes.end()) return {};
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("'{}' is no state of a {}", domain::LowerCode(state), of), {},
                DidYouMean(state, codes, fmt::format("there are {}", fmt::join(codes, ", "))));
  }

 private:
  static domain::SourceTarget TargetOf(const std::string& source, const std::string& endpoint) {
    return {source, endpoint.empty() ? std::nullopt : std::optional(endpoint)};
  }

  static Result<void> CheckEndpoint(const std::vector<domain::DefinitionNode>& definitions,
                                    const std::string& endpoint) {
    std::vector<std::string> known;
    for (const auto& definition : definitions) {
      if (const auto* endpoints = definition.Find("endpoints")) {
        for (const auto& member : endpoints->members) known.push_back(member.name);
      }
    }
    if (std::ranges::find(known, endpoint) != known.end()) return {};
    return Fail(ErrorCode::kInvalidInput, fmt::format("there is no endpoint '{}'", endpoint), {},
                DidYouMean(endpoint, known, "see `‹source.list›`"));
  }

  // A definition may be gone while its records are still there.
  Result<bool> IsInStore(const std::string& source, const std::string& endpoint) {
    const auto status = PATRA_TRY(store_.read().status().Status(clock_.Now()));
    return std::ranges::any_of(status.endpoints, [&](const contract::EndpointStatus& one) {
      return (source.empty() || one.source == source) &&
             (endpoint.empty() || one.endpoint == endpoint);
    });
  }

  KnownDefinitions definitions_;
  Store& store_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<Names> MakeNames(const DeskPorts& ports) {
  return std::make_unique<StoreNames>(ports);
}

}  // namespace patra::app
