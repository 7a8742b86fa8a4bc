/// @file
/// The names of MEL, the MPI Extension Library, and of its deep copies over Wherry: `#include "mel/mel.hpp"`,
/// namespaces MEL and MEL::Deep. A program that follows the MEL paper compiles with this header alone. The rest of
/// Wherry may be used beside it, and `wherry::deep` knows types with a DeepCopy function, too. The original's own
/// headers, `"MEL.hpp"` and `"MEL_deepcopy.hpp"`, are available as well.
///
///     struct TreeNode {
///       int first = 0, last = 0;
///       TreeNode *left = nullptr, *right = nullptr;
///       template <class MSG> void DeepCopy(MSG& msg) {
///         msg.packPtr(left);
///         msg.packPtr(right);
///       }
///     };
///     TreeNode* tree = rank == 0 ? build() : nullptr;
///     MEL::Deep::Bcast(tree, 0, MEL::Comm::WORLD);
///
/// As in MEL, unallocated pointers are null; objects behind pointers come from MEL::MemAlloc, MemConstruct or
/// MPI_Alloc_mem; and objects that arrive can be freed by MEL::MemFree, MemDestruct or MPI_Free_mem.
///
/// Differences from MEL: Structures of any depth and of more than 2 GiB are copied (except by BufferSize, which returns
/// an int). Errors are exceptions of type wherry::error. A deep-copy function runs several times, and objects deeper
/// than 64 levels arrive after it has returned (message.hpp). A buffered end can talk to an unbuffered one. A type with
/// containers but without a deep-copy function does not compile, unless Wherry knows how to copy it, where MEL copies
/// garbage. A structure of plain members and pointers without a function travels as bytes, as in MEL.
///
/// **A hash map of your own** is default-constructible and has two functions. The writing side uses it to remember the
/// shared pointers that it has met. Wherry decides which value it stores for a pointer; keys are never null.
///
///     struct SortedMap {
///       std::map<const void*, void*> known;
///       template <class T> bool find(T* oldPtr, T*& ptr) {
///         const auto at = known.find(oldPtr);
///         if (at == known.end()) return false;
///         ptr = static_cast<T*>(at->second);
///         return true;
///       }
///       template <class T> void insert(T* oldPtr, T* ptr) { known.emplace(oldPtr, ptr); }
///     };
///     MEL::Deep::Send<DiGraphNode<int>, SortedMap>(graph, dst, tag, comm);
///
/// **A transport of your own** moves a region of memory, and says whether it gives or takes. Both ends are called with
/// the same lengths in the same order. A Message makes a deep copy over it:
///
///     class ToQueue {
///      public:
///       static constexpr bool SOURCE = true;
///       explicit ToQueue(std::deque<char>& queue) : queue_(queue) {}
///       template <class T> void transport(T*& ptr, const int len) {
///         const char* bytes = reinterpret_cast<const char*>(ptr);
///         queue_.insert(queue_.end(), bytes, bytes + sizeof(T) * static_cast<std::size_t>(len));
///       }
///
///      private:
///       std::deque<char>& queue_;
///     };
///     MEL::Deep::Message<ToQueue> msg(queue);
///     msg.packRootPtr(graph);
///
/// Its counterpart has `SOURCE = false` and fills `ptr[0]` to `ptr[len - 1]`. Both examples are tested
/// (tests/compat/mpi/mel_adapters.cpp).
#pragma once

#include "mel/collective.hpp"
#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/deep/between_ranks.hpp"
#include "mel/deep/endpoint.hpp"
#include "mel/deep/hash_map.hpp"
#include "mel/deep/in_files.hpp"
#include "mel/deep/message.hpp"
#include "mel/deep/transports.hpp"
#include "mel/error.hpp"
#include "mel/file.hpp"
#include "mel/file_access.hpp"
#include "mel/group.hpp"
#include "mel/memory.hpp"
#include "mel/mutex.hpp"
#include "mel/one_sided.hpp"
#include "mel/operation.hpp"
#include "mel/point_to_point.hpp"
#include "mel/request.hpp"
#include "mel/runtime.hpp"
#include "mel/shared.hpp"
#include "mel/topology.hpp"
#include "mel/window.hpp"
