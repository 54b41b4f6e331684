#include "sim/pubmed_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/paging.h"
#include "sim/pubmed_record.h"
#include "sim/pubmed_term.h"
#include "sim/text_format.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

constexpr std::int64_t kFirstPmid = 10'000'000;
constexpr std::int64_t kWall = 9'999;
constexpr std::size_t kSetsMax = 100;
constexpr std::size_t kPostedMax = 100'000;
constexpr std::size_t kPubMedParametersMax = 1'000;
constexpr Duration kHistoryLife = std::chrono::hours(8);
constexpr std::string_view kWebEnvStart = "MCID_";
constexpr std::string_view kUnknownWord = "nosuchword";

constexpr std::string_view kSearchHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<!DOCTYPE eSearchResult PUBLIC \"-//NLM//DTD "
    "esearch 20060628//EN\" \"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd\">\n";
constexpr std::string_view kPostHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<!DOCTYPE ePostResult PUBLIC \"-//NLM//DTD epost "
    "20090526//EN\" \"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20090526/epost.dtd\">";
constexpr std::string_view kSummaryHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<!DOCTYPE eSummaryResult PUBLIC \"-//NLM//DTD "
    "esummary v1 20041029//EN\" "
    "\"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20041029/esummary-v1.dtd\">\n";
constexpr std::string_view kFetchErrorHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<!DOCTYPE eEfetchResult PUBLIC \"-//NLM//DTD "
    "efetch 20131226//EN\" \"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20131226/efetch.dtd\">\n";
constexpr std::string_view kArticleSetHead =
    "<?xml version=\"1.0\" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD PubMedArticle, 1st "
    "January 2025//EN\" \"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd\">\n"
    "<PubmedArticleSet>\n";

// As the server writes it, line break included: inside a JSON string that is not JSON any more.
constexpr std::string_view kWallError =
    "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch "
    "can only retrieve the first 9,999 records matching the query. To obtain more than 9,999 "
    "PubMed records, consider using EDirect that contains additional logic to batch PubMed "
    "records.";

std::int64_t ReadNumber(const Parameters& parameters, std::string_view name,
                        std::int64_t otherwise) {
  const auto* text = parameters.Find(name);
  const auto number = text ? ParseInteger(*text) : std::nullopt;
  return number && *number >= 0 ? *number : otherwise;
}

std::vector<std::string> ReadIds(const Parameters& parameters) {
  std::vector<std::string> ids;
  for (const auto& [name, value] : parameters.all()) {
    if (name != "id") continue;
    for (std::string_view rest = value; !rest.empty() && ids.size() < kPostedMax;) {
      const auto comma = rest.find(',');
      auto id = rest.substr(0, comma);
      while (id.starts_with(' ')) id.remove_prefix(1);
      while (id.ends_with(' ')) id.remove_suffix(1);
      if (!id.empty()) ids.emplace_back(id);
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }
  return ids;
}

std::string DateElements(Instant day) {
  const auto parts = PartsOf(day);
  return fmt::format("<Year>{}</Year><Month>{:02}</Month><Day>{:02}</Day>", parts.year, parts.month,
                     parts.day);
}

void RefuseFetch(Response& response, std::string_view message) {
  response.status = 400;
  response.content_type = "text/xml; charset=UTF-8";
  response.body = fmt::format("{}<eFetchResult>\n\t<ERROR>{}</ERROR>\n</eFetchResult>\n",
                              kFetchErrorHead, XmlText(message));
}

// Newest first, as esearch lists them.
std::vector<Entry> EnteredWithin(const View& view, View::Ranks window, const TermRange& range) {
  std::vector<Entry> rows;
  view.Collect(window, rows);
  std::erase_if(rows, [&](const Entry& entry) {
    return entry.created < range.from || entry.created >= range.to;
  });
  std::ranges::reverse(rows);
  return rows;
}

std::optional<std::int64_t> ItemOfPmid(std::string_view pmid) {
  const auto number = ParseInteger(pmid);
  if (!number || *number < kFirstPmid) return std::nullopt;
  return *number - kFirstPmid;
}

}  // namespace

