// The door of libFuzzer (Clang); run_fuzzer.py gives it a corpus.
#include <cstdint>

#include "fuzz/deep_file_case.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wherry_fuzz::run_case(std::as_bytes(std::span(data, size)));
  return 0;
}
