#include "infra/sql/raw_page_table.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/zstd_frame.h"

namespace patra::infra::sql::raw_page_table {
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

Result<void> Insert(Session& session, Id batch, const Packed& packed) {
  const auto& page = packed.page;
  PATRA_TRY(session.Run(kInsert, {{"batch_id", batch},
                                  {"content_type", page.content_type},
                                  {"body_size", static_cast<std::int64_t>(page.body.size())},
                                  {"body_sha256", packed.body_hash},
                                  {"body_zstd", Blob{packed.frame}},
                                  {"fetched_at", page.fetched_at}}));
  return {};
}

Result<app::RawPage> Read(Session& session, Id batch) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"batch_id", batch}}));
  if (!PATRA_TRY(rows.Next()))
    return Fail(ErrorCode::kNotFound, fmt::format("no raw page of batch {}", batch));
  return PageIn(rows, batch);
}

Result<app::RawPage> PageIn(const Rows& rows, Id batch) {
  app::RawPage page{
      .content_type = rows.Text("content_type"), .body = {}, .fetched_at = rows.Time("fetched_at")};
  page.body = PATRA_TRY(Decompress(rows.View("body_zstd"), kBodyBytesMax));
  if (Sha256Hex(page.body) != rows.View("body_sha256")) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("the raw page of batch {} does not match its checksum", batch));
  }
  return page;
}

}  // namespace patra::infra::sql::raw_page_table
