// Passive messages: each arrives once, whole, in the order of its sender; bad ones are refused, waits end in time.
#include "wherry/notify/passive_messages.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

std::vector<std::byte> letter(std::uint64_t seed, int from, int to, int number) {
  const auto draw = hash(seed, from, to, number);
  std::vector<std::byte> bytes(8 + static_cast<std::size_t>(draw % (draw % 7 == 0 ? 60'000 : 90)));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(hash(draw, i));
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

}  // namespace

WHERRY_TEST(passive_messages_arrive_once_and_whole, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list()) {
    wherry::passive_messages mail(comm);
    constexpr int each = 15;
    std::vector<int> next(static_cast<std::size_t>(test.size), 0);
    std::vector<std::byte> buffer(64 << 10);
    int come = 0;
    const auto take = [&](double seconds) {
      const auto what = mail.receive(buffer, seconds);
      if (!what) return false;
      const auto wanted = letter(test.seed, what->from, test.rank, next[static_cast<std::size_t>(what->from)]++);
      CHECK_EQUAL(what->bytes, wanted.size());
      CHECK(std::equal(wanted.begin(), wanted.end(), buffer.begin()));
      ++come;
      return true;
    };
    for (int number = 0; number < each; ++number)
      for (int to = 0; to < test.size; ++to) {
        const auto data = letter(test.seed, test.rank, to, number);
        while (!mail.send(to, data, 0)) take(0);  // who is full takes what there is
      }
    while (come < each * test.size) take(wherry::no_limit);
    CHECK(!take(0));
    MPI_Barrier(test.comm);
  }
}

WHERRY_TEST(passive_messages_refuse_and_end_in_time, ranks(1, 2, 3)) {
  wherry::passive_messages mail(test.comm, {.largest = 200'000, .under_way = 3});
  std::vector<std::byte> much(200'001), buffer(200'000);
  const std::span<std::byte> null(static_cast<std::byte*>(nullptr), 8);
  all_throw(test, "null data", error_kind::argument, "'data' is null", [&] { mail.send(0, null); });
  all_throw(test, "null into", error_kind::argument, "'into' is null", [&] { mail.receive(null, 0); });
  all_throw(test, "no such rank", error_kind::argument, "'to' is rank 77",
            [&] { mail.send(77, std::span(much).first(1)); });
  all_throw(test, "too much", error_kind::argument, "'data' has 200001 bytes", [&] { mail.send(0, much); });
  CHECK(!mail.receive(buffer, 0.03));
  if (test.size > 1)
    all_throw(test, "another largest", error_kind::mismatch, "'largest'",
              [&] { wherry::passive_messages(test.comm, {.largest = test.rank == 0 ? 10u : 20u}); });
  const int next = (test.rank + 1) % test.size;
  int sent = 0;
  while (sent < 20 && mail.send(next, std::span(much).first(200'000), 0.02)) ++sent;  // nobody takes them
  MPI_Barrier(test.comm);
  if (test.size > 1) CHECK_EQUAL(sent, 3);
  all_throw(test, "too small a buffer", error_kind::argument, "'into' has 10 bytes",
            [&] { mail.receive(std::span(buffer).first(10)); });
  MPI_Barrier(test.comm);
  for (int i = 0; i < sent; ++i) CHECK_EQUAL(mail.receive(buffer)->bytes, 200'000u);
  MPI_Barrier(test.comm);
}

// A thread that serves while its rank does something else.
WHERRY_TEST(a_thread_serves_passive_messages, ranks(2, 3)) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) test.skip("MPI has no MPI_THREAD_MULTIPLE");
  wherry::passive_messages requests(test.comm), answers(test.comm);
  std::thread server;
  if (test.rank == 0)
    server = std::thread([&] {
      for (int left = (test.size - 1) * 20; left > 0; --left) {
        int question = 0;
        const auto come = requests.receive(std::as_writable_bytes(std::span(&question, 1)));
        const int answer = 2 * question;
        answers.send(come->from, std::as_bytes(std::span(&answer, 1)));
      }
    });
  else
    for (int i = 0; i < 20; ++i) {
      int answer = 0;
      requests.send(0, std::as_bytes(std::span(&i, 1)));
      answers.receive(std::as_writable_bytes(std::span(&answer, 1)));
      CHECK_EQUAL(answer, 2 * i);
    }
  if (server.joinable()) server.join();
  MPI_Barrier(test.comm);
}
