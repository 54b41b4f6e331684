#include "adapter/rest/routes.h"

namespace patra::adapter::rest {

std::vector<Route> AllRoutes() {
  std::vector<Route> all;
  for (auto* family : {LedgerRoutes, ItemRoutes, SourceRoutes, WorkRoutes, RegistryRoutes,
                       TroubleRoutes, ScheduleRoutes, DashboardRoutes, ServiceRoutes}) {
    for (auto& route : family()) all.push_back(std::move(route));
  }
  return all;
}

}  // namespace patra::adapter::rest
