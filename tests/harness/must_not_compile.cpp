// Proves that wherry_must_not_compile() sees an error, and that it first compiles the file without the fault.
struct plain {
  int member = 0;
};

int use(plain value) {
#ifdef WHERRY_MUST_NOT_COMPILE
  return value.wherry_selftest_no_such_member;
#else
  return value.member;
#endif
}
