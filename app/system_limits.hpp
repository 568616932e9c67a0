// Limits that the system sets to a process (ulimit).
#pragma once

namespace lass0::app {

// Before anything else: a limit of the size of files becomes an error of the write that exceeds it,
// not the end of the program, and one of memory is not spent on what only saves time. Without one,
// memory that is free again stays with the process for its next use.
void adapt_to_system_limits();

}  // namespace lass0::app
