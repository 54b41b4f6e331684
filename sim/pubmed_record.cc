#include "sim/pubmed_record.h"

#include <fmt/format.h>

#include <array>

#include "sim/record_book.h"
#include "sim/text_format.h"

namespace patra::sim {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Some journals have seasons instead of months, and then PubMed gives no <Year>.
bool HasMedlineDate(const Work& work) { return work.month == 0 && work.year % 2 == 0; }

std::string JournalOf(const Work& work) {
  return work.journal.empty() ? "Sandbox preprints" : work.journal;
}

std::string WriteDate(const Work& work) {
  if (HasMedlineDate(work)) {
    return fmt::format("<PubDate><MedlineDate>{} Nov-Dec</MedlineDate></PubDate>", work.year);
  }
  std::string date = fmt::format("<PubDate><Year>{}</Year>", work.year);
  if (work.month > 0) {
    date += fmt::format("<Month>{}</Month>", kMonths[static_cast<std::size_t>(work.month - 1)]);
  }
  if (work.day > 0) date += fmt::format("<Day>{:02}</Day>", work.day);
  return date + "</PubDate>";
}

// MathML occurs in the wild, with a namespace of its own.
constexpr std::string_view kFormula =
    R"(<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>2</mml:mn></mml:math>)";

std::string WriteAbstract(const Work& work) {
  if (work.abstract.empty()) return {};
  std::string text = "<Abstract>";
  for (std::size_t i = 0; i < work.abstract.size(); ++i) {
    const auto& section = work.abstract[i];
    text += section.label.empty()
                ? std::string("<AbstractText>")
                : fmt::format(R"(<AbstractText Label="{0}" NlmCategory="{0}">)", section.label);
    text += XmlMarkup(section.text);
    if (i == 0 && work.year % 5 == 0) text += fmt::format(" {}", kFormula);
    text += "</AbstractText>";
  }
  return text + "<CopyrightInformation>&#xa9; The Author(s).</CopyrightInformation></Abstract>";
}

std::string AbstractText(const Work& work) {
  std::string text;
  for (std::size_t i = 0; i < work.abstract.size(); ++i) {
    if (i > 0) text += ' ';
    text += PlainText(work.abstract[i].text);
    if (i == 0 && work.year % 5 == 0) text += " x=2";  // the string value of kFormula
  }
  return text;
}

std::string_view FirstLetter(std::string_view name) {
  std::size_t bytes = 1;
  while (bytes < name.size() && (static_cast<unsigned char>(name[bytes]) & 0xC0) == 0x80) ++bytes;
  return name.substr(0, bytes);
}

std::string WriteAuthors(const Work& work) {
  if (work.authors.empty()) return {};
  std::string list = R"(<AuthorList CompleteYN="Y">)";
  for (const auto& author : work.authors) {
    list += fmt::format(
        R"(<Author ValidYN="Y"><LastName>{}</LastName><ForeName>{}</ForeName><Initials>{}</Initials>)",
        XmlText(author.family), XmlText(author.given), XmlText(FirstLetter(author.given)));
    if (!author.affiliation.empty()) {
      const auto affiliation = XmlText(author.affiliation);
      list += fmt::format(
          "<AffiliationInfo><Affiliation>{0}.</Affiliation></AffiliationInfo>"
          "<AffiliationInfo><Affiliation>Centre for Collaborative Research and Advanced "
          "Methodology, joint unit with {0}. Electronic address: author@example.org."
          "</Affiliation></AffiliationInfo>",
          affiliation);
    }
    list += "</Author>";
  }
  return list + "</AuthorList>";
}

std::string WriteReferences(const Work& work) {
  if (work.references.empty()) return {};
  std::string list = "<ReferenceList>";
  for (std::size_t i = 0; i < work.references.size(); ++i) {
    list += fmt::format(
        "<Reference><Citation>{0} https://doi.org/10.5555/cited.{1}.{2} .</Citation>"
        "<ArticleIdList><ArticleId IdType=\"doi\">10.5555/cited.{1}.{2}</ArticleId>"
        "<ArticleId IdType=\"pubmed\">{3}</ArticleId></ArticleIdList></Reference>",
        XmlText(work.references[i]), work.issn, i, 9'000'000 + i * 137);
  }
  return list + "</ReferenceList>";
}

std::string WriteHeadings(const Work& work) {
  if (work.subjects.empty()) return {};
  std::string list = "<MeshHeadingList>";
  for (std::size_t i = 0; i < work.subjects.size(); ++i) {
    list += fmt::format(
        R"(<MeshHeading><DescriptorName UI="D{:06}" MajorTopicYN="N">{}</DescriptorName><QualifierName UI="Q{:06}" MajorTopicYN="Y">methods</QualifierName></MeshHeading>)",
        1'000 + i, XmlText(work.subjects[i]), 379 + i);
  }
  return list + "</MeshHeadingList>";
}

std::string WriteKeywords(const Work& work) {
  std::string list = R"(<KeywordList Owner="NOTNLM">)";
  for (const auto& subject : work.subjects) {
    list += fmt::format(R"(<Keyword MajorTopicYN="N">{}</Keyword>)", XmlText(subject));
  }
  return work.subjects.empty() ? std::string() : list + "</KeywordList>";
}

constexpr std::string_view kStatement =
    "<CoiStatement>Declarations. Ethics approval and consent to participate: no simulated person "
    "was asked, because none exists. Consent for publication: not applicable. Competing "
    "interests: the generator declares that it was seeded.</CoiStatement>";

}  // namespace

bool HasPubmedDoi(const Work& work) { return work.year % 9 != 0; }

std::string WritePubmedArticle(const Work& work) {
  const auto number = Mark(Hole::kNumber);
  const auto doi = Mark(Hole::kDoi);
  std::string text = fmt::format(
      R"(<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{}</PMID><DateCompleted>{}</DateCompleted><DateRevised>{}</DateRevised>)",
      number, Mark(Hole::kCreatedParts), Mark(Hole::kUpdatedParts));
  text += fmt::format(
      R"(<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">{}</ISSN><JournalIssue CitedMedium="Internet"><Volume>{}</Volume><Issue>{}</Issue>{}</JournalIssue><Title>{}</Title><ISOAbbreviation>{}</ISOAbbreviation></Journal>)",
      work.issn, work.year - 1960, work.year % 12 + 1, WriteDate(work), XmlText(JournalOf(work)),
      XmlText(JournalOf(work)));
  text +=
      fmt::format("<ArticleTitle>{} {}</ArticleTitle>", XmlMarkup(work.title), Mark(Hole::kSerial));
  if (HasPubmedDoi(work)) {
    text += fmt::format(R"(<ELocationID EIdType="doi" ValidYN="Y">{}</ELocationID>)", doi);
  }
  text += WriteAbstract(work);
  text += WriteAuthors(work);
  text += fmt::format(
      R"(<Language>eng</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article><MedlineJournalInfo><Country>Norway</Country><MedlineTA>{}</MedlineTA><NlmUniqueID>101560946</NlmUniqueID><ISSNLinking>{}</ISSNLinking></MedlineJournalInfo><CitationSubset>IM</CitationSubset>)",
      XmlText(JournalOf(work)), work.issn);
  text += WriteHeadings(work);
  text += WriteKeywords(work);
  text += kStatement;
  text += fmt::format(
      R"(</MedlineCitation><PubmedData><History><PubMedPubDate PubStatus="received">{0}</PubMedPubDate><PubMedPubDate PubStatus="pubmed">{0}<Hour>6</Hour><Minute>0</Minute></PubMedPubDate><PubMedPubDate PubStatus="entrez">{0}<Hour>4</Hour><Minute>23</Minute></PubMedPubDate></History><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">{1}</ArticleId>)",
      Mark(Hole::kCreatedParts), number);
  if (HasPubmedDoi(work)) text += fmt::format(R"(<ArticleId IdType="doi">{}</ArticleId>)", doi);
  text += "</ArticleIdList>";
  text += WriteReferences(work);
  return text + "</PubmedData></PubmedArticle>";
}

