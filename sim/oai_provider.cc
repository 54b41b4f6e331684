#include "sim/oai_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/paging.h"
#include "sim/text_format.h"
#include "sim/time_window.h"

namespace patra::sim {

// How a repository differs from the others.
struct OaiRepository {
  enum class LastToken { kEmptyWithAttributes, kEmpty, kNone, kOneTooMany };

  std::string_view name;
  bool day_granularity = false;
  std::int64_t page_size = 100;
  bool token_attributes = true;
  bool token_from_last_day = false;  // continues from the last day shown, skipping what was shown
  bool token_escaped = false;
  bool cursor_counts_delivered = false;
  bool clamps_until = false;
  LastToken last_token = LastToken::kEmptyWithAttributes;
};

namespace {

using LastToken = OaiRepository::LastToken;

constexpr auto kRepositories = std::to_array<OaiRepository>({
    {.name = "standard"},
    {.name = "day",
     .day_granularity = true,
     .page_size = 250,
     .token_attributes = false,
     .token_from_last_day = true,
     .last_token = LastToken::kEmpty},
    {.name = "bare",
     .page_size = 10,
     .token_attributes = false,
     .token_escaped = true,
     .last_token = LastToken::kNone},
    {.name = "trailing", .last_token = LastToken::kOneTooMany},
    {.name = "clamped", .page_size = 300, .cursor_counts_delivered = true, .clamps_until = true},
});

constexpr Duration kTokenLife = std::chrono::hours(24);
constexpr Duration kClamp = std::chrono::days(30);
constexpr std::size_t kOaiParametersMax = 100;
constexpr std::string_view kIdentifierStart = "oai:sim.example.org:";

// Sets are made of birth slots; a colon makes a subset.
struct Set {
  std::string_view spec;
  std::string_view name;
  std::uint32_t births;
};
constexpr auto kSets = std::to_array<Set>({
    {"works", "Works", 0b0000'0011'1111},
    {"reports", "Reports", 0b1111'1100'0000},
    {"reports:late", "Reports that come late", 0b0010'0000'0000},
});

std::string DcDate(const Work& work) {
  if (work.month == 0) return fmt::format("{:04}", work.year);
  if (work.day == 0) return fmt::format("{:04}-{:02}", work.year, work.month);
  return fmt::format("{:04}-{:02}-{:02}", work.year, work.month, work.day);
}

std::string CreatorOf(const Author& author) { return author.family + ", " + author.given; }

std::string WriteMetadata(const Work& work) {
  std::string text =
      "<metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" "
      "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/ "
      "http://www.openarchives.org/OAI/2.0/oai_dc.xsd\">\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("<dc:{0}>{1}</dc:{0}>\n", name, value);
  };
  add("title", XmlText(PlainText(work.title)) + " " + Mark(Hole::kSerial));
  for (const auto& author : work.authors) add("creator", XmlText(CreatorOf(author)));
  for (const auto& subject : work.subjects) add("subject", XmlText(subject));
  for (const auto& section : work.abstract) add("description", XmlText(PlainText(section.text)));
  add("publisher", XmlText(work.publisher));
  add("date", DcDate(work));
  add("type", "text");
  add("identifier", fmt::format("https://sim.example.org/records/{}", Mark(Hole::kNumber)));
  add("identifier",
      fmt::format("https://sim.example.org/files?id={}&amp;format=pdf", Mark(Hole::kNumber)));
  return text + "</oai_dc:dc></metadata>";
}

std::optional<std::int64_t> ItemOfIdentifier(std::string_view identifier) {
  if (!identifier.starts_with(kIdentifierStart)) return std::nullopt;
  return ParseInteger(identifier.substr(kIdentifierStart.size()));
}

const OaiRepository* RepositoryAt(std::string_view path) {
  if (path == "/" || path.empty()) return &kRepositories.front();
  path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  for (const auto& repository : kRepositories) {
    if (repository.name == path) return &repository;
  }
  return nullptr;
}

std::string PrintStamp(const OaiRepository& repository, Instant instant) {
  return repository.day_granularity ? PrintDay(instant, "-") : PrintSeconds(instant);
}

// The arguments that each verb knows.
struct Verb {
  std::string_view name;
  std::string_view arguments;  // divided by blanks
  std::string_view required;
};
constexpr auto kVerbs = std::to_array<Verb>({
    {"Identify", "", ""},
    {"ListMetadataFormats", "identifier", ""},
    {"ListSets", "resumptionToken", ""},
    {"GetRecord", "identifier metadataPrefix", "identifier metadataPrefix"},
    {"ListIdentifiers", "from until metadataPrefix set resumptionToken", "metadataPrefix"},
    {"ListRecords", "from until metadataPrefix set resumptionToken", "metadataPrefix"},
});

bool Contains(std::string_view words, std::string_view word) {
  return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto blank = text.find(' ');
    words.push_back(text.substr(0, blank));
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return words;
}

}  // namespace

