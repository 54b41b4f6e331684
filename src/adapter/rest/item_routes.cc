// Records: lists, single ones, and why they are as they are.
#include <fmt/format.h>

#include "adapter/rest/change_hub.h"
#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "base/moment.h"
#include "contract/changes.h"
#include "contract/item_origin.h"

namespace patra::adapter::rest {
namespace {

constexpr int kPagesSearched = 100;
constexpr std::string_view kItemList = "item";

void AppendItem(const contract::ItemRow& item, std::string& out) {
  AppendJson(FactsOf(item), out, Marks::kKeep);
}

Result<contract::ItemFilter> ItemFilterOf(const Call& call) {
  const auto& arguments = call.arguments;
  contract::ItemFilter filter{.source = arguments.Text("source"),
                              .endpoint = arguments.Text("endpoint"),
                              .id_prefix = arguments.Text("idPrefix")};
  const auto now = call.services.clock().Now();
  if (const auto from = arguments.TextIfAny("updatedFrom"))
    filter.updated_from = PATRA_TRY(ParseMoment(*from, now));
  if (const auto to = arguments.TextIfAny("updatedTo"))
    filter.updated_to = PATRA_TRY(ParseMoment(*to, now));
  const auto deleted = arguments.Text("deleted");
  if (deleted == "include") filter.tombstones = contract::Tombstones::kInclude;
  if (deleted == "only") filter.tombstones = contract::Tombstones::kOnly;
  return filter;
}

// A page may be empty and still say where the next one begins: its last records were left out.
Result<Reply> ListItems(const Call& call) {
  const auto filter = PATRA_TRY(ItemFilterOf(call));
  std::optional<contract::ItemPlace> after;
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, kItemList, "tttii"))) {
    after = contract::ItemPlace{.source = *(*place)[0].AsString(),
                                .endpoint = *(*place)[1].AsString(),
                                .id = *(*place)[2].AsString(),
                                .updated_at = Instant(Duration(*(*place)[3].AsInteger())),
                                .row = *(*place)[4].AsInteger()};
  }
  const auto page =
      PATRA_TRY(call.desk().read().items().Page(filter, after, call.arguments.Number("limit")));
  if (page.items.empty() && !after)
    PATRA_TRY(call.desk().names().CheckTarget(filter.source, filter.endpoint));
  auto reply = WholeReply(page.items, AppendItem);
  if (!page.next) return reply;
  const auto& next = *page.next;
  constexpr std::string_view kNoNext = "null}";
  reply.body.resize(reply.body.size() - kNoNext.size());
  AppendJson(Value(PlaceToken(kItemList, {next.source, next.endpoint, next.id,
                                          next.updated_at.time_since_epoch().count(), next.row})),
             reply.body);
  reply.body += '}';
  return reply;
}

Result<Reply> ListNewestItems(const Call& call) {
  const auto filter = PATRA_TRY(ItemFilterOf(call));
  const auto items =
      PATRA_TRY(call.desk().read().items().Newest(filter, call.arguments.Number("limit")));
  if (items.empty()) PATRA_TRY(call.desk().names().CheckTarget(filter.source, filter.endpoint));
  return WholeReply(items, AppendItem);
}

Result<contract::ItemRow> OneItem(const Call& call) {
  const auto& arguments = call.arguments;
  return contract::FindOne(call.desk().read().items(), arguments.Text("source"),
                           arguments.Text("endpoint"), arguments.Text("itemId"),
                           {.where = "see GET /api/v1/items", .which = "name the endpoint"});
}

Result<Reply> ShowItem(const Call& call) {
  Reply reply;
  AppendItem(PATRA_TRY(OneItem(call)), reply.body);
  return reply;
}

Result<Reply> ShowWhy(const Call& call) {
  const auto item = PATRA_TRY(OneItem(call));
  const auto why =
      PATRA_TRY(contract::WhyOf(call.desk().read(), item, call.arguments.Number("pages")));
  Reply reply;
  AppendJson(FactsOf(why), reply.body, Marks::kKeep);
  return reply;
}

Result<contract::ChangeFilter> ChangeFilterOf(const Call& call) {
  contract::ChangeFilter filter{.source = call.arguments.Text("source"),
                                .endpoint = call.arguments.Text("endpoint")};
  PATRA_TRY(call.desk().names().CheckTarget(filter.source, filter.endpoint));
  return filter;
}

