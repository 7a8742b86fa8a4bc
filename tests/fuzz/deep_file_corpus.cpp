// Writes a small corpus for the fuzzer: every type, read in every way.
#include <cstdio>
#include <fstream>
#include <string>

#include "fuzz/deep_file_case.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: deep_file_corpus FOLDER\n"), 2;
  for (unsigned type = 0; type < wherry_fuzz::types; ++type)
    for (unsigned bits = 0; bits < 16; ++bits) {
      const wherry_fuzz::way how{type, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
      const int sizes[] = {0, 1, 7, 60};
      const auto made = wherry_fuzz::make_case(how, 100 * type + bits, sizes[bits % 4]);
      std::ofstream out(std::string(argv[1]) + "/" + std::to_string(type) + "-" + std::to_string(bits),
                        std::ios::binary);
      out.write(reinterpret_cast<const char*>(made.data()), static_cast<std::streamsize>(made.size()));
      if (!out.flush()) return std::fprintf(stderr, "cannot write to %s\n", argv[1]), 1;
    }
}
