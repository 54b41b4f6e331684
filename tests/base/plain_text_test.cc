#include "base/plain_text.h"

#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "base/quote.h"
#include "base/utf8.h"

namespace patra::plain_text_test {

constexpr std::string_view kHostile =
    "a\x1b[2Jb\x07\x7f\xc2\x9b"
    "31m\xe2\x80\xae"
    "cod\xe2\x81\xa9\xd8\x9c\xe2\x80\xa8 \x9b é日\r\n\tz\ry\xff";

bool HasControl(std::string_view text, std::string_view allowed) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    if (!character.valid()) return true;
    const bool is_allowed =
        character.length == 1 && allowed.find(text[at]) != std::string_view::npos;
    if (IsControlCharacter(character.code_point) && !is_allowed) return true;
    at += character.length;
  }
  return false;
}

TEST(Spelled, LeavesNothingThatATerminalObeys) {
  const auto spelled = Spelled(kHostile);
  EXPECT_FALSE(HasControl(spelled, "\n\t\r"));
  EXPECT_EQ(spelled,
            "a\\u001b[2Jb\\u0007\\u007f\\u009b31m\\u202ecod\\u2069\\u061c\\u2028 \uFFFD é日\r\n\tz"
            "\\u000dy\uFFFD");
  EXPECT_FALSE(HasControl(SpelledOnOneLine(kHostile), ""));
  EXPECT_FALSE(HasControl(Quote(kHostile), ""));
  EXPECT_EQ(Spelled("\r"), "\\u000d");
  EXPECT_EQ(Spelled("\xe2\x80"), "\uFFFD\uFFFD");
}

TEST(Spelled, MeansTheSameInsideJson) {
  const Value value(Value::Object{{"k\u202e", "DEL \x7f, CSI \u009b, ESC \x1b, é"}});
  const auto json = CanonicalJson(value);
  EXPECT_TRUE(HasControl(json, ""));
  const auto spelled = Spelled(json);
  EXPECT_FALSE(HasControl(spelled, ""));
  EXPECT_EQ(ParseJson(spelled), value);
}

TEST(Spelled, InPiecesIsTheSameAsAtOnce) {
  for (std::size_t cut = 0; cut <= kHostile.size(); ++cut) {
    std::string out;
    std::string waiting(kHostile.substr(0, cut));
    waiting.erase(0, AppendSpelled(waiting, out));
    EXPECT_LE(waiting.size(), 3u);
    waiting += kHostile.substr(cut);
    waiting.erase(0, AppendSpelled(waiting, out));
    EXPECT_EQ(out + Spelled(waiting), Spelled(kHostile)) << cut;
  }
}

TEST(ForSpreadsheet, LeavesNoFormula) {
  for (const std::string formula :
       {"=1+1", "+1-555-0100", "-2+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
        "\uFF1D1", "-inf", "=", "-", "+nan", " =1+1", ";=1+1", ", +x"}) {
    EXPECT_TRUE(ForSpreadsheet(formula).starts_with(formula[0] == '\r' ? "\uFFFD" : "'"))
        << formula;
  }
  for (const std::string plain :
       {"", "a=b", " a", "; b", "-5", "+5.25", "-1e-7", "1-1", "two\nlines", "a\r\nb"})
    EXPECT_EQ(ForSpreadsheet(plain), plain);
  EXPECT_EQ(ForSpreadsheet("x\x1by\rz"), "x\uFFFDy\uFFFDz");
}

// What a shell makes of a word.
std::string SaidByShell(const std::string& word) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(("exec bash -s <<'PATRA-END'\nprintf %s " + word + "\nPATRA-END\n").c_str(), "r"),
      pclose);
  std::string said;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get()))
    said += static_cast<char>(c);
  return said;
}

TEST(ForShell, IsOneWordThatTheShellReadsBack) {
  for (const std::string id :
       {"10.1000/182", "it's", "a b; rm -rf ~", "$(reboot)`id`", "\"", "\\", "é日", "x\ny",
        "\x1b[2J'q'\\1", "*", "~", "#x", "", "!!", "\u202e1"}) {
    const auto word = ForShell(id);
    EXPECT_EQ(SaidByShell(word), id) << word;
    EXPECT_FALSE(HasControl(word, "")) << word;
  }
  EXPECT_EQ(ForShell("10.1000/182"), "10.1000/182");
}

}  // namespace patra::plain_text_test