Result<Reply> ListChanges(const Call& call) {
  const auto filter = PATRA_TRY(ChangeFilterOf(call));
  const auto page = PATRA_TRY(call.changes().changes().After(call.arguments.Text("after"), filter,
                                                             call.arguments.Number("limit")));
  Reply reply{.body = "{\"items\":["};
  for (const auto& change : page.changes) {
    if (reply.body.back() != '[') reply.body += ',';
    AppendJson(FactsOf(change), reply.body, Marks::kKeep);
  }
  const auto place = page.place.Text();
  reply.body += fmt::format(R"(],"next":{},"place":"{}"}})",
                            page.has_more ? fmt::format("\"{}\"", place) : "null", place);
  return reply;
}

// Who comes back says what it heard last.
Result<Reply> FollowChanges(const Call& call) {
  const auto filter = PATRA_TRY(ChangeFilterOf(call));
  const auto after = call.heard.empty() ? call.arguments.Text("after") : std::string(call.heard);
  return Reply{.body = {}, .feed = PATRA_TRY(call.change_feed.Listen(after, filter))};
}

std::vector<Parameter> ChangeParameters() {
  return {{"source", Text("only of this source")},
          {"endpoint", Text("only of this endpoint")},
          {"after", Text("`place` or `next` of a page; `end`: what comes from now on; all that is "
                         "kept where it is left out")}};
}

std::vector<Parameter> ItemFilterParameters() {
  return {{"source", Text("only of this source")},
          {"endpoint", Text("only of this endpoint")},
          {"updatedFrom", Text("updated at or after this moment: 2026-01-31, -7d")},
          {"updatedTo", Text("updated before this moment")},
          {"deleted", OneOf({"leave_out", "include", "only"}, "tombstones"), Value("leave_out")},
          LimitParameter()};
}

}  // namespace

std::vector<Route> ItemRoutes() {
  auto by_id = ItemFilterParameters();
  by_id.push_back({"idPrefix", Text("only ids that begin so")});
  by_id.push_back(AfterParameter());
  auto changes = ChangeParameters();
  changes.push_back(LimitParameter());
  const std::string one = "/api/v1/items/{source}/{endpoint}/{itemId}";
  return {
      {.path = "/api/v1/items",
       .name = "listItems",
       .about = "records in an order that never changes: by source, endpoint and id, or by the "
                "time of update where that is narrowed",
       .access = domain::Access::kViewer,
       .parameters = std::move(by_id),
       .answer = PageOf("Item"),
       .handler = ListItems},
      {.path = "/api/v1/items/newest",
       .name = "listNewestItems",
       .about = "the latest updated first",
       .access = domain::Access::kViewer,
       .parameters = ItemFilterParameters(),
       .answer = PageOf("Item"),
       .handler = ListNewestItems},
      {.path = "/api/v1/changes",
       .name = "listChanges",
       .about = "what was inserted, updated, deleted or merged, in the order of commits: nothing "
                "is passed over by who goes on at `place`, also where `next` is null",
       .access = domain::Access::kViewer,
       .parameters = std::move(changes),
       .answer = Named("ChangePage"),
       .handler = ListChanges},
      {.path = "/api/v1/changes/stream",
       .name = "followChanges",
       .about = "the same as server-sent events `change`; the id of each is its place, so that "
                "Last-Event-ID goes on; `gone`: what comes next is not kept any more",
       .access = domain::Access::kViewer,
       .parameters = ChangeParameters(),
       .answer = Text(),
       .handler = FollowChanges,
       .kind = AnswerKind::kEvents},
      {.path = one,
       .name = "showItem",
       .about = "one record with its fields; the id as the provider writes it, escaped",
       .access = domain::Access::kViewer,
       .answer = Named("Item"),
       .handler = ShowItem},
      {.path = one + "/why",
       .name = "showItemWhy",
       .about = "which request wrote it, why that was made, and where other versions are",
       .access = domain::Access::kViewer,
       .parameters = {{.name = "pages",
                       .schema = Integer("how many of the newest pages are searched for it", 0,
                                         kRowsMost),
                       .standard = Value(kPagesSearched)}},
       .answer = Named("ItemWhy"),
       .handler = ShowWhy}};
}

}  // namespace patra::adapter::rest
