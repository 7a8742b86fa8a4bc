/// @file
/// Movers: Mover1<Grid, T> to Mover6<Grid, T>, and their specialised forms (KeLP, section 2 and figure 5).
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "wherry/motion/mover.hpp"

#include "kelp/motion_plan.hpp"
#include "kelp/x_array.hpp"

namespace kelp {

/// Binds a MotionPlan to a source and a destination XArray, and executes it any number of times, each time as an atomic
/// operation. Source and destination may be the same XArray. Several Movers may be in flight at once. Message buffers
/// are allocated once; `{.carry = {.keep_buffers = false}}` allocates them in `start` and frees them in `wait`, as the
/// original KeLP does. Movers are specialised by inheritance: `start` and `wait` are virtual.
///
///     class TimedMover3 : public Mover3<Grid3<double>, double> {
///      public:
///       using Mover3<Grid3<double>, double>::Mover;
///       void start() override { began_ = MPI_Wtime(), Mover::start(); }
///       void wait() override { Mover::wait(), seconds += MPI_Wtime() - began_; }
///       double seconds = 0;
///
///      private:
///       double began_ = 0;
///     };
template <int D, class GridType, class T> class Mover {
 public:
  static_assert(std::is_same_v<typename GridType::element_type, T>, "a Mover's element type is that of its grids");

  /// Collective. The arguments are in the order of figure 5.
  /// @throws wherry::error, on all processes alike; see `wherry::mover`
  Mover(const XArray<D, GridType>& source, XArray<D, GridType>& destination, const MotionPlan<D>& M,
        const wherry::mover_options& how = {})
      : mover_(M.plan(), source.array(), destination.array(), how) {}
  /// Collective. The arguments are in the order of the text: μ = Mover(M, S, D).
  Mover(const MotionPlan<D>& M, const XArray<D, GridType>& source, XArray<D, GridType>& destination,
        const wherry::mover_options& how = {})
      : Mover(source, destination, M, how) {}

  virtual ~Mover() = default;
  Mover(Mover&&) = default;
  Mover& operator=(Mover&&) = default;

  /// Begins the motion and returns at once.
  virtual void start() { mover_.start(); }
  /// Waits until all communication has completed.
  virtual void wait() { mover_.wait(); }
  /// Makes progress; true if all communication has completed.
  virtual bool test() { return mover_.test(); }
  /// Starts, and waits.
  void execute() {
    start();
    wait();
  }

  /// The same mover as a Wherry object.
  const wherry::mover& mover() const { return mover_; }

 private:
  wherry::mover mover_;
};

/// A Mover that combines messages to a common destination, which all Movers of Wherry do.
template <int D, class GridType, class T> using AggregateMover = Mover<D, GridType, T>;

/// Sends messages in packets of at most `packet_bytes`, one after the other, so that the memory for messages is
/// bounded.
template <int D, class GridType, class T> class PacketMover : public Mover<D, GridType, T> {
 public:
  PacketMover(const XArray<D, GridType>& source, XArray<D, GridType>& destination, const MotionPlan<D>& M,
              std::int64_t packet_bytes)
      : Mover<D, GridType, T>(source, destination, M, {.carry = {.packet_bytes = packet_bytes}}) {}
};

/// Performs an operation on the data when it arrives: `UpdateMover3<Grid3<double>, double> mv(S, D, M,
/// wherry::maximum{})`, or a function of your own through `wherry::make_reduction`.
template <int D, class GridType, class T> class UpdateMover : public Mover<D, GridType, T> {
 public:
  UpdateMover(const XArray<D, GridType>& source, XArray<D, GridType>& destination, const MotionPlan<D>& M,
              wherry::reduction operation)
      : Mover<D, GridType, T>(source, destination, M, {.update = std::move(operation)}) {}
};

/// Adds the values that arrive to the values of the destination.
template <int D, class GridType, class T> class AddMover : public UpdateMover<D, GridType, T> {
 public:
  AddMover(const XArray<D, GridType>& source, XArray<D, GridType>& destination, const MotionPlan<D>& M)
      : UpdateMover<D, GridType, T>(source, destination, M, std::plus<>{}) {}
};

/// A thread makes progress while the program computes. It needs MPI_THREAD_MULTIPLE and a processor of its own.
template <int D, class GridType, class T> class ProxyMover : public Mover<D, GridType, T> {
 public:
  ProxyMover(const XArray<D, GridType>& source, XArray<D, GridType>& destination, const MotionPlan<D>& M)
      : Mover<D, GridType, T>(source, destination, M, {.carry = {.progress_thread = true}}) {}
};

template <class G, class T> using Mover1 = Mover<1, G, T>;
template <class G, class T> using Mover2 = Mover<2, G, T>;
template <class G, class T> using Mover3 = Mover<3, G, T>;
template <class G, class T> using Mover4 = Mover<4, G, T>;
template <class G, class T> using Mover5 = Mover<5, G, T>;
template <class G, class T> using Mover6 = Mover<6, G, T>;
template <class G, class T> using AggregateMover2 = AggregateMover<2, G, T>;
template <class G, class T> using AggregateMover3 = AggregateMover<3, G, T>;
template <class G, class T> using PacketMover2 = PacketMover<2, G, T>;
template <class G, class T> using PacketMover3 = PacketMover<3, G, T>;
template <class G, class T> using UpdateMover2 = UpdateMover<2, G, T>;
template <class G, class T> using UpdateMover3 = UpdateMover<3, G, T>;
template <class G, class T> using AddMover2 = AddMover<2, G, T>;
template <class G, class T> using AddMover3 = AddMover<3, G, T>;
template <class G, class T> using ProxyMover2 = ProxyMover<2, G, T>;
template <class G, class T> using ProxyMover3 = ProxyMover<3, G, T>;

}  // namespace kelp