// One esearch, read and answered.
struct PubmedProvider::Search {
  Selection selection;
  std::int64_t retstart = 0;
  std::int64_t retmax = 20;
  std::int64_t count = 0;
  std::vector<Entry> entries;
  std::string term;
  std::string web_env;
  std::size_t query_key = 0;
  std::vector<std::string> warnings;
  bool count_only = false;

  // False: nobody gets that far.
  bool ReadPaging(const Parameters& parameters);
  std::string PrintXml() const;
  std::string PrintJson() const;
};

std::string PubmedProvider::PmidOf(std::int64_t item) { return std::to_string(kFirstPmid + item); }
std::string PubmedProvider::DoiOf(std::int64_t item) { return fmt::format("10.5555/pm.{}", item); }

Instant PubmedProvider::RevisedOf(const Entry& entry) {
  const auto day = std::chrono::floor<std::chrono::days>(entry.updated);
  const bool indexed_later = MixBits(static_cast<std::uint64_t>(entry.item)) % 16 == 0;
  return day - std::chrono::days(indexed_later ? 1 : 0);
}

PubmedProvider::PubmedProvider(const World& world)
    : world_(world),
      articles_(world.works, RecordBook::WriteRecord(WritePubmedArticle)),
      summaries_xml_(world.works, RecordBook::WriteRecord(WritePubmedSummaryXml)),
      summaries_json_(world.works, RecordBook::WriteRecord(WritePubmedSummaryJson)),
      canonical_(world.works, RecordBook::MapFields([](const Work& work) {
                   return PubmedFields(work, Mark(Hole::kSerial), Mark(Hole::kDoi));
                 })),
      history_(world.corpus.seed(), kHistoryLife) {}

Caller PubmedProvider::IdentifyCaller(const Call& call) const {
  Caller caller;
  caller.address = call.request.peer;
  const auto parameters = call.request.FormParameters(kPubMedParametersMax);
  const auto* key = parameters.Find("api_key");
  caller.pool = key ? "key" : "anonymous";
  caller.key = key ? *key : caller.address;
  caller.endpoint = call.path.substr(call.path.rfind('/'));
  return caller;
}

std::vector<LimitRule> PubmedProvider::DefaultLimits() const {
  return {{.pool = "anonymous", .count_max = 3}, {.pool = "key", .count_max = 10}};
}

void PubmedProvider::Reject(const Call& call, const Rejection& rejection,
                            Response& response) const {
  response.status = 429;
  response.content_type = "application/json";
  response.SetHeader("x-ratelimit-limit", std::to_string(rejection.rule.count_max));
  response.SetHeader("x-ratelimit-remaining", "0");
  response.body =
      fmt::format(R"({{"error":"API rate limit exceeded","api-key":{},"count":"{}","limit":"{}"}})",
                  JsonText(IdentifyCaller(call).key), rejection.count, rejection.rule.count_max);
  response.body += "\n";
}

void PubmedProvider::ShowLimits(const Call&, const LimitState& state, Response& response) const {
  if (!state.rule) return;
  response.SetHeader("x-ratelimit-limit", std::to_string(state.rule->count_max));
  response.SetHeader("x-ratelimit-remaining", std::to_string(state.remaining));
}

void PubmedProvider::FailInside(const Call& call, Response& response) const {
  if (call.request.parameters.Get("retmode") == "json") {
    response.content_type = "application/json; charset=UTF-8";
    response.body =
        R"({"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"Search Backend failed: Database is not supported: pubmed"}})";
    return;
  }
  response.content_type = "text/xml; charset=UTF-8";
  response.body = fmt::format("{}<eSearchResult><ERROR>{}</ERROR></eSearchResult>\n", kSearchHead,
                              "Search Backend failed: Database is not supported: pubmed");
}

