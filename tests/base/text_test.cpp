/// Text in columns, and what is cut from it.

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

TEST(AlignColumns, RightIsForAllColumnsButTheFirst) {
  EXPECT_EQ(align_columns({{"name", "k"}, {"x", "10"}}, ColumnAlignment::kRight),
            (Lines{"name   k", "x     10"}));
}

TEST(AlignColumns, CountsLettersNotBytes) {
  EXPECT_EQ(align_columns({{"\u03bb\u2081", "1"}, {"abc", "2"}}),
            (Lines{"\u03bb\u2081   1", "abc  2"}));
}

TEST(CountLetters, ABrokenByteIsOne) {
  EXPECT_EQ(count_letters(""), 0U);
  EXPECT_EQ(count_letters("a\u00e9\u20ac\U0001d54a"), 4U);
  EXPECT_EQ(count_letters("a\xff\x80z"), 4U);
}

TEST(Without, TakesEveryOccurrence) {
  EXPECT_EQ(without("/t/x: /t/y", "/t/"), "x: y");
  EXPECT_EQ(without("aab", "ab"), "a") << "what is left is not searched again from its beginning";
}

}  // namespace
}  // namespace spca::text_test
