// Words come from their rank: common ones are kept, rare ones spelled when needed.

#include "bench/text.h"

#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace cgrep::bench {
namespace {

// Words of rank below this are kept, the others are spelled from their rank each time.
constexpr std::size_t kCommonWords = 50'000;

// So many words exist; 100,000 messages meet about a quarter of a million of them.
constexpr std::size_t kWords = 4'000'000;

// A developer's history names the same things again and again.
constexpr std::size_t kIdentifiers = 60'000;

constexpr std::string_view kEnglish[] = {
    "the",    "a",       "to",      "is",      "of",     "in",       "and",     "it",
    "that",   "for",     "this",    "on",      "with",   "we",       "not",     "file",
    "be",     "error",   "test",    "as",      "when",   "function", "now",     "so",
    "from",   "are",     "can",     "at",      "if",     "but",      "by",      "value",
    "only",   "run",     "one",     "line",    "no",     "use",      "was",     "has",
    "all",    "code",    "build",   "first",   "call",   "should",   "fix",     "there",
    "then",   "index",   "return",  "will",    "type",   "which",    "after",   "before",
    "add",    "change",  "read",    "write",   "two",    "new",      "old",     "same",
    "check",  "server",  "request", "token",   "user",   "data",     "query",   "key",
    "list",   "cache",   "thread",  "lock",    "memory", "buffer",   "module",  "branch",
    "commit", "merge",   "because", "instead", "client", "path",     "name",    "message",
    "why",    "how",     "what",    "where",   "does",   "do",       "please",  "also",
    "here",   "still",   "fails",   "passes",  "works",  "slow",     "fast",    "between",
    "config", "deploy",  "parser",  "schema",  "table",  "column",   "session", "timeout",
    "retry",  "release", "version", "package", "import", "export",   "render",  "socket",
};

constexpr std::string_view kGerman[] = {
    "die",   "der",      "und",      "nicht",     "Datei",  "Fehler",      "warum",
    "wenn",  "über",     "Prüfung",  "Zeile",     "größer", "schließt",    "Änderung",
    "läuft", "Speicher", "Übergabe", "Schlüssel", "für",    "Abhängigkeit"};

constexpr std::string_view kFrench[] = {"le",       "la",       "et",      "fichier", "erreur",
                                        "pourquoi", "déjà",     "requête", "où",      "clé",
                                        "mémoire",  "problème", "après",   "fenêtre", "dépôt",
                                        "être",     "résultat", "même",    "données", "côté"};

constexpr std::string_view kRussian[] = {"и",      "не",     "файл",   "ошибка",   "почему",
                                         "память", "строка", "запрос", "ключ",     "проверка",
                                         "сервер", "поток",  "после",  "значение", "сборка"};

constexpr std::string_view kChinese[] = {"数据", "错误", "文件",   "为什么", "内存", "线程", "请求",
                                         "修复", "测试", "服务器", "缓存",   "索引", "更新", "函数",
                                         "的",   "是",   "在",     "了",     "不",   "配置"};

constexpr std::string_view kJapanese[] = {"データ", "エラー", "ファイル", "なぜ", "メモリ", "の",
                                          "は",     "を",     "が",       "修正", "テスト", "検索",
                                          "処理",   "文字列", "サーバー", "です", "ます",   "関数"};

constexpr std::string_view kKorean[] = {"파일", "오류",   "왜",   "메모리", "서버", "요청",
                                        "수정", "테스트", "함수", "데이터", "검색", "설정"};

std::span<const std::string_view> words_of(Language language) {
  switch (language) {
    case Language::german:
      return kGerman;
    case Language::french:
      return kFrench;
    case Language::russian:
      return kRussian;
    case Language::chinese:
      return kChinese;
    case Language::japanese:
      return kJapanese;
    case Language::korean:
      return kKorean;
    case Language::english:
      break;
  }
  return kEnglish;
}

bool written_without_spaces(Language language) {
  return language == Language::chinese || language == Language::japanese;
}

/// An invented word, the same for the same rank; rare words are longer.
std::string spell(std::size_t rank) {
  static constexpr std::string_view kHeads[] = {"b", "br", "c",  "d", "dr", "f", "g",  "gl",
                                                "h", "k",  "l",  "m", "n",  "p", "pr", "qu",
                                                "r", "s",  "st", "t", "tr", "v", "w",  "z"};
  static constexpr std::string_view kTails[] = {"a",  "an", "ar", "e",  "el", "en", "er", "i",
                                                "in", "is", "o",  "on", "or", "u",  "um", "ex"};
  std::uint64_t bits = mix(rank);
  std::string word;
  for (std::size_t syllable = 0; syllable < (rank < 4'000 ? 2u : 3u); ++syllable) {
    word += kHeads[bits % std::size(kHeads)];
    word += kTails[(bits >> 8) % std::size(kTails)];
    bits = mix(bits);
  }
  return word;
}

std::string hex_digits(Random& random, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i) digits += "0123456789abcdef"[random.below(16)];
  return digits;
}

/// Ends the sentence or the paragraph now and then.
void append_separator(Random& random, std::string& out) {
  const std::size_t dice = random.below(100);
  out += dice < 86 ? " " : dice < 91 ? ", " : dice < 97 ? ". " : dice < 99 ? ".\n" : ":\n\n";
}

}  // namespace

