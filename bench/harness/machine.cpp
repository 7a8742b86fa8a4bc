#include "harness/machine.hpp"

#include <unistd.h>

#include <fstream>
#include <thread>

#include "wherry/core/mpi.hpp"

namespace bench {
namespace {

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

std::string processor() {
  return processor_model() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores";
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

json machine_record() {
  return json()
      .add("processor", processor_model())
      .add("cores", std::thread::hardware_concurrency())
      .add("host", host_name())
      .add("compiler", compiler())
      .add("mpi", wherry::mpi_library_version());
}

}  // namespace bench
