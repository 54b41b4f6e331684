#include "app/send/redaction.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/escaped_word.h"
#include "base/hash.h"
#include "base/placement.h"
#include "base/text_scanner.h"

namespace patra::app {
namespace {

constexpr auto kSecretNames = std::to_array<std::string_view>({"authorization",
                                                               "proxy-authorization",
                                                               "cookie",
                                                               "set-cookie",
                                                               "www-authenticate",
                                                               "api_key",
                                                               "apikey",
                                                               "api-key",
                                                               "x-api-key",
                                                               "token",
                                                               "access_token",
                                                               "refresh_token",
                                                               "id_token",
                                                               "client_secret",
                                                               "client_assertion",
                                                               "password",
                                                               "passwd",
                                                               "pwd",
                                                               "secret",
                                                               "signature",
                                                               "sig",
                                                               "x-auth-token",
                                                               "crossref-plus-api-token",
                                                               "api_token",
                                                               "apitoken",
                                                               "api-token",
                                                               "auth_token",
                                                               "authtoken",
                                                               "access_key",
                                                               "accesskey",
                                                               "access-key",
                                                               "secret_key",
                                                               "private_key",
                                                               "user_key",
                                                               "userkey",
                                                               "hapikey",
                                                               "subscription-key",
                                                               "ocp-apim-subscription-key",
                                                               "x-functions-key",
                                                               "x-goog-api-key",
                                                               "x-goog-signature",
                                                               "x-amz-signature",
                                                               "x-amz-security-token",
                                                               "x-amz-credential",
                                                               "jwt"});

// Those whose value is the rest of the line.
constexpr auto kSecretHeaders =
    std::to_array<std::string_view>({"authorization", "proxy-authorization", "cookie", "set-cookie",
                                     "x-api-key", "x-auth-token", "crossref-plus-api-token"});

constexpr int kPassesMax = 8;

bool IsAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::any_of(names, [&](auto known) { return EqualIgnoringCase(known, name); });
}

bool IsNameCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-'; }

// In one pass, however many there are.
void Replace(std::string& text, std::span<const TextRange> ranges) {
  std::string out;
  out.reserve(text.size());
  std::size_t from = 0;
  for (const auto& range : ranges) {
    out.append(text, from, range.begin - from);
    out += kRedacted;
    from = range.end;
  }
  out.append(text, from);
  text = std::move(out);
}

std::vector<TextRange> FindPlain(std::string_view text, std::string_view what) {
  std::vector<TextRange> found;
  for (auto at = text.find(what); at != std::string_view::npos;
       at = text.find(what, at + what.size()))
    found.push_back({at, at + what.size()});
  return found;
}

// JSON writes some characters with a backslash; some writers also do that to slashes.
std::string JsonSpelling(std::string_view secret, bool slashes) {
  auto quoted = PrintJson(Value(secret));
  quoted = quoted.substr(1, quoted.size() - 2);
  if (!slashes) return quoted;
  std::string out;
  for (const char c : quoted) {
    if (c == '/') out += '\\';
    out += c;
  }
  return out;
}

std::string FormSpelling(std::string_view secret) {
  const std::array<FormField, 1> field = {FormField("", Value(secret))};
  const auto body = FormBody(field);
  return body ? body->substr(1) : std::string();
}

std::string LowerHex(std::string text) {
  for (auto at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    text[at + 1] = ToLower(text[at + 1]);
    text[at + 2] = ToLower(text[at + 2]);
  }
  return text;
}

// What of a secret's Base64 does not depend on the bytes before and behind it, for each place in a group of three where it may
// begin: as part of a longer text, such as "user:secret".
void AddBase64Inside(std::string_view secret, std::vector<std::string>& spellings) {
  for (std::size_t before = 0; before < 3; ++before) {
    const auto whole = Base64(std::string(before, ' ') + std::string(secret));
    const auto first = (before * 8 + 5) / 6;
    const auto last = (before + secret.size()) * 8 / 6;
    auto inside = whole.substr(first, last - first);
    if (inside.size() < Redactor::kSecretInDataBytesMin) continue;
    spellings.push_back(inside);
    std::ranges::replace(inside, '+', '-');
    std::ranges::replace(inside, '/', '_');
    spellings.push_back(inside);
  }
}

std::vector<std::string> SpellingsOf(std::string_view secret) {
  const auto percent = PercentEncode(secret);
  const auto json = JsonSpelling(secret, false);
  // Twice encoded is what an address becomes inside another, and what a JSON text becomes that is quoted.
  std::vector<std::string> spellings = {
      std::string(secret),  percent,       LowerHex(percent),          PercentEncode(percent),
      FormSpelling(secret), json,          JsonSpelling(secret, true), JsonSpelling(json, false),
      PercentEncode(json),  Base64(secret)};
  // Some leave the padding out, and some use the alphabet of addresses.
  auto base64 = Base64(secret);
  base64.resize(base64.find_last_not_of('=') + 1);
  spellings.push_back(base64);
  std::ranges::replace(base64, '+', '-');
  std::ranges::replace(base64, '/', '_');
  spellings.push_back(base64);
  AddBase64Inside(secret, spellings);
  auto hex = ToHex(reinterpret_cast<const std::uint8_t*>(secret.data()), secret.size());
  spellings.push_back(hex);
  std::ranges::transform(hex, hex.begin(),
                         [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
  spellings.push_back(hex);
  std::erase_if(spellings,
                [](const auto& text) { return text.size() < Redactor::kSecretBytesMin; });
  // The longest first, so that no shorter one leaves a rest of it.
  std::ranges::sort(spellings, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  const auto doubles = std::ranges::unique(spellings);
  spellings.erase(doubles.begin(), doubles.end());
  return spellings;
}

bool IsMobileNumber(std::string_view word) {
  return word.size() == 11 && word[0] == '1' && word[1] >= '3' &&
         std::ranges::all_of(word, IsDigit);
}

// Of the People's Republic of China: district, date of birth, sequence, and a check digit that keeps our own
// ids, which are as long, from being taken for one.
bool IsIdentityNumber(std::string_view word) {
  constexpr auto kWeights = std::to_array({7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2});
  constexpr std::string_view kChecks = "10X98765432";
  if (word.size() != kWeights.size() + 1) return false;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    if (!IsDigit(word[i])) return false;
    sum += static_cast<std::size_t>(kWeights[i] * (word[i] - '0'));
  }
  const auto century = word.substr(6, 2);
  const char last = word.back() == 'x' ? 'X' : word.back();
  return (century == "19" || century == "20") && kChecks[sum % kChecks.size()] == last;
}

// Equal for equal values, whatever their case.
std::string MarkOf(std::string_view value, std::string_view mask_key) {
  constexpr std::size_t kDigits = 6;
  if (mask_key.empty()) return {};
  std::string lower(value);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return "#" + HmacSha256Hex(mask_key, lower).substr(0, kDigits);
}

// Copies a text, leaving out what stands under a secret's name and, with a key for marks, what points to a person.
class ForPeople {
 public:
  ForPeople(std::string_view text, std::optional<std::string_view> mask_key)
      : scanner_(text), hides_people_(mask_key), mask_key_(mask_key.value_or("")) {}

  std::string Copy() {
    while (!scanner_.done()) {
      WriteMarkOfMailbox();
      const auto word = scanner_.TakeWhile(IsNameCharacter);
      const bool is_number = hides_people_ && (IsMobileNumber(word) || IsIdentityNumber(word));
      out_ += is_number ? kRedacted : word;
      if (is_number) out_ += MarkOf(word, mask_key_);
      if (word.empty()) {
        TakeOther();
      } else {
        if (IsSecretName(word)) TakeValue(IsAmong(kSecretHeaders, word));
      }
    }
    WriteMarkOfMailbox();
    return std::move(out_);
  }

 private:
  // Behind the address, which is copied like any other text.
  void WriteMarkOfMailbox() {
    if (mark_.empty() || scanner_.offset() < mark_from_) return;
    out_ += std::exchange(mark_, {});
  }

  void TakeOther() {
    // User and password of an address.
    if (scanner_.rest().starts_with("://")) {
      const auto authority =
          scanner_.rest().substr(3, scanner_.rest().find_first_of("/?# \"", 3) - 3);
      if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
        out_ += "://";
        out_ += kRedacted;
        scanner_.Seek(scanner_.offset() + 3 + at);
        return;
      }
    }
    if (hides_people_ && scanner_.peek() == '@') HideMailbox();
    out_ += scanner_.peek();
    scanner_.Seek(scanner_.offset() + 1);
  }

  // name=value, "name":"value", and for headers name: value.
  void TakeValue(bool is_header) {
    const auto start = scanner_.offset();
    const bool is_quoted_name = scanner_.Take('"') || scanner_.Take('\'');
    scanner_.TakeWhile([](char c) { return c == ' '; });
    const bool is_assigned = scanner_.Take('=');
    const bool is_member = !is_assigned && scanner_.Take(':') && (is_quoted_name || is_header);
    if (!is_assigned && !is_member) return scanner_.Seek(start);
    scanner_.TakeWhile([](char c) { return c == ' '; });
    const char quote = scanner_.peek();
    const bool is_quoted = quote == '"' || quote == '\'';
    if (is_quoted) scanner_.Take(quote);
    const auto& text = scanner_.text();
    out_ += text.substr(start, scanner_.offset() - start);
    const auto value = scanner_.TakeWhile([&](char c) {
      if (is_quoted) return c != quote;
      if (is_header) return c != '\n' && c != '\r';
      return std::string_view("&;, \t\r\n\"'}])").find(c) == std::string_view::npos;
    });
    if (!value.empty()) out_ += kRedacted;
  }

  // The part before the '@' has been copied already.
  void HideMailbox() {
    const auto domain = scanner_.rest().substr(1);
    const auto end =
        std::min(domain.find_first_not_of(
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"),
                 domain.size());
    if (domain.substr(0, end).find('.') == std::string_view::npos) return;
    auto from = out_.size();
    while (from > 0 && (IsNameCharacter(out_[from - 1]) || out_[from - 1] == '.' ||
                        out_[from - 1] == '+' || out_[from - 1] == '%'))
      --from;
    if (from == out_.size()) return;
    const auto host = domain.substr(0, domain.substr(0, end).find_last_not_of(".-") + 1);
    mark_ = MarkOf(fmt::format("{}@{}", out_.substr(from), host), mask_key_);
    mark_from_ = scanner_.offset() + 1 + host.size();
    out_.resize(from);
    out_ += kRedacted;
  }

  TextScanner scanner_;
  const bool hides_people_;
  const std::string_view mask_key_;
  std::string out_;
  std::string mark_{};         // of the address that is being copied
  std::size_t mark_from_ = 0;  // where that ends
};

}  // namespace

bool IsSecretName(std::string_view name) { return IsAmong(kSecretNames, name); }

void Redactor::Learn(std::string_view secret) {
  if (secret.empty()) return;
  const auto is_it = [&](const Known& known) { return known.secret == secret; };
  {
    const std::shared_lock lock(mutex_);
    if (std::ranges::any_of(known_, is_it)) return;
  }
  const std::unique_lock lock(mutex_);
  if (std::ranges::any_of(known_, is_it)) return;
  known_.push_back({std::string(secret), SpellingsOf(secret)});
  if (known_.size() > kSecretsMax) known_.pop_front();
}

bool Redactor::Known::IsIn(std::string_view text) const {
  if (!is_searchable()) return false;
  const auto is_in = [&](const auto& spelling) {
    return text.find(spelling) != std::string_view::npos;
  };
  return std::ranges::any_of(spellings, is_in) || !FindEscaped(text, secret).empty();
}

bool Redactor::Known::ReplaceIn(std::string& text) const {
  if (!is_searchable()) return false;
  bool is_found = false;
  const auto replace = [&](const std::vector<TextRange>& ranges) {
    if (ranges.empty()) return;
    is_found = true;
    Replace(text, ranges);
  };
  for (const auto& spelling : spellings) replace(FindPlain(text, spelling));
  replace(FindEscaped(text, secret));
  return is_found;
}

bool Redactor::IsKnownIn(std::string_view text, Whose whose) const {
  const std::shared_lock lock(mutex_);
  return std::ranges::any_of(known_, [&](const Known& known) {
    return (whose == Whose::kAll || !known.is_short()) && known.IsIn(text);
  });
}

bool Redactor::ReplaceKnown(std::string& text, Whose whose) const {
  const std::shared_lock lock(mutex_);
  bool is_found = false;
  for (const auto& known : known_) {
    if (whose == Whose::kAll || !known.is_short()) is_found = known.ReplaceIn(text) || is_found;
  }
  return is_found;
}

bool Redactor::Contains(std::string_view text) const { return IsKnownIn(text, Whose::kAll); }

bool Redactor::IsInData(std::string_view data) const { return IsKnownIn(data, Whose::kOfData); }

bool Redactor::RedactBody(std::string& body) const { return ReplaceKnown(body, Whose::kOfData); }

Value Redactor::RedactData(const Value& value) const {
  if (const auto* text = value.AsString()) {
    auto redacted = *text;
    RedactBody(redacted);
    return redacted;
  }
  if (const auto* items = value.AsArray()) {
    Value::Array redacted;
    for (const auto& item : *items) redacted.push_back(RedactData(item));
    return redacted;
  }
  if (const auto* members = value.AsObject()) {
    Value::Object redacted;
    for (const auto& [name, member] : *members) {
      auto clean = name;
      RedactBody(clean);
      redacted.emplace(std::move(clean), RedactData(member));
    }
    return redacted;
  }
  return value;
}

bool Redactor::IsNewlyEchoed(std::string_view data) {
  const auto is_new = [&](const Known& known) {
    return known.is_short() && !known.is_echo_told && known.IsIn(data);
  };
  {
    const std::shared_lock lock(mutex_);
    if (std::ranges::none_of(known_, is_new)) return false;
  }
  const std::unique_lock lock(mutex_);
  const auto found = std::ranges::find_if(known_, is_new);
  if (found == known_.end()) return false;
  found->is_echo_told = true;
  return true;
}

bool Redactor::IsNewlyShort(std::string_view secret) {
  if (secret.empty() || secret.size() >= kSecretInDataBytesMin) return false;
  const std::unique_lock lock(mutex_);
  const auto found = std::ranges::find(known_, secret, &Known::secret);
  return found != known_.end() && !std::exchange(found->is_short_told, true);
}

// What was left out may have hidden something else: the slash in a secret ended an address whose user is further on. So
// it goes on until nothing changes any more, which makes redacting twice the same as once.
std::string Redactor::Redacted(std::string_view text,
                               std::optional<std::string_view> mask_key) const {
  std::string redacted(text);
  ReplaceKnown(redacted, Whose::kAll);
  for (int pass = 0; pass < kPassesMax; ++pass) {
    auto copy = ForPeople(redacted, mask_key).Copy();
    if (copy == redacted) break;
    redacted = std::move(copy);
  }
  return redacted;
}

Error Redactor::RedactError(Error error) const {
  error.message = Redact(error.message);
  error.hint = Redact(error.hint);
  error.place.pointer = Redact(error.place.pointer);
  return error;
}

Value Redactor::RedactValue(const Value& value) const {
  if (const auto* text = value.AsString()) return Redact(*text);
  if (const auto* items = value.AsArray()) {
    Value::Array redacted;
    for (const auto& item : *items) redacted.push_back(RedactValue(item));
    return redacted;
  }
  if (const auto* members = value.AsObject()) {
    Value::Object redacted;
    for (const auto& [name, member] : *members)
      redacted.emplace(Redact(name), IsSecretName(name) ? Value(kRedacted) : RedactValue(member));
    return redacted;
  }
  return value;
}

void RedactingLog::Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                         const Value::Object& details) {
  const auto redacted = redactor_.RedactValue(Value(details));
  log_.Write(level, event, lineage, *redacted.AsObject());
}

}  // namespace patra::app
