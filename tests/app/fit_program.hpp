// lass0 fit on a plane: data that two columns explain.
#pragma once

#include "app/process.hpp"

namespace lass0 {

class FitProgram : public ProgramTest {
 protected:
  // Two columns explain y = 3 + 2a - b up to small errors that are the same in every run; c is
  // something else.
  void write_plane(const std::string& name = "plane.csv") const {
    std::string text = "a,b,c,y\n";
    for (int i = 0; i < 40; ++i) {
      const double a = i % 7, b = i % 5, c = (i * i) % 11, e = 0.01 * ((i * 13) % 9 - 4);
      text += std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(c) + "," +
              std::to_string(3 + 2 * a - b + e) + "\n";
    }
    write(name, text);
  }
  Arguments plane(const Arguments& more = {}) const {
    Arguments arguments = {"fit", "plane.csv", "--target", "y", "--lambda", "0.5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

}  // namespace lass0