RecordShape PubmedProvider::Shape(const Call& call) const {
  if (call.request.parameters.Get("retmode") == "json") {
    return {.format = RecordShape::Format::kJson,
            .id = "uid",
            .date = "pubdate",
            .required = "title",
            .number = "volume"};
  }
  return {.format = RecordShape::Format::kXml,
          .id = "PMID",
          .date = "DateRevised",
          .required = "ArticleTitle",
          .number = "Volume"};
}

std::unique_ptr<TruthWalk> PubmedProvider::Truth(std::string_view variant, Instant from, Instant to,
                                                 Instant now) const {
  if (!variant.empty()) return nullptr;
  return std::make_unique<CorpusTruth>(
      world_.corpus, from, to, now, View::Deletions::kListed, true, [this](const Entry& entry) {
        HoleValues values;
        values[Hole::kSerial] = SerialOf(entry);
        values[Hole::kDoi] = DoiOf(entry.item);
        std::string canonical;
        canonical_.AppendTo(canonical, entry.item, values);
        return TruthEntry{.id = PmidOf(entry.item),
                          .version = entry.version,
                          .updated = RevisedOf(entry),
                          .hash = canonical_.HashOf(entry.item, values),
                          .deleted = entry.deleted};
      });
}

std::vector<std::string> PubmedProvider::Endpoints() const {
  return {
      "GET /pubmed/esearch.fcgi?datetype=mdat&mindate=2025/12/01&maxdate=2025/12/31&usehistory=y",
      "GET /pubmed/efetch.fcgi?retmode=xml&id=10000000,10000001",
      "GET /pubmed/esummary.fcgi?retmode=json&id=10000000", "POST /pubmed/epost.fcgi",
      "GET /pubmed/einfo.fcgi"};
}

void PubmedProvider::Answer(const Call& call, Response& response) {
  response.headers = {{"server", "Finatra"},
                      {"access-control-allow-origin", "*"},
                      {"cache-control", "private"},
                      {"ncbi-phid", "322C9A0F0000000000000000"}};
  const auto parameters = call.request.FormParameters(kPubMedParametersMax);
  std::string_view path = call.path;
  if (path.starts_with("/entrez/eutils/")) path.remove_prefix(14);
  if (path == "/esearch.fcgi") return AnswerSearch(call, parameters, response);
  if (path == "/epost.fcgi") return AnswerPost(call, parameters, response);
  if (path == "/efetch.fcgi") return AnswerFetch(call, parameters, response);
  if (path == "/esummary.fcgi") return AnswerSummary(call, parameters, response);
  if (path == "/einfo.fcgi") return AnswerInfo(call, parameters, response);
  response.status = 404;
  response.content_type = "text/html";
  response.body = "<html><body><h1>404 Not Found</h1></body></html>\n";
}

std::string PubmedProvider::Search::PrintXml() const {
  std::string text(kSearchHead);
  const auto out = std::back_inserter(text);
  if (count_only) {
    fmt::format_to(out, "<eSearchResult>\n\t<Count>{}</Count>\n</eSearchResult>\n", count);
    return text;
  }
  fmt::format_to(out, "<eSearchResult><Count>{}</Count><RetMax>{}</RetMax><RetStart>{}</RetStart>",
                 count, entries.size(), retstart);
  if (query_key > 0) {
    fmt::format_to(out, "<QueryKey>{}</QueryKey><WebEnv>{}</WebEnv>", query_key, web_env);
  }
  text += entries.empty() ? "<IdList/>" : "<IdList>\n";
  for (const auto& entry : entries) fmt::format_to(out, "<Id>{}</Id>\n", PmidOf(entry.item));
  if (!entries.empty()) text += "</IdList>";
  fmt::format_to(out, "<TranslationSet/><QueryTranslation>{}</QueryTranslation>", XmlText(term));
  if (!selection.unknown_phrase.empty()) {
    fmt::format_to(out, "<ErrorList><PhraseNotFound>{}</PhraseNotFound></ErrorList>",
                   XmlText(selection.unknown_phrase));
  }
  if (!warnings.empty()) {
    text += "<WarningList>";
    for (const auto& warning : warnings) {
      fmt::format_to(out, "<OutputMessage>{}</OutputMessage>", XmlText(warning));
    }
    text += "</WarningList>";
  }
  return text + "</eSearchResult>\n";
}

