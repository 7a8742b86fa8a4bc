// Counts the data that the byte streams and sparse exchanges of a communicator have moved, and how, for WHERRY_STATS,
// WHERRY_TRACE and the functions that ask. This file also defines the meaning of WHERRY_TRANSPORT for streams.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {

/// How the windows of a stream travel after its first message: in node-shared memory, or as messages.
enum class stream_way { rings, messages };

/// True if streams use messages everywhere: if WHERRY_TRANSPORT is neither "auto" nor a transport that stays inside a
/// node. @throws error(argument) if WHERRY_TRANSPORT names no transport
bool streams_go_by_messages();
/// True if streams between ranks of a node use rings in its shared memory.
inline bool streams_share_memory(const communicator& comm) {
  return comm.arena() != nullptr && !streams_go_by_messages();
}
/// @throws error(argument) if WHERRY_TRANSPORT names no transport, or one that does not reach rank `to`, or not all
///   ranks
void require_reach(std::string_view where, const communicator& comm, int to);
void require_reach(std::string_view where, const communicator& comm);

/// The log of one communicator, by the public call to which a stream belongs. Its `channel_state` owns it.
class stream_log {
 public:
  /// True if waits are measured and exchanges are counted.
  static bool measures();

  stream_log(int rank, int size);
  stream_log(const stream_log&) = delete;
  stream_log& operator=(const stream_log&) = delete;
  /// Reports, if WHERRY_STATS asks for it. MPI_Finalize does so, too.
  ~stream_log();

  /// @param peers the ranks to which the stream went, or the rank from which it came
  void count(std::string_view where, bool leaves, std::size_t bytes, std::array<bool, 2> ways, std::int64_t began,
             const std::vector<int>& peers);
  /// Counts an exchange, which has no ends of its own.
  void count_exchange(std::string_view where, std::size_t sent, std::size_t received, std::array<bool, 2> ways,
                      std::int64_t began, const std::vector<int>& peers);
  /// @param peers the other ranks of the stream that is waited for, as far as they are known
  /// @return the length of the wait in seconds
  double count_wait(std::string_view where, std::int64_t began, const std::vector<int>& peers);

  exchange_statistics total();
  std::string transport();
  std::string explain();

 private:
  struct call {
    exchange_statistics counted;
    std::array<bool, 2> ways{};
    std::vector<int> peers;                  // ascending
    std::map<std::vector<int>, int> traced;  // the numbers in the trace, by peers
  };
  call& of_call(std::string_view where);
  static void add_ways(call& to, std::array<bool, 2> ways, const std::vector<int>& peers);
  static int traced_as(std::string_view where, call& c, const std::vector<int>& peers);
  void report() noexcept;
  static void report_all();

  const int rank_, size_;
  std::mutex guard_;
  std::map<std::string, call, std::less<>> calls_;
};

/// Counts the data that one end of a stream has moved. The log counts it once, at the end, unless nothing has moved.
class stream_record {
 public:
  /// @param log null: the stream is counted elsewhere
  stream_record(std::string_view where, std::shared_ptr<stream_log> log, bool leaves);
  stream_record(const stream_record&) = delete;
  stream_record& operator=(const stream_record&) = delete;
  ~stream_record() { end(); }
  void add(std::size_t bytes) { bytes_ += bytes; }
  void goes_by(stream_way way) { ways_[static_cast<std::size_t>(way)] = true; }
  /// The ranks to which this rank sends the stream.
  void goes_to(std::vector<int> ranks) {
    peers_ = std::move(ranks);
    std::sort(peers_.begin(), peers_.end());
  }
  /// The rank that sends the stream here: its writer, or a rank that passes it on.
  void comes_from(int rank) { peers_.assign(1, rank); }
  /// These ranks, as far as they are known.
  const std::vector<int>& peers() const { return peers_; }
  void waited(double seconds) { seconds_ += seconds; }
  void end() noexcept;

  bool has_moved() const { return ways_ != std::array<bool, 2>(); }
  exchange_statistics figures() const;
  std::string transport() const;

 private:
  std::shared_ptr<stream_log> log_;
  std::string_view where_;
  bool leaves_, ended_ = false;
  std::size_t bytes_ = 0;
  std::array<bool, 2> ways_{};
  std::vector<int> peers_;
  double seconds_ = 0;
  std::int64_t began_;
};

/// Measures a wait that lasts as long as its scope.
class stream_wait {
 public:
  /// @param record the stream's record, if there is one; it says which ranks are waited for, and learns how long the
  ///   wait took
  /// @param rank the rank that is waited for if there is no record; -1: unknown
  stream_wait(std::string_view where, const communicator& comm, stream_record* record = nullptr, int rank = -1);
  stream_wait(const stream_wait&) = delete;
  stream_wait& operator=(const stream_wait&) = delete;
  ~stream_wait();

 private:
  std::shared_ptr<stream_log> log_;  // null if nothing is measured
  std::string_view where_;
  stream_record* record_;
  int rank_;
  std::int64_t began_ = 0;
};

/// The meaning of WHERRY_TRANSPORT for the streams of a communicator, in words.
std::string explain_ways(const communicator& comm);

}  // namespace wherry
