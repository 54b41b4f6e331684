#include "infra/sql/code_dictionary_table.h"

namespace patra::infra::sql::code_dictionary_table {
namespace {

constexpr std::string_view kItems = R"sql(
    SELECT type.type_code AS type_code, item.item_code AS item_code, item.enabled AS enabled
    FROM sys_dict_item AS item JOIN sys_dict_type AS type ON type.id = item.type_id
    ORDER BY item.display_order, item.id LIMIT 100000)sql";

constexpr std::string_view kAliases = R"sql(
    SELECT type.type_code AS type_code, alias.external_code AS external_code, item.item_code AS item_code
    FROM sys_dict_item_alias AS alias
    JOIN sys_dict_item AS item ON item.id = alias.item_id
    JOIN sys_dict_type AS type ON type.id = alias.type_id
    ORDER BY alias.id LIMIT 100000)sql";

}  // namespace

Result<domain::CodeDictionary> All(Session& session) {
  domain::CodeDictionary dictionary;
  {
    auto items = PATRA_TRY(session.Query(kItems));
    while (PATRA_TRY(items.Next()))
      dictionary.AddItem(items.Text("type_code"), items.Text("item_code"),
                         items.Integer("enabled") != 0);
  }
  auto aliases = PATRA_TRY(session.Query(kAliases));
  while (PATRA_TRY(aliases.Next()))
    dictionary.AddAlias(aliases.Text("type_code"), aliases.Text("external_code"),
                        aliases.Text("item_code"));
  return dictionary;
}

}  // namespace patra::infra::sql::code_dictionary_table
