/// Tests of aligned columns, and of text that is escaped or cut.

#include "spca/base/text.h"

#include <gtest/gtest.h>

#include "spca/base/unicode.h"

namespace spca::text_test {
namespace {

using Lines = std::vector<std::string>;

TEST(AlignColumns, PadsToTheWidestCellAndLeavesNoBlankAtTheEnd) {
  EXPECT_EQ(align_columns({{"a", "bb", "c"}, {"long", "", "d"}, {"e"}}),
            (Lines{"a     bb  c", "long      d", "e"}));
  EXPECT_EQ(align_columns({{"a", "bb"}, {"long", ""}}), (Lines{"a     bb", "long"}));
  EXPECT_TRUE(align_columns({}).empty());
}

TEST(AlignColumns, AlignsAllColumnsButTheFirstRight) {
  EXPECT_EQ(align_columns({{"name", "k"}, {"x", "10"}}, ColumnAlignment::kRight),
            (Lines{"name   k", "x     10"}));
}

TEST(AlignColumns, CountsLettersNotBytes) {
  EXPECT_EQ(align_columns({{"\u03bb\u2081", "1"}, {"abc", "2"}}),
            (Lines{"\u03bb\u2081   1", "abc  2"}));
}

TEST(CountLetters, CountsABrokenByteAsOne) {
  EXPECT_EQ(count_letters(""), 0U);
  EXPECT_EQ(count_letters("a\u00e9\u20ac\U0001d54a"), 4U);
  EXPECT_EQ(count_letters("a\xff\x80z"), 4U);
  EXPECT_EQ(count_letters("\xed\xa0\x80"), 3U) << "a surrogate";
  EXPECT_EQ(count_letters("\xf4\x90\x80\x80"), 4U) << "beyond U+10FFFF";
  EXPECT_EQ(count_letters("\xf4\x8f\xbf\xbf"), 1U) << "U+10FFFF";
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("plain \u03bb \\u001b"), "plain \u03bb \\u001b");
  EXPECT_EQ(printable("a\x1b[31m\n\t\r\x7f"), "a\\u001b[31m\\n\\t\\u000d\\u007f");
  EXPECT_EQ(printable("\xc2\x9b\xe2\x80\xae\xe2\x80\xa8"), "\\u009b\\u202e\\u2028");
  EXPECT_EQ(printable("caf\xe9 \x9b"), "caf\xe9 \\u009b") << "Latin-1 stays, its controls do not";
  EXPECT_EQ(printable_lines("a\n\tb\x1b\n"), "a\n\tb\\u001b\n");
  EXPECT_EQ(printable(printable("\x01")), printable("\x01"));
}

TEST(KeptMessage, HasAtMostTwoThousandLetters) {
  EXPECT_EQ(kept_message(std::string(2000, 'a')), std::string(2000, 'a'));
  EXPECT_EQ(kept_message(std::string(2001, 'a')), std::string(1997, 'a') + "...");
  EXPECT_EQ(count_letters(kept_message(std::string(5'000'000, '\x1b'))), 2000U);
  std::string lambdas;
  for (int i = 0; i < 3000; ++i) {
    lambdas += "\u03bb";
  }
  EXPECT_EQ(kept_message(lambdas), lambdas.substr(0, std::size_t{2} * 1997) + "...");
  EXPECT_EQ(kept_message("two\nlines"), "two\\nlines");
}

TEST(Without, RemovesEveryOccurrence) {
  EXPECT_EQ(without("/t/x: /t/y", "/t/"), "x: y");
  EXPECT_EQ(without("aab", "ab"), "a") << "what is left is not searched again from its beginning";
}

}  // namespace
}  // namespace spca::text_test
