#include "domain/spec/shape.h"

#include "domain/spec/dictionary_types.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {
namespace {

Shape Of(ScalarKind kind) { return {.scalar = kind}; }
Shape Text() { return Of(ScalarKind::kText); }
Shape Integer() { return Of(ScalarKind::kInteger); }
Shape Flag() { return Of(ScalarKind::kFlag); }
Shape Length() { return Of(ScalarKind::kDuration); }
Shape APath() { return Of(ScalarKind::kPath); }
Shape ATemplate() { return Of(ScalarKind::kTemplate); }
Shape Reference() { return Of(ScalarKind::kReference); }

template <CodedEnum E>
Shape OneOf() {
  return {.scalar = ScalarKind::kCode,
          .codes = LowerCodes<E>(),
          .dictionary = std::string(DictionaryOf(E{}))};
}

Shape Map(std::vector<Key> keys) { return {.kind = Shape::Kind::kMap, .keys = std::move(keys)}; }

Shape Entries(Shape of) {
  return {.kind = Shape::Kind::kEntries, .of = std::make_shared<const Shape>(std::move(of))};
}

Shape List(Shape of) {
  return {.kind = Shape::Kind::kList, .of = std::make_shared<const Shape>(std::move(of))};
}

Shape OneOrMany(Shape of) {
  auto list = List(std::move(of));
  list.one_or_many = true;
  return list;
}

Shape Named(std::string name, Shape shape) {
  shape.name = std::move(name);
  return shape;
}

Shape Tree() { return {.kind = Shape::Kind::kTree}; }

Shape ShortFor(std::string key, Shape map) {
  map.short_form = std::move(key);
  return map;
}

Shape HttpShape() {
  return Map(
      {{"base_url", Of(ScalarKind::kUrl), "The provider's address; paths are appended to it"},
       {"allow_http", Flag(), "Permits a base_url without TLS", "false"},
       {"contact", Of(ScalarKind::kReferenceOrText),
        "An e-mail address for the User-Agent, where the provider asks for one"},
       {"headers", Entries(ATemplate()), "Sent with every request"},
       {"timeout",
        Map({{"connect", Length(), "Until the connection stands", "10s"},
             {"read", Length(), "Without a byte arriving", "30s"},
             {"total", Length(), "For the whole answer, at most 120s", "120s"}}),
        "How long to wait"},
       {"redirects", Integer(), "How many to follow, at most 3", "0"},
       {"hosts", List(Text()), "Further hosts that redirects and next links may lead to"},
       {"proxy", Of(ScalarKind::kReferenceOrText), "URL of an HTTP proxy"},
       {"compression", Flag(), "Whether compressed answers are asked for", "true"}});
}

Shape AuthShape() {
  auto shape = Map(
      {{"type", OneOf<AuthType>(), "How the provider knows who asks", "none"},
       {"required", Flag(), "Whether the endpoint refuses requests without it", "false"},
       {"in", OneOf<AuthLocation>(), "Where the credential goes", "header"},
       {"name", Text(), "Of the header, parameter or member"},
       {"prefix", Text(), "Written before the credential"},
       {"keys", OneOrMany(Reference()), "References to one or more keys"},
       {"order", OneOf<KeyOrder>(),
        "Of several keys: evenly, or the first one listed that is neither cooling down nor spent"},
       {"username", Reference(), "basic"},
       {"password", Reference(), "basic"},
       {"token_url", Of(ScalarKind::kUrl), "oauth2: where client credentials buy a token"},
       {"client_id", Reference(), "oauth2"},
       {"client_secret", Reference(), "oauth2"},
       {"scope", Text(), "oauth2"},
       {"audience", Text(), "oauth2"},
       {"refresh_before", Length(), "oauth2: how long before its end a token is renewed", "1m"},
       {"signing", Text(), "custom: name of the hook that signs requests"}});
  return ShortFor("type", std::move(shape));
}

Shape LimitsShape() {
  return List(Map(
      {{"rate", Of(ScalarKind::kRate), "Requests per time, such as 3/s, 500/m or 1/3s"},
       {"page", Of(ScalarKind::kUrl), "Where the provider says so"},
       {"burst", Integer(),
        "How many may come at once: if it is all that the rate counts, they do; else evenly", "1"},
       {"concurrency", Integer(), "Requests on their way at a time"},
       {"quota", OneOrMany(Of(ScalarKind::kRate)), "Allowance per hour or day, such as 8000/d"},
       {"reserve", Of(ScalarKind::kPart),
        "Part of a quota that is kept back: at its end only harvests go on, and slowly", "10%"},
       {"zone", Of(ScalarKind::kTimezone), "Whose days and hours a quota counts; else UTC"},
       {"urgent_quota", Of(ScalarKind::kPart),
        "Part of a quota that backfills leave to harvests, less towards its end; 20% if not given"},
       {"urgent_rate", Of(ScalarKind::kPart),
        "Part of the rate that harvests get before others while they wait; 50% if not given"},
       {"ceiling", Of(ScalarKind::kRate),
        "The rate is a guess: as long as the provider does not complain it rises up to this"},
       {"per", OneOf<RateScope>(), "Whose requests are counted together", "endpoint"},
       {"learn_from", List(Text()), "Headers that tell the provider's own numbers"},
       {"slow_down", Of(ScalarKind::kNumber), "By what a 429 divides the rate", "2"},
       {"least", Of(ScalarKind::kNumber), "Requests per second that slowing down ends at", "0.1"},
       {"warm_up", Length(), "How long the rate takes to rise to its full height", "0s"}}));
}

Shape BudgetShape() {
  return Map({{"requests", Integer(), "Of one run of a slice; then its rest waits"},
              {"records", Integer(), "The same in records"},
              {"time", Length(), "The same in time"},
              {"pause", Length(), "How long the rest of a slice waits, 1h if not given"},
              {"quota", OneOrMany(Of(ScalarKind::kRate)),
               "Requests of this operation at this endpoint, such as 5000/d"},
              {"open_tasks", Integer(), "Unfinished tasks beyond which the rest of a plan waits"}});
}

Shape RetryShape() {
  return Map(
      {{"attempts", Integer(), "Tries of one request, the first included", "5"},
       {"backoff", OneOf<BackoffCurve>(), "How delays grow; exponential_jitter if not given"},
       {"first", Length(), "Delay before the second try", "100ms"},
       {"most", Length(), "Longest delay", "30s"},
       {"factor", Of(ScalarKind::kNumber), "By which the delay grows", "2"},
       {"jitter", Of(ScalarKind::kPart), "Part of the delay that is left to chance", "20%"},
       {"statuses", List(Of(ScalarKind::kStatus)), "Answers that are tried again"},
       {"give_up", List(Of(ScalarKind::kStatus)), "Answers that never are"},
       {"network", Flag(), "Whether failed connections are tried again", "true"},
       {"retry_after_cap", Length(), "A longer Retry-After parks the task and raises an alert",
        "1h"},
       {"circuit_failures", Integer(), "Failures in a row that pause the source", "3"},
       {"circuit_cool_down", Length(),
        "For how long at most; at first for two seconds, longer each time", "1m"}});
}

Shape PagingShape() {
  return Map(
      {{"style", OneOf<PagingStyle>(), "How the provider's pages follow each other"},
       {"by", OneOf<PagedBy>(),
        "What leads on: a place in the list, a key that no other record moves, a snapshot of "
        "the list",
        "place"},
       {"size", Integer(), "Records per page; 80 % of size_max where it is not given"},
       {"size_max", Integer(), "The most that the provider allows"},
       {"first_page", Integer(), "page: the number of the first page, 0 or 1"},
       {"step", OneOf<OffsetStep>(),
        "offset: by what it grows; where neither an exact total nor has_more tells of the end, by "
        "what came, else by "
        "the size"},
       {"first", Text(), "token: what the first request sends"},
       {"next", APath(), "token, url: where the answer has the next one"},
       {"link_header", Flag(),
        "url: the next one is rel=next of the Link header; with no such link, a list in one answer",
        "false"},
       {"next_header", Text(), "token, url: the header of the answer that has the next one"},
       {"token", OneOf<TokenKind>(),
        "token: what it is. A text if not given; a value that ${page.token} takes apart or puts "
        "into "
        "a JSON body; an object whose members are parameters of the next request"},
       {"replayable", Flag(), "token: whether it may be sent twice", "true"},
       {"lifetime", Length(),
        "token, url: how long it lives without being used; then it is not sent"},
       {"ends", OneOrMany(OneOf<WalkEnd>()), "What tells that the walk is over"},
       {"has_more", APath(), "Where the answer says whether there is more"},
       {"pages_max", Integer(), "The provider's last page"},
       {"reach", Integer(), "How many records paging can get at, whatever the total"},
       {"split_by",
        List(Map({{"name", Text(), "Of the dimension", "", true},
                  {"kind", OneOf<SplitKind>(), "What its values are", "date"},
                  {"values", List(Text()), "values: which there are"}})),
        "Further ways to cut a slice that reaches beyond `reach`"},
       {"tail_probe", Flag(), "Ask once more where the provider at times forgets the next",
        "false"}});
}

Shape TimeWindowShape() {
  return Map(
      {{"by", Text(), "The date that the window counts: the watermark's name", "updated_at"},
       {"filter", OneOf<WindowFilter>(), "Who keeps to the window", "server"},
       {"start", Of(ScalarKind::kMoment), "Where the first harvest begins"},
       {"safety_lag", Length(), "How long a record may take to become visible", "10m"},
       {"safety_lag_max", Length(), "To which the lag may be raised by itself", "1d"},
       {"width", Of(ScalarKind::kWidths), "Of a slice: 1d, or 1m..1d, or 1m..6h..1d"},
       {"longest", Length(),
        "The longest window that the provider answers for; no slice is wider, not even at first"},
       {"align", Length(), "Ends of harvests lie on multiples of this"},
       {"lookback", Length(), "Read again before the watermark", "0s"},
       {"granularity", OneOf<Granularity>(), "The finest step of the provider's filter", "second"},
       {"ends", OneOf<WindowEnds>(),
        "Whether the filter includes its upper end: ${window.to} is the last moment then",
        "exclusive"},
       {"updated_is_filtered", Flag(),
        "The answer's `updated` is the very date that the window counts", "false"},
       {"settles", Flag(),
        "Once it lies behind its lag nothing comes in any more, so that an exact total proves one "
        "walk",
        "false"},
       {"outside_max", Of(ScalarKind::kPart),
        "Of a slice, what may lie outside its window before the filter is taken for broken", "5%"},
       {"timezone", Of(ScalarKind::kTimezone), "Of the dates in the filter"}});
}

Shape OrderShape() {
  return Map(
      {{"by", Text(), "What the provider sorts by: updated, the date of window.by, or another",
        "updated"},
       {"direction", OneOf<SortDirection>(), "", "desc"},
       {"stable", Flag(), "Whether records keep their places while a walk goes on", "false"}});
}

Shape ResponseShape() {
  auto id = Map({{"paths", OneOrMany(APath()), "One, or several that make the id together"},
                 {"join", Text(), "Between several", ":"},
                 {"case", OneOf<TextCase>(), "For ids whose case means nothing", "as_is"}});
  id.short_form = "paths";
  id.list_form = "paths";
  auto updated =
      Map({{"path", APath(), "Within a record", "", true},
           {"format", OneOrMany(Of(ScalarKind::kDatePattern)), "Date patterns; ISO 8601 if none"},
           {"may_lie_ahead", Flag(),
            "For a date that may be in the future: the later look is the newer version", "false"}});
  updated.short_form = "path";
  updated.none_word = "none";
  auto total = Map({{"path", APath(), "Where the answer has it"},
                    {"is", OneOf<TotalKind>(), "How far it can be trusted", "exact"},
                    {"on", OneOf<TotalPages>(), "exact: the pages that have it", "every_page"},
                    {"within", Of(ScalarKind::kPart), "estimate: how far off it may be", "5%"}});
  total.short_form = "path";
  total.none_word = "none";
  auto items = Map({{"path", APath(),
                     "A list, or a path that selects several: [*], members, filters, descendants"},
                    {"missing", OneOf<ItemsMissing>(),
                     "What a page without it is: an error if not given, or empty"}});
  items.short_form = "path";
  return Map(
      {{"format", OneOf<ResponseFormat>(), "Of the answer", "json"},
       {"items", std::move(items), "The records: a list, or all that a path selects"},
       {"one_record", Flag(), "`items` leads to one record, not to a list", "false"},
       {"repeats", Flag(), "The list names records more than once, and its total may count them so",
        "false"},
       {"envelope", APath(), "Without this, the answer is no page at all"},
       {"columns", APath(), "columns: the list of their names"},
       {"id", std::move(id), "What names a record, within it"},
       {"updated", std::move(updated), "When it changed, within it; `none` if it does not say"},
       {"version", APath(), "The provider's own number of the version"},
       {"deleted", APath(), "True or there for a record that is deleted"},
       {"merged_into", APath(), "The id of the record that took its place"},
       {"retracts", APath(), "Ids of others that it retracts or corrects: they are signalled"},
       {"total", std::move(total), "How many records the whole walk has"},
       {"namespaces", Entries(Text()), "XML prefixes and their URIs"},
       {"timezone", Of(ScalarKind::kTimezone), "Of dates that name none"}});
}

Shape FieldsShape() {
  auto field = Map(
      {{"path", APath(), "Within a record", "", true},
       {"as", OneOf<FieldType>(), "Its type", "any"},
       {"required", Flag(), "A record without it goes to quarantine", "false"},
       {"many", Flag(), "Everything that the path selects, as a list", "false"},
       {"join", Text(), "Everything that the path selects, as one text with this between"},
       {"format", OneOrMany(Of(ScalarKind::kDatePattern)), "Date patterns; ISO 8601 if none"},
       {"enum", List(Text()), "The texts that it may be"},
       {"pattern", Of(ScalarKind::kPattern), "Regular expression (RFC 9485) of its text"},
       {"keep_when_empty", Flag(), "What is stored survives a new value that is empty", "false"},
       {"signal_when_empty", Flag(), "A record without it is signalled, to be fetched again",
        "false"}});
  auto fields = Entries(ShortFor("path", std::move(field)));
  fields.names_suffice = true;
  return fields;
}

Shape ErrorsShape() {
  return List(
      Map({{"status", OneOrMany(Of(ScalarKind::kStatus)), "404, 5xx or 500-504; any if not given"},
           {"header", Text(), "Name of a header that is there"},
           {"header_matches", Of(ScalarKind::kPattern), "which part of it matches"},
           {"body", APath(), "A path that selects something in the document"},
           {"text", Of(ScalarKind::kPattern), "Part of the raw answer matches this"},
           {"then", OneOf<ErrorAction>(), "What such an answer means", "", true},
           {"until", Text(), "wait: next_minute, next_hour, next_day or a duration"}}));
}

Shape HooksShape() {
  return Map({{"request", Text(), "Changes the address of a request: plain-separators"},
              {"response", Text(), "Takes the document out of the answer: jsonp, json-text"},
              {"paging", Text(),
               "Finds the total or the next token: total-count-header, content-range-total, "
               "after-last-id"}});
}

Shape RequestShape() {
  return Map({{"method", OneOf<HttpMethod>(), "", "get"},
              {"path", ATemplate(), "Appended to base_url"},
              {"query", Entries(ATemplate()), "Parameters; one without a value is left out"},
              {"follow_up", Map({{"query", Entries(ATemplate()), "instead of query"}}),
               "What the requests for all pages but the first look like"},
              {"headers", Entries(ATemplate()), "Beside those of http.headers"},
              {"json", Tree(), "Body; every text in it is a template"},
              {"form", Entries(ATemplate()), "Body of a form"}});
}

Shape ExpressionsShape() {
  auto rule = Map({{"render", ATemplate(), "In the provider's syntax, from ${value}", "", true},
                   {"negatable", Flag(), "", "false"},
                   {"values_max", Integer(), "in: how many values; 0 for any number", "0"},
                   {"joiner", Text(), "in: between values", " OR "},
                   {"parameter", Text(), "A request parameter of its own"}});
  rule.short_form = "render";
  std::vector<Key> operators;
  for (const auto& code : LowerCodes<ExprOperator>()) operators.push_back({code, rule, ""});
  auto by_operator = Map(std::move(operators));
  by_operator.dictionary = DictionaryOf(ExprOperator{});
  return Map({{"and", Text(), "Between conditions that all have to hold", " AND "},
              {"or", Text(), "Between conditions of which one has to hold", " OR "},
              {"not", Text(), "Before a condition that must not hold", "NOT "},
              {"fields", Entries(std::move(by_operator)),
               "How conditions on each field of a query are written"},
              {"parameters", Entries(Text()), "Standard names and the provider's"}});
}

// What both a source and its endpoints may say; an endpoint's word is the stronger one.
std::vector<Key> CommonBlocks() {
  std::vector<Key> blocks{
      {"http", HttpShape(), "How the provider is reached"},
      {"auth", AuthShape(), "Credentials, by reference"},
      {"limits", LimitsShape(), "What the provider allows"},
      {"budget", BudgetShape(), "What is spent at most, whatever the provider allows"},
      {"retry", RetryShape(), "What happens after a failure"},
      {"paging", PagingShape(), "How a walk goes from page to page"},
      {"window", TimeWindowShape(), "How changes are asked for by time"},
      {"order", OrderShape(), "How the provider sorts"},
      {"response", ResponseShape(), "Where an answer has what"},
      {"errors", ErrorsShape(), "Answers that mean something else than a page"},
      {"hooks", HooksShape(), "Code for what no key can say, by name"},
      {"params", Entries(Text()), "Constants that templates see as ${params.NAME}"},
      {"cursor", OneOf<CursorScope>(), "Whether queries share one watermark", "expr"},
      {"cost", Integer(), "Permits that one request takes", "1"},
      {"freshness",
       ShortFor("within",
                Map({{"within", Length(), "An update of what is stale looks again at what is older",
                      "", true},
                     {"parts", Integer(), "A round takes so many days, one part a day", "1"}})),
       "How often every record should be looked at"},
      {"raw_pages", Flag(), "Whether answers are kept as they came, in the raw vault", "true"},
      {"expressions", ExpressionsShape(), "The provider's query syntax"}};
  for (auto& block : blocks) {
    if (block.shape.kind != Shape::Kind::kScalar) block.shape.name = block.name;
  }
  return blocks;
}

Shape WithOperations(const std::string& name, std::vector<Key> keys) {
  // What has to be said once is said above.
  auto differing = keys;
  for (auto& key : differing) key.required = false;
  const auto one_operation = Named(name + "_operation", Map(std::move(differing)));
  auto by_operation = Map({{"harvest", one_operation, ""},
                           {"backfill", one_operation, ""},
                           {"update", one_operation, ""}});
  by_operation.dictionary = kDictionaryOfOperations;
  keys.push_back({"operations", std::move(by_operation), "What differs for one kind of work"});
  return Named(name, Map(std::move(keys)));
}

Shape MakeEndpointShape() {
  auto keys = CommonBlocks();
  keys.push_back({"role", OneOf<EndpointRole>(), "What it is for", "search"});
  keys.push_back({"gone", OneOf<GonePolicy>(),
                  "What becomes of a stored record that is not on the list any more, once all of "
                  "the list was read; keep if not given"});
  keys.push_back(
      {"weight", Integer(),
       "Its part of quotas that the source's endpoints share, among those with a weight"});
  keys.push_back({"request", Named("request", RequestShape()), "The request"});
  keys.push_back({"fields", Named("fields", FieldsShape()), "What is kept of a record, by name"});
  const auto by_id = ShortFor(
      "endpoint",
      Map({{"endpoint", Of(ScalarKind::kName), "Which gives details", "", true},
           {"batch", Integer(), "Ids per request, 200 to 500", "200"},
           {"threshold", Integer(),
            "From so many ids on a request joins them; fewer are asked for one by one", "1"},
           {"combine_threshold", Integer(),
            "Ids that answers lacked wait for so many, or for the end, and are asked "
            "for together",
            "1"}}));
  keys.push_back({"details", by_id, "Second phase: this endpoint only lists ids"});
  keys.push_back({"refresh", by_id, "Which endpoint an update asks for records by their ids"});
  return WithOperations("endpoint", std::move(keys));
}

Shape MakeSourceShape() {
  std::vector<Key> keys{
      {"source", Of(ScalarKind::kName), "The source's name, as commands use it", "", true},
      {"name", Text(), "For people"},
      {"docs", Of(ScalarKind::kUrl), "The provider's documentation"},
      {"extends", Of(ScalarKind::kName), "A definition that this one completes"},
      {"abstract", Flag(), "Only there to be extended"},
      {"lifecycle", OneOf<Lifecycle>(),
       "active if not given; draft: planned only where somebody asks for it; deprecated: planned, "
       "with a "
       "warning; retired: not planned any more"},
      {"timezone", Of(ScalarKind::kTimezone),
       "Of dates that name none, and of the day that `until: next_day` waits for"},
      {"default", Of(ScalarKind::kName), "The endpoint that is meant where a command names none"}};
  for (auto& block : CommonBlocks()) keys.push_back(std::move(block));
  auto endpoints = Entries(EndpointShape());
  endpoints.checks_names = true;
  keys.push_back({"endpoints", std::move(endpoints), "What the source offers"});
  return WithOperations("source", std::move(keys));
}

void AddDefaults(const Shape& shape, DefinitionNode& into) {
  for (const auto& key : shape.keys) {
    if (!key.platform_default.empty()) {
      into.Set(key.name, DefinitionNode::Text(key.platform_default));
    } else if (key.shape.kind == Shape::Kind::kMap && key.name != "operations" &&
               key.shape.short_form.empty() && key.shape.none_word.empty()) {
      auto part = DefinitionNode::Map();
      AddDefaults(key.shape, part);
      if (!part.members.empty()) into.Set(key.name, std::move(part));
    }
  }
}

}  // namespace

const Shape& EndpointShape() {
  static const Shape kShape = MakeEndpointShape();
  return kShape;
}

const Shape& SourceShape() {
  static const Shape kShape = MakeSourceShape();
  return kShape;
}

DefinitionNode PlatformDefaults() {
  auto defaults = DefinitionNode::Map();
  AddDefaults(EndpointShape(), defaults);
  auto limit = DefinitionNode::Map();
  limit.Set("rate", DefinitionNode::Text("1/s"));
  auto limits = DefinitionNode{.kind = DefinitionNode::Kind::kList};
  limits.items.push_back(std::move(limit));
  defaults.Set("limits", std::move(limits));
  auto statuses = DefinitionNode{.kind = DefinitionNode::Kind::kList};
  for (const auto* status : {"408", "429", "5xx"})
    statuses.items.push_back(DefinitionNode::Text(status));
  defaults.Find("retry")->Set("statuses", std::move(statuses));
  SetLayer(defaults, Layer::kPlatform);
  return defaults;
}

}  // namespace patra::domain
