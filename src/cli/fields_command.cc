// cgrep fields: what can be asked for as `field:value` in a pattern. In JSON one event for each:
//   field  name alias help example list: whether it takes `a,b` and `!a`
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/json_object.h"
#include "cli/terminal.h"
#include "query/fields.h"

namespace cgrep {
namespace {

std::string names_of(const Field& field) {
  return field.alias.empty() ? std::string(field.name)
                             : fmt::format("{}, {}", field.name, field.alias);
}

ExitCode print_fields(bool json, Context& context) {
  if (!context.operands.empty())
    throw Error("fields takes no operands", search_hint(context.typed));
  std::size_t names = 0;
  std::size_t examples = 0;
  for (const Field& field : fields()) {
    names = std::max(names, names_of(field).size());
    examples = std::max(examples, field.example.size());
  }
  const Terminal terminal = find_terminal(ColorWhen::never, context.environment);
  const std::size_t left = names + examples + 4;
  for (const Field& field : fields()) {
    if (json) {
      JsonObject data;
      data.string("name", field.name)
          .text("alias", field.alias)
          .string("help", field.help)
          .string("example", field.example)
          .flag("list", field.choice);
      context.out.write(json_event("field", data));
    } else {
      context.out.print("{:<{}}  {:<{}}  {}\n", names_of(field), names, field.example, examples,
                        terminal.is_terminal ? wrapped(field.help, left, terminal.width)
                                             : std::string(field.help));
    }
  }
  return ExitCode::ok;
}

}  // namespace

Action declare_fields(OptionTable& table) {
  auto json = std::make_shared<bool>(false);
  table.group("Output");
  table.add_flag("--json", *json, "One JSON object per field");
  return [json](Context& context) { return print_fields(*json, context); };
}

}  // namespace cgrep