struct OaiProvider::Listing {
  Instant from = kWindowMin;
  Instant to = kWindowMax;  // behind the last moment
  std::string set;
  std::string from_text;  // as echoed
  std::string until_text;
  std::int64_t offset = 0;
  std::int64_t delivered = 0;  // before this page
  Instant world_now;           // the list is that of the first request
  bool from_token = false;
};

struct OaiProvider::Reply {
  const Call& call;
  const OaiRepository& repository;
  const Parameters parameters;
  std::string& body;
  std::vector<NameAndText> echoed;  // attributes of <request>

  void Open() {
    body +=
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH "
        "xmlns=\"http://www.openarchives.org/OAI/2.0/\" "
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
        "xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/ "
        "http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd\">\n";
    fmt::format_to(std::back_inserter(body), "<responseDate>{}</responseDate>\n<request",
                   PrintSeconds(call.world_now));
    for (const auto& [name, value] : echoed) {
      fmt::format_to(std::back_inserter(body), " {}=\"{}\"", name, XmlText(value));
    }
    fmt::format_to(std::back_inserter(body), ">{}/{}</request>\n", call.base_url, repository.name);
  }

  void Complain(std::string_view code, std::string_view why) {
    body.clear();
    // The protocol forbids echoing arguments that were not understood.
    if (code == "badVerb" || code == "badArgument") echoed.clear();
    Open();
    fmt::format_to(std::back_inserter(body), "<error code=\"{}\">{}</error>\n</OAI-PMH>\n", code,
                   XmlText(why));
  }
};

std::string OaiProvider::IdentifierOf(std::int64_t item) {
  return fmt::format("{}{}", kIdentifierStart, item);
}

Value OaiProvider::MappedFields(const Work& work, std::string_view serial) {
  Value::Array creators;
  for (const auto& author : work.authors) creators.emplace_back(CreatorOf(author));
  Value::Array subjects;
  for (const auto& subject : work.subjects) subjects.emplace_back(subject);
  return WithoutEmpty({{"title", fmt::format("{} {}", PlainText(work.title), serial)},
                       {"creators", std::move(creators)},
                       {"subjects", std::move(subjects)},
                       {"date", DcDate(work)}});
}

OaiProvider::OaiProvider(const World& world)
    : world_(world),
      metadata_(world.works, RecordBook::WriteRecord(WriteMetadata)),
      canonical_(world.works, RecordBook::MapFields([](const Work& work) {
                   return MappedFields(work, Mark(Hole::kSerial));
                 })) {}

Caller OaiProvider::IdentifyCaller(const Call& call) const {
  return {.key = call.request.peer,
          .address = call.request.peer,
          .pool = "",
          .endpoint = call.request.FormParameters(kOaiParametersMax).Get("verb", "none")};
}

std::vector<LimitRule> OaiProvider::DefaultLimits() const {
  return {{.scope = LimitRule::Scope::kAddress, .count_max = 20}};
}

