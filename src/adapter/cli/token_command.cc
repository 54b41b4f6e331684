#include "adapter/cli/token_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "contract/facts.h"

namespace patra::adapter::cli {

int RunTokenCreate(const app::TokenRequest& request, bool as_json, app::Tokens& tokens,
                   const domain::Actor& actor, const Console& console) {
  const auto created = tokens.Create(request, actor);
  if (!created) return PrintError(console, created.error());
  if (as_json) {
    PrintJsonLine(console, Value::Object{{"name", request.name},
                                         {"role", domain::LowerCode(CodeOf(request.access))},
                                         {"token", created->token},
                                         {"expiresAt", contract::TimeFact(created->expires_at)}});
    return kComplete;
  }
  fmt::print(console.out, "{}\n", created->token);
  if (!console.quiet) {
    fmt::print(console.err,
               "keep it: it is not shown again; {}; `patra token revoke {} --reason WHY` ends it\n",
               created->expires_at ? "it ends at " + When(created->expires_at)
                                   : std::string("it lasts until it is revoked"),
               request.name);
  }
  return kComplete;
}

int RunTokenList(bool as_json, app::Tokens& tokens, const Console& console) {
  const auto listed = tokens.List();
  if (!listed) return PrintError(console, listed.error());
  Table table({"token", "role", "made", "expires", "last used"});
  for (const auto& token : *listed) {
    const auto role = domain::LowerCode(CodeOf(token.access));
    if (as_json) {
      PrintJsonLine(console, Value::Object{{"name", token.name},
                                           {"role", role},
                                           {"createdAt", contract::TimeFact(token.created_at)},
                                           {"expiresAt", contract::TimeFact(token.expires_at)},
                                           {"lastUsedAt", contract::TimeFact(token.last_used_at)}});
    } else {
      table.Add({token.name, role, When(token.created_at), When(token.expires_at),
                 When(token.last_used_at)});
    }
  }
  if (as_json) return kComplete;
  fmt::print(console.out, "{}", listed->empty() ? "no token\n" : table.Print(console));
  return kComplete;
}

int RunTokenRevoke(const TokenEnd& end, app::Tokens& tokens, const domain::Actor& actor,
                   const Console& console) {
  const auto revoked = tokens.Revoke(end.name, end.reason, actor);
  if (!revoked) return PrintError(console, revoked.error());
  if (!console.quiet) fmt::print(console.out, "{} lets nobody in any more\n", end.name);
  return kComplete;
}

}  // namespace patra::adapter::cli
