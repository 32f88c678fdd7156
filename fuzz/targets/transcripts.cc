// The three forms of transcripts, with a good message on either side of the fuzzed bytes.
#include "extract/transcript.h"
#include "fuzz/checks.h"
#include "fuzz/target.h"

namespace cgrep::fuzz {
namespace {

constexpr std::string_view kBefore =
    R"({"role":"user","message":{"content":[{"type":"text","text":"good before"}]}})";
constexpr std::string_view kAfter =
    R"({"role":"assistant","message":{"content":[{"type":"text","text":"good after"}]}})";

TranscriptDelivery delivery_to(Sink& sink) {
  return {{.store = "transcripts", .conversation = "c1", .slug = "home-ada-widget"}, {}, sink};
}

FUZZ_TARGET(transcript_jsonl) {
  std::string text(kBefore);
  text.append("\n").append(bytes).append("\n").append(kAfter).append("\n");
  CheckingSink sink(text.size());
  auto to = delivery_to(sink);
  AppendTrail trail;
  read_transcript_jsonl(reading(text), trail, to);
  to.claims(0);
  require(trail.offset() == text.size(), "every line is read");
  const auto said = sink.said_in("c1");
  require(said.size() >= 2 && said.front() == "user good before", "the good line before is read");
  require(said.back() == "assistant good after", "the good line after is read");
}

FUZZ_TARGET(transcript_json) {
  CheckingSink sink(bytes.size());
  auto to = delivery_to(sink);
  read_transcript_json(bytes, to);
  to.claims(0);
}

FUZZ_TARGET(transcript_txt) {
  CheckingSink sink(bytes.size());
  auto to = delivery_to(sink);
  read_transcript_txt(bytes, to);
  to.claims(0);
}

}  // namespace
}  // namespace cgrep::fuzz
