// The pattern in two steps: characters → tokens (with the parentheses matched), tokens → tree.
//
//   any   = all { OR all }
//   all   = item { [AND] item }
//   item  = { NOT } ( ( any ) | words { NEAR words } | field )
//
// An operator that has no operand where it needs one is a word like any other.
// SPDX-License-Identifier: MIT
#include "query/parser.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "index/words.h"
#include "query/fields.h"

namespace cgrep {
namespace {

using Kind = Query::Kind;

constexpr unsigned kDefaultNearDistance = 10;
constexpr unsigned kMaxNearDistance = 1000;

/// Deeper parentheses are literal, so that no pattern can exhaust the stack.
constexpr std::size_t kMaxDepth = 50;

// ---------------------------------------------------------------- tokens

struct Token {
  enum class Kind : std::uint8_t { text, quoted, field, open, close, or_, and_, not_, near };

  Kind kind = Kind::text;
  std::string_view text{};   // as typed; of a field: its value
  std::string_view field{};  // canonical name
  bool choice = false;       // of a field: text is a list of values
  unsigned distance = 0;     // of NEAR
};

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// NEAR or NEAR/n.
std::optional<unsigned> near_distance(std::string_view text) {
  if (!text.starts_with("NEAR")) return std::nullopt;
  text.remove_prefix(4);
  if (text.empty()) return kDefaultNearDistance;
  if (!text.starts_with('/')) return std::nullopt;
  unsigned distance = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 1, end, distance);
  if (error != std::errc{} || stop != end || distance == 0) return std::nullopt;
  return std::min(distance, kMaxNearDistance);
}

/// `localhost:8080`, `https://…`, `std::move` and `C:\x` are nobody's idea of a field.
bool looks_like_a_field(std::string_view name, std::string_view value) {
  const bool is_name = name.size() > 1 && std::ranges::all_of(name, is_letter);
  const bool is_number = value.find_first_not_of("0123456789") == std::string_view::npos;
  return is_name && !is_number && value.find_first_of(":/\\") != 0;
}

/// How many characters at the front are of that kind.
std::size_t end_of(std::string_view text, bool (*is_kind)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_kind) - text.begin());
}

std::size_t end_of_token(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if(text, is_space) - text.begin());
}

class Lexer {
 public:
  Lexer(std::string_view pattern, std::vector<std::string>& unknown_fields)
      : rest_(pattern), unknown_fields_(unknown_fields) {}

  std::vector<Token> tokens() {
    for (skip_spaces(); !rest_.empty(); skip_spaces()) {
      while (rest_.starts_with('(')) add({Token::Kind::open, take(1)});
      if (rest_.starts_with("=\"")) take(1);  // what is quoted is exact anyway
      if (rest_.starts_with('"')) {
        add({Token::Kind::quoted, take_quoted()});
        take_closing();
      } else {
        take_bare();
      }
    }
    match_parentheses();
    return std::move(tokens_);
  }

 private:
  void add(const Token& token) { tokens_.push_back(token); }

