#include "query/redact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <re2/re2.h>

namespace cgrep {
namespace {

using Check = SecretShape::Check;

// Sure shapes first: where two begin at the same place, the first one names it.
constexpr auto kShapes = std::to_array<SecretShape>({
    {"private-key",
     R"re(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s\\,:.|>-]{40,}?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)re",
     Check::always, "-----BEGIN PRIVATE KEY-----\n{64}\n{64}\n{20}\n-----END PRIVATE KEY-----"},
    {"private-key",  // cut before its end
     R"re(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\n)[ \t0-9|>+-]*[A-Za-z0-9+/=]{16,})+)re",
     Check::always, "-----BEGIN RSA PRIVATE KEY-----\n{64}\n{64}"},
    {"private-key", R"re(\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b)re", Check::none,
     "AGE-SECRET-KEY-1{A58}"},
    {"aws-key", R"re(\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b)re", Check::none, "AKIA{A16}"},
    {"aws-secret",
     R"re((?i)\baws_?(?:secret)?_?(?:access)?_?key["']?\s*[:=]\s*["']?([a-z0-9/+]{40})(?:[^a-z0-9/+]|$))re",
     Check::random, "aws_secret_access_key = {40}"},
    {"github-token", R"re(\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}))re",
     Check::none, "ghp_{36}"},
    {"gitlab-token",
     R"re(\b(?:glpat|gldt|glrt|glcbt|glptt|glft|glsoat|glimt|glagent)-[A-Za-z0-9_-]{20,})re",
     Check::none, "glpat-{20}"},
    {"slack-token", R"re(\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{20,}))re",
     Check::random, "xoxb-{12}-{24}"},
    {"slack-webhook",
     R"re(\bhooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{30,}))re", Check::none,
     "https://hooks.slack.com/services/T{A8}/B{A8}/{24}"},
    {"stripe-key", R"re(\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}))re",
     Check::none, "sk_live_{24}"},
    {"anthropic-key", R"re(\bsk-ant-[A-Za-z0-9_-]{20,})re", Check::none, "sk-ant-api03-{40}"},
    {"openai-key", R"re(\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,})re", Check::random,
     "sk-proj-{48}"},
    {"google-key",
     R"re(\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}))re",
     Check::none, "AIza{35}"},
    {"jwt", R"re(\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)re", Check::none,
     "eyJ{30}.eyJ{40}.{43}"},
    {"npm-token", R"re(\bnpm_[A-Za-z0-9]{36}\b)re", Check::none, "npm_{36}"},
    {"pypi-token", R"re(\bpypi-[A-Za-z0-9_-]{50,})re", Check::random, "pypi-AgEI{80}"},
    {"sendgrid-key", R"re(\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})re", Check::none,
     "SG.{22}.{43}"},
    {"hugging-face-token", R"re(\bhf_[A-Za-z0-9]{30,}\b)re", Check::random, "hf_{34}"},
    {"twilio-key", R"re(\bSK[0-9a-f]{32}\b)re", Check::none, "SK{h32}"},
    {"telegram-token", R"re(\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b)re", Check::none,
     "1029384756:AA{33}"},
    {"digitalocean-token", R"re(\bdo[opr]_v1_[a-f0-9]{64}\b)re", Check::none, "dop_v1_{h64}"},
    {"docker-token", R"re(\bdckr_pat_[A-Za-z0-9_-]{20,})re", Check::none, "dckr_pat_{27}"},
    {"vault-token", R"re(\bhv[sbr]\.[A-Za-z0-9_-]{24,})re", Check::none, "hvs.{60}"},
    {"shopify-token", R"re(\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b)re", Check::none, "shpat_{h32}"},
    {"linear-key", R"re(\blin_api_[A-Za-z0-9]{32,})re", Check::none, "lin_api_{40}"},
    {"azure-key", R"re(\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2}))re", Check::none,
     "AccountName=gauge;AccountKey={86}==;EndpointSuffix=x"},
    {"url-password", R"re(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'`<>]*:([^\s/@"'`<>]{3,})@)re",
     Check::none, "postgres://ada:{10}@db.internal:5432/app"},
    {"authorization",
     R"re((?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|bot|apikey)\s+([a-z0-9._~+/=-]{8,}))re",
     Check::none, "Authorization: Basic {24}=="},
    {"bearer-token", R"re(\b[Bb]earer\s+([A-Za-z0-9._~+/-]{20,}=*))re", Check::random,
     "-H 'Bearer {32}'"},
    {"password",
     R"re((?i)pass(?:word|wd|phrase)\\*["']?\s*(?:=>|:=|[:=])\s*\\*(?:"([^"\\\s]{8,200})\\*"|'([^'\\\s]{8,200})\\*'|([^\s"'`,;<>(){}\[\]&\\]{8,200})))re",
     Check::assigned, "DB_PASSWORD={12}"},
    {"secret",
     R"re((?i)(?:secret|token|credentials?|pwd|api[_-]?key|(?:access|auth|private|signing|encryption|secret|master|account)[_-]?key|[_-]sig)\\*["']?\s*(?:=>|:=|[:=])\s*\\*(?:"([^"\\\s]{8,200})\\*"|'([^'\\\s]{8,200})\\*'|([^\s"'`,;<>(){}\[\]&\\]{8,200})))re",
     Check::assigned, "\"api_key\": \"{32}\""},
});

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// What people write where a secret would stand.
bool is_placeholder(std::string_view value) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"example",    "placeholder", "changeme", "change-me",  "change_me", "your-",     "your_",
       "yourpass",   "yourtoken",   "yourkey",  "yoursecret", "my-secret", "my_secret", "mysecret",
       "my-super",   "xxxx",        "****",     "....",       "----",      "____",      "dummy",
       "redacted",   "insert",      "replace",  "sample",     "fake",      "todo",      "notreal",
       "not-real",   "not-a-",      "1234567",  "abcdefgh",   "aaaaaaa",   "0000000",   "undefined",
       "test-token", "test_token"});
  constexpr auto kWhole =
      std::to_array<std::string_view>({"password", "passwd", "pass", "pwd", "pw", "secret", "token",
                                       "p", "user", "***", "xxx", "...", "…"});
  constexpr auto kTemplates = std::to_array<std::string_view>({"${", "{{", "#{", "%s", "%("});
  const std::string low = lower(value);
  const auto stands_within = [&](std::string_view word) {
    return low.find(word) != std::string::npos;
  };
  return low.find_first_of("<{[]$") == 0 ||
         std::any_of(kTemplates.begin(), kTemplates.end(), stands_within) ||
         std::any_of(kWords.begin(), kWords.end(), stands_within) ||
         std::find(kWhole.begin(), kWhole.end(), low) != kWhole.end();
}

// Bits per character.
double entropy(std::string_view text) {
  std::array<std::size_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const std::size_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

bool looks_random(std::string_view value) {
  constexpr double kMixed = 2.8;  // eight characters of which one stands twice
  return std::any_of(value.begin(), value.end(), is_digit) &&
         std::any_of(value.begin(), value.end(), is_letter) && entropy(value) >= kMixed;
}

// `refreshToken2`, `process.env.TOKEN_2`, `src/auth/token2.ts`: a name, not a value. Its parts
// have a few digits, and at their end only.
bool is_name(std::string_view value) {
  const auto is_part = [](std::string_view part) {
    const auto digits = std::min(part.find_first_of("0123456789"), part.size());
    const auto rest = part.substr(digits);
    return rest.size() <= 3 && std::all_of(rest.begin(), rest.end(), is_digit);
  };
  while (!value.empty()) {
    const auto end = std::min(value.find_first_of("._/:-$?!@"), value.size());
    if (!is_part(value.substr(0, end))) return false;
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return true;
}

bool is_path(std::string_view value) {
  return value.starts_with("./") || value.starts_with("~/") || value.starts_with("http") ||
         (value.starts_with('/') && value.find('/', 1) != std::string_view::npos);
}

struct Found {
  std::string_view value{};
  bool quoted = false;
  char next = '\0';  // what follows it
};

bool passes(Check check, const Found& found) {
  if (check == Check::always) return true;
  if (is_placeholder(found.value)) return false;
  if (check == Check::none) return true;
  if (!looks_random(found.value) || is_name(found.value)) return false;
  const bool called = std::string_view("([{<").find(found.next) != std::string_view::npos;
  return check == Check::random || found.quoted || !(called || is_path(found.value));
}

// A shape, ready to be looked for.
class Finder {
 public:
  explicit Finder(const SecretShape& shape)
      : shape_(shape),
        expression_(std::string(shape.pattern), options()),
        groups_(std::min(kMaxGroups, expression_.NumberOfCapturingGroups())) {}

  void find(std::string_view text, std::vector<Secret>& secrets) const {
    const re2::StringPiece whole(text.data(), text.size());
    std::array<re2::StringPiece, kMaxGroups + 1> match;
    std::size_t from = 0;
    while (
        expression_.Match(whole, from, text.size(), RE2::UNANCHORED, match.data(), groups_ + 1)) {
      std::size_t group = 0;
      for (std::size_t i = 1; i < match.size() && group == 0; ++i)
        if (match[i].data() != nullptr) group = i;
      const Span span = span_of(match[group], text);
      const Found found{.value = text.substr(span.begin, span.end - span.begin),
                        .quoted = group > 0 && group < kMaxGroups,
                        .next = span.end < text.size() ? text[span.end] : '\0'};
      if (passes(shape_.check, found)) secrets.push_back({span, shape_.name});
      from = span.end;
    }
  }

 private:
  static constexpr int kMaxGroups = 3;  // in double quotes, in single ones, in none

  static Span span_of(const re2::StringPiece& piece, std::string_view text) {
    const auto begin = static_cast<std::size_t>(piece.data() - text.data());
    return {begin, begin + piece.size()};
  }

  static RE2::Options options() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);  // the shapes are ASCII
    options.set_log_errors(false);
    return options;
  }

  const SecretShape& shape_;
  RE2 expression_;
  int groups_;
};

const std::vector<std::unique_ptr<Finder>>& finders() {
  static const auto all = [] {
    std::vector<std::unique_ptr<Finder>> made;
    made.reserve(kShapes.size());
    for (const SecretShape& shape : kShapes) made.push_back(std::make_unique<Finder>(shape));
    return made;
  }();
  return all;
}

// The same characters each time, none of which a placeholder would have.
std::string filler(std::string_view alphabet, std::size_t count) {
  std::string text;
  std::uint32_t state = 2463534242;
  for (std::size_t i = 0; i < count; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    text += alphabet[state % alphabet.size()];
  }
  return text;
}

}  // namespace

std::span<const SecretShape> secret_shapes() {
  return kShapes;
}

std::string example_of(const SecretShape& shape) {
  static const RE2 kRandom(R"(([^{]*)(?:\{([Ah]?)([0-9]+)\}|(\{)))");
  constexpr std::string_view kAll = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  constexpr std::string_view kCapitals = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  re2::StringPiece rest(shape.example.data(), shape.example.size());
  std::string before;
  std::string kind;
  std::string count;
  std::string brace;
  while (RE2::Consume(&rest, kRandom, &before, &kind, &count, &brace)) {
    text += before + brace;
    if (count.empty()) continue;
    std::string_view alphabet = kind == "A" ? kCapitals : kAll;
    if (kind == "h") alphabet = kHex;
    text += filler(alphabet, std::stoul(count));
  }
  return text.append(rest.data(), rest.size());
}

std::vector<Secret> find_secrets(std::string_view text) {
  std::vector<Secret> found;
  for (const auto& finder : finders()) finder->find(text, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Secret& a, const Secret& b) { return a.span.begin < b.span.begin; });
  // What two shapes found is one secret, and all of both is masked.
  std::vector<Secret> apart;
  for (const Secret& secret : found) {
    if (!apart.empty() && secret.span.begin < apart.back().span.end)
      apart.back().span.end = std::max(apart.back().span.end, secret.span.end);
    else
      apart.push_back(secret);
  }
  return apart;
}

std::string mask_of(const Secret& secret) {
  return fmt::format("[redacted:{}]", secret.shape);
}

std::string redacted(std::string_view text, std::span<const Secret> secrets) {
  std::string result;
  std::size_t at = 0;
  for (const Secret& secret : secrets) {
    result += text.substr(at, secret.span.begin - at);
    result += mask_of(secret);
    at = secret.span.end;
  }
  return result.append(text.substr(at));
}

std::string redacted(std::string_view text) {
  return redacted(text, find_secrets(text));
}

}  // namespace cgrep
