#include "deep/carry.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#include <stdexcept>
#include <utility>

namespace bench::deep {
namespace {

constexpr std::pair<operation, const char*> names[] = {{operation::broadcast, "broadcast"},
                                                       {operation::send, "send"},
                                                       {operation::write, "write"},
                                                       {operation::read, "read"}};

class open_file {
 public:
  open_file(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags, 0600)) {
    if (descriptor_ < 0) throw std::runtime_error("cannot open " + path);
  }
  ~open_file() { ::close(descriptor_); }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

operation operation_named(const std::string& name) {
  for (const auto& [what, text] : names)
    if (name == text) return what;
  throw std::invalid_argument("there is no operation '" + name + "'");
}

std::string name_of(operation what) {
  for (const auto& [one, text] : names)
    if (one == what) return text;
  return "";
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int count_of(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) throw std::overflow_error("over 2 GiB");
  return static_cast<int>(bytes);
}

bool receives(operation what, MPI_Comm comm) {
  const int rank = rank_in(comm);
  if (what == operation::broadcast) return rank != 0;
  return what == operation::send ? rank == 1 : what == operation::read && rank == 0;
}

void carry(operation what, MPI_Comm comm, packed_bytes& bytes) {
  std::size_t size = bytes.size();
  if (what == operation::broadcast) {
    MPI_Bcast(&size, sizeof size, MPI_BYTE, 0, comm);
    bytes.resize(size);
    MPI_Bcast(bytes.data(), count_of(size), MPI_BYTE, 0, comm);
  } else if (rank_in(comm) == 0) {
    MPI_Send(bytes.data(), count_of(size), MPI_BYTE, 1, 0, comm);
  } else if (rank_in(comm) == 1) {
    MPI_Status status;
    MPI_Probe(0, 0, comm, &status);
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    bytes.resize(static_cast<std::size_t>(count));
    MPI_Recv(bytes.data(), count, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
  }
}

void write_file(const std::string& path, const packed_bytes& bytes) {
  const open_file file(path, O_WRONLY | O_CREAT | O_TRUNC);
  for (std::size_t done = 0; done < bytes.size();) {
    const auto n = ::write(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (n <= 0) throw std::runtime_error("cannot write " + path);
    done += static_cast<std::size_t>(n);
  }
}

packed_bytes read_file(const std::string& path) {
  const open_file file(path, O_RDONLY);
  struct stat about{};
  if (::fstat(file.descriptor(), &about) != 0) throw std::runtime_error("cannot read " + path);
  packed_bytes bytes(static_cast<std::size_t>(about.st_size));
  for (std::size_t done = 0; done < bytes.size();) {
    const auto n = ::read(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (n <= 0) throw std::runtime_error("cannot read " + path);
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

}  // namespace bench::deep
