#include "infra/sqlite/raw_page_table.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "infra/sqlite/zstd_frame.h"

namespace patra::infra::sqlite::raw_page_table {
namespace {

constexpr std::size_t kBodyBytesMax = std::size_t{1} << 30;

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_raw_page (batch_id, content_type, body_size, body_sha256, body_zstd, fetched_at)
    VALUES (:batch_id, :content_type, :body_size, :body_sha256, :body_zstd, :fetched_at))sql";

constexpr std::string_view kRead = R"sql(
    SELECT content_type, body_sha256, body_zstd, fetched_at FROM ing_raw_page
    WHERE batch_id = :batch_id LIMIT 1)sql";

}  // namespace

Packed Pack(const app::RawPage& page) {
  return {.page = page,
          .body_hash = page.body_hash.empty() ? Sha256Hex(page.body) : page.body_hash,
          .frame = Compress(page.body)};
}

Result<void> Insert(Connection& connection, Id batch, const Packed& packed) {
  const auto& page = packed.page;
  PATRA_TRY(connection.Run(kInsert, batch, page.content_type,
                           static_cast<std::int64_t>(page.body.size()), packed.body_hash,
                           Blob{packed.frame}, page.fetched_at));
  return {};
}

Result<app::RawPage> Read(Connection& connection, Id batch) {
  auto rows = PATRA_TRY(connection.Query(kRead, batch));
  if (!PATRA_TRY(rows.Next()))
    return Fail(ErrorCode::kNotFound, fmt::format("no raw page of batch {}", batch));
  app::RawPage page{.content_type = rows.Text(0), .body = {}, .fetched_at = rows.Time(3)};
  page.body = PATRA_TRY(Decompress(rows.View(2), kBodyBytesMax));
  if (Sha256Hex(page.body) != rows.View(1)) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("the raw page of batch {} does not match its checksum", batch));
  }
  return page;
}

}  // namespace patra::infra::sqlite::raw_page_table
