// What a definition may say is acted on, or it cannot be said: every member of a snapshot has a reader outside of the code that
// writes, checks and stores snapshots.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::snapshot_readers_test {

using ::testing::IsEmpty;

// A member, as part and name, and code that reads it. Where others may write the same, the file is named, without folder.
struct MemberReader {
  std::string_view member;
  std::string_view code;
  std::string_view file{};
};

constexpr auto kReaders = std::to_array<MemberReader>({
    {"HttpSpec.method", "http_.method"},
    {"HttpSpec.base_url", "http_.base_url"},
    {"HttpSpec.path", "http.path", "request_templates"},
    {"HttpSpec.query", "http.query", "request_templates"},
    {"HttpSpec.next_query", "http.next_query", "request_templates"},
    {"HttpSpec.headers", "http.headers", "request_templates"},
    {"HttpSpec.json_body", "http.json_body", "request_templates"},
    {"HttpSpec.form_body", "http.form_body", "request_templates"},
    {"HttpSpec.contact", "spec.contact", "send_request"},
    {"HttpSpec.proxy", "spec.proxy", "send_request"},
    {"HttpSpec.connect_timeout", "spec.connect_timeout", "send_request"},
    {"HttpSpec.read_timeout", "spec.read_timeout", "send_request"},
    {"HttpSpec.total_timeout", "spec.total_timeout", "send_request"},
    {"HttpSpec.redirects_max", ").redirects_max", "send_request"},
    {"HttpSpec.hosts", "http.hosts", "reach"},
    {"HttpSpec.compression", "spec.compression", "send_request"},
    {"AuthSpec.type", "auth.type"},
    {"AuthSpec.required", "auth.required"},
    {"AuthSpec.location", "auth.location"},
    {"AuthSpec.name", "auth.name"},
    {"AuthSpec.prefix", "auth.prefix"},
    {"AuthSpec.credentials", "auth.credentials"},
    {"AuthSpec.key_order", "auth.key_order"},
    {"AuthSpec.username", "auth.username"},
    {"AuthSpec.password", "auth.password"},
    {"AuthSpec.token_url", "auth.token_url"},
    {"AuthSpec.client_id", "auth.client_id"},
    {"AuthSpec.client_secret", "auth.client_secret"},
    {"AuthSpec.scope", "auth.scope"},
    {"AuthSpec.audience", "auth.audience"},
    {"AuthSpec.refresh_before", "auth.refresh_before"},
    {"AuthSpec.signing_hook", "auth.signing_hook"},
    {"SplitDimension.name", "dimension.name"},
    {"SplitDimension.kind", "dimension.kind"},
    {"SplitDimension.values", "dimension.values"},
    {"PagingSpec.style", "paging_.style"},
    {"PagingSpec.by", "AreCountedByPlace(", "walk"},
    {"PagingSpec.size", "paging_.size"},
    {"PagingSpec.first_page", "paging_.first_page"},
    {"PagingSpec.step", "paging_.step"},
    {"PagingSpec.first_token", "spec.paging.first_token"},
    {"PagingSpec.next", "spec.paging.next"},
    {"PagingSpec.next_in_link_header", "spec.paging.next_in_link_header"},
    {"PagingSpec.next_header", "spec.paging.next_header"},
    {"PagingSpec.token_kind", "spec.paging.token_kind"},
    {"PagingSpec.replayable", "paging_.replayable"},
    {"PagingSpec.token_lifetime", "spec.paging.token_lifetime"},
    {"PagingSpec.ends", "paging_.ends"},
    {"PagingSpec.has_more", "spec.paging.has_more"},
    {"PagingSpec.pages_max", "paging_.pages_max"},
    {"PagingSpec.reach", "paging_.reach"},
    {"PagingSpec.split_by", "spec.paging.split_by"},
    {"PagingSpec.tail_probe", "paging_.tail_probe"},
    {"WindowSpec.filter", "spec.window.filter"},
    {"WindowSpec.start", "spec.window.start"},
    {"WindowSpec.safety_lag", "spec.window.safety_lag"},
    {"WindowSpec.safety_lag_max", "spec.window.safety_lag_max"},
    {"WindowSpec.width", "spec.window.width"},
    {"WindowSpec.width_min", "spec.window.width_min"},
    {"WindowSpec.width_max", "spec.window.width_max"},
    {"WindowSpec.longest", "spec.window.longest"},
    {"WindowSpec.align", "spec.window.align"},
    {"WindowSpec.lookback", "policy.lookback", "plan_harvest"},
    {"WindowSpec.watermark_key", "spec.window.watermark_key"},
    {"WindowSpec.granularity", "spec.window.granularity"},
    {"WindowSpec.ends", "spec.window.ends"},
    {"WindowSpec.updated_is_filtered", "spec.window.updated_is_filtered"},
    {"WindowSpec.settles", "TotalTellsOfMoves(", "walk"},
    {"WindowSpec.outside_max", "window.outside_max", "proof"},
    {"WindowSpec.timezone", "spec.window.timezone"},
    {"OrderSpec.by", "IsSortedByTime(", "proof"},
    {"OrderSpec.direction", "spec.order.direction"},
    {"OrderSpec.stable", "spec.order.stable"},
    {"ResponseSpec.format", "spec_.response.format"},
    {"ResponseSpec.items", "spec_.response.items"},
    {"ResponseSpec.items_missing", "response.items_missing", "page_mapping_items"},
    {"ResponseSpec.one_record", "spec_.response.one_record"},
    {"ResponseSpec.repeats", "spec_.response.repeats"},
    {"ResponseSpec.envelope", "response.envelope", "page_mapping"},
    {"ResponseSpec.columns", "response.columns", "page_mapping"},
    {"ResponseSpec.id", "response.id", "record_mapping"},
    {"ResponseSpec.id_join", "response_.id_join"},
    {"ResponseSpec.id_case", "response_.id_case"},
    {"ResponseSpec.updated", "response.updated", "record_mapping"},
    {"ResponseSpec.updated_formats", "response.updated_formats", "record_mapping"},
    {"ResponseSpec.updated_may_lie_ahead", "response_.updated_may_lie_ahead"},
    {"ResponseSpec.version", "response.version", "record_mapping"},
    {"ResponseSpec.deleted", "response.deleted", "record_mapping"},
    {"ResponseSpec.merged_into", "response.merged_into", "record_mapping"},
    {"ResponseSpec.retracts", "response.retracts", "record_mapping"},
    {"ResponseSpec.total", "response.total", "page_mapping"},
    {"ResponseSpec.total_kind", "spec_.response.total_kind"},
    {"ResponseSpec.total_on_first_page", "response.total_on_first_page", "page_mapping"},
    {"ResponseSpec.total_within", "spec_.response.total_within"},
    {"ResponseSpec.namespaces", "response.namespaces", "page_mapping"},
    {"ResponseSpec.timezone", "response.timezone", "page_mapping"},
    {"FieldSpec.name", "spec_.name", "field_value"},
    {"FieldSpec.path", "field.path", "field_value"},
    {"FieldSpec.type", "spec_.type", "field_value"},
    {"FieldSpec.required", ").required", "record_mapping"},
    {"FieldSpec.many", "spec_.many", "field_value"},
    {"FieldSpec.join", "spec_.join", "field_value"},
    {"FieldSpec.formats", "field.formats", "field_value"},
    {"FieldSpec.one_of", "spec_.one_of", "field_value"},
    {"FieldSpec.pattern", "field.pattern", "field_value"},
    {"FieldSpec.keep_when_empty", "field.keep_when_empty", "record_mapping"},
    {"FieldSpec.signal_when_empty", ").signal_when_empty", "record_mapping"},
    {"StatusRange.from", "range.from", "error_match"},
    {"StatusRange.to", "range.to", "error_match"},
    {"ErrorRule.statuses", "spec.statuses", "error_match"},
    {"ErrorRule.header", "spec.header", "error_match"},
    {"ErrorRule.header_matches", "spec.header_matches", "error_match"},
    {"ErrorRule.body", "spec.body", "error_match"},
    {"ErrorRule.text", "spec.text", "error_match"},
    {"ErrorRule.action", "rule.action", "verdict"},
    {"ErrorRule.until", "rule.until", "verdict"},
    {"RateSpec.requests", "quota.requests", "source_rules"},
    {"RateSpec.per", "quota.per", "source_rules"},
    {"LimitSpec.rate", "spec.rate", "source_rules"},
    {"LimitSpec.burst", "spec.burst", "source_rules"},
    {"LimitSpec.concurrency", "spec.concurrency", "source_rules"},
    {"LimitSpec.quotas", "spec.quotas", "source_rules"},
    {"LimitSpec.quota_reserve", "spec.quota_reserve", "source_rules"},
    {"LimitSpec.per", "spec.per", "source_rules"},
    {"LimitSpec.learn_from", "spec.learn_from", "source_rules"},
    {"LimitSpec.slow_down_factor", "spec.slow_down_factor", "source_rules"},
    {"LimitSpec.rate_min_per_second", "spec.rate_min_per_second", "source_rules"},
    {"LimitSpec.warm_up", "spec.warm_up", "source_rules"},
    {"LimitSpec.quota_zone", "spec.quota_zone", "source_rules"},
    {"LimitSpec.urgent_rate", "spec.urgent_rate", "source_rules"},
    {"LimitSpec.urgent_quota", "spec.urgent_quota", "source_rules"},
    {"LimitSpec.ceiling", "spec.ceiling", "source_rules"},
    {"RetrySpec.attempts_max", "spec_.attempts_max", "retry_schedule"},
    {"RetrySpec.backoff", "spec.backoff", "back_off"},
    {"RetrySpec.first_delay", "spec.first_delay", "back_off"},
    {"RetrySpec.delay_max", "spec.delay_max", "back_off"},
    {"RetrySpec.factor", "spec.factor", "back_off"},
    {"RetrySpec.jitter", "spec.jitter", "back_off"},
    {"RetrySpec.statuses", "retry.statuses", "verdict"},
    {"RetrySpec.give_up", "retry.give_up", "verdict"},
    {"RetrySpec.network_errors", "retry.network_errors", "verdict"},
    {"RetrySpec.retry_after_cap", "spec_.retry_after_cap", "retry_schedule"},
    {"RetrySpec.circuit_failures_max", "spec.circuit_failures_max", "source_rules"},
    {"RetrySpec.circuit_cool_down", "spec.circuit_cool_down", "source_rules"},
    {"HookSpec.request", "hooks->request", "request_templates"},
    {"HookSpec.response", "hooks->response", "page_mapping"},
    {"HookSpec.paging", "hooks->paging", "page_mapping"},
    {"DetailSpec.hooks", "details->hooks", "page_reader"},
    {"SpecSnapshot.hooks", "spec.hooks", "page_reader"},
    {"DetailSpec.endpoint", "spec.details->endpoint"},
    {"DetailSpec.id_batch_size", "spec.details->id_batch_size"},
    {"DetailSpec.threshold", "details.threshold", "id_batches"},
    {"DetailSpec.combine_threshold", "details.combine_threshold", "id_batches"},
    {"DetailSpec.for_update_only", "spec.details->for_update_only"},
    {"DetailSpec.cost", "spec.details->cost"},
    {"DetailSpec.http", "spec.details->http"},
    {"DetailSpec.response", "spec.details->response"},
    {"DetailSpec.fields", "spec.details->fields"},
    {"DetailSpec.errors", "details->errors", "page_reader"},
    {"DetailSpec.limits", "spec.details->limits"},
    {"DetailSpec.quota_part", "spec.details->quota_part"},
    {"FreshnessSpec.within", "target->within", "planner"},
    {"FreshnessSpec.parts", "target->parts", "planner"},
    {"BudgetSpec.requests_max", "spec.budget->requests_max"},
    {"BudgetSpec.records_max", "spec.budget->records_max"},
    {"BudgetSpec.duration_max", "spec.budget->duration_max"},
    {"BudgetSpec.pause", "spec.budget->pause"},
    {"BudgetSpec.quotas", "spec.budget->quotas"},
    {"BudgetSpec.open_tasks_max", "spec.budget->open_tasks_max"},
    {"SpecSnapshot.provenance", "spec.provenance", "source_rules"},
    {"SpecSnapshot.endpoint", "spec.endpoint", "source_rules"},
    {"SpecSnapshot.operation", "spec.operation", "source_rules"},
    {"SpecSnapshot.role", "detail.role", "compile_source"},
    {"SpecSnapshot.timezone", "spec.timezone"},
    {"SpecSnapshot.params", "spec.params", "expression"},
    {"SpecSnapshot.query", "spec.query", "expression"},
    {"SpecSnapshot.cost", "spec.cost", "source_rules"},
    {"SpecSnapshot.keep_raw_pages", "spec.keep_raw_pages"},
    {"SpecSnapshot.http", "spec.http", "render_request"},
    {"SpecSnapshot.auth", "spec.auth"},
    {"SpecSnapshot.paging", "spec.paging"},
    {"SpecSnapshot.window", "spec.window"},
    {"SpecSnapshot.order", "spec.order"},
    {"SpecSnapshot.cursor_scope", "spec.cursor_scope"},
    {"SpecSnapshot.gone", "spec.gone"},
    {"SpecSnapshot.details", "spec.details"},
    {"SpecSnapshot.freshness", "spec.freshness"},
    {"SpecSnapshot.response", "spec.response"},
    {"SpecSnapshot.fields", "spec.fields", "page_reader"},
    {"SpecSnapshot.limits", "spec.limits", "source_rules"},
    {"SpecSnapshot.quota_part", "spec.quota_part", "source_rules"},
    {"SpecSnapshot.budget", "spec.budget"},
    {"SpecSnapshot.retry", "spec.retry"},
    {"SpecSnapshot.errors", "spec.errors", "page_reader"},
});

