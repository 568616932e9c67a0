// What lass0 fit and lass0 cv say to people, and that JSON says the same.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "app/fit_program.hpp"

namespace lass0 {
namespace {

class FitText : public FitProgram {};

TEST_F(FitText, TextFitsIn80ColumnsWhateverTheNames) {
  std::string header, long_name(200, 'n');
  write(
      "d.csv", "größe," + long_name + ",\"two\nlines\",変数名,\x1b[31mred,dup,copy,flat,y\n" + [] {
        std::string rows;
        for (int i = 0; i < 30; ++i) {
          const int v[] = {i % 7, i % 5, i % 3, (i * i) % 11, (i * 7) % 13, (i * i * i) % 17};
          for (const int x : v) rows += std::to_string(x) + ",";
          rows += std::to_string(2 * v[5] + 1) + ",4," +
                  std::to_string(v[0] - 2 * v[1] + 3 * v[2] + v[3] - v[4] + v[5]) + "\n";
        }
        return rows;
      }());
  const std::string text = output({"fit", "d.csv", "--target", "y", "--lambda", "0.1"});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    EXPECT_LE(std::count_if(line.begin(), line.end(), [&](char c) { return !continuation(c); }), 80)
        << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
  for (const char* part :
       {"größe", "nnn...", "stand-ins", "two?lines", "変数名", "?[31mred", "(intercept)",
        "objective", "R^2", "status", "start", "moves", "aliased", "constant", "flat"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(FitText, NearTiesAreShown) {
  std::string text = "a,b,twin,almost,y\n";
  for (int i = 0; i < 40; ++i) {
    const double a = i % 7, b = i % 5, e = 0.3 * ((i * 13) % 9 - 4),
                 almost = a + 0.2 * ((i * 5) % 3 - 1);
    for (const double x : {a, b, -2 * a, almost}) text += std::to_string(x) + ",";
    text += std::to_string(3 + 2 * a - b + e) + "\n";
  }
  write("d.csv", text);
  const Arguments arguments = {"fit", "d.csv", "--target", "y", "--lambda", "1"};
  const Json found = json(arguments);
  ASSERT_EQ(found["support"], (Json{"a", "b"}));
  const Json& first = found["alternatives"][0];
  EXPECT_EQ(first["column"], "a");
  EXPECT_EQ(first["stand_in"], "twin");
  EXPECT_EQ(first["increase"], 0.0);
  EXPECT_EQ(first["rss"], found["rss"]);
  EXPECT_EQ(found["alternatives"][1]["stand_in"], "almost");
  const std::string report = output(arguments);
  // Beside each what it costs to have neither.
  const double without = 100 * found["without"]["a"].get<double>();
  EXPECT_GT(without, 100);
  const std::string expected = fmt::format(
      "\nstand-ins  a -> twin:    RSS +0 %, without a +{:.0f} %\n           a -> almost:  RSS +",
      without);
  EXPECT_NE(report.find(expected), std::string::npos) << report;
  write_plane();  // a and b explain y nearly perfectly
  EXPECT_NE(output(plane()).find("\nstand-ins  none: "), std::string::npos);
  EXPECT_EQ(output(plane({"--time-limit", "0"})).find("stand-ins"), std::string::npos);
  EXPECT_TRUE(json(plane({"--time-limit", "0"}))["alternatives"].is_null());
  EXPECT_EQ(output({"fit", "plane.csv", "--target", "y", "--lambda", "1e9"}).find("stand-ins"),
            std::string::npos);
}

// The same share of the RSS is a near tie of few rows, and not of many.
TEST_F(FitText, ANearTieIsJudgedByTheEvidenceOfAllRows) {
  const auto fit = [&](int rows) {
    std::string text = "a,almost,y\n";
    for (int i = 0; i < rows; ++i) {
      const double a = i % 7, e = 3 * ((i * 13) % 9 - 4), almost = a + 0.5 * ((i * 5) % 4 - 1.5);
      text += fmt::format("{},{},{}\n", a, almost, 2 * a + e);
    }
    write("d.csv", text);
    return Arguments{"fit", "d.csv", "--target", "y", "--k", "1"};
  };
  const Json few = json(fit(63)), many = json(fit(6300));
  for (const Json& found : {few, many}) {
    EXPECT_EQ(found["support"], Json{"a"});
    EXPECT_LT(found["alternatives"][0]["increase"], 0.1);
    EXPECT_GT(found["alternatives"][0]["increase"], 0.001);
  }
  EXPECT_EQ(few["alternatives"][0]["near_tie"], true);
  EXPECT_EQ(many["alternatives"][0]["near_tie"], false);
  const std::string of_few = output(fit(63)), of_many = output(fit(6300));
  EXPECT_NE(of_few.find("\nstand-ins  a -> almost:  RSS +"), of_few.npos) << of_few;
  EXPECT_NE(of_many.find("\nstand-ins  none: "), of_many.npos) << of_many;
}

// Two columns that differ by little carry y as their difference.
TEST_F(FitText, EffectsThatCancelAreNamed) {
  std::string text = "a,b,c,y\n";
  for (int i = 0; i < 60; ++i) {
    const double a = i % 7, d = 0.001 * ((i * 5) % 11 - 5), c = i % 5;
    text += fmt::format("{},{},{},{}\n", a, a + d, c, 1000 * d + c + 0.1 * ((i * 13) % 9 - 4));
  }
  write("d.csv", text);
  const Arguments both = {"fit", "d.csv", "--target", "y", "--k", "3"};
  const Json found = json(both);
  ASSERT_EQ(found["support"], (Json{"a", "b", "c"}));
  const std::vector<std::string> cancelling = found["cancelling"];
  EXPECT_EQ(std::set<std::string>(cancelling.begin(), cancelling.end()),
            (std::set<std::string>{"a", "b"}));
  const std::string report = output(both);
  EXPECT_NE(report.find("\ncollinear  large effects that cancel: "), report.npos) << report;
  EXPECT_NE(report.find("b ("), report.npos) << report;
  const Arguments one = {"fit", "d.csv", "--target", "y", "--k", "1"};
  EXPECT_EQ(json(one)["cancelling"], Json::array());
  EXPECT_EQ(output(one).find("collinear"), std::string::npos);
}

TEST_F(FitText, TheTableIsSortedByEffect) {
  write_plane();
  const std::string text = output(plane());
  EXPECT_LT(text.find("\na "), text.find("\nb "));  // effects 2 * 2.0 and 1 * 1.4
  EXPECT_LT(text.find("\nb "), text.find("\n(intercept)"));
}

TEST_F(FitText, RSquaredIsSaidForHeldOutRowsAndForTheRowsOfTheFit) {
  output({"simulate", "--n", "60", "--p", "12", "--k", "4", "--rho", "0.6", "--snr", "2", "--seed",
          "4", "--output", "d.csv"});
  const Arguments cv = {"cv", "d.csv", "--target", "y", "--tune", "k"};
  const Json found = json(cv);
  const double null_error = found["curve"][0]["mean_error"];  // k 0: the mean of the training rows
  const double held_out = 1 - found["chosen"]["mean_error"].get<double>() / null_error;
  const double of_fit = found["model"]["r_squared"];
  EXPECT_GT(of_fit, held_out + 0.02);
  EXPECT_NEAR(found["null_error"].get<double>(), null_error, 1e-9 * null_error);
  EXPECT_NEAR(found["r_squared_held_out"].get<double>(), held_out, 1e-9);
  EXPECT_EQ(found["r_squared_fit"], of_fit);
  const std::string text = output(cv);
  EXPECT_NE(
      text.find(fmt::format("\nR^2        {:.4f} on held-out rows, {:.4f} on the rows of the fit",
                            held_out, of_fit)),
      text.npos)
      << text;
  Arguments none = cv;
  none.insert(none.end(), {"--max-k", "0"});
  EXPECT_EQ(json(none)["r_squared_held_out"], 0.0);
  EXPECT_NE(output(none).find("\nR^2        0 (no column: "), std::string::npos);
  EXPECT_NE(output({"cv", "d.csv", "--target", "y", "--criterion", "bic"})
                .find(" on the rows of the fit\n"),
            std::string::npos);
}

}  // namespace
}  // namespace lass0
