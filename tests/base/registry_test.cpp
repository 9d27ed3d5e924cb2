#include "spca/base/registry.h"

#include <gtest/gtest.h>

namespace spca::registry_test {
namespace {

struct Entry {
  std::string name;
  std::string file;
  static constexpr const char* kKind = "thing";
};

TEST(Registry, RefusesANameTakenTwiceAndNamesBothFiles) {
  Registry<Entry> registry;
  registry.add({"twin", "first.cpp"});
  EXPECT_EXIT(registry.add({"twin", "second.cpp"}), testing::ExitedWithCode(1),
              "thing \"twin\" is registered twice, by first.cpp and by second.cpp");
}

TEST(Registry, AnUnknownNameListsTheAcceptedOnes) {
  Registry<Entry> registry;
  registry.add({"tpower", "a.cpp"});
  registry.add({"em", "b.cpp"});
  EXPECT_EQ(registry.find("fast"), nullptr);
  try {
    registry.get("tpowre", "--solver");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        R"(--solver: unknown thing "tpowre" (did you mean "tpower"?); accepted: em, tpower)");
  }
  try {
    registry.get("fast", "--solver");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), R"(--solver: unknown thing "fast"; accepted: em, tpower)");
  }
}

}  // namespace
}  // namespace spca::registry_test
