#include <cstdint>
#include <exception>
#include <numeric>

#include "wherry/core/mpi.hpp"
#include "wherry/deep/detail/checkpoint_streams.hpp"

#include "checkpoint_format.hpp"
#include "core/collective.hpp"
#include "core/mpi_file.hpp"
#include "core/replaced_file.hpp"
#include "core/xxhash3.hpp"
#include "file_framing.hpp"
#include "file_named.hpp"

namespace wherry::deep::detail {
namespace {

constexpr const char* in_checkpoint_save = "deep::save_all";

std::uint32_t agreement(const std::string& path, std::uint64_t type, const file_options& how) {
  const std::uint64_t rest[] = {type, how.buffered, how.buffer_bytes, how.sync};
  const auto both = xxhash3(std::as_bytes(std::span(path)), xxhash3(std::as_bytes(std::span(rest))));
  return static_cast<std::uint32_t>(both);
}

/// Writes one rank's part of the file.
class saver {
 public:
  saver(const communicator& ranks, const std::string& path, std::uint64_t type, const file_options& how,
        const fill& pack)
      : comm_(ranks), path_(path), type_(type), how_(how), pack_(pack) {}

  void run() {
    try {
      wherry::detail::collectively(
          comm_, in_checkpoint_save, [&] { naming(name(), in_checkpoint_save, [&] { prepare(); }); },
          agreement(path_, type_, how_), "the ranks disagree on the path, the type or the options");
      find_place();
      write();
      wherry::detail::collectively(comm_, in_checkpoint_save, [&] {
        if (comm_.rank() == 0) put_part_in_place(path_, how_.sync, in_checkpoint_save);
      });
    } catch (const error&) {  // all ranks have this error
      file_.close();
      if (made_) remove_part(path_);
      if (users_) std::rethrow_exception(users_);
      throw;
    }
  }

 private:
  std::string name() const { return "'" + path_ + "'"; }

  /// An exception from a description is rethrown on this rank; on other ranks it is an error with its text.
  void pack(byte_sink& sink) {
    try {
      pack_(sink);
    } catch (const error&) {
      throw;
    } catch (const std::exception& thrown) {
      users_ = std::current_exception();
      throw error(error_kind::state, in_checkpoint_save, thrown.what(), comm_.rank());
    } catch (...) {
      users_ = std::current_exception();
      throw error(error_kind::state, in_checkpoint_save, "an exception was thrown that is not a std::exception",
                  comm_.rank());
    }
  }

  void prepare() {
    if (path_.empty()) throw error(error_kind::argument, in_checkpoint_save, "'path' is empty", comm_.rank());
    frame_ = frame_bytes(how_, in_checkpoint_save);
    measure();
    if (comm_.rank() != 0) return;
    make_part(path_, in_checkpoint_save);
    made_ = true;
  }

  void measure() {
    if (how_.buffered) {
      kept_ = keep_framed(type_, how_, [this](byte_sink& sink) { pack(sink); });
      for (const auto& part : kept_) length_ += part.size();
    } else {
      counting_sink counted;
      pack(counted);
      payload_ = counted.bytes();
      length_ = file_format::whole_bytes(payload_, frame_);
    }
  }

  void find_place() {
    const auto ranks = static_cast<std::size_t>(comm_.size());
    const auto before = patient::shares(comm_, in_checkpoint_save, {static_cast<std::int64_t>(length_)})[0].before;
    lengths_ = patient::gather(comm_, in_checkpoint_save, length_, 0);
    place_ =
        checkpoint_format::header_bytes + checkpoint_format::table_bytes(ranks) + static_cast<std::uint64_t>(before);
  }

  void write() {
    file_ = mpi_file(comm_, part_of(path_), MPI_MODE_WRONLY, how_.hints, in_checkpoint_save);
    wherry::detail::collectively(comm_, in_checkpoint_save, [&] {
      naming(name(), in_checkpoint_save, [&] { write_object(); });
      if (comm_.rank() == 0) write_head();
    });
    if (how_.sync) wherry::detail::collectively(comm_, in_checkpoint_save, [&] { file_.sync(); });
    file_.close();
  }

  void write_object() {
    auto at = static_cast<std::int64_t>(place_);
    const auto put = [&](std::span<const std::byte> bytes) {
      file_.write(at, bytes);
      at += static_cast<std::int64_t>(bytes.size());
    };
    for (const auto& part : kept_) put(part);
    if (how_.buffered) return;
    file_sink sink(put, {type_, payload_, frame_});
    pack(sink);
  }

  void write_head() const {
    const auto objects = std::accumulate(lengths_.begin(), lengths_.end(), std::uint64_t{0});
    const auto table = checkpoint_format::table_bytes(lengths_.size());
    const auto image =
        checkpoint_format::encode({type_, lengths_.size(), checkpoint_format::header_bytes + table + objects});
    file_.write(0, image);
    file_.write(checkpoint_format::header_bytes, checkpoint_format::encode_table(lengths_, image));
  }

  communicator comm_;
  const std::string& path_;
  std::uint64_t type_;
  const file_options& how_;
  const fill& pack_;
  std::uint64_t frame_ = 0, payload_ = 0, length_ = 0, place_ = 0;
  kept_frames kept_;
  std::vector<std::uint64_t> lengths_;  // of all ranks, on rank 0 only
  mpi_file file_;
  bool made_ = false;
  std::exception_ptr users_;
};

}  // namespace

void save_objects(const communicator& comm, const std::string& path, std::uint64_t type, const file_options& how,
                  const fill& pack) {
  saver(comm, path, type, how, pack).run();
}

}  // namespace wherry::deep::detail
