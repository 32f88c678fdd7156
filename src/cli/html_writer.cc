// Exports as one page of HTML: no script, nothing from elsewhere, nothing of history unescaped.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/display.h"
#include "cli/export_writer.h"
#include "cli/html_text.h"
#include "cli/times.h"

namespace cgrep {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="cgrep">
)";

constexpr std::string_view kStyle = R"(<style>
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --sheet: #ffffff; --text: #1f2328; --soft: #5c6570; --line: #d9dee4;
  --code: #f2f4f7; --link: #0a58ca;
  --user: #2563eb; --assistant: #15803d; --thinking: #7c3aed; --tool: #b45309; --other: #64748b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --sheet: #1c2128; --text: #dbe1e8; --soft: #929ca8; --line: #333b45;
    --code: #12161b; --link: #7ab0ff;
    --user: #60a5fa; --assistant: #4ade80; --thinking: #c4a5ff; --tool: #f0a94b; --other: #94a3b8;
  }
}
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 54rem;
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2 { line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; }
h2 { font-size: 1.4rem; }
h3, h4, h5, h6 { line-height: 1.3; margin: 1.2em 0 .4em; }
h4 { font-size: 1.15rem; }
h5 { font-size: 1.05rem; }
h6 { font-size: 1rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
.about { color: var(--soft); font-size: .875rem; margin: 0 0 1.5rem; }
.about span + span::before { content: " · "; }
nav { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1.5rem 0 2.5rem; }
nav p { margin: 0 0 .5rem; font-weight: 600; }
nav ol { margin: 0; padding-left: 1.5rem; }
nav li { margin: .2rem 0; }
nav small { color: var(--soft); white-space: nowrap; }
.conversation { margin-bottom: 3.5rem; }
.conversation + .conversation { border-top: 1px solid var(--line); padding-top: 2.5rem; }
.document {
  --role: var(--other);
  background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--role);
  border-radius: 6px; margin: .9rem 0; padding: .7rem 1.1rem .8rem;
}
.document.user { --role: var(--user); }
.document.assistant { --role: var(--assistant); }
.document.thinking { --role: var(--thinking); }
.document.tool-call, .document.tool-result { --role: var(--tool); }
.document.tool-call, .document.tool-result, .document.thinking, .document.system { padding-top: .4rem; padding-bottom: .4rem; margin: .45rem 0; }
.document:target { outline: 2px solid var(--role); outline-offset: 2px; }
.meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; font-size: .8125rem; color: var(--soft); }
.meta b { color: var(--role); font-weight: 600; }
.meta a { margin-left: auto; color: inherit; text-decoration: none; font-family: var(--mono); }
.meta a:hover { text-decoration: underline; }
.text > :first-child { margin-top: .35rem; }
.text > :last-child { margin-bottom: 0; }
p, blockquote { white-space: pre-wrap; }
p { margin: .6rem 0; }
ul, ol { margin: .5rem 0; padding-left: 1.6rem; }
li { margin: .15rem 0; }
li > ul, li > ol { margin: .1rem 0; }
blockquote { margin: .6rem 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--line); color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.2rem 0; }
:root { --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code, pre { font-family: var(--mono); font-size: .8125rem; tab-size: 4; }
code { background: var(--code); border-radius: 4px; padding: .1em .3em; font-size: .85em; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; margin: .6rem 0; overflow-x: auto; line-height: 1.45; white-space: pre; overflow-wrap: normal; }
pre code { background: none; padding: 0; font-size: inherit; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--code); }
details > summary { cursor: pointer; list-style: none; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; font-size: .8125rem; color: var(--soft); }
details > summary::-webkit-details-marker { display: none; }
details > summary::before { content: "▸"; color: var(--role); }
details[open] > summary::before { content: "▾"; }
summary b { color: var(--role); font-weight: 600; }
summary a { margin-left: auto; color: inherit; text-decoration: none; font-family: var(--mono); }
.telling { font-family: var(--mono); font-size: .78rem; color: var(--text); flex: 1 1 12rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
details pre { max-height: 32rem; }
@media (max-width: 34rem) {
  body { padding: 1rem .6rem 3rem; font-size: 15px; }
  .document { padding-left: .75rem; padding-right: .75rem; }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --sheet: #fff; --text: #000; --soft: #555; --line: #bbb; --code: #f6f6f6; --link: #000;
    --user: #1d4ed8; --assistant: #166534; --thinking: #6d28d9; --tool: #92400e; --other: #475569;
  }
  body { max-width: none; padding: 0; font-size: 10.5pt; line-height: 1.45; }
  .conversation + .conversation { break-before: page; border: 0; padding-top: 0; }
  h1, h2, h3, h4, h5, h6, .meta, summary { break-after: avoid; }
  p, li, tr, blockquote { orphans: 3; widows: 3; }
  li, tr, p, table, blockquote { break-inside: avoid; }
  .document { border-width: 0 0 0 4px; border-radius: 0; padding-right: 0; padding-left: .8rem; }
  .document, .document.tool-call, .document.tool-result { padding-top: 0; padding-bottom: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: none !important; overflow: visible; font-size: 8.5pt; }
  details > summary::before { content: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .telling { white-space: normal; }
}
</style>
)";

