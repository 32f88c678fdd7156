// Exports as JSON: one array of conversations, each with its documents; the names are those of
// `--json` (json_printer.cc).
//   [{conversation address parent project title model mode branch surface archived stores
//     first_time last_time tokens files
//     documents: [{address store stores role time time_source tool files source gone orphan
//                  delegated truncated text}]}]
#include "cli/export_writer.h"
#include "cli/json_object.h"
#include "cli/times.h"

namespace cgrep {
namespace {

std::string time_of(const std::optional<Time>& time) {
  return time ? iso_time(time->ms) : std::string();
}

class JsonWriter : public ExportWriter {
 public:
  explicit JsonWriter(Output& out) : out_(out) {}

  void begin(std::span<const Conversation>) override { out_.write("["); }

  void begin_conversation(const Conversation& conversation) override {
    JsonObject data;
    data.string("conversation", conversation.key)
        .string("address", conversation.address)
        .text("parent", conversation.parent)
        .text("project", conversation.project)
        .text("title", conversation.title)
        .text("model", conversation.model)
        .text("mode", conversation.mode)
        .text("branch", conversation.branch)
        .text("surface", conversation.surface)
        .flag("archived", conversation.archived)
        .texts("stores", std::span(conversation.stores))
        .text("first_time", time_of(conversation.first))
        .text("last_time", time_of(conversation.last))
        .number("tokens", conversation.tokens)
        .texts("files", std::span(conversation.files));
    // The object stays open for its documents.
    std::string opened = json_without_controls(data.printed());
    opened.pop_back();
    out_.print("{}\n{},\n \"documents\":[", first_ ? "" : ",", opened);
    first_ = false;
    first_document_ = true;
  }

  void document(const Hit& hit) override {
    JsonObject data;
    data.string("address", hit.address())
        .text("store", hit.stores.empty() ? std::string_view() : hit.stores.front())
        .texts("stores", std::span(hit.stores))
        .string("role", name_of(hit.role))
        .text("time", time_of(hit.time))
        .text("time_source", hit.time ? name_of(hit.time->origin) : std::string_view())
        .text("tool", hit.tool)
        .texts("files", std::span(hit.files))
        .text("source", hit.source)
        .flag("gone", hit.gone)
        .flag("orphan", hit.orphan)
        .flag("delegated", hit.delegated)
        .flag("truncated", hit.truncated)
        .string("text", hit.text);
    out_.print("{}\n  {}", first_document_ ? "" : ",", json_without_controls(data.printed()));
    first_document_ = false;
  }

  void end_conversation() override { out_.write("\n ]}"); }
  void end() override { out_.write("\n]\n"); }

 private:
  Output& out_;
  bool first_ = true;
  bool first_document_ = true;
};

}  // namespace

std::unique_ptr<ExportWriter> make_json_writer(Output& out) {
  return std::make_unique<JsonWriter>(out);
}

}  // namespace cgrep
