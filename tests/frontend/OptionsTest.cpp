#include "tests/frontend/Build.h"

namespace axloom {
namespace {

std::string messageOf(const std::function<void()> &body) {
  try {
    body();
  } catch (const OptionError &error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, GivesTheValueOrTheDefault) {
  Options options;
  options.set("layers=2");
  options.set("dropout=0.25");
  options.set("shared=false");
  options.set("positions=learned");
  EXPECT_EQ(options.get("layers", 6), 2);
  EXPECT_EQ(options.get("heads", 8), 8);
  EXPECT_EQ(options.get("dropout", 0.1), 0.25);
  EXPECT_EQ(options.get("smoothing", 0.1), 0.1);
  EXPECT_FALSE(options.get("shared", true));
  EXPECT_EQ(options.get("positions", "sinusoidal"), "learned");
  options.checkAllUsed();
  EXPECT_EQ(options.known().at("layers"), "2");
  EXPECT_EQ(options.known().at("smoothing"), "0.1");
  options.get("rate", 0.000123456789);
  EXPECT_EQ(options.known().at("rate"), "0.000123456789");
}

TEST(Options, RefusesTextThatIsNoNumber) {
  Options options;
  options.set("layers=2x");
  options.set("shared=maybe");
  EXPECT_EQ(messageOf([&] { options.get("layers", 6); }),
            "error: option 'layers' has a wrong value\n"
            "  expected: a whole number\n"
            "  found: 2x\n"
            "  to do: pass --set layers=VALUE with a whole number");
  options.set("width=4000000000000000");
  EXPECT_EQ(messageOf([&] { options.get("width", 8); }),
            "error: option 'width' has a wrong value\n"
            "  expected: a whole number from -2147483648 to 2147483647\n"
            "  found: 4000000000000000\n"
            "  to do: pass --set width=VALUE with a whole number from -2147483648 to 2147483647");
  options.set("rate=1e-400");
  EXPECT_EQ(messageOf([&] { options.get("rate", 0.1); }),
            "error: option 'rate' has a wrong value\n"
            "  expected: a number, 0 or of a magnitude from 5e-324 to 1.7976931348623157e+308\n"
            "  found: 1e-400\n"
            "  to do: pass --set rate=VALUE with a number, 0 or of a magnitude from 5e-324 to "
            "1.7976931348623157e+308");
  EXPECT_EQ(messageOf([&] { options.get("shared", true); }),
            "error: option 'shared' has a wrong value\n"
            "  expected: true or false\n"
            "  found: maybe\n"
            "  to do: pass --set shared=VALUE with true or false");
}

TEST(Options, RefusesNumbersOutOfRange) {
  Options options;
  options.set("heads=0");
  options.set("dropout=1");
  options.set("smoothing=nan");
  EXPECT_EQ(messageOf([&] { options.share("depth", 100, 3); }),
            "error: no 'depth' is set, and 100 is not a multiple of 3\n"
            "  expected: sizes that divide, or a value for 'depth'\n"
            "  found: 100 / 3\n"
            "  to do: choose a width that is a multiple of the heads");
  EXPECT_EQ(options.share("depth", 96, 3), 32);
  EXPECT_EQ(messageOf([&] { options.share("depth", 96, 0); }),
            "error: the default of 'depth' is a share of 96 for each of 0\n"
            "  expected: 1 part or more\n"
            "  found: 0\n"
            "  to do: give what shares the width, e.g. the heads, as 1 or more");
  EXPECT_EQ(messageOf([&] { options.count("heads", 8); }),
            "error: option 'heads' has a wrong value\n"
            "  expected: a whole number of at least 1\n"
            "  found: 0\n"
            "  to do: pass --set heads=VALUE with a whole number of at least 1");
  EXPECT_EQ(messageOf([&] { options.fraction("dropout", 0.1); }),
            "error: option 'dropout' has a wrong value\n"
            "  expected: a number of at least 0 and less than 1\n"
            "  found: 1\n"
            "  to do: pass --set dropout=VALUE with a number of at least 0 and less than 1");
  EXPECT_NE(messageOf([&] { options.fraction("smoothing", 0.1); }), "no error");
  EXPECT_EQ(options.count("layers", 6), 6);
  EXPECT_EQ(options.fraction("attention_dropout", 0.0), 0.0);
}

TEST(Options, ChoosesOneOfSomeNames) {
  Options options;
  options.set("norm=before");
  options.set("positions=none");
  EXPECT_EQ(options.choice("norm", {"after", "before", "both"}), 1u);
  EXPECT_EQ(options.choice("activation", {"relu", "gelu"}), 0u);
  EXPECT_EQ(options.known().at("activation"), "relu");
  EXPECT_EQ(options.choice("norm_kind", {"layer", "rms"}, "rms"), 1u);
  EXPECT_EQ(options.choice("norm", {"after", "before"}, "after"), 1u);
  EXPECT_EQ(messageOf([&] { options.choice("positions", {"sinusoidal", "learned", "both"}); }),
            "error: option 'positions' has a wrong value\n"
            "  expected: sinusoidal, learned or both\n"
            "  found: none\n"
            "  to do: pass --set positions=VALUE with sinusoidal, learned or both");
}

TEST(Options, RefusesWhatTheModelDoesNotAskFor) {
  Options options;
  options.set("layer=2");
  options.get("layers", 6);
  options.get("heads", 8);
  EXPECT_EQ(messageOf([&] { options.checkAllUsed(); }), "error: the model has no option 'layer'\n"
                                                        "  expected: one of heads, layers\n"
                                                        "  found: layer=2\n"
                                                        "  to do: correct the name");
}

TEST(Options, RefusesAllOfAModelWithoutOptions) {
  Options options;
  options.set("layers=2");
  EXPECT_EQ(messageOf([&] { options.checkAllUsed(); }), "error: the model has no option 'layers'\n"
                                                        "  expected: no option at all\n"
                                                        "  found: layers=2\n"
                                                        "  to do: leave it out");
}

TEST(Options, RefusesTextWithoutAValue) {
  Options options;
  EXPECT_EQ(messageOf([&] { options.set("layers"); }), "error: an option is set without a value\n"
                                                       "  expected: NAME=VALUE\n"
                                                       "  found: layers\n"
                                                       "  to do: pass, e.g., --set layers=2");
}

} // namespace
} // namespace axloom
