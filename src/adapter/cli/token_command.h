// `patra token`: who may come in over a network.
#pragma once

#include "adapter/cli/console.h"
#include "app/api/tokens.h"

namespace patra::adapter::cli {

struct TokenEnd {
  std::string name{};
  std::string reason{};
};

int RunTokenCreate(const app::TokenRequest& request, bool as_json, app::Tokens& tokens,
                   const domain::Actor& actor, const Console& console);
int RunTokenList(bool as_json, app::Tokens& tokens, const Console& console);
int RunTokenRevoke(const TokenEnd& end, app::Tokens& tokens, const domain::Actor& actor,
                   const Console& console);

}  // namespace patra::adapter::cli
