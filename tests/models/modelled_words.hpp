// Words for the protocols of src/transport, as machine_words are, that live in an explorer.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "explorer.hpp"

namespace models {

template <class T> word to_word(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (sizeof(T) > sizeof(word)) {
    return explorer::current().number_of(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  } else {
    word result = 0;
    std::memcpy(&result, &value, sizeof value);
    return result;
  }
}

template <class T> T from_word(word value) {
  T result;
  const void* from = &value;
  if constexpr (sizeof(T) > sizeof(word)) from = explorer::current().bytes_of(value).data();
  std::memcpy(static_cast<void*>(&result), from, sizeof result);
  return result;
}

struct modelled_words {
  template <class T> class atomic {
   public:
    atomic(T initial) : index_(explorer::current().make_atomic(to_word(initial))) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order order) const { return from_word<T>(explorer::current().load(index_, order)); }
    void store(T value, std::memory_order order) { explorer::current().store(index_, to_word(value), order); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order) {
      word found = to_word(expected);
      const bool exchanged = explorer::current().compare_exchange(index_, found, to_word(desired), order);
      expected = from_word<T>(found);
      return exchanged;
    }
    T exchange(T desired, std::memory_order order) {
      return from_word<T>(explorer::current().exchange(index_, to_word(desired), order));
    }
    T fetch_add(T addend, std::memory_order order) {
      return from_word<T>(explorer::current().fetch_add(index_, to_word(addend), order));
    }
    int index() const { return index_; }

   private:
    int index_;
  };

  template <class T> class plain {
   public:
    plain(T initial = T{}) : index_(explorer::current().make_plain(to_word(initial))) {}
    plain(const plain&) = delete;
    plain& operator=(const plain& other) { return *this = T{other}; }

    operator T() const { return from_word<T>(explorer::current().read(index_)); }
    plain& operator=(const T& value) {
      explorer::current().write(index_, to_word(value));
      return *this;
    }

   private:
    int index_;
  };
};

}  // namespace models