// Members that nobody reads, and why that is so.
struct Unread {
  std::string_view members;  // one, or all of a part
  std::string_view reason;
};

constexpr auto kUnread = std::to_array<Unread>({
    {"SpecSnapshot.expr", "issue 16 renders queries by them"},
    {"ExprSpec.", "issue 16"},
    {"ExprField.", "issue 16"},
    {"PagingSpec.size_max", "the compiler makes the page size of it, which is read"},
});

// They list every member, so what they say is no reading.
const std::set<std::string> kNoReaders{"spec_snapshot",   "decode_spec",    "check_spec",
                                       "check_window",    "check_limits",   "check_response",
                                       "check_templates", "template_names", "registry_mapping"};

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> MembersOfSnapshots() {
  const auto text =
      TextOf(std::filesystem::path(PATRA_SOURCE_DIR) / "src/domain/spec/spec_snapshot.cc");
  static const std::regex kLine(R"re(const (\w+)\*\) \{|with\("\w+", part\.(\w+)\);)re");
  std::vector<std::string> members;
  std::string part;
  for (std::sregex_iterator at(text.begin(), text.end(), kLine), end; at != end; ++at) {
    if ((*at)[1].matched) {
      part = (*at)[1];
    } else {
      members.push_back(part + "." + (*at)[2].str());
    }
  }
  return members;
}

