// The simulator's request parser, and what is read from a request after it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/http_message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace patra::sim;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const HttpLimits limits;
  auto request = ParseRequestHead(text, limits);
  if (!request) return 0;
  PATRA_ASSERT(request->target.empty() == false);
  PATRA_ASSERT(request->headers.size() <= limits.headers_max);
  PATRA_ASSERT(request->parameters.all().size() <= limits.parameters_max);
  const auto body = BodyBytes(*request, limits);
  PATRA_ASSERT(!body || *body <= limits.body_bytes_max);
  request->body = request->query;
  request->FormParameters(limits.parameters_max);
  PATRA_ASSERT(PercentDecode(PercentEncode(text), true) == text);
  return 0;
}
