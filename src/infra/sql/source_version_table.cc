#include "infra/sql/source_version_table.h"

namespace patra::infra::sql::source_version_table {
namespace {

constexpr std::string_view kOf = R"sql(
    SELECT coalesce(max(version_id), 0) FROM reg_source_version WHERE provenance_code = :provenance)sql";

constexpr std::string_view kPut = R"sql(
    INSERT INTO reg_source_version (provenance_code, version_id) VALUES (:provenance, :version)
    ON CONFLICT (provenance_code) DO UPDATE SET version_id = excluded.version_id)sql";

}  // namespace

Result<Id> Of(Session& session, const std::string& source) {
  return session.Integer(kOf, {{"provenance", source}});
}

Result<void> Put(Session& session, const std::string& source, Id version) {
  PATRA_TRY(session.Run(kPut, {{"provenance", source}, {"version", version}}));
  return {};
}

}  // namespace patra::infra::sql::source_version_table
