#include "deep/options.hpp"

#include <stdexcept>

#include "harness/command_line.hpp"

namespace bench::deep {
options parse(int argc, char** argv) {
  options result;
  for_each_option(argc, argv, {}, [&](const std::string& name, const std::string& value) {
    if (name == "--structures")
      result.structures = listed<std::string>(value);
    else if (name == "--operations")
      result.operations = listed<std::string>(value);
    else if (name == "--methods")
      result.methods = value;
    else if (name == "--folder")
      result.folder = value;
    else if (name == "--seconds")
      result.seconds = std::stod(value);
    else if (name == "--out")
      result.out = opened(value);
    else
      return false;
    return true;
  });
  return result;
}

}  // namespace bench::deep