  std::string_view take(std::size_t bytes) {
    const auto taken = rest_.substr(0, bytes);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  void skip_spaces() { take(end_of(rest_, is_space)); }

  /// What stands in the quotes at the front; an open quote runs to the end.
  std::string_view take_quoted() {
    take(1);
    const auto text = take(rest_.find('"'));
    take(1);
    return text;
  }

  /// `)` that follow a quote directly.
  void take_closing() {
    std::size_t count = rest_.find_first_not_of(')');
    if (count == std::string_view::npos) count = rest_.size();
    if (count < rest_.size() && !is_space(rest_[count])) return;
    while (count-- > 0) add({Token::Kind::close, take(1)});
  }

  void take_bare() {
    if (take_field()) return;
    add_closed(rest_.substr(0, end_of_bare()), token_of);
  }

  /// Before the next space, or a quote that only punctuation stands before: `{"a`.
  std::size_t end_of_bare() const {
    const std::size_t end = end_of_token(rest_);
    const std::size_t quote = rest_.substr(0, end).find('"');
    return quote < end && words_of(rest_.substr(0, quote)).empty() ? quote : end;
  }

  /// A token, and the `)` after it.
  template <typename Make>
  void add_closed(std::string_view text, Make&& make) {
    const std::size_t closing = surplus_closing(text);
    text = take(text.size() - closing);
    if (!text.empty()) add(make(text));
    for (std::size_t i = 0; i < closing; ++i) add({Token::Kind::close, take(1)});
  }

  /// How many `)` at the end have no `(` in the same token: `f(x))` has one.
  static std::size_t surplus_closing(std::string_view text) {
    const auto opened = std::ranges::count(text, '(');
    const auto closed = std::ranges::count(text, ')');
    const auto at_end = text.size() - (text.find_last_not_of(')') + 1);
    return closed <= opened ? 0 : std::min(at_end, static_cast<std::size_t>(closed - opened));
  }

  static Token token_of(std::string_view text) {
    if (text == "OR") return {Token::Kind::or_, text};
    if (text == "AND") return {Token::Kind::and_, text};
    if (text == "NOT") return {Token::Kind::not_, text};
    if (const auto distance = near_distance(text))
      return {.kind = Token::Kind::near, .text = text, .distance = *distance};
    return {Token::Kind::text, text};
  }

  static bool is_empty_value(std::string_view value) {
    const bool quoted = value.starts_with('"');
    value = quoted ? value.substr(1, value.find('"', 1) - 1) : value.substr(0, end_of_token(value));
    return value.find_first_not_of(quoted ? " \t\r\n" : "!,") == std::string_view::npos;
  }

  /// `name:value` or `name:"value"` at the front. Also notes names that are no field.
  bool take_field() {
    const auto name = rest_.substr(0, end_of(rest_, is_letter));
    const auto after = rest_.substr(name.size());
    if (name.empty() || !after.starts_with(':')) return false;
    const auto value = after.substr(1, end_of_token(after.substr(1)));
    // `std::x`, `https://x`, `file:///x` are text.
    if (value.starts_with(':') || value.starts_with("//") || is_empty_value(after.substr(1)))
      return false;
    const Field* field = find_field(name);
    if (field == nullptr) return take_unknown_field(name, value);
    take(name.size() + 1);
    Token token{.kind = Token::Kind::field, .field = field->name, .choice = field->choice};
    if (value.starts_with('"')) {
      token.text = take_quoted();
      token.choice = false;
      add(token);
      take_closing();
    } else {
      add_closed(value, [&](std::string_view text) {
        token.text = text;
        return token;
      });
    }
    return true;
  }

  /// Literal; the quotes of `name:"some value"` still hold it together.
  bool take_unknown_field(std::string_view name, std::string_view value) {
    if (looks_like_a_field(name, value) &&
        std::ranges::find(unknown_fields_, name) == unknown_fields_.end())
      unknown_fields_.emplace_back(name);
    if (!value.starts_with('"')) return false;
    const std::size_t quote = rest_.find('"', name.size() + 2);
    add({Token::Kind::text, take(quote == std::string_view::npos ? quote : quote + 1)});
    take_closing();
    return true;
  }

  /// Parentheses without a partner, and those too deep, become text: they hold no words.
  void match_parentheses() {
    std::vector<Token*> open;
    std::vector<Token*> literal;
    for (Token& token : tokens_) {
      if (token.kind == Token::Kind::open) open.push_back(&token);
      if (token.kind != Token::Kind::close) continue;
      if (open.empty() || open.size() > kMaxDepth) literal.push_back(&token);
      if (open.size() > kMaxDepth) literal.push_back(open.back());
      if (!open.empty()) open.pop_back();
    }
    literal.insert(literal.end(), open.begin(), open.end());
    for (Token* token : literal) token->kind = Token::Kind::text;
  }

  std::string_view rest_;
  std::vector<std::string>& unknown_fields_;
  std::vector<Token> tokens_{};
};

// ---------------------------------------------------------------- nodes

bool is_nothing(const Query& query) {
  return query.kind == Kind::everything;
}

Query word_node(std::string_view text, bool exact) {
  return {.kind = Kind::word, .text = std::string(text), .exact = exact};
}

Query not_node(Query child) {
  if (child.kind == Kind::not_of) return std::move(child.children.front());
  Query node{.kind = Kind::not_of};
  node.children.push_back(std::move(child));
  return node;
}

/// all_of or any_of: one child stands for itself, and a child of the same kind is dissolved.
Query list_node(Kind kind, std::vector<Query> children) {
  Query list{.kind = kind};
  for (Query& child : children) {
    if (is_nothing(child)) continue;
    if (child.kind == kind) {
      std::ranges::move(child.children, std::back_inserter(list.children));
    } else {
      list.children.push_back(std::move(child));
    }
  }
  if (list.children.empty()) return {};
  if (list.children.size() == 1) return std::move(list.children.front());
  return list;
}

/// The words of a token: none, one, or a phrase.
Query words_node(std::string_view text, bool exact) {
  const std::vector<Word> words = words_of(text);
  if (words.empty()) return {};
  const auto raw = [&](const Word& word) { return text.substr(word.begin, word.end - word.begin); };
  if (words.size() == 1) return word_node(raw(words[0]), exact);
  Query phrase{.kind = Kind::phrase};
  for (const Word& word : words) phrase.children.push_back(word_node(raw(word), true));
  return phrase;
}

bool is_one_word(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  return words.size() == 1 && words[0].begin == 0 && words[0].end == text.size();
}

Query text_node(std::string_view text, bool whole_words) {
  const bool exact = text.starts_with('=');
  const std::string_view body = text.substr(exact ? 1 : 0);
  const std::string_view stem = body.substr(0, body.find_last_not_of('*') + 1);
  if (stem.size() < body.size() && is_one_word(stem))
    return {.kind = Kind::prefix, .text = std::string(stem)};
  return words_node(text, whole_words || (exact && is_one_word(body)));
}

Query field_node(std::string_view field, std::string_view value) {
  Query node{.kind = Kind::field, .text = std::string(value), .field = std::string(field)};
  return node;
}

/// `role:user,!plan`: any of the wanted, and none of the unwanted.
Query choice_node(std::string_view field, std::string_view values) {
  std::vector<Query> wanted;
  std::vector<Query> all;
  while (!values.empty()) {
    const auto comma = std::min(values.find(','), values.size());
    auto value = values.substr(0, comma);
    values.remove_prefix(std::min(comma + 1, values.size()));
    const bool unwanted = value.starts_with('!');
    if (unwanted) value.remove_prefix(1);
    if (value.empty()) continue;
    if (unwanted) {
      all.push_back(not_node(field_node(field, value)));
    } else {
      wanted.push_back(field_node(field, value));
    }
  }
  all.insert(all.begin(), list_node(Kind::any_of, std::move(wanted)));
  return list_node(Kind::all_of, std::move(all));
}

/// The field of a choice: of one value, or of several by OR. Empty for all else.
std::string_view choice_of(const Query& node) {
  const bool several = node.kind == Kind::any_of;
  const Query& first = several ? node.children.front() : node;
  if (first.kind != Kind::field) return {};
  const Field* field = find_field(first.field);
  if (field == nullptr || !field->choice) return {};
  const auto same = [&](const Query& child) {
    return child.kind == Kind::field && child.field == first.field;
  };
  return several && !std::ranges::all_of(node.children, same) ? std::string_view{} : first.field;
}

/// Children of an all_of: `role:user role:plan` means either, as nothing can be both.
std::vector<Query> with_choices_joined(std::vector<Query> children) {
  std::vector<Query> joined;
  for (Query& child : children) {
    const std::string field(choice_of(child));
    const auto is_same = [&](const Query& other) { return choice_of(other) == field; };
    const auto earlier = field.empty() ? joined.end() : std::ranges::find_if(joined, is_same);
    if (earlier == joined.end()) {
      joined.push_back(std::move(child));
    } else {
      std::vector<Query> both;
      both.push_back(std::move(*earlier));
      both.push_back(std::move(child));
      *earlier = list_node(Kind::any_of, std::move(both));
    }
  }
  return joined;
}

// ---------------------------------------------------------------- tree

bool can_be_near(const Query& node) {
  return node.kind == Kind::word || node.kind == Kind::prefix || node.kind == Kind::phrase;
}

/// Words near each other. A phrase gives its words, and has to stand in the text besides.
Query near_node(const std::vector<Query>& operands, unsigned distance) {
  Query near{.kind = Kind::near, .distance = distance};
  std::vector<Query> all;
  for (const Query& operand : operands) {
    if (operand.kind == Kind::phrase) {
      std::ranges::copy(operand.children, std::back_inserter(near.children));
      all.push_back(operand);
    } else {
      near.children.push_back(operand);
    }
  }
  all.push_back(std::move(near));
  return list_node(Kind::all_of, std::move(all));
}

bool has_capital(const Query& query) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return (query.kind != Kind::field && std::ranges::any_of(query.text, is_capital)) ||
         std::ranges::any_of(query.children, has_capital);
}