std::string WritePubmedSummaryXml(const Work& work) {
  const auto item = [](std::string_view name, std::string_view type, std::string_view value) {
    return fmt::format("\t<Item Name=\"{}\" Type=\"{}\">{}</Item>\n", name, type, value);
  };
  std::string text = fmt::format("<DocSum>\n\t<Id>{}</Id>\n", Mark(Hole::kNumber));
  text += item("PubDate", "Date", std::to_string(work.year));
  text += item("EPubDate", "Date", "");
  text += item("Source", "String", XmlText(JournalOf(work)));
  text += "\t<Item Name=\"AuthorList\" Type=\"List\">\n";
  for (const auto& author : work.authors) {
    text += "\t" + item("Author", "String", XmlText(author.family + " " + author.given));
  }
  text += "\t</Item>\n";
  text += item("Title", "String",
               fmt::format("{} {}", XmlText(PlainText(work.title)), Mark(Hole::kSerial)));
  text += item("Volume", "String", std::to_string(work.year - 1960));
  text += item("ISSN", "String", work.issn);
  text += item("RecordStatus", "String", "PubMed - indexed for MEDLINE");
  if (HasPubmedDoi(work)) text += item("DOI", "String", Mark(Hole::kDoi));
  text += item("HasAbstract", "Integer", work.abstract.empty() ? "0" : "1");
  text += item("FullJournalName", "String", XmlText(JournalOf(work)));
  return text + "</DocSum>\n";
}

std::string WritePubmedSummaryJson(const Work& work) {
  std::string text =
      fmt::format(R"({{"uid":"{}","pubdate":"{}","epubdate":"","source":{},"authors":[)",
                  Mark(Hole::kNumber), work.year, JsonText(JournalOf(work)));
  for (std::size_t i = 0; i < work.authors.size(); ++i) {
    text += fmt::format(R"({}{{"name":{},"authtype":"Author","clusterid":""}})", i == 0 ? "" : ",",
                        JsonText(work.authors[i].family + " " + work.authors[i].given));
  }
  text += fmt::format(
      R"(],"title":{},"volume":"{}","issn":"{}","pubtype":["Journal Article"],"recordstatus":"PubMed - indexed for MEDLINE","fulljournalname":{},)",
      JsonText(PlainText(work.title) + " " + Mark(Hole::kSerial)), work.year - 1960, work.issn,
      JsonText(JournalOf(work)));
  text += fmt::format(
      R"("articleids":[{{"idtype":"pubmed","idtypen":1,"value":"{}"}}],"history":[{{"pubstatus":"entrez","date":"{}"}}],"sortpubdate":"{}/01/01 00:00"}})",
      Mark(Hole::kNumber), Mark(Hole::kCreated), work.year);
  return text;
}

Value PubmedFields(const Work& work, std::string_view serial, std::string_view doi) {
  return WithoutEmpty({{"title", fmt::format("{} {}", PlainText(work.title), serial)},
                       {"journal", JournalOf(work)},
                       {"year", HasMedlineDate(work) ? std::string() : std::to_string(work.year)},
                       {"abstract", AbstractText(work)},
                       {"doi", HasPubmedDoi(work) ? std::string(doi) : std::string()}});
}

}  // namespace patra::sim
