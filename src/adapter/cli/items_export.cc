// `patra items export`: records page after page in one order, so that memory does not grow with their number.
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/items_command.h"
#include "adapter/cli/output_file.h"
#include "adapter/cli/table.h"
#include "base/close_match.h"
#include "base/quote.h"
#include "contract/item_format.h"
#include "contract/item_parquet.h"

namespace patra::adapter::cli {
namespace {

using contract::ItemField;
using contract::ItemFilter;
using contract::ItemRow;

constexpr int kItemsPerPage = 500;

using Sink = std::function<Result<void>(std::string_view)>;

// The wanted ones, or all. A field that no definition maps would be an empty column.
Result<std::vector<ItemField>> ChooseFields(const std::vector<std::string>& wanted,
                                            const std::vector<ItemField>& known) {
  if (wanted.empty()) return known;
  std::vector<std::string> names;
  for (const auto& field : known) names.push_back(field.name);
  std::vector<ItemField> chosen;
  for (const auto& name : wanted) {
    const auto found = std::ranges::find(known, name, &ItemField::name);
    if (found != known.end()) {
      chosen.push_back(*found);
    } else if (known.empty()) {
      chosen.push_back({name});
    } else {
      return Fail(ErrorCode::kInvalidInput, fmt::format("there is no field '{}'", name), {},
                  DidYouMean(name, names, fmt::format("there are {}", fmt::join(names, ", "))));
    }
  }
  return chosen;
}

// `take` says whether to go on.
Result<void> ForEachItem(contract::ItemQueries& items, const ItemFilter& filter,
                         const std::function<Result<bool>(const ItemRow&)>& take) {
  std::optional<contract::ItemPlace> after;
  do {
    const auto page = PATRA_TRY(items.Page(filter, after, kItemsPerPage));
    for (const auto& item : page.items) {
      if (!PATRA_TRY(take(item))) return {};
    }
    after = page.next;
  } while (after);
  return {};
}

Result<std::int64_t> WriteLines(contract::ItemQueries& items, const ItemFilter& filter,
                                const ItemsCommand& command, const Sink& write) {
  const bool is_csv = command.format == "csv";
  auto names = command.fields;
  if (is_csv || !names.empty()) {
    const auto fields = PATRA_TRY(ChooseFields(names, PATRA_TRY(items.Fields(filter))));
    names.clear();
    for (const auto& field : fields) names.push_back(field.name);
  }
  if (is_csv) PATRA_TRY(write(contract::CsvHeader(names)));
  std::int64_t written = 0;
  PATRA_TRY(ForEachItem(items, filter, [&](const ItemRow& item) -> Result<bool> {
    const auto line = is_csv ? PATRA_TRY(contract::CsvLine(item, names))
                             : PATRA_TRY(contract::JsonLine(item, names));
    PATRA_TRY(write(line));
    ++written;
    return true;
  }));
  return written;
}

// What became of one attempt to write all records in columns of these types.
struct ParquetAttempt {
  std::int64_t written = 0;
  std::optional<contract::Misfit> misfit{};  // then the bytes so far are of no use
};

Result<ParquetAttempt> WriteParquet(contract::ItemQueries& items, const ItemFilter& filter,
                                    const std::vector<ItemField>& fields, bool are_chosen,
                                    const Sink& write) {
  using enum contract::ItemParquet::Others;
  contract::ItemParquet table(fields, are_chosen ? kLeaveOut : kKeep, write);
  ParquetAttempt attempt;
  PATRA_TRY(ForEachItem(items, filter, [&](const ItemRow& item) -> Result<bool> {
    attempt.misfit = PATRA_TRY(table.Add(item));
    if (!attempt.misfit) ++attempt.written;
    return !attempt.misfit;
  }));
  if (!attempt.misfit) PATRA_TRY(table.Finish());
  return attempt;
}

std::string Describe(const contract::Misfit& misfit) {
  return fmt::format("'{}' of {} is {}, which does not fit the type of its column", misfit.field,
                     Quote(misfit.item), Quote(misfit.value));
}

std::unexpected<Error> Unfit(const contract::Misfit& misfit) {
  return Fail(ErrorCode::kConflict, Describe(misfit), {},
              "with --out FILE the whole column is written as text");
}

Result<void> WriteOut(std::ostream& out, std::string_view bytes) {
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out) return Fail(ErrorCode::kUnavailable, "standard output takes no more");
  return {};
}

// Types are what definitions say. A store may hold what older ones made: then the column is text, and the file is begun anew,
// which nobody has seen yet.
Result<std::int64_t> WriteParquetFile(const ItemsCommand& command, contract::ItemQueries& items,
                                      const ItemFilter& filter, std::vector<ItemField> fields,
                                      const Console& console) {
  while (true) {
    auto file = PATRA_TRY(OutputFile::Create(command.out));
    const auto attempt =
        PATRA_TRY(WriteParquet(items, filter, fields, !command.fields.empty(),
                               [&](std::string_view bytes) { return file.Write(bytes); }));
    if (!attempt.misfit) {
      PATRA_TRY(file.Finish());
      return attempt.written;
    }
    if (!file.is_draft()) return Unfit(*attempt.misfit);
    std::ranges::find(fields, attempt.misfit->field, &ItemField::name)->kind =
        contract::FieldKind::kText;
    if (!console.quiet)
      fmt::print(console.err, "{}: the whole column is written as text\n",
                 Describe(*attempt.misfit));
  }
}

Result<int> ExportParquet(const ItemsCommand& command, contract::ItemQueries& items,
                          const ItemFilter& filter, const Console& console) {
  const auto fields = PATRA_TRY(ChooseFields(command.fields, PATRA_TRY(items.Fields(filter))));
  if (command.out.empty()) {
    if (console.exact == nullptr)
      return Fail(ErrorCode::kInvalidInput, "Parquet is nothing that a terminal can show", {},
                  "write it to a file with --out FILE, or into a pipe");
    const auto attempt =
        PATRA_TRY(WriteParquet(items, filter, fields, !command.fields.empty(),
                               [&](auto bytes) { return WriteOut(*console.exact, bytes); }));
    if (attempt.misfit) return Unfit(*attempt.misfit);
    return kComplete;
  }
  const auto written = PATRA_TRY(WriteParquetFile(command, items, filter, fields, console));
  if (!console.quiet) fmt::print(console.err, "{}: {} records\n", command.out, Thousands(written));
  return kComplete;
}

Result<int> Export(const ItemsCommand& command, contract::ReadSide& read, const Clock& clock,
                   const Console& console) {
  const auto filter = PATRA_TRY(FilterOf(command, clock.Now()));
  if (command.format == "parquet") return ExportParquet(command, read.items(), filter, console);
  if (command.out.empty()) {
    PATRA_TRY(WriteLines(read.items(), filter, command,
                         [&](auto bytes) { return WriteOut(console.out, bytes); }));
    return kComplete;
  }
  auto file = PATRA_TRY(OutputFile::Create(command.out));
  const auto written = PATRA_TRY(WriteLines(
      read.items(), filter, command, [&](std::string_view bytes) { return file.Write(bytes); }));
  PATRA_TRY(file.Finish());
  if (!console.quiet) fmt::print(console.err, "{}: {} records\n", command.out, Thousands(written));
  return kComplete;
}

}  // namespace

int RunItemsExport(const ItemsCommand& command, contract::ReadSide& read, const Clock& clock,
                   const Console& console) {
  return PrintError(console, Export(command, read, clock, console));
}

}  // namespace patra::adapter::cli
