// That the sources beside it compile, and are linked together, is the test.
int main() {}