std::string class_of(Role role) {
  return std::string(name_of(role));
}

class HtmlWriter : public ExportWriter {
 public:
  HtmlWriter(Output& out, ToolDetail tools) : out_(out), tools_(tools) {}

  void begin(std::span<const Conversation> conversations) override {
    several_ = conversations.size() > 1;
    const std::string title = several_ || conversations.empty()
                                  ? counted(conversations.size(), "conversation")
                                  : html_escaped(title_of(conversations.front()));
    out_.write(kHead);
    out_.print("<title>{}</title>\n", title);
    out_.write(kStyle);
    out_.write("</head>\n<body>\n");
    if (several_) contents(conversations, title);
    out_.write("<main>\n");
  }

  void begin_conversation(const Conversation& conversation) override {
    const std::string address = html_escaped(conversation.address);
    out_.print("<section class=\"conversation\" id=\"{}\">\n<h{}>{}</h{}>\n<p class=\"about\">",
               address, several_ ? 2 : 1, html_escaped(title_of(conversation)), several_ ? 2 : 1);
    const auto add = [&](std::string_view text) {
      if (!text.empty()) out_.print("<span>{}</span>", html_escaped(text));
    };
    add(conversation.address);
    add(conversation.project);
    add(span_of(conversation));
    add(details_of(conversation));
    add(fmt::format("{}", fmt::join(conversation.stores, ", ")));
    out_.write("</p>\n");
  }

  void document(const Hit& hit) override {
    out_.print("<article class=\"document {}\" id=\"{}\">\n", class_of(hit.role),
               html_escaped(hit.address()));
    if (is_tool(hit.role) && tools_ == ToolDetail::brief)
      out_.print("<div class=\"meta\">{}</div>\n", folded_fields(hit));
    else if (is_tool(hit.role) || hit.role == Role::thinking || hit.role == Role::system)
      details(hit);
    else
      out_.print("<div class=\"meta\">{}{}</div>\n<div class=\"text\">\n{}</div>\n", fields(hit),
                 link(hit), html_of_markdown(hit.text));
    out_.write("</article>\n");
  }

  void end_conversation() override { out_.write("</section>\n"); }

  void end() override { out_.write("</main>\n</body>\n</html>\n"); }

 private:
  void contents(std::span<const Conversation> conversations, const std::string& title) {
    out_.print("<h1>{}</h1>\n<nav>\n<p>Contents</p>\n<ol>\n", title);
    for (const Conversation& conversation : conversations)
      out_.print("<li><a href=\"#{}\">{}</a> <small>{}</small></li>\n",
                 html_escaped(conversation.address), html_escaped(title_of(conversation)),
                 html_escaped(local_time(conversation.last)));
    out_.write("</ol>\n</nav>\n");
  }

  static std::string fields(const Hit& hit) {
    std::string html = fmt::format("<b>{}</b>", name_of(hit.role));
    const auto add = [&](std::string_view text) {
      if (!text.empty()) html += fmt::format(" <span>{}</span>", html_escaped(text));
    };
    add(hit.tool);
    add(local_time(hit.time));
    add(marks_of(hit));
    return html;
  }

  static std::string link(const Hit& hit) {
    const std::string address = html_escaped(hit.address());
    return fmt::format(" <a href=\"#{0}\">{0}</a>", address);
  }

  static std::string folded_fields(const Hit& hit) {
    constexpr std::size_t kLongest = 300;
    const Fold fold = folded(hit);
    return fmt::format("{} <span class=\"telling\">{}</span> <span>{}</span>{}", fields(hit),
                       html_escaped(cut_to_width(fold.telling, kLongest)), more_lines(fold),
                       link(hit));
  }

  void details(const Hit& hit) {
    if (hit.role == Role::thinking)
      out_.print("<details>\n<summary>{}</summary>\n<div class=\"text\">\n{}</div>\n</details>\n",
                 folded_fields(hit), html_of_markdown(hit.text));
    else
      out_.print("<details>\n<summary>{}</summary>\n<pre>{}</pre>\n</details>\n",
                 folded_fields(hit), html_escaped(hit.text));
  }

  Output& out_;
  ToolDetail tools_;
  bool several_ = false;
};

}  // namespace

std::unique_ptr<ExportWriter> make_html_writer(Output& out, ToolDetail tools) {
  return std::make_unique<HtmlWriter>(out, tools);
}

}  // namespace cgrep
