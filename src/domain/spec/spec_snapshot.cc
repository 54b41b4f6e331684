#include "domain/spec/spec_snapshot.h"

#include <fmt/format.h>

namespace patra::domain {
namespace {

constexpr int kFormatVersion = 1;

// Reads members of an object and remembers the first that is missing or of the wrong type.
class Reader {
 public:
  explicit Reader(const Value& value) : value_(value) {}

  std::string Text(std::string_view name) {
    const auto* member = value_.Find(name);
    if (member != nullptr && member->AsString() != nullptr) return *member->AsString();
    Complain(name, "text");
    return {};
  }

  std::int64_t Integer(std::string_view name) {
    const auto* member = value_.Find(name);
    if (member != nullptr && member->AsInteger() != nullptr) return *member->AsInteger();
    Complain(name, "an integer");
    return 0;
  }

  bool Flag(std::string_view name) {
    const auto* member = value_.Find(name);
    if (member != nullptr && member->AsBool() != nullptr) return *member->AsBool();
    Complain(name, "true or false");
    return false;
  }

  Duration Length(std::string_view name) { return Duration(Integer(name)); }

  Reader Part(std::string_view name) {
    const auto* member = value_.Find(name);
    if (member != nullptr && member->AsObject() != nullptr) return Reader(*member);
    Complain(name, "an object");
    return Reader(kNothing);
  }

  const Value::Array& List(std::string_view name) {
    const auto* member = value_.Find(name);
    if (member != nullptr && member->AsArray() != nullptr) return *member->AsArray();
    Complain(name, "a list");
    return kEmpty;
  }

  void Take(const Reader& part) {
    if (!problem_) problem_ = part.problem_;
  }

  const std::optional<Error>& problem() const { return problem_; }

 private:
  static inline const Value kNothing;
  static inline const Value::Array kEmpty;

  void Complain(std::string_view name, std::string_view wanted) {
    if (problem_) return;
    problem_ =
        Error{ErrorCode::kCorruption, fmt::format("the snapshot's '{}' is not {}", name, wanted)};
  }

  const Value& value_;
  std::optional<Error> problem_;
};

}  // namespace

Value SpecSnapshot::ToValue() const {
  Value::Array query;
  for (const auto& [name, text] : request.query) {
    query.push_back(Value::Object{{"name", name}, {"template", text}});
  }
  Value::Array mapped;
  for (const auto& field : fields) {
    mapped.push_back(
        Value::Object{{"name", field.name}, {"path", field.path}, {"required", field.required}});
  }
  return Value::Object{
      {"format", kFormatVersion},
      {"provenanceCode", provenance},
      {"endpointName", endpoint},
      {"http",
       Value::Object{{"baseUrl", request.base_url}, {"path", request.path}, {"query", query}}},
      {"pagination", Value::Object{{"type", "PAGE"},
                                   {"pageSize", paging.size},
                                   {"firstPage", paging.first_page},
                                   {"maxPage", paging.pages_max}}},
      {"window", Value::Object{{"start", window.start.time_since_epoch().count()},
                               {"safetyLag", window.safety_lag.count()},
                               {"width", window.width.count()},
                               {"align", window.align.count()},
                               {"watermarkKey", window.watermark_key}}},
      {"response", Value::Object{{"itemsPath", response.items},
                                 {"idPath", response.id},
                                 {"updatedAtPath", response.updated},
                                 {"totalPath", response.total},
                                 {"deletedPath", response.deleted}}},
      {"fields", mapped},
      {"rateLimit", Value::Object{{"requests", rate.requests}, {"per", rate.per.count()}}}};
}

Result<SpecSnapshot> SpecSnapshot::FromValue(const Value& value) {
  Reader root(value);
  if (root.Integer("format") > kFormatVersion) {
    return Fail(ErrorCode::kUnavailable, "this snapshot was made by a newer patra", {},
                "the task stays queued for an executor that can read it");
  }
  SpecSnapshot spec;
  spec.provenance = root.Text("provenanceCode");
  spec.endpoint = root.Text("endpointName");

  auto http = root.Part("http");
  spec.request = {.base_url = http.Text("baseUrl"), .path = http.Text("path"), .query = {}};
  for (const auto& member : http.List("query")) {
    Reader parameter(member);
    spec.request.query.emplace_back(parameter.Text("name"), parameter.Text("template"));
    http.Take(parameter);
  }
  root.Take(http);

  auto paging = root.Part("pagination");
  spec.paging = {.size = static_cast<int>(paging.Integer("pageSize")),
                 .first_page = paging.Integer("firstPage"),
                 .pages_max = paging.Integer("maxPage")};
  root.Take(paging);

  auto window = root.Part("window");
  spec.window = {.start = Instant(window.Length("start")),
                 .safety_lag = window.Length("safetyLag"),
                 .width = window.Length("width"),
                 .align = window.Length("align"),
                 .watermark_key = window.Text("watermarkKey")};
  root.Take(window);

  auto response = root.Part("response");
  spec.response = {.items = response.Text("itemsPath"),
                   .id = response.Text("idPath"),
                   .updated = response.Text("updatedAtPath"),
                   .total = response.Text("totalPath"),
                   .deleted = response.Text("deletedPath")};
  root.Take(response);

  for (const auto& member : root.List("fields")) {
    Reader field(member);
    spec.fields.push_back({.name = field.Text("name"),
                           .path = field.Text("path"),
                           .required = field.Flag("required")});
    root.Take(field);
  }

  auto rate = root.Part("rateLimit");
  spec.rate = {.requests = static_cast<int>(rate.Integer("requests")), .per = rate.Length("per")};
  root.Take(rate);

  if (root.problem()) return std::unexpected(*root.problem());
  return spec;
}

}  // namespace patra::domain