void make_cased(Query& query) {
  query.cased = query.kind == Kind::word || query.kind == Kind::prefix;
  for (Query& child : query.children) make_cased(child);
}

class Parser {
 public:
  Parser(std::vector<Token> tokens, bool whole_words)
      : tokens_(std::move(tokens)), whole_words_(whole_words) {}

  Query parse() {
    Query query = any();  // goes to the end, as every `)` that is left has its `(`
    return is_nothing(query) ? wordless() : query;
  }

 private:
  using Is = Token::Kind;

  bool next_is(Is kind) const { return at_ < tokens_.size() && tokens_[at_].kind == kind; }

  bool next_is_operand() const {
    return at_ < tokens_.size() && !next_is(Is::close) && !next_is(Is::or_) && !next_is(Is::and_) &&
           !next_is(Is::near);
  }

  /// The binary operator here, and all that follow it without an operand between, if an operand
  /// comes after them; the first one counts. Otherwise it is a word, and stays.
  bool take_operator(Is kind) {
    if (!next_is(kind)) return false;
    const std::size_t start = at_;
    while (next_is(Is::or_) || next_is(Is::and_) || next_is(Is::near)) ++at_;
    if (next_is_operand()) return true;
    at_ = start;
    return false;
  }

  Query any() {
    std::vector<Query> options;
    do {
      options.push_back(all());
    } while (take_operator(Is::or_));
    return list_node(Kind::any_of, std::move(options));
  }

