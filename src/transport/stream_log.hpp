// What the byte streams of a communicator have moved, and how: for WHERRY_STATS and WHERRY_TRACE, and for who asks. And
// what WHERRY_TRANSPORT means for them.
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

/// How a stream goes, after a first message.
enum class stream_way { rings, messages };

/// Whether streams go by messages everywhere: not with "auto", nor with a transport that stays inside a node.
/// @throws error(argument) where WHERRY_TRANSPORT names nothing there is
bool streams_go_by_messages();
/// Else they go through rings where the ranks of this communicator share memory.
inline bool streams_share_memory(const communicator& comm) {
  return comm.arena() != nullptr && !streams_go_by_messages();
}
/// @throws also error(argument) where it names a transport that does not reach rank `to`, or not all ranks
void require_reach(std::string_view where, const communicator& comm, int to);
void require_reach(std::string_view where, const communicator& comm);

/// Of one communicator, by the public call that a stream belongs to. Its `channel_state` has it.
class stream_log {
 public:
  /// Are waits to be measured?
  static bool measures();

  stream_log(int rank, int size);
  stream_log(const stream_log&) = delete;
  stream_log& operator=(const stream_log&) = delete;
  /// Reports, as WHERRY_STATS says; so does MPI_Finalize.
  ~stream_log();

  /// @param peers whom it went to, or whom it came from
  void count(std::string_view where, bool leaves, std::size_t bytes, std::array<bool, 2> ways, std::int64_t began,
             const std::vector<int>& peers);
  /// @param peers of the stream that is waited for, as far as they are known
  /// @return how long it took, in seconds
  double count_wait(std::string_view where, std::int64_t began, const std::vector<int>& peers);

  exchange_statistics total();
  std::string transport();
  std::string explain();

 private:
  struct call {
    exchange_statistics counted;
    std::array<bool, 2> ways{};
    std::vector<int> peers;                  // ascending
    std::map<std::vector<int>, int> traced;  // what the trace knows streams with these peers as
  };
  call& of_call(std::string_view where);
  static int traced_as(std::string_view where, call& c, const std::vector<int>& peers);
  void report() noexcept;
  static void report_all();

  const int rank_, size_;
  std::mutex guard_;
  std::map<std::string, call, std::less<>> calls_;
};

/// What one end of a stream has moved. Its log counts it once, at its end, unless nothing has moved.
class stream_record {
 public:
  /// @param log null: it is counted elsewhere
  stream_record(std::string_view where, std::shared_ptr<stream_log> log, bool leaves);
  stream_record(const stream_record&) = delete;
  stream_record& operator=(const stream_record&) = delete;
  ~stream_record() { end(); }
  void add(std::size_t bytes) { bytes_ += bytes; }
  void goes_by(stream_way way) { ways_[static_cast<std::size_t>(way)] = true; }
  /// Whom it goes to, from here.
  void goes_to(std::vector<int> ranks) {
    peers_ = std::move(ranks);
    std::sort(peers_.begin(), peers_.end());
  }
  /// Who sends it here: its writer, or who passes it on.
  void comes_from(int rank) { peers_.assign(1, rank); }
  /// Those, as far as they are known.
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

/// A wait as long as its scope.
class stream_wait {
 public:
  /// @param record says for whom, and learns of it, where there is one
  /// @param rank for whom else; -1: nobody knows
  stream_wait(std::string_view where, const communicator& comm, stream_record* record = nullptr, int rank = -1);
  stream_wait(const stream_wait&) = delete;
  stream_wait& operator=(const stream_wait&) = delete;
  ~stream_wait();

 private:
  std::shared_ptr<stream_log> log_;  // null where nothing is measured
  std::string_view where_;
  stream_record* record_;
  int rank_;
  std::int64_t began_ = 0;
};

/// What WHERRY_TRANSPORT means for the streams of a communicator.
std::string explain_ways(const communicator& comm);

}  // namespace wherry