std::string PubmedProvider::Search::PrintJson() const {
  std::string text = R"({"header":{"type":"esearch","version":"0.3"},"esearchresult":{)";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"("count":"{}")", count);
  if (count_only) return text + "}}\n";
  fmt::format_to(out, R"(,"retmax":"{}","retstart":"{}")", entries.size(), retstart);
  if (query_key > 0) {
    fmt::format_to(out, R"(,"querykey":"{}","webenv":"{}")", query_key, web_env);
  }
  text += R"(,"idlist":[)";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    fmt::format_to(out, R"({}"{}")", i == 0 ? "" : ",", PmidOf(entries[i].item));
  }
  fmt::format_to(out, R"(],"translationset":[],"querytranslation":{})", JsonText(term));
  if (!selection.unknown_phrase.empty()) {
    fmt::format_to(out, R"(,"errorlist":{{"phrasesnotfound":[{}],"fieldsnotfound":[]}})",
                   JsonText(selection.unknown_phrase));
  }
  if (!warnings.empty()) {
    text += R"(,"warninglist":{"phrasesignored":[],"quotedphrasesnotfound":[],"outputmessages":[)";
    for (std::size_t i = 0; i < warnings.size(); ++i) {
      fmt::format_to(out, "{}{}", i == 0 ? "" : ",", JsonText(warnings[i]));
    }
    text += "]}";
  }
  return text + "}}\n";
}

bool PubmedProvider::Search::ReadPaging(const Parameters& parameters) {
  static constexpr auto kSorts = std::to_array<std::string_view>(
      {"", "relevance", "pub_date", "Author", "JournalName", "most recent"});
  const auto sort = parameters.Get("sort");
  if (std::ranges::find(kSorts, sort) == kSorts.end()) {
    warnings.push_back(fmt::format("Unknown sort schema '{}' ignored", sort));
  }
  count_only = parameters.Get("rettype") == "count";
  retstart = ReadNumber(parameters, "retstart", 0);
  retmax = ReadNumber(parameters, "retmax", 20);
  if (retstart > kWall - 1) return false;
  if (retmax > kWall) {
    retmax = kWall;
    warnings.push_back(
        fmt::format("Restrictions achieved. start and count adjusted to {}, {}", retstart, kWall));
  }
  retmax = std::min(retmax, kWall - retstart);  // cut without notice
  return true;
}

