#include "infra/reader/page_reader.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/document.h"
#include "base/hash.h"
#include "base/json_path.h"
#include "base/json_salvage.h"
#include "base/time.h"

namespace patra::infra::reader {

struct PageReader::Compiled {
  struct Field {
    std::string name;
    JsonPath path;
    bool required;
  };

  domain::SpecSnapshot spec;
  JsonPath items;
  JsonPath id;
  JsonPath updated;
  JsonPath total;
  JsonPath deleted;
  std::vector<Field> fields;
};

namespace {

// What keeps a record out, before it is known whether the record even has an id.
struct Flaw {
  std::string path;
  std::string rule;
  std::string reason;
};

// Providers write "nothing" in many ways: no member, null, "", [] or {}. All are the same to us, so
// that a record does not change when its provider changes its mind about which one to use.
bool IsEmpty(const std::optional<Node>& node) {
  if (!node || node->is_null()) return true;
  if (const auto text = node->AsString()) return text->empty();
  return (node->is_array() || node->is_object()) && node->size() == 0;
}

template <typename CompiledPaths>
std::expected<domain::Record, Flaw> MapRecord(const CompiledPaths& paths, Node item,
                                              Instant fetched_at) {
  domain::Record record;
  const auto id = paths.id.First(item);
  if (!id || IsEmpty(*id)) {
    return std::unexpected(Flaw{paths.spec.response.id, "required", "the record has no id"});
  }
  record.id = (*id)->Text();

  const auto updated = paths.updated.First(item);
  const auto moment = updated && *updated
                          ? ParseRfc3339((*updated)->Text())
                          : Fail(ErrorCode::kNotFound, "the record has no update time");
  if (!moment)
    return std::unexpected(Flaw{paths.spec.response.updated, "date", moment.error().message});

  const auto deleted = paths.deleted.First(item);
  const bool is_tombstone = deleted && *deleted && (*deleted)->AsBool() == true;

  Value::Object mapped;
  for (const auto& field : paths.fields) {
    const auto found = field.path.First(item);
    const bool absent = !found || IsEmpty(*found);
    if (absent && field.required && !is_tombstone) {
      return std::unexpected(Flaw{std::string(field.path.text()), "required",
                                  fmt::format("'{}' is missing", field.name)});
    }
    if (absent) continue;
    auto value = ToValue(**found);
    if (!value)
      return std::unexpected(Flaw{std::string(field.path.text()), "size", value.error().message});
    mapped.emplace(field.name, *std::move(value));
  }
  record.fields = CanonicalJson(mapped);
  record.version = {.updated_at = *moment,
                    .fetched_at = fetched_at,
                    .content_hash = Sha256Hex(record.fields),
                    .deleted = is_tombstone};
  return record;
}

}  // namespace

PageReader::PageReader() = default;
PageReader::~PageReader() = default;

Result<std::shared_ptr<const PageReader::Compiled>> PageReader::Compile(
    const domain::SpecSnapshot& spec) {
  const std::lock_guard lock(mutex_);
  if (compiled_ != nullptr && compiled_->spec == spec) return compiled_;
  auto items = PATRA_TRY(JsonPath::Compile(spec.response.items));
  auto id = PATRA_TRY(JsonPath::Compile(spec.response.id));
  auto updated = PATRA_TRY(JsonPath::Compile(spec.response.updated));
  auto total = PATRA_TRY(JsonPath::Compile(spec.response.total));
  auto deleted = PATRA_TRY(JsonPath::Compile(spec.response.deleted));
  std::vector<Compiled::Field> fields;
  for (const auto& field : spec.fields) {
    fields.push_back({field.name, PATRA_TRY(JsonPath::Compile(field.path)), field.required});
  }
  compiled_ = std::make_shared<const Compiled>(Compiled{spec, std::move(items), std::move(id),
                                                        std::move(updated), std::move(total),
                                                        std::move(deleted), std::move(fields)});
  return compiled_;
}

Result<app::PageContent> PageReader::Read(const domain::SpecSnapshot& spec,
                                          const app::HttpResponse& response) {
  const auto paths = PATRA_TRY(Compile(spec));
  const auto page = PATRA_TRY(ParseJsonSalvaging(response.body, paths->items));
  const auto root = page.document.root();
  const auto items = PATRA_TRY(paths->items.First(root));
  if (!items || !items->is_array()) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("the page has no list at {}", spec.response.items), {},
                "the provider answered in another shape than the definition expects");
  }

  app::PageContent content;
  if (const auto total = PATRA_TRY(paths->total.First(root)))
    content.announced = total->AsInteger();
  content.records.reserve(items->size());
  auto broken = page.broken.begin();
  std::size_t index = 0;
  for (const auto [name, item] : items->children()) {
    if (broken != page.broken.end() && broken->index == index++) {
      content.bad_records.push_back({.path = spec.response.items,
                                     .rule = "json",
                                     .reason = broken->error.Describe(),
                                     .bytes = broken->bytes});
      ++broken;
      continue;
    }
    auto record = MapRecord(*paths, item, response.received_at);
    if (record) {
      content.records.push_back(*std::move(record));
    } else {
      content.bad_records.push_back({.path = record.error().path,
                                     .rule = record.error().rule,
                                     .reason = record.error().reason,
                                     .bytes = item.Text()});
    }
  }
  return content;
}

}  // namespace patra::infra::reader
