#include "output.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "common/png.hpp"
#include "harness/text.hpp"

namespace lattice_boltzmann {
namespace {

/// Numbers of VTK's binary files: single precision, highest byte first.
std::uint32_t big_endian(double value) {
  auto word = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if constexpr (std::endian::native == std::endian::little)
    word = word << 24 | (word << 8 & 0xff0000) | (word >> 8 & 0xff00) | word >> 24;
  return word;
}

/// A file that all ranks write together.
class shared_file {
 public:
  shared_file(const std::string& name, const subdomain& mine) : name_(name), mine_(mine) {
    check(MPI_File_open(mine.comm, name.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file_));
    check(MPI_File_set_size(file_, 0));
  }
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;
  ~shared_file() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  void add(const std::string& text) {
    check(MPI_File_set_view(file_, end_, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    const int bytes = mine_.grid.comm().rank() == 0 ? static_cast<int>(text.size()) : 0;
    check(MPI_File_write_at_all(file_, 0, text.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE));
    end_ += static_cast<MPI_Offset>(text.size());
  }

  /// Writes `a_cell` words for each of this rank's cells, x fastest.
  void add(const std::vector<std::uint32_t>& words, int a_cell) {
    int all[3], extent[3], lower[3];
    for (std::size_t d = 0; d < 3; ++d) {
      all[d] = static_cast<int>(mine_.all[d]);
      extent[d] = static_cast<int>(mine_.extent[d]);
      lower[d] = static_cast<int>(mine_.lower[d]);
    }
    MPI_Datatype cell = MPI_DATATYPE_NULL, part = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(a_cell, MPI_UINT32_T, &cell);
    MPI_Type_create_subarray(3, all, extent, lower, MPI_ORDER_FORTRAN, cell, &part);
    MPI_Type_commit(&cell);
    MPI_Type_commit(&part);
    int wrong = MPI_File_set_view(file_, end_, cell, part, "native", MPI_INFO_NULL);
    if (wrong == MPI_SUCCESS)
      wrong = MPI_File_write_at_all(file_, 0, words.data(), static_cast<int>(mine_.count()), cell, MPI_STATUS_IGNORE);
    MPI_Type_free(&cell);
    MPI_Type_free(&part);
    check(wrong);
    end_ += MPI_Offset{4} * a_cell * mine_.all[0] * mine_.all[1] * mine_.all[2];
  }

 private:
  /// All ranks throw, even if only one of them has failed.
  void check(int result) {
    int failed = result != MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, mine_.comm);
    if (failed) throw std::runtime_error("cannot write '" + name_ + "'");
  }

  std::string name_;
  const subdomain& mine_;
  MPI_File file_ = MPI_FILE_NULL;
  MPI_Offset end_ = 0;
};

/// Appends a colour from dark blue over green to yellow, for a value from 0 to 1.
void append_colour(std::vector<std::uint8_t>& dots, double value) {
  constexpr int steps = 4;
  constexpr std::uint8_t colours[steps + 1][3] = {
      {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
  const double at = value > 0 ? steps * std::min(value, 1.0) : 0;  // a NaN is not greater, either
  const int below = std::min(static_cast<int>(at), steps - 1);
  for (int k = 0; k < 3; ++k)
    dots.push_back(
        static_cast<std::uint8_t>(std::lround(std::lerp(colours[below][k], colours[below + 1][k], at - below))));
}

/// Gathers the speed of all cells of the layer on rank 0, x fastest.
std::vector<double> speeds_of_layer(solver& one, long layer) {
  const auto& mine = one.where();
  std::vector<double> speeds(static_cast<std::size_t>(mine.all[0] * mine.all[1]), 0.0), all(speeds.size());
  const long z = layer - mine.lower[2];
  if (z >= 0 && z < mine.extent[2])
    for (long y = 0; y < mine.extent[1]; ++y)
      for (long x = 0; x < mine.extent[0]; ++x) {
        const auto u = one.at(x, y, z).velocity;
        speeds[static_cast<std::size_t>((mine.lower[1] + y) * mine.all[0] + mine.lower[0] + x)] =
            std::hypot(u[0], u[1], u[2]);
      }
  MPI_Reduce(speeds.data(), all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, 0, mine.comm);
  return all;
}

}  // namespace

void write_vtk(const std::string& file, solver& one) {
  const auto& mine = one.where();
  std::vector<std::uint32_t> density, velocity;
  for (long z = 0; z < mine.extent[2]; ++z)
    for (long y = 0; y < mine.extent[1]; ++y)
      for (long x = 0; x < mine.extent[0]; ++x) {
        const auto fluid = one.at(x, y, z);
        density.push_back(big_endian(fluid.density));
        for (const double u : fluid.velocity) velocity.push_back(big_endian(u));
      }
  const auto& n = mine.all;
  shared_file out(file, mine);
  out.add(bench::text("# vtk DataFile Version 3.0\nlattice_boltzmann\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS ",
                      n[0], " ", n[1], " ", n[2], "\nORIGIN 0.5 0.5 0.5\nSPACING 1 1 1\nPOINT_DATA ",
                      n[0] * n[1] * n[2], "\nSCALARS density float 1\nLOOKUP_TABLE default\n"));
  out.add(density, 1);
  out.add("\nVECTORS velocity float\n");
  out.add(velocity, 3);
  out.add("\n");
}

void write_picture(const std::string& file, solver& one) {
  const auto& mine = one.where();
  const long width = mine.all[0], height = mine.all[1];
  const auto speeds = speeds_of_layer(one, mine.all[2] / 2);
  if (mine.grid.comm().rank() != 0) return;
  const double largest = std::max(*std::max_element(speeds.begin(), speeds.end()), 1e-300);
  const long zoom = std::max(1L, 256 / std::max(width, height));  // dots a cell
  std::vector<std::uint8_t> dots;
  for (long y = height * zoom - 1; y >= 0; --y)
    for (long x = 0; x < width * zoom; ++x)
      append_colour(dots, speeds[static_cast<std::size_t>(y / zoom * width + x / zoom)] / largest);
  apps::write_png(file, static_cast<int>(width * zoom), static_cast<int>(height * zoom), dots);
}

}  // namespace lattice_boltzmann
