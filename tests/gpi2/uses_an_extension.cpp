// For the test of standard_names.py; not compiled.
#include <GASPI_Ext.h>

void poll() { gaspi_notify_get(0, 0, nullptr, nullptr); }
