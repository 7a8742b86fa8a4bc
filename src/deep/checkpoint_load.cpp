#include <cstdint>
#include <functional>
#include <numeric>

#include "wherry/core/mpi.hpp"
#include "wherry/deep/detail/checkpoint_streams.hpp"

#include "checkpoint_format.hpp"
#include "core/collective.hpp"
#include "core/mpi_file.hpp"
#include "core/plain_file.hpp"
#include "core/sealed_header.hpp"
#include "core/xxhash3.hpp"
#include "file_framing.hpp"
#include "file_named.hpp"

namespace wherry::deep::detail {
namespace {

constexpr const char* in_checkpoint_load = "deep::load_all";

void bcast(const communicator& comm, std::span<std::uint64_t> numbers) {
  patient::bcast(comm, in_checkpoint_load, std::as_writable_bytes(numbers), 0);
}

/// Returns the beginning of each object, and the end of the last one. Rank 0 reads the table and broadcasts it.
std::vector<std::uint64_t> read_places(const communicator& comm, const std::string& path, std::uint64_t type) {
  std::vector<std::uint64_t> lengths;
  std::uint64_t objects = 0;
  const auto look = [&] {
    const plain_file file(path, in_checkpoint_load);
    const auto bytes = static_cast<std::uint64_t>(file.size());
    if (bytes < checkpoint_format::header_bytes)
      throw error(error_kind::argument, in_checkpoint_load,
                  wherry::detail::text("it has ", bytes, " bytes, too few for a checkpoint"));
    checkpoint_format::header_image image;
    file.read(0, image);
    const auto facts = checkpoint_format::decode(image, bytes);
    if (facts.type != type)
      throw error(error_kind::argument, in_checkpoint_load,
                  wherry::detail::text("it holds objects of another type ", other_fingerprint(facts.type, type),
                                       ", or of a class that was changed since it was written"));
    std::vector<std::byte> table(checkpoint_format::table_bytes(facts.objects));
    file.read(checkpoint_format::header_bytes, table);
    lengths = checkpoint_format::decode_table(table, image, facts);
    objects = facts.objects;
  };
  wherry::detail::collectively(
      comm, in_checkpoint_load,
      [&] {
        if (comm.rank() == 0) naming("'" + path + "'", in_checkpoint_load, look);
      },
      static_cast<std::uint32_t>(xxhash3(std::as_bytes(std::span(path)), type)),
      "the ranks disagree on the path or the type");
  bcast(comm, std::span(&objects, 1));
  wherry::detail::collectively(comm, in_checkpoint_load, [&] { lengths.resize(objects); });
  bcast(comm, lengths);
  std::vector<std::uint64_t> places(objects + 1);
  places[0] = checkpoint_format::header_bytes + checkpoint_format::table_bytes(objects);
  std::partial_sum(lengths.begin(), lengths.end(), places.begin() + 1);
  for (std::size_t i = 1; i <= objects; ++i) places[i] += places[0];
  return places;
}

}  // namespace

void load_objects(const communicator& comm, const std::string& path, std::uint64_t type, const file_options& how,
                  const std::function<void(int rank, byte_source& from)>& unpack) {
  const auto places = read_places(comm, path, type);
  const auto objects = places.size() - 1, rank = static_cast<std::size_t>(comm.rank()),
             size = static_cast<std::size_t>(comm.size());
  mpi_file file(comm, path, MPI_MODE_RDONLY, how.hints, in_checkpoint_load);
  const auto failure = wherry::detail::error_of(comm, in_checkpoint_load, [&] {
    for (std::size_t i = objects * rank / size; i < objects * (rank + 1) / size; ++i)
      naming(wherry::detail::text("'", path, "', object ", i), in_checkpoint_load, [&] {
        std::uint64_t at = places[i];
        file_input input;
        input.get = [&](std::span<std::byte> bytes) {
          // The bytes after this belong to another object.
          if (bytes.size() > places[i + 1] - at)
            throw error(error_kind::argument, in_checkpoint_load,
                        "it is cut off: the object needs more bytes than its table says");
          file.read(static_cast<std::int64_t>(at), bytes);
          at += bytes.size();
        };
        input.room = [&] { return places[i + 1] - at; };
        input.alone = true;
        read_framed(input, type, how, [&](byte_source& from) { unpack(static_cast<int>(i), from); });
      });
  });
  file.close();
  wherry::detail::agree_or_throw(comm, in_checkpoint_load, failure ? &*failure : nullptr);
}

}  // namespace wherry::deep::detail