void OaiProvider::Reject(const Call&, const Rejection& rejection, Response& response) const {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(rejection.retry_after).count();
  response.status = 503;
  response.content_type = "text/plain";
  response.SetHeader("retry-after", std::to_string(std::max<std::int64_t>(1, seconds)));
  response.body = "Retry after the given number of seconds\n";
}

void OaiProvider::FailInside(const Call& call, Response& response) const {
  response.content_type = "text/xml;charset=UTF-8";
  const auto* repository = RepositoryAt(call.path);
  Reply reply{call, repository ? *repository : kRepositories.front(), {}, response.body, {}};
  reply.Complain("badResumptionToken", "The repository is reindexing");
}

RecordShape OaiProvider::Shape(const Call&) const {
  return {.format = RecordShape::Format::kXml,
          .id = "identifier",
          .date = "datestamp",
          .required = "dc:title",
          .number = "dc:date"};
}

std::unique_ptr<TruthWalk> OaiProvider::Truth(std::string_view variant, Instant from, Instant to,
                                              Instant now) const {
  const auto* repository =
      variant.empty() ? &kRepositories.front() : RepositoryAt(fmt::format("/{}", variant));
  if (!repository) return nullptr;
  if (repository->clamps_until) to = std::min(to, now - kClamp);
  return std::make_unique<CorpusTruth>(
      world_.corpus, from, to, now, View::Deletions::kListed, false,
      [this, repository](const Entry& entry) {
        HoleValues values;
        values[Hole::kSerial] = SerialOf(entry);
        const Instant day = std::chrono::floor<std::chrono::days>(entry.updated);
        return TruthEntry{.id = IdentifierOf(entry.item),
                          .version = entry.version,
                          .updated = repository->day_granularity ? day : entry.updated,
                          .hash = canonical_.HashOf(entry.item, values),
                          .deleted = entry.deleted};
      });
}

std::vector<std::string> OaiProvider::Endpoints() const {
  std::vector<std::string> endpoints;
  for (const auto& repository : kRepositories) {
    endpoints.push_back(
        fmt::format("GET /oai/{}?verb=ListRecords&metadataPrefix=oai_dc&from={}", repository.name,
                    repository.day_granularity ? "2025-12-01" : "2025-12-01T00:00:00Z"));
  }
  return endpoints;
}

void OaiProvider::Answer(const Call& call, Response& response) {
  const auto* repository = RepositoryAt(call.path);
  if (!repository) {
    response.status = 404;
    response.content_type = "text/plain";
    response.body = "No such repository\n";
    return;
  }
  response.content_type = "text/xml;charset=UTF-8";
  Reply reply{call, *repository, call.request.FormParameters(kOaiParametersMax), response.body, {}};
  const auto verb_name = reply.parameters.Get("verb");
  const auto verb = std::ranges::find(kVerbs, verb_name, &Verb::name);
  if (verb == kVerbs.end()) {
    return reply.Complain("badVerb", fmt::format("Illegal verb '{}'", verb_name));
  }
  const bool resumes = reply.parameters.Has("resumptionToken");
  for (std::size_t i = 0; i < reply.parameters.all().size(); ++i) {
    const auto& [name, value] = reply.parameters.all()[i];
    const bool known = name == "verb" || Contains(verb->arguments, name);
    const bool exclusive = resumes && name != "verb" && name != "resumptionToken";
    const bool repeated = reply.parameters.Find(name) != &value;
    if (!known || exclusive || repeated) {
      return reply.Complain("badArgument", fmt::format("Illegal argument '{}'", name));
    }
    reply.echoed.emplace_back(name, value);
  }
  for (const auto name : Words(resumes ? "" : verb->required)) {
    if (!reply.parameters.Has(name)) {
      return reply.Complain("badArgument", fmt::format("Missing argument '{}'", name));
    }
  }
  const auto* prefix = reply.parameters.Find("metadataPrefix");
  if (prefix && *prefix != "oai_dc") {
    return reply.Complain("cannotDisseminateFormat",
                          fmt::format("The format '{}' is not supported", *prefix));
  }
  if (verb_name == "Identify") return AnswerIdentify(reply);
  if (verb_name == "ListMetadataFormats") return AnswerFormats(reply);
  if (verb_name == "ListSets") return AnswerSets(reply);
  if (verb_name == "GetRecord") return AnswerRecord(reply);
  ListThings(reply, verb_name == "ListRecords");
}

