#include "deep/options.hpp"

#include <stdexcept>

#include "harness/listed.hpp"

namespace bench::deep {

options parse(int argc, char** argv) {
  options result;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(name + " wants a value, or is unknown");
    const std::string value = argv[++i];
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
      result.out = std::fopen(value.c_str(), "w");
    else
      throw std::invalid_argument("unknown option " + name);
  }
  if (result.out == nullptr) throw std::invalid_argument("cannot write the file of --out");
  return result;
}

}  // namespace bench::deep