  Query all() {
    std::vector<Query> items;
    for (;;) {
      const bool joined = !items.empty() && (take_operator(Is::and_) || take_operator(Is::near));
      if (!joined && ends_all(items.empty())) break;
      items.push_back(item());
    }
    Query list = list_node(Kind::all_of, std::move(items));
    if (list.kind != Kind::all_of) return list;
    return list_node(Kind::all_of, with_choices_joined(std::move(list.children)));
  }

  /// At the end, a `)`, or an OR that has operands on both sides.
  bool ends_all(bool is_first) {
    if (at_ == tokens_.size() || next_is(Is::close)) return true;
    if (is_first || !next_is(Is::or_)) return false;
    const std::size_t start = at_;
    const bool is_operator = take_operator(Is::or_);
    at_ = start;
    return is_operator;
  }

  Query item() {
    bool negated = false;
    while (next_is(Is::not_)) {
      ++at_;
      if (!next_is_operand()) return word_node("NOT", whole_words_);
      negated = !negated;
    }
    Query node = near();
    if (!negated || is_nothing(node)) return node;
    return not_node(std::move(node));
  }

  Query near() {
    std::vector<Query> operands;
    operands.push_back(operand());
    unsigned distance = 0;
    while (can_be_near(operands.back()) && next_is(Is::near)) {
      const unsigned wanted = tokens_[at_].distance;
      if (!take_operator(Is::near)) break;
      if (!next_is(Is::text) && !next_is(Is::quoted)) break;  // a group or a field: just AND
      Query right = operand();
      if (is_nothing(right)) continue;
      distance = std::max(distance, wanted);
      operands.push_back(std::move(right));
    }
    return operands.size() == 1 ? std::move(operands.front()) : near_node(operands, distance);
  }

  Query operand() {
    const Token& token = tokens_[at_++];
    switch (token.kind) {
      case Is::open: {
        Query group = any();
        if (next_is(Is::close)) ++at_;
        return group;
      }
      case Is::field:
        return token.choice ? choice_node(token.field, token.text)
                            : field_node(token.field, token.text);
      case Is::quoted:
        return words_node(token.text, true);
      case Is::text:
        return text_node(token.text, whole_words_);
      default:
        return words_node(token.text, whole_words_);  // an operator without its operands
    }
  }

  /// A pattern of nothing but `&&` or the like is that text.
  Query wordless() const {
    std::vector<Query> all;
    for (const Token& token : tokens_)
      if (token.kind != Is::field && !token.text.empty())
        all.push_back(word_node(token.text, true));
    return list_node(Kind::all_of, std::move(all));
  }

  std::vector<Token> tokens_;
  bool whole_words_;
  std::size_t at_ = 0;
};

}  // namespace

ParsedQuery parse_query(std::string_view pattern, WordStyle style) {
  ParsedQuery parsed;
  Lexer lexer(pattern, parsed.unknown_fields);
  parsed.query = Parser(lexer.tokens(), style.whole).parse();
  // Nothing but quotes and the like: that text.
  const auto first = pattern.find_first_not_of(" \t\r\n");
  if (is_nothing(parsed.query) && first != std::string_view::npos)
    parsed.query =
        word_node(pattern.substr(first, pattern.find_last_not_of(" \t\r\n") + 1 - first), true);
  if (style.match_case == Case::sensitive ||
      (style.match_case == Case::smart && has_capital(parsed.query)))
    make_cased(parsed.query);
  return parsed;
}

}  // namespace cgrep