// Sources without comments, by the name of their file.
const std::map<std::string, std::string>& Sources() {
  static const auto kSources = [] {
    std::map<std::string, std::string> sources;
    const auto root = std::filesystem::path(PATRA_SOURCE_DIR) / "src";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto name = entry.path().stem().string();
      const auto extension = entry.path().extension();
      if ((extension != ".cc" && extension != ".h") || kNoReaders.contains(name)) continue;
      std::istringstream lines(TextOf(entry.path()));
      for (std::string line; std::getline(lines, line);)
        sources[name] += line.substr(0, line.find("//")) + "\n";
    }
    return sources;
  }();
  return kSources;
}

bool IsPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// As a whole, and not only to be written.
bool IsRead(std::string_view text, std::string_view code) {
  for (auto at = text.find(code); at != std::string_view::npos; at = text.find(code, at + 1)) {
    const auto rest = text.substr(at + code.size());
    const bool is_whole =
        (at == 0 || !IsPartOfName(text[at - 1]) || !IsPartOfName(code.front())) &&
        (rest.empty() || !IsPartOfName(rest.front()) || !IsPartOfName(code.back()));
    const bool is_written = rest.starts_with(" = ");
    if (is_whole && !is_written) return true;
  }
  return false;
}

bool HasReader(const MemberReader& reader) {
  return std::ranges::any_of(Sources(), [&](const auto& source) {
    return (reader.file.empty() || reader.file == source.first) &&
           IsRead(source.second, reader.code);
  });
}

