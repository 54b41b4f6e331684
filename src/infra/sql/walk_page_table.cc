#include "infra/sql/walk_page_table.h"

#include <fmt/format.h>

namespace patra::infra::sql::walk_page_table {
namespace {

constexpr std::size_t kBytesPerId = sizeof(std::uint64_t);

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_walk_page (slice_id, page_no, ids) VALUES (:slice_id, :page_no, :ids))sql";

constexpr std::string_view kRead = R"sql(
    SELECT ids FROM ing_walk_page WHERE slice_id = :slice_id ORDER BY page_no LIMIT 1000000)sql";

constexpr std::string_view kForget = "DELETE FROM ing_walk_page WHERE slice_id = :slice_id";

// Least significant byte first, whatever the machine.
std::string Encode(std::span<const std::uint64_t> ids) {
  std::string bytes;
  bytes.reserve(ids.size() * kBytesPerId);
  for (auto id : ids) {
    for (std::size_t i = 0; i < kBytesPerId; ++i, id >>= 8) bytes += static_cast<char>(id & 0xFF);
  }
  return bytes;
}

domain::PageIds Decode(std::string_view bytes) {
  domain::PageIds ids(bytes.size() / kBytesPerId);
  for (std::size_t i = 0; i < ids.size() * kBytesPerId; ++i) {
    const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
    ids[i / kBytesPerId] |= byte << (8 * (i % kBytesPerId));
  }
  return ids;
}

}  // namespace

Result<void> Insert(Session& session, Id slice, std::int64_t page_no,
                    std::span<const std::uint64_t> ids) {
  const auto bytes = Encode(ids);
  PATRA_TRY(
      session.Run(kInsert, {{"slice_id", slice}, {"page_no", page_no}, {"ids", Blob{bytes}}}));
  return {};
}

Result<std::vector<domain::PageIds>> Read(Session& session, Id slice) {
  std::vector<domain::PageIds> pages;
  auto rows = PATRA_TRY(session.Query(kRead, {{"slice_id", slice}}));
  while (PATRA_TRY(rows.Next())) {
    if (rows.View("ids").size() % kBytesPerId != 0)
      return Fail(ErrorCode::kCorruption,
                  fmt::format("page {} of the walk of slice {} is cut", pages.size() + 1, slice));
    pages.push_back(Decode(rows.View("ids")));
  }
  return pages;
}

Result<void> Forget(Session& session, Id slice) {
  PATRA_TRY(session.Run(kForget, {{"slice_id", slice}}));
  return {};
}

}  // namespace patra::infra::sql::walk_page_table
