#include "spca/data/readers/csv_field.h"

#include <gtest/gtest.h>

#include <vector>

namespace spca {
namespace {

using Texts = std::vector<const char*>;

TEST(KindOfValue, DatesAndTimesAreKnownInMostSpellings) {
  for (const char* text :
       {"2024-01-31", "31-Jan-2024", "31/01/2024", "31.1.24", "Jan-2024", "31 January 2024",
        "2024-01-31T12:30:00", "2024-01-31 12:30", "31-Oct-2024", "5-Sept-24"}) {
    EXPECT_EQ(kind_of_value(text), "a date") << text;
  }
  for (const char* text : {"12:30", "1:02:03.5"}) {
    EXPECT_EQ(kind_of_value(text), "a time") << text;
  }
}

TEST(KindOfValue, NumbersWithSomethingBesideThemAreKnown) {
  for (const char* text : {"USD 12", "12.50 EUR", "$1.50", "-$3", "3 \u20ac", "\u00a35"}) {
    EXPECT_EQ(kind_of_value(text), "an amount of money") << text;
  }
  EXPECT_EQ(kind_of_value("12%"), "a percentage");
  EXPECT_EQ(kind_of_value("<0.1"), "a bound");
  for (const char* text : {"1 234", "1,234.5", "1.234,5", "-12,345,678", "1'000"}) {
    EXPECT_EQ(kind_of_value(text), "a number with separators of thousands") << text;
  }
  EXPECT_EQ(kind_of_value("1.5mmol"), "a number with the unit \"mmol\"");
  EXPECT_EQ(kind_of_value("1.5 mmol/l"), "a number with the unit \"mmol/l\"");
  EXPECT_EQ(kind_of_value("1\u00a0234"), "a number and a no-break space");
  EXPECT_EQ(kind_of_value("#NUM!"), "an error value of a spreadsheet");
  EXPECT_EQ(kind_of_value("34y"), "a number with the unit \"y\"");
  EXPECT_EQ(kind_of_value("3 \u00b5g"), "a number with the unit \"\u00b5g\"");
}

TEST(KindOfValue, OtherTextHasNone) {
  for (const char* text :
       {"", "abc", "none of it", "x1", "1-2", "1/2", "1..2", "1.2.3.4", "--", "inf", "1234-567",
        "12:345", "march", "EUR", "%", "1_000", "-", "\xff"}) {
    EXPECT_EQ(kind_of_value(text), "") << text;
  }
}

}  // namespace
}  // namespace spca