bool IsListedAsUnread(const std::string& member) {
  return std::ranges::any_of(kUnread, [&](const Unread& unread) {
    return unread.members.ends_with('.') ? member.starts_with(unread.members)
                                         : member == unread.members;
  });
}

TEST(SnapshotReaders, EveryMemberOfASnapshotIsReadOrIsListedWithAReason) {
  const auto members = MembersOfSnapshots();
  ASSERT_GT(members.size(), 150U);
  std::vector<std::string> unread;
  for (const auto& member : members) {
    const auto reader = std::ranges::find(kReaders, member, &MemberReader::member);
    const bool is_read = reader != kReaders.end() && HasReader(*reader);
    if (is_read == IsListedAsUnread(member)) unread.push_back(member);
  }
  EXPECT_THAT(unread, IsEmpty()) << "say in kReaders what code acts on it, or take the member away";
}

TEST(SnapshotReaders, TheTableNamesNoMemberThatIsGone) {
  const auto members = MembersOfSnapshots();
  for (const auto& reader : kReaders)
    EXPECT_NE(std::ranges::find(members, reader.member), members.end()) << reader.member;
}

TEST(SnapshotReaders, AReaderIsWholeAndReads) {
  EXPECT_TRUE(IsRead("if (spec.window.ends == x)", "window.ends"));
  EXPECT_FALSE(IsRead("spec.window.ends_at", "window.ends"));
  EXPECT_FALSE(IsRead("my_window.ends", "window.ends"));
  EXPECT_FALSE(IsRead("spec.window.ends = x;", "window.ends"));
}

}  // namespace patra::domain::snapshot_readers_test
