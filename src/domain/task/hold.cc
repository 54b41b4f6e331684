#include "domain/task/hold.h"

namespace patra::domain {

std::string_view Code(Role role) { return role == Role::kPlanner ? "PLANNER" : "EXECUTOR"; }

}  // namespace patra::domain
