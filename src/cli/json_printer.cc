// ripgrep's events, with a document in the place of a file. Every event carries `address` (of the
// document) and `conversation` (the agent's own id of it); what is absent is null.
//   begin    + parent store stores role project time time_source title model mode branch tool files
//              source gone
//   match    + lines.text line_number submatches[{match.text,start,end}] score; bytes of the line
//   context  + lines.text line_number submatches[]: a line beside a match (-A, -B, -C)
//   end
//   summary  matched_conversations matched_documents matched_lines elapsed_ms
//            spread: no document has all the words, conversations do
//            advice[{kind subject suggestion conversations}]: what would have helped
//            coverage{complete refreshed stale_sources problems
//                     not_searched[{store why sources only_there}]}
#include <fmt/format.h>

#include "cli/coverage.h"
#include "cli/json_object.h"
#include "cli/printer.h"
#include "cli/times.h"

namespace cgrep {
namespace {

JsonObject event_data(const Hit& hit) {
  JsonObject data;
  data.string("address", hit.address()).string("conversation", hit.conversation->key);
  return data;
}

JsonObject document_data(const Hit& hit) {
  const Conversation& conversation = *hit.conversation;
  JsonObject data = event_data(hit);
  data.text("parent", conversation.parent)
      .text("store", hit.stores.empty() ? std::string_view() : hit.stores.front())
      .texts("stores", std::span(hit.stores))
      .string("role", name_of(hit.role))
      .text("project", conversation.project)
      .text("time", hit.time ? iso_time(hit.time->ms) : std::string())
      .text("time_source", hit.time ? name_of(hit.time->origin) : std::string_view())
      .text("title", conversation.title)
      .text("model", conversation.model)
      .text("mode", conversation.mode)
      .text("branch", conversation.branch)
      .text("tool", hit.tool)
      .texts("files", std::span(hit.files))
      .text("source", hit.source)
      .flag("gone", hit.gone);
  return data;
}

std::string submatches(const MatchLine& line) {
  std::string array = "[";
  for (const Span& span : line.spans) {
    if (array.size() > 1) array += ',';
    JsonObject match;
    match.string("text", line.text.substr(span.begin, span.end - span.begin));
    array += JsonObject()
                 .object("match", match)
                 .number("start", span.begin)
                 .number("end", span.end)
                 .printed();
  }
  return array + "]";
}

std::string not_searched(const std::vector<LeftOut>& stores) {
  std::string array = "[";
  for (const LeftOut& left : stores) {
    if (array.size() > 1) array += ',';
    array += JsonObject()
                 .string("store", left.store->name)
                 .string("why", why_left_out(left))
                 .number("sources", left.sources)
                 .number("only_there", left.only)
                 .printed();
  }
  return array + "]";
}

std::string advice_of(const Summary& summary) {
  std::string array = "[";
  for (const Help& help : summary.help) {
    if (array.size() > 1) array += ',';
    array += JsonObject()
                 .string("kind", help.kind)
                 .text("subject", help.subject)
                 .text("suggestion", help.suggestion)
                 .number("conversations", help.conversations)
                 .printed();
  }
  return array + "]";
}

class JsonPrinter : public Printer {
 public:
  JsonPrinter(Output& out, ContextSize context) : out_(out), context_(context) {}

  void hit(const Hit& hit, std::span<const MatchLine> lines) override {
    out_.write(json_event("begin", document_data(hit)));
    const auto shown_lines =
        hit.beside ? only_context(hit.text) : with_context(hit.text, lines, context_);
    for (const ShownLine& shown : shown_lines) {
      const MatchLine line = shown.line();
      JsonObject data = event_data(hit);
      data.object("lines", JsonObject().string("text", line.text))
          .number("line_number", line.number)
          .raw("submatches", submatches(line));
      if (shown.match != nullptr) data.number("score", hit.score);
      out_.write(json_event(shown.match != nullptr ? "match" : "context", data));
    }
    out_.write(json_event("end", event_data(hit)));
  }

  void end(const Summary& summary) override { out_.write(json_summary(summary)); }

 private:
  Output& out_;
  ContextSize context_;
};

}  // namespace

std::unique_ptr<Printer> make_json_printer(Output& out, ContextSize context) {
  return std::make_unique<JsonPrinter>(out, context);
}

std::string json_summary(const Summary& summary) {
  const Coverage& covered = summary.coverage;
  JsonObject coverage;
  coverage.flag("complete", covered.complete())
      .flag("refreshed", covered.refreshed)
      .number("stale_sources", covered.stale_sources)
      .number("problems", covered.problems)
      .raw("not_searched", not_searched(covered.not_searched));
  JsonObject data;
  data.number("matched_conversations", summary.outcome.conversations)
      .number("matched_documents", summary.outcome.documents)
      .number("matched_lines", summary.outcome.lines)
      .raw("elapsed_ms", fmt::format("{:.3f}", summary.elapsed_ms))
      .flag("spread", summary.outcome.spread)
      .raw("advice", advice_of(summary))
      .object("coverage", coverage);
  return json_event("summary", data);
}

std::string json_document(const Hit& hit) {
  JsonObject data = document_data(hit);
  data.string("text", hit.text);
  return json_event("document", data);
}

}  // namespace cgrep
