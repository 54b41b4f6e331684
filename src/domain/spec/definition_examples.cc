#include "domain/spec/definition_examples.h"

#include <array>

namespace patra::domain {
namespace {

constexpr auto kFirst = std::to_array<DefinitionExample>({
    {"Ten lines",
     "A list without dates, read as a whole each time. `limits` is left out: then it is one "
     "request a second.",
     R"(source: ten-lines
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request: {path: /rest/page/items, query: {page: "${page.number}", size: "${page.size}"}}
    paging: {style: page, first_page: 1}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: [title]
)"},
    {"Only what is new",
     "The provider filters by the time of a change, and counts: what is proven is not asked for "
     "again, and an exact total "
     "proves a walk. `fields` say what is kept of a record, and of which type it is.",
     R"(source: only-new
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
limits:
  - {rate: 5/s, page: "http://127.0.0.1:8080/__sim/limits"}
endpoints:
  items:
    request:
      path: /rest/page/items
      query:
        from: ${window.from}
        to: ${window.to}
        page: ${page.number}
        size: ${page.size}
    paging: {style: page, first_page: 1, size_max: 1000}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields:
      title: {path: $.title, as: text, required: true}
      authors: $.authors
      first_author: {path: "$.authors[0]", as: text}
      year: {path: $.year, as: integer}
)"},
    {"Ids first, records after",
     "One endpoint lists ids, another gives their records, two hundred at a time.",
     R"(source: two-phases
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
limits:
  - {rate: 5/s, page: "http://127.0.0.1:8080/__sim/limits"}
default: items
endpoints:
  items:
    request:
      path: /rest/ids
      query: {from: "${window.from}", to: "${window.to}", offset: "${page.offset}", limit: "${page.size}"}
    paging: {style: offset}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.ids, id: $, total: $.total}
    details: {endpoint: record, batch: 200}
  record:
    role: detail
    request: {path: /rest/details, query: {ids: "${ids | join(',')}"}}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields:
      title: {path: $.title, as: text, required: true}
)"},
    {"A hard one",
     "XML with an envelope, a filter that includes its end, a date in another notation, deleted "
     "records, and answers that mean "
     "something else than their status says.",
     R"(source: hard-one
timezone: UTC
http:
  base_url: http://127.0.0.1:8080
  allow_http: true
  headers: {Accept: application/xml}
  timeout: {connect: 5s, read: 30s, total: 60s}
params: {order: oldest}
limits:
  - {rate: 5/s, concurrency: 2, page: "http://127.0.0.1:8080/__sim/limits"}
retry: {attempts: 4, first: 200ms, most: 10s}
endpoints:
  items:
    request:
      path: /rest/offset/items
      query:
        format: xml
        from: ${window.from | formatDateTime("yyyy-MM-dd'T'HH:mm:ss'Z'")}
        until: ${window.to | formatDateTime("yyyy-MM-dd'T'HH:mm:ss'Z'")}
        order: ${params.order}
        offset: ${page.offset}
        limit: ${page.size}
        deleted: include
    paging: {style: offset, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, ends: inclusive, granularity: second, settles: true, width: 1h..30d}
    response:
      format: xml
      envelope: /items
      items: /items/item
      id: id
      updated: {path: updated, format: iso_instant}
      deleted: "@deleted"
      total: /items/@total
    fields:
      title: {path: title, as: text}
      authors: {path: authors/author, join: "; "}
      year: {path: year, as: integer}
    errors:
      - {status: 404, then: empty}
      - {status: 200, text: "backend_failed", then: retry}
      - {status: 403, text: "quota", then: wait, until: next_hour}
)"},
});

constexpr auto kPaging = std::to_array<DefinitionExample>({
    {"page", "Pages have numbers, from 0 or from 1 on.", R"(source: by-page
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/page/items
      query: {from: "${window.from}", to: "${window.to}", page: "${page.number}", size: "${page.size}"}
    paging: {style: page, first_page: 1, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"offset", "Requests say how many records to skip.", R"(source: by-offset
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/offset/items
      query: {from: "${window.from}", to: "${window.to}", offset: "${page.offset}", limit: "${page.size}"}
    paging: {style: offset, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"token", "Each page gives the token of the next; the first request has none, or `first`.",
     R"(source: by-token
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/token/items
      query: {from: "${window.from}", to: "${window.to}", token: "${page.token}", limit: "${page.size}"}
    paging: {style: token, next: $.next, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"token, as an object of parameters",
     "As MediaWiki does it: all members of what `next` finds go into the next request, in place of "
     "parameters of the same name.",
     R"(source: by-continue
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/continue/items
      query: {from: "${window.from}", to: "${window.to}", limit: "${page.size}"}
    paging: {style: token, next: $.continue, token: parameters, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"token, in headers",
     "The token comes in a header of the answer, and goes out in one of the request.",
     R"(source: by-header
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/header/items
      query: {from: "${window.from}", to: "${window.to}", limit: "${page.size}"}
      headers: {X-Continuation: "${page.token}"}
    paging: {style: token, next_header: X-Continuation, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"token, that works once",
     "A scroll handle cannot be sent twice, and dies when nobody uses it.",
     R"(source: by-scroll
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/scroll/items
      query: {from: "${window.from}", to: "${window.to}", scroll: "${page.token}", limit: "${page.size}"}
    paging: {style: token, next: $.scroll, replayable: false, lifetime: 5m, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"url",
     "Each page has a link to the next: in the document (`next`), in a header (`next_header`) or "
     "as rel=next of the Link header. "
     "A relative link is read as RFC 3986 says, from the page that it stands on.",
     R"(source: by-url
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/url/items
      query: {from: "${window.from}", to: "${window.to}", limit: "${page.size}"}
    paging: {style: url, link_header: true, size: 200}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
    {"time",
     "The next page begins at the time of the last record, oldest first: `${window.from}` moves "
     "on.",
     R"(source: by-time
http: {base_url: "http://127.0.0.1:8080", allow_http: true}
endpoints:
  items:
    request:
      path: /rest/time/items
      query: {from: "${window.from}", to: "${window.to}", limit: "${page.size}"}
    paging: {style: time, size_max: 10000, size: 2500, has_more: $.more}
    window: {start: 2025-06-01, safety_lag: 2h, granularity: microsecond, settles: true, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: [title]
)"},
});

}  // namespace

std::span<const DefinitionExample> FirstDefinitions() { return kFirst; }

std::span<const DefinitionExample> PagingDefinitions() { return kPaging; }

}  // namespace patra::domain
