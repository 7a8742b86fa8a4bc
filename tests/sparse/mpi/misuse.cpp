// Wrong arguments of one rank, and ranks that do not make the same call, are errors on all ranks. Nobody hangs, and the
// next exchange works.
#include <limits>
#include <string>
#include <vector>

#include "wherry/sparse/sparse.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

void still_works(const context& test, const std::string& algorithm) {
  const std::vector<int> to{0}, values{test.rank};
  const auto arrived = wherry::send_to(test.comm, to, values, {.algorithm = algorithm});
  CHECK_EQUAL(arrived.all.size(), test.rank == 0 ? test.size : 0);
}

}  // namespace

WHERRY_TEST(wrong_arguments_are_errors_everywhere, ranks(1, 2, 3, 4, 8)) {
  const int culprit = test.size - 1;
  const bool bad = test.rank == culprit;
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    const wherry::sparse_options how{.algorithm = algorithm};
    const std::vector<double> values{1, 2, 3};
    all_throw(test, "a destination beyond", error_kind::argument, "'destinations[1]' is", [&] {
      const std::vector<int> to{0, bad ? test.size : 0, 0};
      static_cast<void>(wherry::send_to(test.comm, to, values, how));
    });
    all_throw(test, "a negative destination", error_kind::argument, "'destinations[2]' is -1", [&] {
      const std::vector<int> to{0, 0, bad ? -1 : 0};
      static_cast<void>(wherry::send_to(test.comm, to, values, how));
    });
    all_throw(test, "lengths", error_kind::argument, "'destinations' has 2 entries, but 'values' has 3 elements", [&] {
      const std::vector<int> to(bad ? 2 : 3, 0);
      static_cast<void>(wherry::send_to(test.comm, to, values, how));
    });
    all_throw(test, "a parcel for no rank", error_kind::argument, "a parcel is for rank -5",
              [&] { static_cast<void>(wherry::sparse_exchange<double>(test.comm, {{bad ? -5 : 0, values}}, how)); });
    all_throw(test, "parcels beyond memory", error_kind::argument, "have more than", [&] {
      const std::span<const double> endless(values.data(), std::numeric_limits<std::size_t>::max() / 16);
      static_cast<void>(wherry::sparse_exchange<double>(
          test.comm, {{0, values}, {0, bad ? endless : values}, {0, bad ? endless : values}}, how));
    });
    still_works(test, algorithm);
  }
}

WHERRY_TEST(the_text_names_the_rank, ranks(3)) {
  const std::vector<int> to{test.rank == 1 ? 7 : 0};
  const std::vector<int> values{1};
  all_throw(test, "who", error_kind::argument, test.rank == 1 ? "expected a rank from 0 to 2" : "on rank 1: ", [&] {
    static_cast<void>(wherry::send_to(test.comm, to, values));
  });
}

WHERRY_TEST(different_types_are_a_mismatch, ranks(2, 3, 4, 8)) {
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    const wherry::sparse_options how{.algorithm = algorithm};
    const std::vector<int> to{0};
    all_throw(test, "types", error_kind::mismatch, "the ranks disagree on the element type: ", [&] {
      if (test.rank == test.size - 1)
        static_cast<void>(wherry::send_to(test.comm, to, std::vector<float>{1}, how));
      else
        static_cast<void>(wherry::send_to(test.comm, to, std::vector<int>{1}, how));
    });
    all_throw(test, "functions", error_kind::mismatch, "the ranks disagree on the function: ", [&] {
      const std::vector<int> values{1};
      if (test.rank == 0)
        static_cast<void>(wherry::sparse_exchange<int>(test.comm, {{0, values}}, how));
      else
        static_cast<void>(wherry::send_to(test.comm, to, values, how));
    });
    still_works(test, algorithm);
  }
}

WHERRY_TEST(different_algorithms_are_a_mismatch, ranks(2, 3, 4)) {
  const auto names = wherry::sparse_algorithms();
  for (const int elements : {1, 3, 3000})  // to each rank: beside a head, in a first message, and more
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = 0; b < names.size(); ++b) {
        if (a == b) continue;
        std::vector<int> to;
        for (int i = 0; i < elements * test.size; ++i) to.push_back(i % test.size);
        const std::vector<double> values(to.size(), 1e300);
        test.note(names[a] + " and " + names[b]);
        all_throw(test, names[a] + " and " + names[b], error_kind::mismatch, "", [&] {
          static_cast<void>(
              wherry::send_to(test.comm, to, values, {.algorithm = names[test.rank == test.size - 1 ? a : b]}));
        });
        still_works(test, "auto");
      }
}

// Their lists have other pieces.
WHERRY_TEST(different_lengths_of_messages_are_a_mismatch, ranks(2, 3, 4, 8)) {
  const with_setting limit("message_limit", test.rank == 0 ? "1000" : "3000", "1G");
  std::vector<int> to;
  for (int i = 0; i < 3000 * test.size; ++i) to.push_back(i % test.size);
  const std::vector<double> values(to.size(), 1e300);
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    test.note(algorithm);
    all_throw(test, algorithm, error_kind::mismatch, "the ranks disagree on WHERRY_MESSAGE_LIMIT: ", [&] {
      static_cast<void>(wherry::send_to(test.comm, to, values, {.algorithm = algorithm}));
    });
  }
}

