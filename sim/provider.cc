#include "sim/provider.h"

namespace patra::sim {

void Provider::RefuseCredentials(const Call&, Response& response) const {
  response.status = 401;
  response.SetHeader("www-authenticate", "Bearer error=\"invalid_token\"");
  response.body = R"({"error":"unauthorized","message":"The access token expired"})";
}

}  // namespace patra::sim
