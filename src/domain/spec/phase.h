#pragma once

namespace patra::domain {

// Which of the two phases a request belongs to: SEARCH, or the details of what it found.
enum class Phase { kSearch, kDetail };

}  // namespace patra::domain
