/// @file
/// One sparse exchange of elements of any type, as bytes. `send_to` and its like are thin layers over it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/element.hpp"
#include "wherry/sparse/options.hpp"

namespace wherry::sparse {

class exchange_work;

}  // namespace wherry::sparse

namespace wherry::detail {

/// The lists that an exchange fills.
struct sparse_target {
  std::shared_ptr<void> lists;  ///< kept until the exchange has ended, even if it is abandoned
  /// Makes the list of elements this long, and returns its memory.
  std::byte* (*resize)(void* lists, std::size_t elements) = nullptr;
  std::vector<int>* ranks = nullptr;
  std::vector<std::size_t>* offsets = nullptr;
  /// The other way to fill the list: room for this many elements, and then some elements after those that are there, at
  /// multiples of `append_alignment`. It saves the initialisation. Null if the elements cannot be copied so.
  void (*reserve)(void* lists, std::size_t elements) = nullptr;
  void (*append)(void* lists, const std::byte* from, std::size_t elements) = nullptr;
  static constexpr std::size_t append_alignment = 8;
};

/// The type and the size of the elements.
struct sparse_elements {
  plans::element_type type;
  std::size_t bytes = 1;  ///< of one element
  /// Not 0 in the exchange by which ranks agree on turns, so that they find ranks that give another limit, or none.
  std::size_t limit_bytes = 0;
};

/// Whether a rank stays in the call until the exchange has ended. If all ranks do, they can pass on what others send.
enum class sparse_form { blocking, started };

[[noreturn]] void throw_taken_arrivals();
/// Says that the lists have different lengths; empty if they have not.
std::string length_fault(std::size_t destinations, std::size_t values);

/// Makes what the exchanges on a communicator need, which the first of them does otherwise. Collective.
void prepare_exchanges(const communicator& comm);

/// An exchange: first the elements are counted, then packed, then the exchange starts, then it ends. All functions are
/// local, except that the first exchange on a communicator is collective. An error of one rank that is found before
/// `start` is kept, and thrown on all ranks by `test` or `wait`, because the others wait for this rank.
class byte_exchange {
 public:
  byte_exchange() noexcept;
  byte_exchange(const communicator& comm, std::string_view where, const sparse_elements& elements,
                const sparse_options& options, sparse_form form);
  byte_exchange(byte_exchange&&) noexcept;
  byte_exchange& operator=(byte_exchange&&) noexcept;
  /// Abandons an exchange that has not ended: it goes on by itself, so that the other ranks get this rank's elements.
  ~byte_exchange();

  /// Checks that each destination is a rank.
  void check(std::span<const int> destinations);
  /// Keeps an error of this rank: it cannot take part.
  void refuse(const error& why);
  /// True if this rank cannot take part.
  bool is_refused() const;
  /// Counts one element for each destination.
  void count(std::span<const int> destinations, std::size_t values);
  /// Counts some elements for one rank, perhaps none.
  void count(int to, std::size_t elements);
  /// Makes room for the counted elements, and returns it; null if this rank cannot take part.
  std::byte* room();
  /// For each rank, the place in the room of its next element, in bytes. The caller packs the elements there and moves
  /// the places on.
  std::span<std::size_t> places();
  /// Packs some elements for one rank.
  void pack(int to, const void* elements, std::size_t count);

  void start(const sparse_target& into);
  bool test();
  void wait();
  std::string_view algorithm() const;

 private:
  std::unique_ptr<sparse::exchange_work> work_;
};

}  // namespace wherry::detail
