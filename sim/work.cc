#include "sim/work.h"

#include <fmt/format.h>

#include <array>

namespace patra::sim {
namespace {

template <std::size_t kSize>
std::string_view Pick(Random& random, const std::array<std::string_view, kSize>& texts) {
  return texts[random.Below(kSize)];
}

constexpr auto kNouns = std::to_array<std::string_view>({
    "kinase",
    "membrane",
    "outcome",
    "cohort",
    "sediment",
    "catalyst",
    "lattice",
    "biomarker",
    "genome",
    "policy",
    "language",
    "classifier",
    "receptor",
    "β-amyloid",
    "microbiome",
    "exposure",
    "graphene",
    "trial",
    "meta-analysis",
    "aerosol",
    "neutrino",
    "perovskite",
    "transporter",
    "network",
    "Schrödinger operator",
    "naïve Bayes model",
    "Müller glia",
    "vitamin D₃",
    "Ångström exponent",
    "écosystème",
    "TGF-β1",
    "α-synuclein",
    "CO₂ flux",
    "ΔG estimate",
    "水文模型",
    "地震波",
    "рынок труда",
    "اللغة العربية",
    "मानसून",
    "한국어 말뭉치",
    "𝛼-decay",
    "tumour",
    "reef",
    "polymer",
    "wavelet",
    "vaccine",
    "archive",
});
constexpr auto kVerbs = std::to_array<std::string_view>({
    "shapes",
    "predicts",
    "limits",
    "reveals",
    "modulates",
    "does not explain",
    "outperforms",
    "depends on",
    "correlates with",
    "inhibits",
    "reorders",
    "is driven by",
    "delays",
    "constrains",
});
constexpr auto kAdjectives = std::to_array<std::string_view>({
    "robust",      "early",          "non-linear",  "double-blind",   "sparse",
    "quantum",     "long-term",      "rural",       "in vitro",       "high-resolution",
    "low-cost",    "self-reported",  "paediatric",  "coupled",        "latent",
    "“so-called”", "cross-national", "multi-scale", "post-operative", "low-dose",
    "<5-year",
});
constexpr auto kFamilies = std::to_array<std::string_view>({
    "Almeida",     "Nguyễn",       "O’Connor",     "García-Márquez",
    "Łukasiewicz", "Smith",        "van der Berg", "Ivanova",
    "Иванов",      "王",           "Kim",          "Håkansson",
    "Ōe",          "D'Souza",      "Müller",       "Þórsdóttir",
    "Okonkwo",     "Yılmaz",       "Dvořák",       "Haddad",
    "Šimunić",     "Papadopoulos", "Singh",        "Li",
});
constexpr auto kGivens = std::to_array<std::string_view>({
    "Ana",    "Bình",  "Siobhán", "José Luis", "Zofia", "J.",        "Jan",
    "Olga",   "Пётр",  "小明",    "Min-jun",   "Åsa",   "Kenzaburō", "Rhea",
    "Jürgen", "Björk", "Chidi",   "Elif",      "Tomáš", "Layla",     "M. A.",
});
constexpr auto kPlaces = std::to_array<std::string_view>({
    "University of the North, Tromsø, Norway",
    "Institute of Applied Studies, Graz, Austria",
    "Department of Medicine, Coastal University, Porto, Portugal",
    "School of Public Health, Lakeside College, Kampala, Uganda",
    "Laboratório de Ecologia, São Carlos, Brazil",
    "Center for Data & Society, Halifax, Canada",
    "Instytut Fizyki, Kraków, Poland",
    "College of Engineering, Pune, India",
});
constexpr auto kJournals = std::to_array<std::string_view>({
    "Annals of Simulated Medicine",
    "Journal of Reproducible Results",
    "Acta Imaginaria",
    "Letters in Synthetic Physics",
    "Revista de Estudios Ficticios",
    "Proceedings of the Sandbox",
    "Invented Ecology & Evolution",
    "Zeitschrift für Probedaten",
    "Open Placeholder Research",
});
constexpr auto kPublishers = std::to_array<std::string_view>({
    "Loopback Press",
    "Example University Press",
    "Société des Données d’Essai",
    "Fabricated Sciences Ltd.",
    "Sandbox & Sons",
});
constexpr auto kSubjects = std::to_array<std::string_view>({
    "Ecology",
    "Cardiology",
    "Machine learning",
    "Économie",
    "Soil Science",
    "Linguistics",
    "Public health",
    "Condensed matter",
    "History of science",
    "Genetics",
    "Hydrology",
});
constexpr auto kLabels =
    std::to_array<std::string_view>({"BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"});
constexpr auto kKinds = std::to_array<std::string_view>(
    {"article", "article", "article", "article", "article", "preprint", "dataset", "chapter"});

std::string Capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string Clause(Random& random) {
  return fmt::format("{} {} {} {} {}", Pick(random, kAdjectives), Pick(random, kNouns),
                     Pick(random, kVerbs), Pick(random, kAdjectives), Pick(random, kNouns));
}

StyledText MakeTitle(Random& random) {
  StyledText title{{Capitalised(Clause(random)), ""}};
  if (random.Chance(0.3)) {
    title.push_back({" in ", ""});
    title.push_back({random.Chance(0.5) ? "Escherichia coli" : "Homo sapiens", "i"});
  }
  if (random.Chance(0.15)) {
    title.push_back({" under H", ""});
    title.push_back({"2", "sub"});
    title.push_back({"O and ", ""});
    title.push_back({"99m", "sup"});
    title.push_back({"Tc", ""});
  }
  if (random.Chance(0.3)) title.push_back({": " + Clause(random), ""});
  if (random.Chance(0.1)) title.push_back({" & \"quoted\" results at p < 0.05", ""});
  return title;
}

std::vector<Author> MakeAuthors(Random& random) {
  if (random.Chance(0.05)) return {};
  std::vector<Author> authors(random.Chance(0.03) ? 40 : 1 + random.Below(9));
  for (auto& author : authors) {
    author.family = Pick(random, kFamilies);
    author.given = Pick(random, kGivens);
    if (random.Chance(0.8)) author.affiliation = Pick(random, kPlaces);
  }
  return authors;
}

StyledText MakeParagraph(Random& random, std::uint64_t sentences) {
  StyledText paragraph;
  for (std::uint64_t i = 0; i < sentences; ++i) {
    const std::string_view blank = i == 0 ? "" : " ";
    paragraph.push_back({fmt::format("{}{}.", blank, Capitalised(Clause(random))), ""});
    if (random.Chance(0.1)) {
      paragraph.push_back({" The mean was 1.3 × 10", ""});
      paragraph.push_back({"−4", "sup"});
      paragraph.push_back({" (n = 42).", ""});
    }
  }
  return paragraph;
}

std::vector<Section> MakeAbstract(Random& random) {
  if (random.Chance(0.12)) return {};
  if (random.Chance(0.4)) return {{"", MakeParagraph(random, 3 + random.Below(9))}};
  std::vector<Section> sections;
  for (const auto label : kLabels) {
    sections.push_back({std::string(label), MakeParagraph(random, 2 + random.Below(5))});
  }
  return sections;
}

std::string MakeReference(Random& random) {
  return fmt::format("{} {}. {}. {}. {};{}:{}–{}.", Pick(random, kFamilies), Pick(random, kGivens),
                     Capitalised(Clause(random)), Pick(random, kJournals), 1980 + random.Below(45),
                     1 + random.Below(90), 100 + random.Below(400), 500 + random.Below(400));
}

Work MakeWork(Random& random) {
  Work work;
  work.title = MakeTitle(random);
  work.authors = MakeAuthors(random);
  work.abstract = MakeAbstract(random);
  for (auto left = random.Below(6); left > 0; --left) {
    work.subjects.emplace_back(Pick(random, kSubjects));
  }
  work.kind = Pick(random, kKinds);
  if (work.kind == "article") work.journal = Pick(random, kJournals);
  work.publisher = Pick(random, kPublishers);
  work.issn = fmt::format("{:04}-{:03}X", random.Below(10'000), random.Below(1'000));
  work.year = static_cast<int>(random.Between(1965, 2026));
  if (random.Chance(0.85)) work.month = static_cast<int>(random.Between(1, 12));
  if (work.month > 0 && random.Chance(0.7)) work.day = static_cast<int>(random.Between(1, 28));
  work.references.resize(random.Chance(0.15) ? 0 : 4 + random.Below(24));
  for (auto& reference : work.references) reference = MakeReference(random);
  return work;
}

}  // namespace

std::string PlainText(const StyledText& text) {
  std::string plain;
  for (const auto& run : text) plain += run.text;
  return plain;
}

WorkPool::WorkPool(std::uint64_t seed) : seed_(seed) {
  works_.reserve(kWorks);
  const SeededRandom root(seed);
  for (std::size_t i = 0; i < kWorks; ++i) {
    auto random = root.Fork(fmt::format("work {}", i));
    works_.push_back(MakeWork(random));
  }
}

std::size_t WorkPool::IndexFor(std::int64_t item) const {
  return MixBits(seed_ ^ MixBits(static_cast<std::uint64_t>(item))) % kWorks;
}

}  // namespace patra::sim