void OaiProvider::AnswerIdentify(Reply& reply) const {
  reply.Open();
  fmt::format_to(std::back_inserter(reply.body),
                 "<Identify><repositoryName>Simulated repository ({0})</repositoryName>"
                 "<baseURL>{1}/{0}</baseURL><protocolVersion>2.0</protocolVersion>"
                 "<adminEmail>admin@example.org</adminEmail>"
                 "<earliestDatestamp>{2}</earliestDatestamp>"
                 "<deletedRecord>persistent</deletedRecord><granularity>{3}</granularity>"
                 "</Identify>\n</OAI-PMH>\n",
                 reply.repository.name, reply.call.base_url,
                 PrintStamp(reply.repository, world_.corpus.TimeAt(0)),
                 reply.repository.day_granularity ? "YYYY-MM-DD" : "YYYY-MM-DDThh:mm:ssZ");
}

void OaiProvider::AnswerFormats(Reply& reply) const {
  if (const auto* id = reply.parameters.Find("identifier"); id && !ItemOfIdentifier(*id)) {
    return reply.Complain("idDoesNotExist", fmt::format("'{}' names no item", *id));
  }
  reply.Open();
  reply.body +=
      "<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix>"
      "<schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema>"
      "<metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace>"
      "</metadataFormat></ListMetadataFormats>\n</OAI-PMH>\n";
}

void OaiProvider::AnswerSets(Reply& reply) const {
  if (reply.parameters.Has("resumptionToken")) {
    return reply.Complain("badResumptionToken", "The list of sets has one page");
  }
  reply.Open();
  reply.body += "<ListSets>";
  for (const auto& set : kSets) {
    fmt::format_to(std::back_inserter(reply.body),
                   "<set><setSpec>{}</setSpec><setName>{}</setName></set>\n", set.spec, set.name);
  }
  reply.body += "</ListSets>\n</OAI-PMH>\n";
}

void OaiProvider::AnswerRecord(Reply& reply) const {
  const auto identifier = reply.parameters.Get("identifier");
  const View view(world_.corpus, reply.call.world_now, View::Order::kByUpdate,
                  View::Deletions::kListed);
  const auto item = ItemOfIdentifier(identifier);
  const auto entry = item ? view.Find(*item) : std::nullopt;
  if (!entry) {
    return reply.Complain("idDoesNotExist", fmt::format("'{}' names no item", identifier));
  }
  reply.Open();
  reply.body += "<GetRecord>";
  HoleValues values;
  AppendRecord(reply.repository, *entry, values, reply.body);
  reply.body += "</GetRecord>\n</OAI-PMH>\n";
}

// A token is text: "<from>!<until>!<set>!<offset>!<delivered>!<world time>!<expires>", so that the
// simulator keeps nothing and a token may be sent again until it expires.
std::string OaiProvider::PrintToken(const Reply& reply, const Listing& listing, std::int64_t offset,
                                    const std::vector<Entry>& shown) const {
  if (reply.call.troubles.dead_token) return "dead!token";
  auto from = listing.from;
  if (reply.repository.token_from_last_day && !shown.empty()) {
    // Continues on the last day shown and skips what was shown of it.
    const View view(world_.corpus, listing.world_now, View::Order::kByUpdate,
                    View::Deletions::kListed);
    const Instant day = std::chrono::floor<std::chrono::days>(shown.back().updated);
    if (day > from) {
      offset -= view.Between(from, day).count();
      from = day;
    }
  }
  const auto expires = reply.call.server_time + kTokenLife;
  auto token = fmt::format("{}!{}!{}!{}!{}!{}!{}", from.time_since_epoch().count(),
                           listing.to.time_since_epoch().count(), listing.set, offset,
                           listing.delivered + static_cast<std::int64_t>(shown.size()),
                           listing.world_now.time_since_epoch().count(), expires.count());
  // Already escaped text must be escaped again by whoever sends it.
  return reply.repository.token_escaped ? "oai%3A" + token : token;
}

