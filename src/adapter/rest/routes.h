// The whole table, family by family.
#pragma once

#include <vector>

#include "adapter/rest/route.h"

namespace patra::adapter::rest {

std::vector<Route> AllRoutes();

std::vector<Route> LedgerRoutes();
std::vector<Route> ItemRoutes();
std::vector<Route> SourceRoutes();
std::vector<Route> WorkRoutes();
std::vector<Route> RegistryRoutes();
std::vector<Route> TroubleRoutes();
std::vector<Route> ScheduleRoutes();
std::vector<Route> DashboardRoutes();
std::vector<Route> ServiceRoutes();

}  // namespace patra::adapter::rest
