// Small readers: JSON, the protobuf wire, times and dates, URIs and slugs.
#include "error.h"
#include "extract/conversation_id.h"
#include "extract/json.h"
#include "extract/paths.h"
#include "extract/protobuf.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "extract/wire_texts.h"
#include "fuzz/checks.h"
#include "fuzz/target.h"
#include "query/dates.h"

namespace cgrep::fuzz {
namespace {

bool is_part_of(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

FUZZ_TARGET(json) {
  const auto quoted = json_quote(bytes);
  require(valid_utf8(quoted), "a quoted text is UTF-8");
  require(quoted.find('\n') == std::string::npos, "a quoted text is one line");
  const auto back = Json::parse(quoted);
  require(back && back->string() != nullptr, "a quoted text is JSON");
  if (valid_utf8(bytes)) require(*back->string() == bytes, "a quoted text is the same again");
  Json::parse(bytes);
}

FUZZ_TARGET(protobuf) {
  WireReader reader(bytes);
  std::size_t fields = 0;
  while (const auto field = reader.next()) {
    ++fields;
    require(is_part_of(field->bytes, bytes), "a field lies in its message");
  }
  require(fields <= bytes.size(), "a field takes a byte at least");
  require(is_wire_message(bytes) == !reader.damaged(), "both say the same of damage");
  for (const auto text : wire_texts(bytes)) {
    require(is_part_of(text, bytes), "a text lies in its message");
    is_prose(text);
  }
}

FUZZ_TARGET(times) {
  for (const auto& parse :
       {parse_rfc3339, parse_time, parse_tag_time, parse_commit_time, parse_day})
    if (const auto ms = parse(bytes)) require(is_sane_time(*ms), "a time that was read is sane");
  constexpr std::int64_t kNow = 1'781'016'250'000;
  try {
    const auto span = parse_date(bytes, kNow);
    require(span.begin_ms <= span.end_ms, "a span ends after it began");
  } catch (const Error& error) {
    require(!error.hint().empty(), "a bad date gets a hint");
  }
  try {
    parse_date_range(bytes, kNow);
  } catch (const Error&) {
    return;
  }
}

FUZZ_TARGET(paths) {
  require(path_of_uri(bytes).size() <= bytes.size() + 1, "a URI's path is no longer than it");
  for (const auto token : slug_tokens(bytes))
    require(is_part_of(token, bytes), "a token lies in its slug");
  const auto half = bytes.size() / 2;
  const auto part = folder_with_slug(bytes.substr(0, half), bytes.substr(half));
  require(is_part_of(part, bytes), "a folder lies in its path");
  const auto common = common_folder(bytes.substr(0, half), bytes.substr(half));
  require(common.size() <= bytes.size(), "what is common is no longer");
  is_path_slug(bytes);
  for (const char c : conversation_id(bytes))
    require(static_cast<unsigned char>(c) > ' ' && c != ':', "an id is one word");
}

}  // namespace
}  // namespace cgrep::fuzz