std::expected<OaiProvider::Listing, std::pair<std::string, std::string>> OaiProvider::ReadListing(
    const Reply& reply) const {
  const auto complain = [](std::string code, std::string why) {
    return std::unexpected(std::pair(std::move(code), std::move(why)));
  };
  Listing listing;
  listing.world_now = reply.call.world_now;
  if (const auto* sent = reply.parameters.Find("resumptionToken")) {
    std::string_view rest = *sent;
    if (reply.repository.token_escaped && rest.starts_with("oai%3A")) rest.remove_prefix(6);
    std::vector<std::string> parts;
    while (parts.size() < 8) {
      const auto mark = rest.find('!');
      parts.emplace_back(rest.substr(0, mark));
      if (mark == std::string_view::npos) break;
      rest.remove_prefix(mark + 1);
    }
    const auto bad = [&] {
      return complain("badResumptionToken", "The token is not valid or has expired");
    };
    if (parts.size() != 7) return bad();
    std::array<std::int64_t, 7> numbers{};
    for (const std::size_t i : {0u, 1u, 3u, 4u, 5u, 6u}) {
      const auto number = ParseInteger(parts[i]);
      if (!number) return bad();
      numbers[i] = *number;
    }
    const auto moment = [&](std::size_t i) {
      return std::clamp(Instant(Duration(numbers[i])), kWindowMin, kWindowMax);
    };
    listing.from = moment(0);
    listing.to = moment(1);
    listing.set = parts[2];
    listing.offset = std::clamp<std::int64_t>(numbers[3], 0, std::int64_t{1} << 40);
    listing.delivered = std::clamp<std::int64_t>(numbers[4], 0, std::int64_t{1} << 40);
    listing.world_now = std::min(moment(5), reply.call.world_now);
    listing.from_token = true;
    if (Duration(numbers[6]) <= reply.call.server_time) return bad();
    return listing;
  }

  const auto read_date = [&](std::string_view name) -> std::optional<Period> {
    const auto text = reply.parameters.Get(name);
    const bool is_day = text.size() == 10;
    const bool is_second = text.size() == 20 && text.ends_with('Z');
    if (!is_day && (!is_second || reply.repository.day_granularity)) return std::nullopt;
    return ParsePeriod(text);
  };
  const bool has_from = reply.parameters.Has("from");
  const bool has_until = reply.parameters.Has("until");
  if (has_from) {
    const auto period = read_date("from");
    if (!period) return complain("badArgument", "from is no date of this repository's granularity");
    listing.from = period->first;
  }
  if (has_until) {
    const auto period = read_date("until");
    if (!period) {
      return complain("badArgument", "until is no date of this repository's granularity");
    }
    listing.to = period->after;
  }
  if (has_from && has_until) {
    if (reply.parameters.Get("from").size() != reply.parameters.Get("until").size()) {
      return complain("badArgument", "from and until differ in granularity");
    }
    if (listing.from >= listing.to) return complain("badArgument", "from is later than until");
  }
  listing.set = reply.parameters.Get("set");
  return listing;
}

