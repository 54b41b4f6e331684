#include "app/desk/desk_ports.h"
#include "app/source/resolve_source.h"
#include "app/verify/verify_completeness.h"
#include "base/moment.h"

namespace patra::app {
namespace {

class StoreVerification final : public Verification {
 public:
  StoreVerification(contract::CompletenessQueries& queries, Clock& clock)
      : verify_(queries, clock), clock_(clock) {}

  Result<std::vector<contract::Certificate>> Certify(const VerifyRequest& request) override {
    return verify_.Run(PATRA_TRY(CommandOf(request)));
  }

  Result<ProofByDay> Days(const VerifyRequest& request, const std::optional<Instant>& first,
                          int days_max) override {
    auto page = PATRA_TRY(verify_.Days(PATRA_TRY(CommandOf(request)), first, days_max));
    return ProofByDay{.days = std::move(page.days), .next = page.next};
  }

 private:
  Result<VerifyCommand> CommandOf(const VerifyRequest& request) const {
    const auto target = domain::TargetOf(request.target);
    VerifyCommand command{.source = target.source,
                          .endpoint = target.endpoint.value_or(""),
                          .from = {},
                          .to = {},
                          .days_max = request.days_max};
    const auto now = clock_.Now();
    if (request.from) command.from = PATRA_TRY(ParseMoment(*request.from, now));
    if (request.to) command.to = PATRA_TRY(ParseMoment(*request.to, now));
    return command;
  }

  VerifyCompleteness verify_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<Verification> MakeVerification(contract::CompletenessQueries& queries,
                                               Clock& clock) {
  return std::make_unique<StoreVerification>(queries, clock);
}

}  // namespace patra::app