TextMaker::TextMaker() {
  for (const auto word : kEnglish) common_.emplace_back(word);
  while (common_.size() < kCommonWords) common_.push_back(spell(common_.size()));
  Random random(0);
  while (identifiers_.size() < kIdentifiers) identifiers_.push_back(new_identifier(random));
}

void TextMaker::append_word(Random& random, std::string& out) const {
  const std::size_t rank = random.rank_below(kWords);
  out += rank < common_.size() ? common_[rank] : spell(rank);
}

void TextMaker::append_token(Random& random, std::string& out) const {
  const std::size_t dice = random.below(1000);
  if (dice < 870) return append_word(random, out);
  if (dice < 940) return void(out += identifier(random));
  if (dice < 960) return void(out += '`' + path(random) + '`');
  if (dice < 968) return void(out += hex_digits(random, random.chance(0.8) ? 7 : 40));
  out += std::to_string(random.below(dice < 995 ? 1000 : 1'000'000));
}

const std::string& TextMaker::identifier(Random& random) const {
  return identifiers_[random.rank_below(identifiers_.size())];
}

std::string TextMaker::new_identifier(Random& random) const {
  const bool snake = random.chance(0.5);
  std::string name;
  for (std::size_t parts = 2 + random.below(2); parts > 0; --parts) {
    const std::size_t start = name.size() + (snake && !name.empty() ? 1 : 0);
    if (snake && !name.empty()) name += '_';
    name += common_[20 + random.rank_below(5'000)];
    if (!snake && start > 0) name[start] = static_cast<char>(std::toupper(name[start]));
  }
  return name;
}

std::string TextMaker::path(Random& random) const {
  static constexpr std::string_view kEndings[] = {".cc", ".h", ".ts", ".py", ".rs", ".md"};
  std::string path = "src/";
  for (std::size_t depth = 1 + random.below(2); depth > 0; --depth)
    path += common_[20 + random.rank_below(400)] + '/';
  return path + identifier(random) + std::string(kEndings[random.below(std::size(kEndings))]);
}

std::string TextMaker::command(Random& random) const {
  static constexpr std::string_view kPrograms[] = {"git log --oneline -- ", "ctest -R ",
                                                   "rg -n --no-heading ",   "pytest -x ",
                                                   "cargo test ",           "wc -l "};
  return std::string(kPrograms[random.below(std::size(kPrograms))]) + path(random);
}

std::string TextMaker::code(Random& random, std::size_t bytes) const {
  std::string out;
  while (out.size() < bytes)
    out += "  const auto " + identifier(random) + " = " + identifier(random) + "(" +
           std::to_string(random.below(100)) + ");\n";
  return out;
}

std::string TextMaker::prose(Random& random, std::size_t bytes, Language language) const {
  const auto own = words_of(language);
  std::string out;
  out.reserve(bytes + 64);
  while (out.size() < bytes) {
    const bool foreign = language != Language::english && random.chance(0.8);
    if (foreign) {
      out += own[random.rank_below(own.size())];
    } else {
      append_token(random, out);
    }
    if (!foreign || !written_without_spaces(language)) append_separator(random, out);
    if (random.chance(0.002)) out += "\n```\n" + code(random, 120) + "```\n";
  }
  return out;
}

}  // namespace cgrep::bench