void OaiProvider::ListThings(Reply& reply, bool with_records) const {
  auto read = ReadListing(reply);
  if (!read) return reply.Complain(read.error().first, read.error().second);
  auto listing = std::move(*read);
  const auto& repository = reply.repository;
  const auto& troubles = reply.call.troubles;

  if (repository.clamps_until && listing.to > listing.world_now - kClamp) {
    // Silently: only the echo in <request> tells.
    listing.to = std::chrono::floor<std::chrono::seconds>(listing.world_now - kClamp);
    if (!listing.from_token) {
      std::erase_if(reply.echoed, [](const auto& named) { return named.first == "until"; });
      reply.echoed.emplace_back("until", PrintStamp(repository, listing.to));
    }
  }
  std::uint32_t births = View::kAllBirths;
  if (!listing.set.empty()) {
    const auto set = std::ranges::find(kSets, listing.set, &Set::spec);
    births = set == kSets.end() ? 0 : set->births;
  }
  const View view(world_.corpus, listing.world_now, View::Order::kByUpdate,
                  View::Deletions::kListed, births);
  const auto window = view.Between(listing.from, listing.to);
  if (window.count() <= listing.offset) {
    return reply.Complain("noRecordsMatch", "The list is empty");
  }
  const auto page = CutPage(view, window, listing.offset, repository.page_size, false, troubles);

  reply.Open();
  auto& body = reply.body;
  const std::string_view element = with_records ? "ListRecords" : "ListIdentifiers";
  fmt::format_to(std::back_inserter(body), "<{}>\n", element);
  HoleValues values;
  AppendRecords(page.entries, "", troubles, Shape(reply.call), body, [&](const Entry& entry) {
    if (with_records) return AppendRecord(repository, entry, values, body);
    AppendHeader(repository, entry, body);
  });

  const bool more = page.more || repository.last_token == LastToken::kOneTooMany;
  std::string token;
  if (more && !troubles.drop_next) {
    token = PrintToken(reply, listing, page.next_offset, page.entries);
    if (troubles.repeat_token) token = reply.parameters.Get("resumptionToken", token);
  }
  std::string attributes;
  if (repository.token_attributes) {
    const auto cursor = repository.cursor_counts_delivered
                            ? listing.delivered + static_cast<std::int64_t>(page.entries.size())
                            : listing.offset;
    attributes = fmt::format(" completeListSize=\"{}\" cursor=\"{}\"", page.total, cursor);
    if (!token.empty()) {
      attributes = fmt::format(" expirationDate=\"{}\"{}",
                               PrintSeconds(reply.call.world_now + kTokenLife), attributes);
    }
  }
  const bool first_and_only = !listing.from_token && !page.more;
  if (!token.empty()) {
    fmt::format_to(std::back_inserter(body), "<resumptionToken{}>{}</resumptionToken>\n",
                   attributes, XmlText(token));
  } else if (repository.last_token == LastToken::kEmptyWithAttributes) {
    fmt::format_to(std::back_inserter(body), "<resumptionToken{} />\n", attributes);
  } else if (repository.last_token == LastToken::kEmpty && !first_and_only) {
    body += "<resumptionToken/>\n";
  }
  fmt::format_to(std::back_inserter(body), "</{}>\n</OAI-PMH>\n", element);
}

void OaiProvider::AppendHeader(const OaiRepository& repository, const Entry& entry,
                               std::string& out) const {
  out += entry.deleted ? "<header status=\"deleted\"><identifier>" : "<header><identifier>";
  out += IdentifierOf(entry.item);
  out += "</identifier><datestamp>";
  out += PrintStamp(repository, entry.updated);
  out += "</datestamp>";
  const auto birth = 1u << (entry.item % Corpus::kBirths);
  for (const auto& set : kSets) {
    if ((set.births & birth) == 0) continue;
    out += "<setSpec>";
    out += set.spec;
    out += "</setSpec>";
  }
  out += "</header>";
}

void OaiProvider::AppendRecord(const OaiRepository& repository, const Entry& entry,
                               HoleValues& values, std::string& out) const {
  out += "<record>";
  AppendHeader(repository, entry, out);
  if (!entry.deleted) {
    values[Hole::kSerial] = SerialOf(entry);
    values[Hole::kNumber] = std::to_string(entry.item);
    metadata_.AppendTo(out, entry.item, values);
  }
  out += "</record>\n";
}

}  // namespace patra::sim
