/// Tests of small tables that can be read in more than one way. Such a table is read, read with a
/// note, or refused with a question. docs/DATA.md has the rule.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "spca/data/dataset.h"
#include "tests/own_table_testing.h"

namespace spca {
namespace {

struct Decision {
  std::string content;
  /// "n x p", the names of the variables, "rows:" and the names of the samples, if there are any;
  /// "ask:" and a part of the question; or "error:" and a part of the message.
  std::string read;
  std::string note = {};  // part of the only note; empty if there is none
  Json options = Json::object();
};

const std::vector<Decision>& decisions() {
  static const std::vector<Decision> kDecisions = {
      // Names of columns.
      {"a,b\n1,2\n3,5\n", "2 x 2 a b"},
      {"1,2\n3,5\n", "2 x 2"},
      {"\"1\",\"2\"\n3,4\n5,6\n", "2 x 2 1 2"},
      {",1100,1104\nr1,1.5,2\nr2,3,4\n", "2 x 2 1100 1104 rows: r1 r2"},
      {",0,1\n0,1.5,2\n1,3,4\n", "2 x 2 0 1 rows: 0 1"},
      {"1100,1104\nr1,1.5,2\nr2,3,4\n", "2 x 2 1100 1104 rows: r1 r2"},
      {"a,b\nr1,1.5,2\nr2,3,4\n", "2 x 2 a b rows: r1 r2"},
      {"1100,1102,1104\n1.5,2.5,3.5\n3.1,4.2,5.3\n", "ask: found 1100, 1102, 1104"},
      {"1100,1102,1104\n1.5,2.5,3.5\n3.1,4.2,5.3\n",
       "2 x 3 1100 1102 1104",
       "",
       {{"header", "yes"}}},
      {"1100,1102,1104\n1.5,2.5,3.5\n3.1,4.2,5.3\n", "3 x 3", "", {{"header", "no"}}},
      {"ID,780,5982,3310\n1,2.5,3.5,1.5\n2,1.5,2.5,3.5\n", "ask: found ID, 780, 5982, ..."},
      {"ID,780,5982,3310\ns1,2.5,3.5,1.5\ns2,1.5,2.5,3.5\n", "ask: found ID, 780, 5982, ..."},
      {"ID,780,5982,3310\ns1,2.5,3.5,1.5\ns2,1.5,2.5,3.5\n",
       "2 x 3 780 5982 3310 rows: s1 s2",
       "column 1 (ID) is taken for names of rows",
       {{"header", "yes"}}},
      {"ann,1,2,4\nbob,2,3,6\n", "2 x 3 rows: ann bob", "column 1 is taken for names of rows"},
      {"1,2,3\n4.5,5.5,9.5\n3,4,6\n", "ask: found 1, 2, 3"},
      {"# 1,2\n3,4\n2,9\n5,5\n", "3 x 2", "1 line that begins with # or % left out"},
      {"% one\n1\n2\n5\n", "3 x 1 one", "the line that begins with # or % names the columns"},
      {"780,5982,3310\n.5,1.5,2.5\n.3,.2,.1\n", "ask: found 780, 5982, 3310"},
      {"1104,1102,1100\n.5,1.5,2.5\n.3,.2,.1\n", "ask: found 1104, 1102, 1100"},
      {"1100,1102\n.5,1.5\n.3,.2\n", "ask: found 1100, 1102"},
      {"3,1,2\n4,5,9\n", "2 x 3"},
      {"10,20,30\n11,25,29\n15,24,31\n", "3 x 3"},
      // A table of two lines may be one sample and its names.
      {"10,20,30\n11,25,29\n", "ask: found 10, 20, 30"},
      {"1100,1102,1104\n5,3,7\n", "ask: found 1100, 1102, 1104"},
      {"1100,1102,1104\n5,3,7\n", "2 x 3", "", {{"header", "no"}}},
      {"10,20,31\n11,25,29\n", "2 x 3"},
      {"1,0.5,0\n0.5,1,0\n", "2 x 3"},
      // Evenly spaced numbers may be names: five, or three that are written otherwise than the
      // numbers below.
      {"2,4,6,8,10\n5,3,1,2,9\n1,1,3,4,2\n", "ask: found 2, 4, 6, ..."},
      {"2,4,6,8,10\n3,5,7,9,11\n1,1,3,4,2\n", "3 x 5"},
      {"2,4,6,8,11\n5,3,1,2,9\n1,1,3,4,2\n", "3 x 5"},
      {"5,5,5,5,5\n5,3,1,2,9\n1,1,3,4,2\n", "3 x 5"},
      {"0.5,1.0,1.5\n3,7,2\n4,1,6\n", "ask: found 0.5, 1.0, 1.5"},
      {"0,5;1,0;1,5\n3;7;2\n4;1;6\n", "ask: found 0,5, 1,0, 1,5"},
      {"0.5,1.0,1.5\n.25,1.625,2.125\n.5,.375,1.125\n", "ask: found 0.5, 1.0, 1.5"},
      {"0.5,1.0,1.5\n0.7,1.625,2.125\n.5,.375,1.125\n", "3 x 3"},
      {"0.1,0.2,0.3\n0.2,0.7,0.5\n0.4,0.1,0.6\n", "3 x 3"},
      {"NA,NA,NA\n1,2,4\n3,5,6\n", "error: the first of 3 missing values"},
      {"NA,NA,NA\n1,2,4\n3,5,6\n",
       "3 x 3",
       "3 missing values took the mean",
       {{"missing", "mean"}}},
      {"Na,K,Ca\n1,2,4\n3,5,6\n", "2 x 3 Na K Ca"},
      // A row of missing values with a name is data too, but if it has a single value it may be a
      // header.
      {"r0,NA,NA\nr1,1,2\nr2,3,5\nr3,4,1\n",
       "3 x 2 rows: r1 r2 r3",
       "1 of 4 rows left out",
       {{"missing", "drop-rows"}, {"row_names", "yes"}}},
      {"r0,NA,NA\nr1,1,2\nr2,3,5\n", "error: the first of 2 missing values"},
      {"r0,NA\nr1,1\nr2,3\n", "ask: found r0, NA"},
      {"r0,Na\nr1,1\nr2,3\n", "2 x 1 Na rows: r1 r2", "column 1 (r0)", {{"header", "yes"}}},
      // A header with a name for the first column, and wavelengths without even steps.
      {"sample,1.5,2.7,4.1\ns1,1,2,4\ns2,3,5,6\n", "ask: found sample, 1.5, 2.7, ..."},
      {"GeneID,5,9\na,1,2\nb,3,5\n", "ask: found GeneID, 5, 9"},
      {"ann,1.5,2.7\nbob,3,5\n", "2 x 2 rows: ann bob", "column 1 is taken for names of rows"},
      {"400.1,401.5,403,404.4,406,407.3,409,410.9\n3,1,2,4,6,5,8,7\n1,2,9,4,3,6,7,7\n",
       "ask: found 400.1, 401.5, 403, ..."},
      {"1,2.5,3,4.5,6,7,9,10\n3,4,5,6,7.5,8,9,11\n1,2,2,4,3,6,7,7\n", "3 x 8"},
      // Above the table: a declaration that spreadsheets write for themselves, and a title.
      {"sep=;\na;b\n1;2\n3;5\n", "2 x 2 a b", "sep=;, declares the separator"},
      {"\"sep=,\"\na,b\n1,2\n3,5\n", "2 x 2 a b", "sep=,, declares the separator"},
      {"sep=\t\na\tb\n1\t2\n3\t5\n", "2 x 2 a b", "sep=tab, declares the separator"},
      {"My data\na,b,c\n1,2,3\n3,5,1\n", "error: x.csv:1: found a line of one field, \"My data\""},
      {"// c\na,b,c\n1,2,3\n3,5,1\n", "error: sed 1d "},
      // Columns that are left out may hold anything.
      {"a,b,kind\n1,2,x\n3,5,y\n", "error: column 3 (kind): found \"x\""},
      {"a,b,kind\n1,2,x\n3,5,y\n", "error: `drop` kind, to leave the column out"},
      {"a,b,c\n1,2,3\n2,inf,4\n", "error: `drop` b, to leave the column out"},
      {"a,kind,b,the site\n1,x,2,NY\n3,y,5,LA\n",
       "error: `drop` \"kind,the site\", to leave the columns out"},
      {"a,\"kind, short\",b\n1,x,2\n3,y,5\n", "error: `drop` 2, to leave the column out"},
      {"a,b,kind\n1,2,x\n3,5,y\n", "2 x 2 a b", "", {{"drop", "kind"}}},
      {"a,b,kind\n1,2,x\n3,5,y\n", "2 x 2 a b", "", {{"columns", "a,b"}}},
      {"1,2,x\n3,5,y\n", "2 x 2 1 2", "", {{"drop", "3"}}},
      {"kind,a,b\nx,1,2\ny,3,5\n", "2 x 2 a b", "", {{"drop", "kind"}}},
      {"kind,a,b\nx,1,2\ny,3,5\n",
       "error: column 1 (kind): found \"x\"",
       "",
       {{"columns", "kind,b"}}},
      {",day,a,b\nr,2024-01-01,1,2\ns,2024-01-02,3,5\n",
       "2 x 2 a b rows: r s",
       "",
       {{"drop", "day"}}},
      {"n,a,b\n1,1,2\n2,3,5\n3,4,4\n", "3 x 2 a b", "", {{"drop", "n"}}},
      {"a,b,c\n1,NA,2\n3,1,5\n", "2 x 2 a c", "", {{"drop", "b"}}},
      {"a,b,kind\n1,2,x\n3,5,y\n", "error: no column is called \"kinds\"", "", {{"drop", "kinds"}}},
      {"a,a,b\n1,2,4\n3,5,6\n", "2 x 3 a a b", "variables share a name: \"a\" 2 times"},
      {"a,,b\n1,2,4\n3,5,6\n", "error: found an empty name"},
      // Names of rows.
      {"gene,a,b\ng1,1,2\ng2,3,5\n", "2 x 2 a b rows: g1 g2",
       "column 1 (gene) is taken for names of rows"},
      // Points that may be decimal or separate thousands.
      {"a;b\n1.250;980\n2.310;7\n",
       "error: x.csv:2: column 1 (a): found \"1.250\", which may be "
       "1.25 or 1250, as every point"},
      {"a;b\n1.250;980\n2.310;7\n", "error: `decimal` point for 1.25, or comma for 1250"},
      {"a;b\nNA;980\n2.310;7\n", "error: found \"2.310\"", "", {{"missing", "mean"}}},
      {"a;b\n1.250;980\n2.310;7\n", "2 x 2 a b", "", {{"decimal", "point"}, {"standardize", true}}},
      {"a;b\n1.250;980\n-12.310.500;7,5\n",
       "2 x 2 a b",
       "points in its numbers separate thousands",
       {{"decimal", "comma"}, {"standardize", true}}},
      {"a;b\n1.250;980\n2.31;7\n", "error: found \"2.31\"", "", {{"decimal", "comma"}}},
      {"a;b\n1.250;980\n2.31;7\n", "2 x 2 a b", "", {{"standardize", true}}},
      {"a;b\n1.250;0.125\n2.310;7\n", "2 x 2 a b"},
      {"a;b\n1.250;9\n2310.125;7\n", "2 x 2 a b", "", {{"standardize", true}}},
      {"a;b;c\n1.250;9.5;980\n2.310;1;7\n",
       "2 x 2 a c",
       "",
       {{"drop", "b"}, {"decimal", "point"}, {"standardize", true}}},
      {"a;b;c\n1.250;9.5;980\n2.310;1;7\n", "error: found \"1.250\"", "", {{"drop", "b"}}},
      {"a,b\n1.250,980\n2.310,7\n", "2 x 2 a b", "", {{"standardize", true}}},
      {"a\tb\n1.250\t980\n2.310\t7\n", "2 x 2 a b", "", {{"standardize", true}}},
      {"a;b\n1,5;2\n1.186,50;7\n", "error: `decimal` comma, if points separate thousands"},
      // Names in another encoding.
      {"gr\xf6\xdf"
       "e,b\n1,2\n3,5\n",
       "2 x 2 gr\u00f6\u00dfe b", "names that are not UTF-8 are taken as Windows-1252"},
      {"\x80 in %,\x93"
       "b\x94\n1,2\n3,5\n",
       "2 x 2 \u20ac in % \u201cb\u201d", "names that are not"},
      {"gr\xf6\xdf"
       "e,b,c\n1,2,1\n3,5,2\n",
       "2 x 2 b c",
       "names that are not",
       {{"drop", "gr\u00f6\u00dfe"}, {"standardize", true}}},
      {",b\nr,2\nM\xfcller,5\n", "2 x 1 b rows: r M\u00fcller", "names that are not UTF-8"},
      {",b\n\"M\xfc\"\"\",2\ns,5\n", "2 x 1 b rows: M\u00fc\" s", "names that are not UTF-8"},
      {"gr\u00f6\u00dfe,b\n1,2\n3,5\n", "2 x 2 gr\u00f6\u00dfe b"},
      // Integers that no double is.
      {"a,b\n9007199254740993,1\n9007199254740996,5\n", "2 x 2 a b",
       "column 1 (a): integers beyond 2^53 (line 2: 9007199254740993) are rounded to 53 bits"},
      {"a,b\n-1152921504606847549,1\n\"1152921504606847549\",5\n",
       "2 x 2 a b",
       "(line 2: -1152921504606847549 and 1 more) are rounded",
       {{"standardize", true}}},
      {"a,b\n00100000000000000000000,1\n1e90,5\n", "error: the largest variance is"},
      {"a,b\n00100000000000000000000,1\n1e17,5\n", "2 x 2 a b", "", {{"standardize", true}}},
      // Columns that count rows.
      {"a,nr\n5,1\n3,2\n4,7\n", "3 x 2 a nr", "\"nr\" ascends in whole numbers"},
      {"a,nr\n5,1\n3,2\n4,7\n", "3 x 2 a nr", "`drop` nr", {{"row_names", "no"}}},
      {"a,nr\n5,1\n3,7\n4,2\n", "3 x 2 a nr"},
      {"a,b\n5,3\n3,4\n4,5\n2,6\n7,7\n", "5 x 2 a b", "\"b\" ascends in whole numbers"},
      {"a,b\n5,3\n3,4\n4,5\n2,6\n7,8\n", "5 x 2 a b"},
      {"a,b\n5,3\n3,4\n4,5\n2,6\n7,8\n1,9\n6,10\n2,11\n3,12\n4,13\n", "10 x 2 a b",
       "\"b\" ascends in whole numbers"},
      {"a,b\n5,3\n3,4\n4,5\n2,6\n7,7\n", "5 x 1 a", "", {{"drop", "b"}}},
      {"5,3\n3,4\n4,5\n2,6\n7,7\n", "5 x 2", "column 2 ascends in whole numbers"},
      {"nr,a\n1,5\n2,3\n4,4\n", "3 x 2 nr a", "\"nr\" ascends in whole numbers"},
      {"nr,a\n1,5\n2,3\n4,4\n", "3 x 2 nr a", "", {{"row_names", "no"}}},
      // Numbers that may stand for missing values.
      {"a,b\n.5,1\n-999,5\n.3,2\n.2,3\n.7,1\n",
       "5 x 2 a b",
       "-999 in \"a\" may stand for missing values: `missing_words` -999 reads it so",
       {{"standardize", true}}},
      {"a,b\n50,1\n-9,5\n0,2\n12,3\n-9,1\n99,2\n", "6 x 2 a b", "-9 in \"a\" may stand"},
      {"a,b\n50,1\n-9,5\n0,2\n12,3\n7,1\n99,2\n", "6 x 2 a b"},
      {"a,b\n-99,1\n-98,5\n-97,2\n12,3\n-99,1\n", "5 x 2 a b"},
      {"a,b\n-9,1\n5,5\n6,2\n", "3 x 2 a b"},
      {"a,b\n.5,1\n-999,5\n.3,2\n.2,3\n.7,1\n",
       "5 x 2 a b",
       "1 missing value took the mean",
       {{"missing_words", "-999"}, {"missing", "mean"}}},
      {"income,a,b\n\"1,234\",1,2\n\"2,345\",3,5\n", "ask: column 1 (income) has \"1,234\""},
      {"income,a,b\n\"1 234\",1,2\n\"2 345\",3,5\n", "ask: column 1 (income)"},
      {"income;a;b\n1.234,5;1;2\n2.345,6;3;5\n", "ask: column 1 (income)"},
      {"x,a,b\n1.0D+00,1,2\n2.0D+00,3,5\n", "ask: column 1 (x)"},
      {"x,a,b\n12%,1,2\n13%,3,5\n", "ask: column 1 (x)"},
      {"x,a,b\n$1.50,1,2\n$2.50,3,5\n", "ask: column 1 (x)"},
      {"age,a,b\n34y,1,2\n35y,3,5\n", "ask: column 1 (age)"},
      {"x,a,b\n<0.1,1,2\n<0.2,3,5\n", "ask: column 1 (x)"},
      {"day,a,b\n2024-01-31,1,2\n2024-02-01,3,5\n", "ask: column 1 (day)"},
      {"day,a,b\n2024-01-31,1,2\n2024-02-01,3,5\n",
       "2 x 2 a b rows: 2024-01-31 2024-02-01",
       "",
       {{"row_names", "yes"}}},
      {"day,a,b\n2024-01-31,1,2\n2024-02-01,3,5\n",
       "error: column 1 (day): found \"2024-01-31\"",
       "",
       {{"row_names", "no"}}},
      {"probe,a,b\n1007_s_at,1,2\n1053_at,3,5\n", "2 x 2 a b rows: 1007_s_at 1053_at",
       "column 1 (probe) is taken for names of rows"},
      {"n,a,b\n1_000,1,2\n2_000,3,5\n", "ask: column 1 (n) has \"1_000\""},
      {"a,b\n1,2,\n3,5,\n", "ask: which ends with a separator"},
      {"a,b\n1,2,\n3,5,\n", "2 x 2 a b", "", {{"row_names", "no"}}},
      {"a\tb\n1\t2\t\r\n3\t5\t\r\n", "2 x 2 a b", "", {{"row_names", "no"}}},
      {"a,b\n1,2,\n3,5,7\n", "error: x.csv:3: found 3 fields", "", {{"row_names", "no"}}},
      {"a,b\n1,2,\n3,5,7\n4,6,9\n",
       "3 x 2 a b rows: 1 3 4",
       "1 missing value took the mean",
       {{"row_names", "yes"}, {"missing", "mean"}}},
      {"a,b,\n1,2,\n3,5,\n", "error: its lines end with a separator"},
      {"a,b,\n1,2,\n3,5,\n", "error: accepted: `drop` 3"},
      {"a,b,\n1,2,\n3,5,\n", "2 x 2 a b", "", {{"drop", "3"}}},
      {"a;b;\n1,5;2;\n3;5;\n", "2 x 2 a b", "decimal commas", {{"columns", "1-2"}}},
      {"a,,b\n1,2,4\n3,5,6\n", "2 x 2 a b", "", {{"drop", "2"}}},
      {"id,a,b\n1,1,2\n2,3,5\n3,4,4\n", "ask: column 1 counts 1, 2, 3"},
      {"x,a,b\n1.5*,1,2\n2.5*,3,5\n", "ask: column 1 (x)"},
      {"GeneID,a,b\n7157,1,2\n672,3,5\n675,3,1\n",
       "3 x 3 GeneID a b",
       "column 1 (GeneID) is taken as a variable",
       {{"standardize", true}}},
      {"GeneID,a,b\n7157,1,2\n672,3,5\n675,3,1\n",
       "3 x 2 a b rows: 7157 672 675",
       "",
       {{"row_names", "yes"}}},
      {"T,1\nF,2\nT,4\n", "3 x 1 rows: T F T", "though \"T\" stands there twice"},
      // Missing values and other marks.
      {"a,b\n1,None\n3,5\n2,2\n", "error: found \"None\", the first of 1 missing value"},
      {"a,b\n1,<NA>\n3,#N/A\n2,.\n4,-nan\n1,2\n", "error: the first of 4 missing values"},
      {"a,b\n1,-999\n3,5\n2,2\n",
       "3 x 2 a b",
       "1 missing value took the mean",
       {{"missing_words", "NONE,-999"}, {"missing", "mean"}, {"header", "yes"}}},
      {"a,b\n1,-999.0\n3,NONE\n2,2\n4,1\n",
       "4 x 2 a b",
       "2 missing values took the mean",
       {{"missing_words", "NONE,-999"}, {"missing", "mean"}}},
      {"a,b\n1,none of it\n3,5\n", "error: one of `missing_words`"},
      {"# a,b\n1,2\n3,5\n", "2 x 2 a b", "the line that begins with # or % names the columns"},
      {"# made by me, in May, for you\na,b\n1,2\n3,5\n", "2 x 2 a b",
       "1 line that begins with # or % left out"},
      {"# one\n# two\n1,2\n3,5\n", "2 x 2", "2 lines that begin with # or % left out"},
      {"a,b\r1,2\r3,5\r", "error: its lines end with carriage returns alone"},
      {"a,b\n1,2\r3,5\n4,6\n", "error: x.csv:2: its lines end with carriage returns alone"},
      {"a,b\n1,2\n3,5\r4,6\n", "error: x.csv:3: its lines end with carriage returns alone"},
      {"a,b\r\n1,2\n3,5\r\n", "2 x 2 a b"},
      {"a,b\n1,2\n# c, d\n3,5\n", "error: x.csv:3: found a comment between rows"},
      {"a,b\n1,2\n3,5\n% end\n", "error: x.csv:4: found a comment between rows"},
      {"n,a,b\nr,1,2\n# c\ns,3,5\n", "error: x.csv:3: found a comment between rows"},
      {"n,a,b\n#1,1,2\n#2,3,5\n", "2 x 2 a b rows: #1 #2", "column 1 (n) is taken for names"},
      {"a b\n1 2\n#DIV/0! 5\n3 3\n", "error: x.csv:3: column 1 (a): found \"#DIV/0!\", an error"},
      {"a,b\n1,2\n#DIV/0!,5\n3,3\n",
       "error: x.csv:3: column 1 (a): found \"#DIV/0!\", an error "
       "value of a spreadsheet; accepted: "},
      {"a,b\n#REF!,2\n1,5\n3,3\n", "error: x.csv:2: column 1 (a): found \"#REF!\", an error value"},
      {"a,b\n#REF!,2\n1,5\n3,3\n",
       "3 x 2 a b",
       "1 missing value took the mean",
       {{"missing_words", "#REF!"}, {"missing", "mean"}}},
      {"#N/A,2\n1,5\n3,3\n", "3 x 2", "1 missing value took the mean", {{"missing", "mean"}}},
      {"#REF! was here\na,b\n1,5\n3,3\n", "2 x 2 a b", "1 line that begins with # or % left out"},
      {"a,b\n1,2\n#N/A,5\n3,3\n", "error: found \"#N/A\", the first of 1 missing value"},
      // Values that are not numbers.
      {"a,b\n1,1e400\n3,5\n", "error: found \"1e400\", beyond the largest number; "},
      {"a,b\n1,1D+03\n3,5\n", "error: found \"1D+03\", a number with an exponent of Fortran"},
      {"\"a\",\"b\"\n\" 1.5 \",\"2\"\n\"3 \",\" 5\"\n", "2 x 2 a b"},
      {"a,b\n1,1.5mmol\n3,5\n", "error: found \"1.5mmol\", a number with the unit \"mmol\"; "},
      {"a,b\n1,31-Jan-2024\n3,5\n", "error: found \"31-Jan-2024\", a date; "},
      {"a,b\n1,USD 12\n3,5\n", "error: found \"USD 12\", an amount of money; "},
      {"a,b\n\"1,5\",\"2,5\"\n\"3,1\",\"4\"\n",
       "error: accepted: `decimal` comma, if it has one; "},
      {"a,b\n1,\"2,5\"\n3,4\n", "error: `decimal` comma"},
      {"a|b\n1|2\n3|5\n", "2 x 2 a b"},
      {"a,b|c\n1,2\n3,5\n", "2 x 2 a b|c"},
      {"\"a\",\"b\"\n\"1,5\",\"2,5\"\n\"3,1\",\"4\"\n", "2 x 2 a b", "", {{"decimal", "comma"}}},
      {"FID IID PAT MAT SEX PHENOTYPE rs1_A\nf1 i1 0 0 1 -9 0\n", "error: plink --recode A writes"},
      {"a,b\n1,2\n2,5\n", "2 x 2 a b", "square and symmetric", {{"header", "yes"}}},
      {"2,1\n1,3\n", "2 x 2", "is square and symmetric, and taken as data"},
      {"year,a,b\n2001,.1,.2\n3005,.3,.5\n4000,.2,.2\n", "3 x 3 year a b",
       "\"year\" has more than 99.99 % of the variance"},
      {"g,m,a,b,c\n10,90,.1,.2,.3\n95,40,.3,.5,.1\n40,3,.2,.2,.4\n", "3 x 5 g m a b c",
       "\"m\" and \"g\" have more than 99.99 % of the variance; `standardize` puts all variables "
       "on one scale"},
      {"g,m,a,b,c\n10,90,1,2,3\n95,40,3,5,1\n40,3,2,2,4\n", "3 x 5 g m a b c",
       "\"m\" and \"g\" have 99.83 % of"},
      {"g,m,a,b,c\n10,90,1,1,1\n95,40,1,1,1\n40,3,1,1,1\n", "3 x 5 g m a b c",
       "\"m\" and \"g\" have 100.00 % of the variance"},
      {"g,m,a,b,c\n10,90,.1,.2,.3\n95,40,.3,.5,.1\n40,3,.2,.2,.4\n",
       "3 x 5 g m a b c",
       "",
       {{"standardize", true}}},
      {"g,m,a,b\n10,90,.1,.2\n95,40,.3,.5\n40,3,.2,.2\n", "3 x 4 g m a b"},
  };
  return kDecisions;
}

class TableDecisions : public OwnTableFiles {};

/// Returns the text of Decision::read for these data.
std::string described(const Dataset& dataset) {
  std::string text =
      fmt::format("{} x {}", dataset.covariance->samples(), dataset.covariance->variables());
  for (const std::string& name : dataset.variable_names) {
    text += " " + name;
  }
  text += dataset.sample_names.empty() ? "" : " rows:";
  for (const std::string& name : dataset.sample_names) {
    text += " " + name;
  }
  return text;
}

TEST_F(TableDecisions, AreReadNotedOrAsked) {
  for (const Decision& decision : decisions()) {
    SCOPED_TRACE(decision.content + decision.options.dump());
    const fs::path path = write("x.csv", decision.content);
    const bool asks = decision.read.starts_with("ask: ");
    if (asks || decision.read.starts_with("error: ")) {
      const std::string message = error_of([&] { load(path, decision.options); });
      EXPECT_EQ(message.find('\n'), std::string::npos);
      EXPECT_NE(message.find(decision.read.substr(asks ? 5 : 7)), std::string::npos) << message;
      EXPECT_EQ(message.ends_with("yes or no"), asks) << message;
      continue;
    }
    const Dataset dataset = load(path, decision.options);
    EXPECT_EQ(described(dataset), decision.read);
    ASSERT_EQ(dataset.notes.size(), decision.note.empty() ? 0U : 1U)
        << (dataset.notes.empty() ? "" : dataset.notes.back());
    if (!decision.note.empty()) {
      EXPECT_NE(dataset.notes[0].find(decision.note), std::string::npos) << dataset.notes[0];
    }
  }
}

}  // namespace
}  // namespace spca
