// What MEL's shallow calls do with bad input: MPI's answer, as an exception with the call's name, also where the
// program has left MPI's default in place, which is to end the job. And error handlers, codes and texts of a program's
// own.
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "compat/mpi/mel_shallow.hpp"
#include "support/array_file_folder.hpp"

using namespace mel_tests;
using MEL::Datatype;

namespace {

struct bad {
  const char* call;
  std::function<void()> run;
};

// Each throws an error that says which call it was of.
void refused(const std::vector<bad>& table) {
  for (const bad& b : table) {
    const std::string where = std::string("MEL::") + b.call;
    try {
      b.run();
    } catch (const wherry::error& e) {
      if (wherry_test::fault(e.where() != where)) FAIL(where + " says: " + e.what());
      continue;
    }
    FAIL(where + " accepts what is wrong");
  }
}

MPI_Errhandler handler_of(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Errhandler kept = handler;
  MPI_Errhandler_free(&handler);
  return kept;
}

int calls_of_handler = 0;
template <class Object> void count_calls(Object*, int*, ...) { ++calls_of_handler; }

}  // namespace

WHERRY_TEST(mel_bad_input, ranks(1, 2, 4)) {
  const wherry_test::folder place(test);
  const MEL::Comm comm(test.comm), none;
  const Datatype INT = Datatype::INT;
  MEL::Group group = MEL::CommGetGroup(comm);
  int x = 0, y = 0;
  MEL::Datatype predefined = INT;
  MEL::Op sum = MEL::Op::SUM;
  MPI_Comm_set_errhandler(test.comm, MPI_ERRORS_ARE_FATAL);  // MPI's default
  refused({
      {"CommRank", [&] { MEL::CommRank(none); }},
      {"CommSize", [&] { MEL::CommSize(none); }},
      {"CommRemoteSize", [&] { MEL::CommRemoteSize(none); }},
      {"CommSplit", [&] { MEL::CommSplit(none, 1); }},
      {"CommDuplicate", [&] { MEL::CommDuplicate(none); }},
      {"CommGetGroup", [&] { MEL::CommGetGroup(none); }},
      {"Barrier", [&] { MEL::Barrier(none); }},
      {"GroupRank", [&] { MEL::GroupRank(MEL::Group()); }},
      {"GroupInclude", [&] { MEL::GroupInclude(group, std::vector{99}); }},
      {"GroupUnion", [&] { MEL::GroupUnion(group, MEL::Group()); }},
      {"TopoCartesianRank", [&] { MEL::TopoCartesianRank(comm, &x); }},
      {"TopoCartesianCreate", [&] { MEL::TopoCartesianCreate(comm, {{99, false}, {99, true}}); }},
      {"TopoCartesianNumDims", [&] { MEL::TopoCartesianNumDims(comm); }},
      {"TopoCartesianMakeDims", [&] { MEL::TopoCartesianMakeDims(none, 2); }},
      {"TopoCartesianCoords", [&] { MEL::TopoCartesianCoords(comm); }},
      {"TopoCartesianGet", [&] { MEL::TopoCartesianGet(comm); }},
      {"TopoCartesianStencil2D9P", [&] { MEL::TopoCartesianStencil2D9P(comm); }},
      {"GroupIsSimilar", [&] { MEL::GroupIsSimilar(group, MEL::Group()); }},
      {"MutexCreate", [&] { MEL::MutexCreate(0, none); }},
      {"SharedCreate", [&] { MEL::SharedCreate<int>(5, 0, none); }},
      {"ProbeGetCount", [&] { MEL::ProbeGetCount<int>(99, 0, comm); }},
      {"Send", [&] { MEL::Send(&x, 1, 99, 0, comm); }},
      {"Send", [&] { MEL::Send(&x, 1, 0, -5, comm); }},
      {"Send", [&] { MEL::Send(&x, -1, 0, 5, comm); }},
      {"Ssend", [&] { MEL::Ssend(&x, 1, Datatype(), 0, 5, comm); }},
      {"Isend", [&] { MEL::Isend(&x, 1, 99, 0, comm); }},
      {"Recv", [&] { MEL::Recv(&x, 1, INT, 99, 0, comm); }},
      {"Irecv", [&] { MEL::Irecv(&x, -1, INT, 0, 0, comm); }},
      {"Probe", [&] { MEL::Probe(99, 0, comm); }},
      {"Iprobe", [&] { MEL::Iprobe(99, 0, comm); }},
      {"Bcast", [&] { MEL::Bcast(&x, 1, 99, comm); }},
      {"Gather", [&] { MEL::Gather(&x, 1, INT, &y, 1, INT, 99, comm); }},
      {"Reduce", [&] { MEL::Reduce(&x, &y, 1, INT, MEL::Op(), 0, comm); }},
      {"Allreduce", [&] { MEL::Allreduce(&x, &y, 1, Datatype(), sum, comm); }},
      {"Iallreduce", [&] { MEL::Iallreduce(&x, &y, 1, Datatype(), sum, comm); }},
      {"TypeCreateVector", [&] { MEL::TypeCreateVector(INT, -1, 1, 1); }},
      {"TypeCreateContiguous", [&] { MEL::TypeCreateContiguous(Datatype(), 1); }},
      {"TypeCreateIndexedBlock", [&] { MEL::TypeCreateIndexedBlock(Datatype(), 1, {0}); }},
      {"TypeCreateSubArray", [&] { MEL::TypeCreateSubArray(INT, {{3, 2, 4}}); }},
      {"TypeSize", [&] { MEL::TypeSize(Datatype()); }},
      {"TypeFree", [&] { MEL::TypeFree(predefined); }},
      {"OpFree", [&] { MEL::OpFree(sum); }},
      {"AddErrorString", [&] { MEL::AddErrorString(MPI_ERR_COMM, "not ours"); }},
      {"WinFence", [&] { MEL::WinFence(MEL::Win()); }},
      {"WinCreate", [&] { MEL::WinCreate(&x, 1, 0, comm); }},
      {"FileOpen", [&] { MEL::FileOpen(comm, place / "missing", MEL::FileMode::RDONLY); }},
      {"FileGetSize", [&] { MEL::FileGetSize(MEL::File()); }},
      {"FileDelete", [&] { MEL::FileDelete(place / "missing"); }},
  });
  CHECK(predefined == INT && sum == MEL::Op::SUM);
  MEL::Win window = MEL::WinCreate(&x, 1, comm);
  MEL::File file = MEL::FileOpen(comm, place / "written", MEL::FileMode::CREATE | MEL::FileMode::WRONLY);
  refused({
      {"WinLockShared", [&] { MEL::WinLockShared(window, 99); }},
      {"WinUnlock", [&] { MEL::WinUnlock(window, -1); }},
      {"Put", [&] { MEL::Put(&y, 1, INT, -1, 1, INT, 0, window); }},
      {"Get", [&] { MEL::Get(&y, 1, INT, 0, 1, Datatype(), 0, window); }},
      {"FileRead", [&] { MEL::FileRead(file, &x, 1); }},
      {"FileWrite", [&] { MEL::FileWrite(file, &x, -1); }},
      {"FileSeek", [&] { MEL::FileSeek(file, -1); }},
      {"FileSetSize", [&] { MEL::FileSetSize(file, -1); }},
  });
  MEL::FileClose(file);
  MEL::WinFree(window);
  MEL::GroupFree(group);
  // The program's handlers are as they were, also on what was made meanwhile.
  MEL::Comm made = MEL::CommDuplicate(comm), half = MEL::CommSplit(comm, 0);
  MEL::Comm line = MEL::TopoCartesianCreate(comm, {{test.size, true}});
  for (const MEL::Comm& c : {comm, made, half, line}) CHECK(handler_of(c) == MPI_ERRORS_ARE_FATAL);
  MEL::CommFree(made, half, line);
}