// One rank refuses a call in which others send long lists: their senders end, and memory does not grow.
WHERRY_TEST(long_lists_of_a_call_that_fails_are_taken, ranks(2, 3, 4, 8)) {
  std::vector<int> to;
  for (int i = 0; i < 5000 * test.size; ++i) to.push_back(i % test.size);
  const std::vector<double> values(to.size(), 1e300);
  auto wrong = to;
  if (test.rank == test.size - 1) wrong[7] = test.size;
  for (const auto& algorithm : wherry::sparse_algorithms())
    for (int round = 0; round < 5; ++round) {
      all_throw(test, algorithm, error_kind::argument, "'destinations[7]' is ",
                [&] { static_cast<void>(wherry::send_to(test.comm, wrong, values, {.algorithm = algorithm})); });
      const auto arrived = wherry::send_to(test.comm, to, values, {.algorithm = algorithm});
      CHECK_EQUAL(arrived.all.size(), to.size());
    }
}

// A rank that knows its sources, and others that do not.
WHERRY_TEST(sources_that_one_rank_knows_are_a_mismatch, ranks(2, 3, 4)) {
  const std::vector<int> to{0}, values{1};
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    test.note(algorithm);
    wherry::sparse_options how{.algorithm = algorithm};
    if (test.rank == test.size - 1) how.receive_from = std::vector<int>{0};
    all_throw(test, algorithm, error_kind::mismatch, "",
              [&] { static_cast<void>(wherry::send_to(test.comm, to, values, how)); });
    still_works(test, "auto");
  }
}

WHERRY_TEST(an_unknown_algorithm_is_refused, ranks(1, 2, 3)) {
  const std::vector<int> to{0}, values{1};
  all_throw(test, "unknown", error_kind::argument, "there is no algorithm 'fast'",
            [&] { static_cast<void>(wherry::send_to(test.comm, to, values, {.algorithm = "fast"})); });
  // A name that one rank alone gives is an error on all ranks, too, and does not look like another call.
  const bool last = test.rank == test.size - 1;
  all_throw(test, "unknown on one rank", error_kind::argument, "there is no algorithm 'fast'",
            [&] { static_cast<void>(wherry::send_to(test.comm, to, values, {.algorithm = last ? "fast" : "auto"})); });
}

// With known senders the ranks that receive from the culprit hear of it, and the others do not.
WHERRY_TEST(errors_with_known_senders_reach_the_receivers, ranks(2, 3, 4)) {
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    const wherry::sparse_options how{.algorithm = algorithm, .receive_from = std::vector<int>{left}};
    const std::vector<int> values(5000, test.rank);
    std::string said;
    try {
      if (test.rank == 0)
        static_cast<void>(wherry::sparse_exchange<int>(test.comm, {{right, values}, {99, values}}, how));
      else
        static_cast<void>(wherry::sparse_exchange<int>(test.comm, {{right, values}}, how));
    } catch (const wherry::error& failure) {
      said = failure.what();
    }
    if (test.rank == 0) CHECK(said.find("a parcel is for rank 99") != std::string::npos);
    if (test.rank == 1) CHECK(said.find("rank 0 cannot take part") != std::string::npos);
    if (test.rank > 1) CHECK(said.empty());
    still_works(test, algorithm);
  }
}

WHERRY_TEST(limits_are_checked, ranks(1, 2, 3)) {
  const std::vector<int> to{0}, bad{test.rank == 0 ? test.size : 0};
  const std::vector<double> values{1};
  const auto send = [&](const std::vector<int>& where, const wherry::sparse_options& how) {
    static_cast<void>(wherry::send_to(test.comm, where, values, how));
  };
  all_throw(test, "small", error_kind::argument, "'limit_bytes' is 7", [&] { send(to, {.limit_bytes = 7}); });
  all_throw(test, "beyond", error_kind::argument, "a destination is ", [&] { send(bad, {.limit_bytes = 100}); });
  all_throw(test, "lengths", error_kind::argument, "'destinations' has 2 entries",
            [&] { send(std::vector<int>(test.rank == 0 ? 2 : 1, 0), {.limit_bytes = 100}); });
  all_throw(test, "both", error_kind::argument, "do not go together",
            [&] { send(to, {.receive_from = std::vector<int>{}, .limit_bytes = 100}); });
  all_throw(test, "split", error_kind::argument, "'limit_bytes' is for blocking calls",
            [&] { wherry::start_send_to(test.comm, to, values, {.limit_bytes = 100}).wait(); });
  if (test.size > 1)
    all_throw(test, "differ", error_kind::mismatch, "the ranks disagree on 'limit_bytes'",
              [&] { send(to, {.limit_bytes = test.rank == 0 ? std::size_t{100} : std::size_t{200}}); });
  still_works(test, "auto");
}
