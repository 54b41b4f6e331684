// Keeps secrets out of everything that is written: digests, error texts, logs, raw pages (I11).
//
// Two nets, one behind the other. Every secret that this process has used is known by its value, in every
// spelling in which it travels, and replaced wherever it turns up, also where a provider repeats it. And
// what stands under a name such as api_key or Authorization is replaced whatever it is.
//
// One exception: a secret of fewer than eight bytes may be part of ordinary words and ids. It is replaced in all that
// people read, never in data: a record whose id is changed is another record. Where it is used and where a provider
// repeats it, somebody is told.
#pragma once

#include <deque>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "app/port/log.h"
#include "base/result.h"
#include "base/value.h"

namespace patra::app {

inline constexpr std::string_view kRedacted = "***";

// Whether what stands under that name is a secret, whatever its case: headers, parameters, members.
bool IsSecretName(std::string_view name);

// Thread-safe.
class Redactor {
 public:
  // Values too short to be told from ordinary text are left to the second net.
  static constexpr std::size_t kSecretBytesMin = 4;
  static constexpr std::size_t kSecretInDataBytesMin = 8;
  static constexpr std::size_t kSecretsMax = 256;  // the latest; one that is used is learned again

  // With a key, the mask of an e-mail address, a mobile or an identity number has a mark, "***@example.org#1a2b3c": two texts
  // can be compared, and nobody finds the value without the key. Without one there are no marks.
  explicit Redactor(std::string mask_key = {}) : mask_key_(std::move(mask_key)) {}

  void Learn(std::string_view secret);

  bool Contains(std::string_view text) const;

  // For data, such as bodies and what was read from them: known secrets only, and no short ones; every other byte stays.
  // Whether anything was replaced.
  bool RedactBody(std::string& body) const;
  Value RedactData(const Value& value) const;
  bool IsInData(std::string_view data) const;  // whether RedactBody would replace anything

  // Whether a short secret is there that nobody was told about yet; true once for each secret.
  bool IsNewlyEchoed(std::string_view data);
  // Whether it is too short to be replaced in data; true once for each secret.
  bool IsNewlyShort(std::string_view secret);

  // For everything that people read: known secrets, what is named as one (name=…, "name":…, Authorization:
  // …), user and password of addresses, names of e-mail addresses, mobile and identity numbers.
  std::string Redact(std::string_view text) const { return Redacted(text, mask_key_); }
  // The same without marks: for what is held against what was kept before there were any.
  std::string RedactUnmarked(std::string_view text) const { return Redacted(text, ""); }
  // What somebody wrote for others: known secrets and what is named as one. Whoever is named there, is meant to be.
  std::string WithoutSecrets(std::string_view text) const { return Redacted(text, std::nullopt); }
  Error RedactError(Error error) const;
  Value RedactValue(const Value& value) const;

 private:
  struct Known {
    std::string secret;
    std::vector<std::string> spellings;
    bool is_short_told = false;
    bool is_echo_told = false;

    bool is_short() const { return secret.size() < kSecretInDataBytesMin; }
    bool is_searchable() const { return secret.size() >= kSecretBytesMin; }
    bool IsIn(std::string_view text) const;
    bool ReplaceIn(std::string& text) const;
  };
  enum class Whose { kAll, kOfData };

  bool IsKnownIn(std::string_view text, Whose whose) const;
  bool ReplaceKnown(std::string& text, Whose whose) const;
  // Absent: people stay.
  std::string Redacted(std::string_view text, std::optional<std::string_view> mask_key) const;

  const std::string mask_key_;
  mutable std::shared_mutex mutex_;
  std::deque<Known> known_;
};

// A log that sees no secrets. Thread-safe.
class RedactingLog final : public Log {
 public:
  RedactingLog(Log& log, const Redactor& redactor) : log_(log), redactor_(redactor) {}

  void Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  Log& log_;
  const Redactor& redactor_;
};

}  // namespace patra::app
