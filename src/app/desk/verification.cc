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
    const auto target = domain::TargetOf(request.target);
    VerifyCommand command{.source = target.source, .endpoint = target.endpoint.value_or("")};
    const auto now = clock_.Now();
    if (request.from) command.from = PATRA_TRY(ParseMoment(*request.from, now));
    if (request.to) command.to = PATRA_TRY(ParseMoment(*request.to, now));
    return verify_.Run(command);
  }

 private:
  VerifyCompleteness verify_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<Verification> MakeVerification(contract::CompletenessQueries& queries,
                                               Clock& clock) {
  return std::make_unique<StoreVerification>(queries, clock);
}

}  // namespace patra::app
