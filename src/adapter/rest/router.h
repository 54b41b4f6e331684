// Finds the row of a request, and reads its arguments by what the row says.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "adapter/rest/route.h"
#include "adapter/rest/target.h"

namespace patra::adapter::rest {

// Immutable, so that threads share it.
class Router {
 public:
  explicit Router(std::vector<Route> routes);

  const std::vector<Route>& routes() const { return routes_; }

  struct Found {
    const Route* route = nullptr;      // none: another method, or no such path
    std::vector<std::string> allowed;  // methods of the path; none: there is no such path
  };
  Found Find(std::string_view method, const std::vector<std::string>& path) const;

  // Of path and query, with what is taken where nothing is given.
  static Result<Fields> Arguments(const Route& route, const Target& target);

 private:
  std::vector<Route> routes_;
  std::vector<std::vector<std::string>> pieces_;  // of each route's path
};

}  // namespace patra::adapter::rest
