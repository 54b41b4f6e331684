#include "base/secret_bytes.h"

#include <sys/random.h>

#include <cerrno>

namespace patra {

Result<std::string> SecretBytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t made = 0;
  while (made < count) {
    const auto got = getrandom(bytes.data() + made, count - made, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Fail(ErrorCode::kExhausted, "the system gives no random bytes");
    made += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace patra
