#include "domain/guess/propose_definition.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "domain/guess/address_secret.h"
#include "domain/guess/record_members.h"
#include "domain/word/codes.h"

namespace patra::domain {
namespace {

constexpr std::size_t kCommentColumn = 48;

// Lines of YAML, each with the reason for a guess behind it.
class DefinitionLines {
 public:
  void Add(int indent, const std::string& line, const std::string& why = {}) {
    auto text = fmt::format("{:{}}{}", "", indent, line);
    if (!why.empty()) {
      const auto room = text.size() + 2 < kCommentColumn ? kCommentColumn : text.size() + 2;
      text = fmt::format("{:<{}}# guess: {}", text, room, why);
    }
    text_ += text + "\n";
  }
  void AddKeys(int indent, const std::vector<GuessedKey>& keys) {
    for (const auto& key : keys) Add(indent, key.name + ": " + key.text, key.why);
  }
  std::string Take() && { return std::move(text_); }

 private:
  std::string text_;
};

std::string EnvironmentName(std::string_view source) {
  std::string name;
  for (const char c : source)
    name += IsLetter(c) || IsDigit(c) ? static_cast<char>(std::toupper(c)) : '_';
  return (IsDigit(name.front()) ? "KEY_" : "") + name + "_KEY";
}

// A parameter whose value is written nowhere.
struct LeftOut {
  std::string name;
  std::string doubt{};  // where it may be none that is to be kept
};

// There is room for one: the surest comes first.
void AddAuth(const LookedAtAddress& seen, const std::vector<LeftOut>& secrets,
             DefinitionLines& lines) {
  if (secrets.empty()) return;
  const auto& first = secrets.front();
  lines.Add(0, "");
  lines.Add(0, "auth:");
  lines.Add(2, "type: api_key");
  lines.Add(2, "in: query");
  lines.Add(2, "name: " + YamlText(first.name), first.doubt);
  lines.Add(2, fmt::format("keys: \"${{env:{}}}\"", EnvironmentName(seen.source)),
            "its value is not written down: set this variable");
  if (!first.doubt.empty())
    lines.Add(2, "required: true", "leave it out where anybody may ask without");
  for (const auto& other : std::span(secrets).subspan(1))
    lines.Add(2, fmt::format("# {} is left out, too: {}", PrintJson(Value(other.name)),
                             other.doubt.empty() ? "it names a credential" : other.doubt));
}

void AddHttp(const LookedAtAddress& seen, const std::vector<GuessedKey>& paging,
             const std::vector<LeftOut>& secrets, DefinitionLines& lines) {
  lines.Add(0, "");
  lines.Add(0, "http:");
  lines.Add(2, "base_url: " + YamlText(seen.url.Origin()));
  if (!seen.url.is_secure()) lines.Add(2, "allow_http: true");
  const bool by_url = std::ranges::any_of(
      paging, [](const GuessedKey& key) { return key.name == "style" && key.text == "url"; });
  if (by_url)
    lines.Add(2, "# hosts: [other.example.org]  # where links to next pages may lead besides");
  AddAuth(seen, secrets, lines);
  lines.Add(0, "");
  lines.Add(0, "limits:");
  lines.Add(2, "- {rate: 1/s}",
            "nobody knows what the provider allows; `page:` says where it does");
}

void AddRequest(const LookedAtAddress& seen, const std::vector<GuessedParameter>& parameters,
                DefinitionLines& lines) {
  lines.Add(4, "request:");
  const auto random = RandomPartOf(seen.url.path);
  lines.Add(6, "path: " + YamlText(seen.url.path),
            random ? *random + " looks random: is it a secret, or a name?" : "");
  if (parameters.empty()) return;
  lines.Add(6, "query:");
  std::vector<std::string> written;
  for (const auto& parameter : parameters) {
    const auto line =
        fmt::format("{}: {}", PrintJson(Value(parameter.name)), PrintJson(Value(parameter.value)));
    if (std::ranges::find(written, parameter.name) != written.end()) {
      lines.Add(8, fmt::format("# {}   stands twice in the address, and is left out here", line));
      continue;
    }
    written.push_back(parameter.name);
    lines.Add(8, line, parameter.why);
  }
}

void AddResponse(const LookedAtAddress& seen, const LookedAtPage& page,
                 const std::optional<GuessedDate>& updated, DefinitionLines& lines) {
  const auto& answer = seen.answer;
  lines.Add(4, "response:");
  if (answer.is_xml) {
    lines.Add(6, "format: xml");
    if (!answer.namespaces.empty()) lines.Add(6, "namespaces:");
    for (const auto& [prefix, uri] : answer.namespaces)
      lines.Add(8, fmt::format("{}: {}", prefix, YamlText(uri)));
    auto envelope = page.list.steps;
    if (!envelope.empty()) envelope.pop_back();
    lines.Add(6, "envelope: " + YamlText(PathFromRoot(answer, envelope)));
  }
  lines.Add(6, "items: " + YamlText(PathFromRoot(answer, page.list.steps)),
            fmt::format("a list of {}", page.list.records.size()));
  const auto id = GuessId(page.list);
  lines.Add(6, "id: " + YamlText(PathInRecord(answer, id ? id->steps : Steps{"id"})),
            id ? id->why : "no member is different in every record; which ones together are?");
  if (!updated) {
    lines.Add(6, "updated: none", "no date in every record that can be read without a format");
  } else if (updated->is_update) {
    lines.Add(6, "updated: " + YamlText(PathInRecord(answer, updated->steps)), updated->why);
  } else {
    lines.Add(6,
              fmt::format("updated: {{path: {}, may_lie_ahead: true}}",
                          PrintJson(Value(PathInRecord(answer, updated->steps)))),
              updated->why);
  }
  const auto total = GuessTotal(page);
  lines.Add(6, "total: " + (total ? total->text : "none"),
            total ? total->why : "the answer has none");
  if (total && total->in_header) {
    lines.Add(4, "hooks: {paging: total-count-header}");
  }
}

void AddFields(const ParsedAnswer& answer, const RecordList& list, DefinitionLines& lines) {
  lines.Add(4, "fields:", "all that the records of the answer have; keep what you need");
  const auto fields = GuessFields(list, answer.is_xml);
  for (const auto& field : fields) {
    auto path = PathInRecord(answer, field.steps);
    if (field.many && !answer.is_xml) path += "[*]";
    if (field.many) {
      lines.Add(6, fmt::format("{}: {{path: {}, many: true}}", field.name, PrintJson(Value(path))));
    } else if (field.type != FieldType::kAny) {
      lines.Add(6, fmt::format("{}: {{path: {}, as: {}}}", field.name, PrintJson(Value(path)),
                               LowerCode(CodeOf(field.type))));
    } else {
      lines.Add(6, fmt::format("{}: {}", field.name, YamlText(path)));
    }
  }
  if (fields.empty()) lines.Add(6, "value: " + YamlText(PathInRecord(answer, {})));
}

std::vector<LeftOut> TakeSecrets(
    std::vector<GuessedParameter>& parameters,
    const std::function<std::optional<std::string>(const GuessedParameter&)>& doubt_of) {
  std::vector<LeftOut> taken;
  std::erase_if(parameters, [&](const GuessedParameter& parameter) {
    auto doubt = doubt_of(parameter);
    if (!doubt) return false;
    taken.push_back({parameter.name, *std::move(doubt)});
    return true;
  });
  return taken;
}

std::vector<std::string> NotesOn(const LookedAtAddress& seen, const std::vector<LeftOut>& secrets) {
  std::vector<std::string> notes;
  for (const auto& secret : secrets) {
    if (!secret.doubt.empty())
      notes.push_back(secret.doubt +
                      ", and is not written down: `auth` has a reference, or a "
                      "comment, in its place");
  }
  if (const auto random = RandomPartOf(seen.url.path))
    notes.push_back(*random +
                    " looks random and is written down as it is: if it is a secret, "
                    "keep the definition to yourself");
  return notes;
}

// An answer of OAI-PMH is known, whatever it holds.
std::string OaiDefinition(const LookedAtAddress& seen) {
  KnownKind kind{.source = seen.source,
                 .extends = "oai-pmh",
                 .name = seen.url.host + " (OAI-PMH)",
                 .url = seen.url};
  for (const auto& parameter : ParametersOf(seen.url)) {
    if (parameter.name == "metadataPrefix") kind.params.emplace_back("prefix", parameter.value);
    if (parameter.name == "set") kind.params.emplace_back("set", parameter.value);
  }
  return ExtendingDefinition(kind);
}

}  // namespace

std::string ExtendingDefinition(const KnownKind& kind) {
  auto url = kind.url;
  url.query.clear();
  auto text =
      fmt::format("source: {}\nextends: {}\nname: {}\nhttp: {{base_url: {}{}}}\n", kind.source,
                  kind.extends, PrintJson(Value(kind.name)), PrintJson(Value(url.Text())),
                  url.is_secure() ? "" : ", allow_http: true");
  if (kind.params.empty()) return text;
  text += "params:\n";
  for (const auto& [name, value] : kind.params)
    text += fmt::format("  {}: {}\n", name, PrintJson(Value(value)));
  return text;
}

Result<Proposal> ProposeDefinition(const LookedAtAddress& seen) {
  if (seen.answer.is_xml && seen.answer.root == "OAI-PMH")
    return Proposal{.text = OaiDefinition(seen)};
  const auto list = FindRecordList(seen.answer);
  if (!list) {
    return Fail(ErrorCode::kNotFound, "the answer has no list of records", {},
                "give an address whose answer has some: what they have in common cannot be "
                "guessed from an empty page");
  }
  const LookedAtPage page{seen.answer, *list, seen.headers, seen.url};
  auto parameters = ParametersOf(seen.url);
  const auto named = TakeSecrets(parameters, [&](const GuessedParameter& parameter) {
    return std::ranges::find(seen.secret_parameters, parameter.name) != seen.secret_parameters.end()
               ? std::optional(std::string())
               : std::nullopt;
  });
  const auto updated = GuessUpdated(*list);
  const auto window =
      GuessWindow(parameters, updated ? PlainName(updated->steps.back()) : "updated_at");
  const auto paging = GuessPaging(page, parameters);
  auto secrets = named;
  // What became a template stands nowhere as it was.
  std::ranges::copy(TakeSecrets(parameters,
                                [](const GuessedParameter& parameter) {
                                  return parameter.why.empty()
                                             ? WhyCredential(parameter.name, parameter.value)
                                             : std::nullopt;
                                }),
                    std::back_inserter(secrets));

  DefinitionLines lines;
  lines.Add(0, "# yaml-language-server: $schema=../schema/source.schema.json");
  lines.Add(
      0,
      "# Made from one answer of the provider: everything that says `guess` is one. Look it over.");
  lines.Add(0, "source: " + seen.source);
  lines.Add(0, "name: " + YamlText(seen.url.host));
  AddHttp(seen, paging, secrets, lines);
  lines.Add(0, "");
  lines.Add(0, "endpoints:");
  lines.Add(2, "items:");
  AddRequest(seen, parameters, lines);
  lines.Add(4, "paging:");
  lines.AddKeys(6, paging);
  lines.Add(4, "window:");
  lines.AddKeys(6, window);
  AddResponse(seen, page, updated, lines);
  AddFields(seen.answer, *list, lines);
  return Proposal{.text = std::move(lines).Take(), .notes = NotesOn(seen, secrets)};
}

}  // namespace patra::domain