void PubmedProvider::AnswerSearch(const Call& call, const Parameters& parameters,
                                  Response& response) {
  const bool json = parameters.Get("retmode", "xml") == "json";
  response.content_type = json ? "application/json; charset=UTF-8" : "text/xml; charset=UTF-8";
  const auto fail = [&](std::string_view message) {
    // The JSON form carries the message as it is, which is how it stops being JSON.
    response.body =
        json
            ? fmt::format(
                  R"({{"header":{{"type":"esearch","version":"0.3"}},"esearchresult":{{"ERROR":"{}"}}}})",
                  message)
            : fmt::format("{}<eSearchResult><ERROR>{}</ERROR></eSearchResult>\n", kSearchHead,
                          XmlText(message));
  };
  const auto database = parameters.Get("db", "pubmed");
  if (database != "pubmed") return fail(fmt::format("Invalid db name specified: {}", database));

  Search search;
  search.term = parameters.Get("term");
  search.selection.from = kWindowMin;
  search.selection.to = kWindowMax;
  if (search.term.find(kUnknownWord) != std::string::npos) {
    search.selection.nothing = true;
    search.selection.unknown_phrase = kUnknownWord;
  }
  std::string field = parameters.Get("datetype", "pdat");
  const auto mindate = ParsePeriod(parameters.Get("mindate"), '/');
  const auto maxdate = ParsePeriod(parameters.Get("maxdate"), '/');
  if (mindate && maxdate) {  // one of them alone is ignored, as NCBI does
    search.selection.from = mindate->first;
    search.selection.to = maxdate->after;
  } else if (const auto days = ReadNumber(parameters, "reldate", 0); days > 0) {
    search.selection.from =
        call.world_now - std::chrono::days(std::min<std::int64_t>(days, 50'000));
  } else if (const auto range = FindRangeInTerm(search.term)) {
    field = range->field;
    search.selection.from = range->from;
    search.selection.to = range->to;
  }
  // Publication dates of simulated articles count as entry dates.
  search.selection.order =
      CountsModification(field) ? View::Order::kByUpdate : View::Order::kByBirth;

  if (!search.ReadPaging(parameters)) return fail(kWallError);

  const View view(world_.corpus, call.world_now, search.selection.order, View::Deletions::kHidden);
  auto window = view.Between(search.selection.from, search.selection.to);
  if (search.selection.nothing) window = {};
  // Dates of a modification in the parameters and of an entry in the term: both have to hold.
  const auto entered = FindRangeInTerm(search.term);
  const bool has_both = mindate && maxdate && CountsModification(field) && entered &&
                        !CountsModification(entered->field);
  auto page = has_both ? CutRows(EnteredWithin(view, window, *entered), search.retstart,
                                 search.retmax, call.troubles)
                       : CutPage(view, window, search.retstart, search.retmax, true, call.troubles);
  search.count = page.total;
  search.entries = std::move(page.entries);
  if (page.total == 0) search.warnings.emplace_back("No items found.");

  if (parameters.Get("usehistory") == "y") {
    HistorySet set{search.selection, call.world_now, {}, false};
    const auto given = parameters.Get("WebEnv");
    const bool joined =
        given.starts_with(kWebEnvStart) &&
        history_.Visit(given.substr(kWebEnvStart.size()), call.server_time, [&](auto& sets) {
          if (sets.size() == kSetsMax) sets.clear();
          sets.push_back(set);
          search.query_key = sets.size();
        });
    search.web_env = given;
    if (!joined) {
      search.web_env = std::string(kWebEnvStart) + history_.Open({set}, call.server_time);
      search.query_key = 1;
    }
  }
  response.body = json ? search.PrintJson() : search.PrintXml();
}

void PubmedProvider::AnswerPost(const Call& call, const Parameters& parameters,
                                Response& response) {
  response.content_type = "text/xml; charset=UTF-8";
  response.body = kPostHead;
  const auto database = parameters.Get("db", "pubmed");
  if (database != "pubmed") {
    response.body += fmt::format(
        "\n<ePostResult>\n\t<ERROR>Invalid db name specified: {}</ERROR>\n</ePostResult>\n",
        XmlText(database));
    return;
  }
  HistorySet set{{}, call.world_now, {}, true};
  bool omitted = false;
  for (const auto& id : ReadIds(parameters)) {
    if (const auto number = ParseInteger(id)) {
      set.posted.push_back(*number - kFirstPmid);
    } else {
      omitted = true;
    }
  }
  if (set.posted.empty()) {
    response.body += "<ePostResult>\n\t<ERROR>Empty ID list; Nothing to store</ERROR>";
    if (omitted) {
      response.body +=
          "\n\t<ERROR>Some IDs have invalid value and were omitted. Maximum ID value "
          "18446744073709551615</ERROR>";
    }
    response.body += "</ePostResult>\n";
    return;
  }
  const auto id = history_.Open({std::move(set)}, call.server_time);
  response.body += fmt::format(
      "<ePostResult>\n\t<QueryKey>1</QueryKey>\n\t<WebEnv>{}{}</WebEnv>\n</ePostResult>\n",
      kWebEnvStart, id);
}

Result<PubmedProvider::Fetched> PubmedProvider::FetchFromHistory(const Call& call,
                                                                 const Parameters& parameters) {
  const auto web_env = parameters.Get("WebEnv");
  const auto key = ReadNumber(parameters, "query_key", 0);
  std::optional<HistorySet> set;
  if (web_env.starts_with(kWebEnvStart)) {
    history_.Visit(web_env.substr(kWebEnvStart.size()), call.server_time, [&](auto& sets) {
      if (key >= 1 && key <= static_cast<std::int64_t>(sets.size())) {
        set = sets[static_cast<std::size_t>(key - 1)];
      }
    });
  }
  if (!set) return Fail(ErrorCode::kNotFound, fmt::format("Unable to obtain query #{}", key));

  const View view(world_.corpus, set->world_now, set->selection.order, View::Deletions::kHidden);
  auto window = set->is_post ? View::Ranks{0, static_cast<std::int64_t>(set->posted.size())}
                             : view.Between(set->selection.from, set->selection.to);
  if (set->selection.nothing) window = {};
  const auto retstart = ReadNumber(parameters, "retstart", 0);
  auto retmax = std::min(ReadNumber(parameters, "retmax", 20), kWall);
  if (retstart > kWall - 1) return Fail(ErrorCode::kLimit, std::string(kWallError));
  if (retstart >= window.count()) {
    return Fail(ErrorCode::kLimit,
                fmt::format("Cannot retrieve history data: OUT OF RANGE. Parameter retstart={} + 1 "
                            "is greater than number of records available in history. History "
                            "includes {} IDs.",
                            retstart, window.count()));
  }
  retmax = std::min(retmax, kWall - retstart);
  Fetched fetched;
  if (!set->is_post) {
    fetched.entries = CutPage(view, window, retstart, retmax, true, call.troubles).entries;
    return fetched;
  }
  const auto last = std::min(retstart + retmax, window.last);
  for (auto i = retstart; i < last; ++i) {
    const auto item = set->posted[static_cast<std::size_t>(i)];
    if (auto entry = view.Find(item)) fetched.entries.push_back(*entry);
  }
  return fetched;
}

Result<PubmedProvider::Fetched> PubmedProvider::Fetch(const Call& call,
                                                      const Parameters& parameters) {
  if (parameters.Has("WebEnv")) return FetchFromHistory(call, parameters);
  Fetched fetched;
  const View view(world_.corpus, call.world_now, View::Order::kByUpdate, View::Deletions::kHidden);
  const auto ids = ReadIds(parameters);
  if (ids.empty()) return Fail(ErrorCode::kInvalidInput, "Neither query_key nor id specified");
  for (const auto& id : ids) {
    const auto item = ItemOfPmid(id);
    const auto entry = item ? view.Find(*item) : std::nullopt;
    if (entry) {
      fetched.entries.push_back(*entry);
    } else {
      fetched.unknown.push_back(id);
    }
  }
  return fetched;
}

void PubmedProvider::Fill(const Entry& entry, HoleValues& values) const {
  values[Hole::kNumber] = PmidOf(entry.item);
  values[Hole::kDoi] = DoiOf(entry.item);
  values[Hole::kSerial] = SerialOf(entry);
  values[Hole::kUpdatedParts] = DateElements(RevisedOf(entry));
  values[Hole::kCreatedParts] = DateElements(entry.created);
  values[Hole::kCreated] = PrintDay(entry.created, "/") + " 00:00";
}

void PubmedProvider::AnswerFetch(const Call& call, const Parameters& parameters,
                                 Response& response) {
  const auto fetched = Fetch(call, parameters);
  if (!fetched) return RefuseFetch(response, fetched.error().message);
  if (parameters.Get("retmode") != "xml") {
    // Without retmode=xml the server once answered with ASN.1 in an HTML page.
    response.content_type = "text/html; charset=UTF-8";
    response.body =
        "<html><head><title>PmFetch response</title></head><body>\n<pre>\nPubmed-entry ::= {\n";
    for (const auto& entry : fetched->entries) {
      response.body += fmt::format("  pmid {},\n", PmidOf(entry.item));
    }
    response.body += "}\n</pre>\n</body></html>\n";
    return;
  }
  response.content_type = "text/xml; charset=UTF-8";
  auto& body = response.body;
  body = kArticleSetHead;
  HoleValues values;
  AppendRecords(fetched->entries, "", call.troubles, Shape(call), body, [&](const Entry& entry) {
    Fill(entry, values);
    articles_.AppendTo(body, entry.item, values);
  });
  body += "</PubmedArticleSet>";
}

void PubmedProvider::AnswerSummary(const Call& call, const Parameters& parameters,
                                   Response& response) {
  const bool json = parameters.Get("retmode", "xml") == "json";
  const auto fetched = Fetch(call, parameters);
  auto& body = response.body;
  const auto out = std::back_inserter(body);
  HoleValues values;
  if (!json) {
    response.content_type = "text/xml; charset=UTF-8";
    body = kSummaryHead;
    body += "<eSummaryResult>\n";
    if (!fetched) fmt::format_to(out, "\t<ERROR>{}</ERROR>\n", XmlText(fetched.error().message));
    if (fetched) {
      for (const auto& entry : fetched->entries) {
        Fill(entry, values);
        summaries_xml_.AppendTo(body, entry.item, values);
      }
    }
    body += "</eSummaryResult>\n";
    return;
  }
  response.content_type = "application/json; charset=UTF-8";
  body = R"({"header":{"type":"esummary","version":"0.3"},)";
  if (!fetched) {
    fmt::format_to(out, R"("error":{}}})", JsonText(fetched.error().message));
    return;
  }
  body += R"("result":{"uids":[)";
  bool first = true;
  const auto separate = [&] {
    if (!first) body += ',';
    first = false;
  };
  for (const auto& entry : fetched->entries) {
    separate();
    fmt::format_to(out, R"("{}")", PmidOf(entry.item));
  }
  body += ']';
  for (const auto& entry : fetched->entries) {
    Fill(entry, values);
    fmt::format_to(out, R"(,"{}":)", PmidOf(entry.item));
    summaries_json_.AppendTo(body, entry.item, values);
  }
  for (const auto& id : fetched->unknown) {
    fmt::format_to(out, R"(,{0}:{{"uid":{0},"error":"cannot get document summary"}})",
                   JsonText(id));
  }
  body += "}}\n";
}

void PubmedProvider::AnswerInfo(const Call& call, const Parameters& parameters,
                                Response& response) const {
  response.content_type = "text/xml; charset=UTF-8";
  response.body = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<eInfoResult>\n";
  if (!parameters.Has("db")) {
    response.body += "<DbList>\n\t<DbName>pubmed</DbName>\n</DbList>\n</eInfoResult>\n";
    return;
  }
  const View view(world_.corpus, call.world_now, View::Order::kByUpdate, View::Deletions::kHidden);
  response.body += fmt::format(
      "\t<DbInfo>\n\t<DbName>pubmed</DbName>\n\t<MenuName>PubMed</MenuName>\n\t<Description>PubMed "
      "bibliographic record</Description>\n\t<Count>{}</Count>\n\t<LastUpdate>{} "
      "00:00</LastUpdate>\n\t<FieldList>\n",
      view.total(), PrintDay(call.world_now, "/"));
  for (const auto* field : {"EDAT", "MDAT", "CRDT", "PDAT"}) {
    response.body += fmt::format(
        "\t\t<Field>\n\t\t\t<Name>{}</Name>\n\t\t\t<IsDate>Y</IsDate>\n\t\t</Field>\n", field);
  }
  response.body += "\t</FieldList>\n\t</DbInfo>\n</eInfoResult>\n";
}

}  // namespace patra::sim
