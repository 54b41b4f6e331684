#include "sim/crossref_record.h"

#include <fmt/format.h>

#include "sim/http_message.h"
#include "sim/record_book.h"
#include "sim/text_format.h"

namespace patra::sim {
namespace {

constexpr std::string_view kPrefix = "10.5555";

std::string_view TypeOf(const Work& work) {
  if (work.kind == "preprint") return "posted-content";
  if (work.kind == "chapter") return "book-chapter";
  if (work.kind == "dataset") return "dataset";
  return "journal-article";
}

bool HasNoDate(const Work& work) { return work.year % 17 == 0; }

std::string IssuedText(const Work& work) {
  if (HasNoDate(work)) return {};
  if (work.month == 0) return fmt::format("{:04}", work.year);
  if (work.day == 0) return fmt::format("{:04}-{:02}", work.year, work.month);
  return fmt::format("{:04}-{:02}-{:02}", work.year, work.month, work.day);
}

std::string IssuedParts(const Work& work) {
  if (HasNoDate(work)) return "[[null]]";
  if (work.month == 0) return fmt::format("[[{}]]", work.year);
  if (work.day == 0) return fmt::format("[[{},{}]]", work.year, work.month);
  return fmt::format("[[{},{},{}]]", work.year, work.month, work.day);
}

std::string DateMember(std::string_view name, Hole parts, Hole text, Hole millis) {
  return fmt::format(R"("{}":{{"date-parts":[[{}]],"date-time":"{}","timestamp":{}}},)", name,
                     Mark(parts), Mark(text), Mark(millis));
}

std::string WriteReferences(const Work& work) {
  std::string references;
  for (std::size_t i = 0; i < work.references.size(); ++i) {
    if (i > 0) references += ',';
    if (i % 3 == 0) {
      references += fmt::format(R"({{"key":"ref{}","unstructured":{}}})", i + 1,
                                JsonText(work.references[i]));
    } else {
      references += fmt::format(
          R"({{"key":"ref{0}","doi-asserted-by":"publisher","DOI":"10.5555/cited.{1}.{0}"}})",
          i + 1, work.issn);
    }
  }
  return references;
}

std::string WriteAuthors(const Work& work) {
  std::string authors;
  for (std::size_t i = 0; i < work.authors.size(); ++i) {
    const auto& author = work.authors[i];
    const auto affiliation = author.affiliation.empty()
                                 ? std::string()
                                 : fmt::format(R"({{"name":{}}})", JsonText(author.affiliation));
    authors += fmt::format(
        R"({}{{"given":{},"family":{},"sequence":"{}","affiliation":[{}],"role":[{{"vocabulary":"crossref","role":"author"}}]}})",
        i == 0 ? "" : ",", JsonText(author.given), JsonText(author.family),
        i == 0 ? "first" : "additional", affiliation);
  }
  return authors;
}

std::string WriteAbstract(const Work& work) {
  std::string text = "<jats:title>Abstract</jats:title>";
  for (const auto& section : work.abstract) {
    text += "<jats:p>" + InlineMarkup(section.text) + "</jats:p>";
  }
  return text;
}

std::string TitleText(const Work& work, std::string_view serial) {
  return fmt::format("{} {}", InlineMarkup(work.title), serial);
}

}  // namespace

std::string EscapeSlashes(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + 64);
  for (const char c : text) {
    if (c == '/') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string WriteCrossrefWork(const Work& work) {
  std::string text = "{";
  const auto write = [&](std::string_view part) { text += part; };
  write(DateMember("indexed", Hole::kUpdatedParts, Hole::kUpdated, Hole::kUpdatedMillis));
  write(fmt::format(R"("reference-count":{},"publisher":{},)", work.references.size(),
                    JsonText(work.publisher)));
  if (!work.journal.empty()) {
    write(fmt::format(R"("issue":"{}","volume":"{}","page":"{}-{}",)", work.year % 12 + 1,
                      work.year - 1960, work.year - 1900, work.year - 1888));
  }
  write(
      R"("license":[{"start":{"date-parts":[[2022,5,30]],"date-time":"2022-05-30T00:00:00Z","timestamp":1653868800000},"content-version":"vor","delay-in-days":0,"URL":"http://creativecommons.org/licenses/by/4.0/"}],)"
      R"("content-domain":{"domain":["example.org"],"crossmark-restriction":true},)");
  if (!work.abstract.empty()) {
    write(fmt::format(R"("abstract":{},)", JsonText(WriteAbstract(work))));
  }
  write(fmt::format(R"("DOI":"{}","type":"{}",)", Mark(Hole::kId), TypeOf(work)));
  write(DateMember("created", Hole::kCreatedParts, Hole::kCreated, Hole::kCreatedMillis));
  write(fmt::format(
      R"("source":"Crossref","is-referenced-by-count":{},"title":[{}],"prefix":"{}",)",
      work.references.size() * 3, JsonText(TitleText(work, Mark(Hole::kSerial))), kPrefix));
  if (!work.authors.empty()) write(fmt::format(R"("author":[{}],)", WriteAuthors(work)));
  write(R"("member":"5555",)");
  if (!work.references.empty()) {
    write(fmt::format(R"("reference":[{}],)", WriteReferences(work)));
  }
  if (!work.journal.empty()) {
    write(fmt::format(R"("container-title":[{0}],"short-container-title":[{0}],)",
                      JsonText(work.journal)));
  }
  write(R"("language":"en",)");
  write(DateMember("deposited", Hole::kUpdatedParts, Hole::kUpdated, Hole::kUpdatedMillis));
  write(fmt::format(
      R"("score":0.0,"resource":{{"primary":{{"URL":"https://example.org/works/{}"}}}},"subtitle":[],"issued":{{"date-parts":{}}},"references-count":{},"URL":"https://doi.org/{}","relation":{{}},)",
      Mark(Hole::kNumber), IssuedParts(work), work.references.size(), Mark(Hole::kId)));
  if (!work.journal.empty()) {
    write(fmt::format(R"("ISSN":["{0}"],"issn-type":[{{"value":"{0}","type":"electronic"}}],)",
                      work.issn));
  }
  if (!HasNoDate(work)) {
    write(fmt::format(R"("published":{{"date-parts":{}}},)", IssuedParts(work)));
  }
  text.back() = '}';  // in place of the last comma
  return EscapeSlashes(text);
}

Value CrossrefFields(const Work& work, std::string_view serial) {
  Value::Array families;
  for (const auto& author : work.authors) families.emplace_back(author.family);
  return WithoutEmpty({{"title", TitleText(work, serial)},
                       {"type", TypeOf(work)},
                       {"publisher", work.publisher},
                       {"issued", IssuedText(work)},
                       {"container", work.journal},
                       {"authors", std::move(families)}});
}

std::string CrossrefDoi(std::int64_t item) {
  // Old serial identifiers are full of characters that need escaping somewhere.
  if (item % 50 == 7) {
    return fmt::format("{}/(sici)1097-4571({})50:1<3::aid-sim>3.0.co;2-k", kPrefix, item);
  }
  return fmt::format("{}/sim.{}", kPrefix, item);
}

std::optional<std::int64_t> ItemOfCrossrefDoi(std::string_view doi) {
  const auto lower = LowerCase(doi);
  constexpr std::string_view kPlain = "10.5555/sim.";
  constexpr std::string_view kSici = "10.5555/(sici)1097-4571(";
  std::string_view digits = lower;
  if (digits.starts_with(kPlain)) {
    digits.remove_prefix(kPlain.size());
  } else if (digits.starts_with(kSici)) {
    digits = digits.substr(kSici.size(), digits.find(')', kSici.size()) - kSici.size());
  }
  const auto item = ParseInteger(digits);
  if (!item || LowerCase(CrossrefDoi(*item)) != lower) return std::nullopt;
  return item;
}

}  // namespace patra::sim