WHERRY_TEST(mel_error_handlers, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  // A handler of the program's is called, and then the call throws.
  const MEL::ErrorHandler before = MEL::CommGetErrorHandler(comm);
  MEL::ErrorHandler made = MEL::CommCreateErrorHandler(count_calls<MPI_Comm>);
  calls_of_handler = 0;
  MEL::CommSetErrorHandler(comm, made);
  int x = 0;
  refused({{"Send", [&] { MEL::Send(&x, 1, 99, 0, comm); }}});
  CHECK_EQUAL(calls_of_handler, 1);
  MEL::ErrorHandler now = MEL::CommGetErrorHandler(comm), null;
  CHECK(now == made && now != MEL::ErrorHandler::ERRHANDLER_NULL);
  MEL::CommSetErrorHandler(comm, count_calls<MPI_Comm>);
  refused({{"Probe", [&] { MEL::Probe(99, 0, comm); }}});
  CHECK_EQUAL(calls_of_handler, 2);
  MEL::CommSetErrorHandler(comm, MEL::ErrorHandler(MPI_ERRORS_ARE_FATAL));
  std::vector<MEL::ErrorHandler> several{made, MEL::ErrorHandler()};
  MEL::ErrorHandlerFree(now, null, several);
  CHECK(now == MEL::ErrorHandler() && several[0] == MEL::ErrorHandler::ERRHANDLER_NULL);
  MEL::CommSetErrorHandler(comm, before);
  MEL::ErrorHandler old = before;
  MEL::ErrorHandlerFree(old);
  CHECK(MEL::ErrorHandlerFunc(MEL::DefaultErrorHandler) != nullptr);
  // Of files and windows.
  const wherry_test::folder place(test);
  MEL::File file = MEL::FileOpen(comm, place / "handled", MEL::FileMode::CREATE | MEL::FileMode::RDWR);
  MEL::ErrorHandler of_file = MEL::FileCreateErrorHandler(count_calls<MPI_Comm>);
  MEL::FileSetErrorHandler(file, of_file);
  refused({{"FileSeek", [&] { MEL::FileSeek(file, -1); }}});
  CHECK_EQUAL(calls_of_handler, 3);
  MEL::FileSetErrorHandler(file, count_calls<MPI_Comm>);
  MEL::ErrorHandler got = MEL::FileGetErrorHandler(file);
  CHECK(got != MEL::ErrorHandler());
  MEL::FileClose(file);
  MEL::ErrorHandler of_window = MEL::WinCreateErrorHandler(count_calls<MPI_Comm>);
  MEL::Win window = MEL::WinCreate(&x, 1, comm);
  MEL::WinSetErrorHandler(window, of_window);
  if (!window.alone()) {
    MEL::ErrorHandler got_of_window = MEL::WinGetErrorHandler(window);
    CHECK(got_of_window == of_window);
    MEL::ErrorHandlerFree(got_of_window);
    const int calls = calls_of_handler;
    refused({{"WinLockShared", [&] { MEL::WinLockShared(window, 99); }}});
    CHECK_EQUAL(calls_of_handler, calls + 1);
  } else {
    CHECK(MEL::WinGetErrorHandler(window) == MEL::ErrorHandler());
  }
  MEL::WinSetErrorHandler(window, count_calls<MPI_Comm>);
  MEL::WinFree(window);
  MEL::ErrorHandlerFree(got, of_file, of_window);
}

WHERRY_TEST(mel_error_codes, ranks(1, 2, 4)) {
  const int kind = MEL::AddErrorClass(), code = MEL::AddErrorCode(kind), other = MEL::AddErrorCode();
  MEL::AddErrorString(code, "the film is torn");
  const int third = MEL::AddErrorString("the lamp is out");
  CHECK(MEL::GetErrorClass(code) == kind && MEL::GetErrorClass(other) != kind && MEL::GetErrorClass(third) != kind);
  CHECK_EQUAL(MEL::GetErrorString(code), "the film is torn");
  CHECK_EQUAL(MEL::GetErrorString(third), "the lamp is out");
  CHECK_EQUAL(MEL::GetErrorClass(MPI_ERR_COMM), MPI_ERR_COMM);
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(MPI_ERR_TAG, text, &length);
  CHECK_EQUAL(MEL::GetErrorString(MPI_ERR_TAG), std::string(text));
  CHECK(MEL::IsInitialized() && !MEL::IsFinalized());
  CHECK_EQUAL(MEL::Wtick(), MPI_Wtick());
  const double before = MPI_Wtime(), now = MEL::Wtime();
  CHECK(before <= now && now <= MPI_Wtime());
}
