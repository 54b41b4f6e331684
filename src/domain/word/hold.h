// What keeps work of a source back: a pause that a person asked for, or a fuse that blew.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

enum class Role { kPlanner, kExecutor };

std::string_view Code(Role role);

// The whole source where the endpoint is kEveryEndpoint.
inline constexpr std::string_view kEveryEndpoint = "*";

struct Hold {
  std::string provenance;
  std::string endpoint{kEveryEndpoint};
  std::string reason;
  std::optional<Instant> until;  // none: until somebody lifts it
  bool is_fuse = false;
  std::optional<Role> only{};  // a pause of one role; none: of both
  std::optional<Instant> since{};
  bool is_by_healing = false;  // a pause that no person asked for

  bool Covers(std::string_view source, std::string_view endpoint_name) const {
    return provenance == source && (endpoint == kEveryEndpoint || endpoint == endpoint_name);
  }

  // For people: what is held, why, since when and until when; and the step that ends it.
  std::string Describe() const;
  std::string Release() const;

  friend bool operator==(const Hold&, const Hold&) = default;
};

// A fuse that blew, and what became of it.
struct Fuse {
  Id id = 0;
  std::string provenance;
  std::string endpoint;
  std::string reason;
  std::string evidence = "{}";  // JSON: what it blew over
  Instant blown_at;
  std::optional<Instant> reset_at{};  // none: it stands
  std::string reset_by{};
  std::string reset_reason{};  // what was done about it
};

// Empty texts stand for any.
struct FuseFilter {
  std::string source{};
  std::string endpoint{};
  bool with_reset = false;
  int fuses_max = 1'000;
};

}  // namespace patra::domain
