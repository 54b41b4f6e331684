#include "adapter/cli/token_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/token_command.h"

namespace patra::adapter::cli {

void AddTokens(CLI::App& app, const Scene& scene) {
  auto* family = app.add_subcommand("token", "Let programs in over a network, and end that")
                     ->require_subcommand(1);
  struct Creation {
    app::TokenRequest request;
    std::string role = "viewer";
    bool as_json = false;
  };
  auto creation = std::make_shared<Creation>();
  creation->request.reason = "created";
  auto* create = family->add_subcommand("create", "A new one, which is shown once");
  create->add_option("NAME", creation->request.name, "Who will use it")->required();
  create
      ->add_option(
          "--role", creation->role,
          "viewer looks, operator plans and decides, admin also moves watermarks and the registry")
      ->capture_default_str()
      ->check(CLI::IsMember(domain::LowerCodes<domain::Access>()));
  create->add_option("--expires", creation->request.lasts,
                     "After so long, such as 90d; default: when it is revoked");
  create->add_option("--reason", creation->request.reason, "For those who wonder later")
      ->capture_default_str();
  create->add_flag("--json", creation->as_json, "For machines");
  scene.ChooseChange(
      create, [=, &services = scene.services](app::Desk& desk, const Console& console) {
        auto request = creation->request;
        request.access =
            domain::FindCode<domain::Access>(creation->role).value_or(domain::Access::kViewer);
        return RunTokenCreate(request, creation->as_json, desk.tokens(), services.actor(), console);
      });

  auto as_json = std::make_shared<bool>(false);
  auto* list = family->add_subcommand("list", "Who has one, and when it was last used");
  list->add_flag("--json", *as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    return RunTokenList(*as_json, desk.tokens(), console);
  });

  auto end = std::make_shared<TokenEnd>();
  end->reason = "revoked";
  auto* revoke = family->add_subcommand("revoke", "End one at once");
  revoke->add_option("NAME", end->name, "As `patra token list` shows it")->required();
  revoke->add_option("--reason", end->reason, "For those who wonder later")->capture_default_str();
  scene.ChooseChange(revoke,
                     [=, &services = scene.services](app::Desk& desk, const Console& console) {
                       return RunTokenRevoke(*end, desk.tokens(), services.actor(), console);
                     });
  AddExamples(*family,
              {{"create", {"patra token create dashboard --role viewer --expires 90d"}},
               {"list", {"patra token list"}},
               {"revoke", {"patra token revoke dashboard --reason 'it was seen in a log'"}}});
}

}  // namespace patra::adapter::cli
