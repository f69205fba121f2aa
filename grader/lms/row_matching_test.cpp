#include "grader/lms/row_matching.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

RowIds row(const std::string& user, const std::string& login, const std::string& name) {
  return {{{"user", user}, {"login", login}}, name};
}

const std::vector<RowIds> kRows = {row("11", "jdoe", "Doe, Jane"),
                                   row("12", "rroe", "Roe, Richard"), row("13", "zoe", "Zoë 王"),
                                   row("14", "jd2", "Jane Doe")};

RowMatch match(const Sought& student) { return match_rows({student}, kRows).at(0); }

TEST(RowMatchingTest, ThePlatformsOwnIdDecidesWhateverTheNameIs) {
  EXPECT_EQ(match({{{"user", "12", Trust::decisive}}, "Somebody Else"}).row, 1U);
  EXPECT_EQ(match({{{"login", "JDOE", Trust::declared}}, ""}).row, 0U);
}

TEST(RowMatchingTest, AnIdThatDecidesIsNoMatchForTheRowOfAnotherStudent) {
  // Mixed up in the roster: both numbers are the other's.
  const Sought jane = {{{"user", "12", Trust::decisive}, {"login", "jdoe", Trust::declared}}, ""};
  const Sought richard = {{{"user", "11", Trust::decisive}}, "Richard Roe"};
  const auto swapped = match_rows({jane, richard}, kRows);
  EXPECT_EQ(swapped[0].why_not,
            "has the user of a row of the worksheet that is somebody else's, Roe, Richard");
  EXPECT_EQ(swapped[1].why_not,
            "has the user of a row of the worksheet that is somebody else's, Doe, Jane");
  const Sought nickname = {{{"user", "11", Trust::decisive}, {"login", "jdoe", Trust::guessed}},
                           "Janie D."};
  const Sought other_jane = {{{"user", "14", Trust::decisive}}, "Jane Doe"};
  const auto called_alike = match_rows({nickname, other_jane}, kRows);
  EXPECT_EQ(called_alike[0].row, 0U) << "the login is the own one";
  EXPECT_EQ(called_alike[1].row, 3U);
}

TEST(RowMatchingTest, AnIdThatDecidesIsNoMatchWhereAddressAndNameAreOthers) {
  const std::vector<RowIds> rows = {{{{"user", "11"}, {"any", "jane@x.edu"}}, "Jane Doe"}};
  const auto match_with = [&](const std::string& address, const std::string& name) {
    return match_rows({{{{"user", "11", Trust::decisive}, {"any", address}}, name}}, rows).at(0);
  };
  EXPECT_EQ(
      match_with("bob@x.edu", "Bob Roe").why_not,
      "has the user of a row of the worksheet that is somebody else's, Jane Doe (jane@x.edu)");
  EXPECT_EQ(match_with("jane@home.org", "Jane M. Doe").row, 0U);
  EXPECT_EQ(match_with("JANE@x.edu", "J.").row, 0U);
  EXPECT_EQ(match_with("", "Bob Roe").row, 0U) << "a name may be a nickname";
}

TEST(RowMatchingTest, WhoeverHasAnotherIdOfThePlatformIsNotLookedForOtherwise) {
  const RowMatch none =
      match({{{"user", "99", Trust::decisive}, {"login", "jdoe", Trust::declared}}, "Zoë 王"});
  EXPECT_FALSE(none.row);
  EXPECT_EQ(none.why_not, "is in no row of the worksheet: none has the user 99");
}

TEST(RowMatchingTest, AGuessedIdNeedsANameThatDoesNotContradict) {
  EXPECT_EQ(match({{{"user", "11", Trust::guessed}}, "jane doe"}).row, 0U);
  EXPECT_EQ(match({{{"user", "11", Trust::guessed}}, ""}).row, 0U);
  EXPECT_EQ(match({{{"user", "11", Trust::guessed}}, "Max Mustermann"}).why_not,
            "has the id of a row of the worksheet with another name, Doe, Jane");
}

TEST(RowMatchingTest, WhatFitsTwoRowsIsMatchedWithNone) {
  EXPECT_EQ(
      match({{{"user", "11", Trust::declared}, {"login", "rroe", Trust::declared}}, ""}).why_not,
      "fits 2 rows of the worksheet");
  EXPECT_EQ(match({{}, "Jane Doe"}).why_not,
            "has no id that the worksheet has, and a name that is not one person's");
}

TEST(RowMatchingTest, ANameAloneCountsWhereItIsOnePersonsInBoth) {
  const RowMatch zoe = match({{}, "王 Zoë"});
  EXPECT_EQ(zoe.row, 2U);
  EXPECT_TRUE(zoe.is_by_name_alone);
  const auto twins = match_rows({{{}, "Zoë 王"}, {{}, "zoë 王"}}, kRows);
  EXPECT_FALSE(twins[0].row);
  EXPECT_FALSE(twins[1].row);
}

TEST(RowMatchingTest, OneRowIsOneStudents) {
  const Sought by_id = {{{"user", "13", Trust::decisive}}, "Z."};
  const Sought by_name = {{}, "Zoë 王"};
  const auto matches = match_rows({by_name, by_id}, kRows);
  EXPECT_FALSE(matches[0].row) << "a name is no claim against an id";
  EXPECT_EQ(matches[1].row, 2U);
  for (const RowMatch& one : match_rows({by_id, by_id}, kRows)) {
    EXPECT_EQ(one.why_not, "fits the same row of the worksheet as another student");
  }
}

TEST(RowMatchingTest, NothingMatchesNothing) {
  EXPECT_EQ(match({{{"user", "", Trust::declared}}, ""}).why_not, "is in no row of the worksheet");
  const std::vector<RowIds> blank = {row("", "", "")};
  EXPECT_FALSE(match_rows({{{{"user", "", Trust::decisive}}, ""}}, blank).at(0).row);
  EXPECT_TRUE(match_rows({}, kRows).empty());
}

}  // namespace
}  // namespace grader
