/// @file
/// Error handlers, and error classes, codes and texts of a program's own. All calls are local. call.hpp says how MEL's
/// own calls report errors.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "mel/call.hpp"

namespace MEL {

/// An MPI_Errhandler as a class of its own. Free the results of CreateErrorHandler and GetErrorHandler with
/// ErrorHandlerFree.
class ErrorHandler : public detail::handle_of<ErrorHandler, MPI_Errhandler> {
 public:
  static const ErrorHandler ERRHANDLER_NULL;

  ErrorHandler() : handle_of(MPI_ERRHANDLER_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
};
inline const ErrorHandler ErrorHandler::ERRHANDLER_NULL{};

/// The function of an error handler. For a window or a file MPI passes the address of an MPI_Win or MPI_File instead of
/// that of an MPI_Comm.
using ErrorHandlerFunc = void (*)(MPI_Comm*, int*, ...);

/// Frees handlers and sets them to null. Null is allowed.
template <detail::one_or_several<ErrorHandler>... Handlers> void ErrorHandlerFree(Handlers&... handlers) {
  (detail::give_back("MEL::ErrorHandlerFree", MPI_Errhandler_free, handlers), ...);
}

inline int AddErrorClass() { return detail::answer<int>("MEL::AddErrorClass", MPI_Add_error_class); }
/// Adds an error code to a class, or to a new class if none is given.
inline int AddErrorCode(int error_class) {
  return detail::answer<int>("MEL::AddErrorCode", MPI_Add_error_code, error_class);
}
inline int AddErrorCode() { return AddErrorCode(AddErrorClass()); }
inline void AddErrorString(int code, const std::string& text) {
  detail::call("MEL::AddErrorString", MPI_Add_error_string, code, text.c_str());
}
/// Adds an error class with one code and its text.
/// @return the new code
inline int AddErrorString(const std::string& text) {
  const int code = AddErrorCode();
  AddErrorString(code, text);
  return code;
}
inline int GetErrorClass(int code) { return detail::answer<int>("MEL::GetErrorClass", MPI_Error_class, code); }
inline std::string GetErrorString(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  const int length = detail::answer<int>("MEL::GetErrorString", MPI_Error_string, code, &text[0]);
  return std::string(text, static_cast<std::size_t>(length));
}

/// A handler that prints the error and the rank, and ends the job.
inline void DefaultErrorHandler(MPI_Comm* comm, int* code, ...) {
  int rank = -1, size = 0, length = 0;
  char text[MPI_MAX_ERROR_STRING] = "";
  MPI_Comm_rank(*comm, &rank);
  MPI_Comm_size(*comm, &size);
  MPI_Error_string(*code, text, &length);
  std::fprintf(stderr, "MEL::DefaultErrorHandler: rank %d of %d: %s\n", rank, size, text);
  MPI_Abort(*comm, *code);
}

namespace detail {

/// Sets a handler made from `function`. The object keeps it.
template <class Object>
void set_handler(ErrorHandlerFunc function, ErrorHandler (*make)(ErrorHandlerFunc),
                 void (*set)(const Object&, const ErrorHandler&), const Object& object) {
  ErrorHandler made = make(function);
  set(object, made);
  ErrorHandlerFree(made);
}

}  // namespace detail
}  // namespace MEL
