#include "grader/lti/line_items.hpp"

#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

using Dialect = PlatformSimulator::Dialect;

class LineItemsTest : public LtiTest {
 protected:
  LineItemChoice choice() const {
    LineItemChoice choice;
    choice.container = simulator_.line_items_url();
    return choice;
  }
  std::string find(const LineItemChoice& choice) {
    const Platform platform = this->platform();
    LtiClient client(platform, clock_, {kScoreScope, kLineItemScope});
    return find_line_item(choice, client.authorized);
  }
  template <class Fault>
  std::string refusal(const LineItemChoice& choice) {
    return sentence_of<Fault>([&] { find(choice); });
  }
  void add_line_items(int count) {
    for (int number = 100; number < 100 + count; ++number) {
      const std::string text = std::to_string(number);
      simulator_.rules.line_items.push_back({text, "Exercise " + text, "r" + text, "l" + text, ""});
    }
  }
};

TEST_F(LineItemsTest, OneThatIsNamedIsNotLookedFor) {
  LineItemChoice named;
  named.url = "https://elsewhere.example/17";
  EXPECT_EQ(find(named), named.url);
  EXPECT_EQ(simulator_.requests("token"), 0);
}

TEST_F(LineItemsTest, FindsByEachOfItsProperties) {
  simulator_.rules.line_items.push_back({"18", "Other", "other", "link-18", "final"});
  LineItemChoice by_label = choice();
  by_label.label = "Causal attention";
  EXPECT_EQ(find(by_label), simulator_.line_item_url("17"));
  LineItemChoice by_resource = choice();
  by_resource.resource_id = "attention";
  EXPECT_EQ(find(by_resource), simulator_.line_item_url("17"));
  LineItemChoice by_link = choice();
  by_link.resource_link_id = "link-18";
  EXPECT_EQ(find(by_link), simulator_.line_item_url("18"));
  LineItemChoice by_tag = choice();
  by_tag.tag = "final";
  EXPECT_EQ(find(by_tag), simulator_.line_item_url("18"));
}

TEST_F(LineItemsTest, LooksThroughAllPagesOfEveryDialect) {
  add_line_items(7);
  simulator_.rules.page_size = 3;
  for (const Dialect dialect : {Dialect::specification, Dialect::canvas, Dialect::moodle}) {
    simulator_.rules.dialect = dialect;
    LineItemChoice last = choice();
    last.label = "Exercise 106";
    EXPECT_EQ(find(last), simulator_.line_item_url("106"));
  }
}

TEST_F(LineItemsTest, SaysWhatThereIsWhenNoneFits) {
  LineItemChoice none = choice();
  none.label = "Causal atention";
  EXPECT_NE(refusal<UsageFault>(none).find("has label \"Causal atention\""), std::string::npos);
  try {
    find(none);
    ADD_FAILURE();
  } catch (const UsageFault& fault) {
    EXPECT_EQ(fault.hint(), "Did you mean Causal attention? The platform has: Causal attention.");
  }
  simulator_.rules.line_items.clear();
  EXPECT_NE(refusal<UsageFault>(none), "");
}

TEST_F(LineItemsTest, DoesNotChooseBetweenTwo) {
  simulator_.rules.line_items.push_back({"18", "Causal attention", "second", "", ""});
  LineItemChoice both = choice();
  both.label = "Causal attention";
  EXPECT_NE(refusal<UsageFault>(both).find("2 line items"), std::string::npos);
  both.resource_id = "second";
  EXPECT_EQ(find(both), simulator_.line_item_url("18"));
}

TEST_F(LineItemsTest, TheTokenDoesNotGoToAnotherHost) {
  LineItemChoice any = choice();
  any.label = "Causal attention";
  const auto serve = [&](const std::string& body, std::map<std::string, std::string> headers) {
    simulator_.rules.trouble =
        [body, headers](const ServedRequest& request) -> std::optional<PlatformSimulator::Trouble> {
      if (request.path == "/token") return std::nullopt;
      return PlatformSimulator::Trouble{false, {200, headers, body}};
    };
  };
  serve("[]", {{"Link", "<https://evil.example/page2>; rel=\"next\""}});
  EXPECT_NE(refusal<EnvironmentFault>(any).find("another host"), std::string::npos);
  serve("[]", {{"Link", "<http://localhost/page2>; rel=\"next\""}});
  EXPECT_NE(refusal<EnvironmentFault>(any), "");
  serve(R"([{"id": "https://evil.example/17", "label": "Causal attention"}])", {});
  EXPECT_NE(refusal<UsageFault>(any).find("another host"), std::string::npos);
  serve(R"([{"id": "ftp://localhost/17", "label": "Causal attention"}])", {});
  EXPECT_NE(refusal<EnvironmentFault>(any).find("no https URL"), std::string::npos);
  serve("[]", {{"Link", "<" + simulator_.line_items_url() + ">; rel=\"next\""}});
  EXPECT_NE(refusal<EnvironmentFault>(any).find("more than 100 pages"), std::string::npos);
  serve(R"({"errors": 1})", {});
  EXPECT_NE(refusal<EnvironmentFault>(any).find("no list"), std::string::npos);
  simulator_.rules.trouble = nullptr;
  EXPECT_EQ(find(any), simulator_.line_item_url());
}

TEST_F(LineItemsTest, ARedirectionIsNotFollowed) {
  LineItemChoice any = choice();
  any.label = "Causal attention";
  simulator_.rules.trouble =
      [](const ServedRequest& request) -> std::optional<PlatformSimulator::Trouble> {
    if (request.path == "/token") return std::nullopt;
    return answered(302, {{"Location", "https://evil.example/"}});
  };
  EXPECT_NE(refusal<UsageFault>(any).find("302"), std::string::npos);
}

TEST_F(LineItemsTest, NeedsItsScope) {
  simulator_.rules.granted_scopes = {kScoreScope};
  LineItemChoice any = choice();
  any.label = "Causal attention";
  EXPECT_NE(refusal<UsageFault>(any).find(kLineItemScope), std::string::npos);
  any.container = simulator_.url() + "/courses/8/line_items";
  simulator_.rules.granted_scopes.insert(kLineItemScope);
  EXPECT_NE(refusal<UsageFault>(any).find("404"), std::string::npos);
}

TEST(LinkHeaderTest, TheNextPageIsFoundInEveryHand) {
  EXPECT_EQ(next_page(""), std::nullopt);
  EXPECT_EQ(next_page("<https://a/1>; rel=\"prev\", <https://a/2>; rel=\"next\""), "https://a/2");
  EXPECT_EQ(next_page("<https://a/2>; rel=next"), "https://a/2");
  EXPECT_EQ(next_page("<https://a/2?x=1&amp;y=2>; rel=“next”, <https://a/9>; rel=“last”"),
            "https://a/2?x=1&y=2");
  EXPECT_EQ(next_page("<https://a/2>; title=\"n\"; rel=\"next\""), "https://a/2");
  EXPECT_EQ(next_page("<https://a/2>; rel=\"last\""), std::nullopt);
  EXPECT_EQ(next_page("<https://a/2"), std::nullopt);
  EXPECT_EQ(next_page("nonsense; rel=next"), std::nullopt);
}

}  // namespace
}  // namespace grader
