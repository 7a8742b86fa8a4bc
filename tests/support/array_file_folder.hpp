// A folder of its own for a test, the same on all ranks, and what is in its files.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "harness/harness.hpp"

namespace wherry_test {

class folder {
 public:
  explicit folder(const context& test) : comm_(test.comm), rank_(test.rank) {
    char name[512] = "";
    if (rank_ == 0) {
      const auto pattern = (std::filesystem::temp_directory_path() / "wherry-XXXXXX").string();
      pattern.copy(name, sizeof name - 1);
      REQUIRE(mkdtemp(name) != nullptr);
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, comm_);
    path_ = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    if (std::uncaught_exceptions() == 0) MPI_Barrier(comm_);
    std::error_code ignored;
    if (rank_ == 0) std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  std::vector<std::byte> read(const std::string& name) const {
    std::ifstream file(*this / name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    return {first, first + bytes.size()};
  }
  /// By rank 0; all ranks see it afterwards.
  void write(const std::string& name, const std::vector<std::byte>& bytes) const {
    if (rank_ == 0)
      std::ofstream(*this / name, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    MPI_Barrier(comm_);
  }
  bool has(const std::string& name) const { return std::filesystem::exists(*this / name); }

 private:
  MPI_Comm comm_;
  int rank_;
  std::string path_;
};

}  // namespace wherry_test
