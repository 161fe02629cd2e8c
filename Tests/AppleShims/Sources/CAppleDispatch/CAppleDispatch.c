#define _GNU_SOURCE
#include "CAppleDispatch.h"

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

int shim_process_descriptor(int process) {
    // Close-on-exec by itself.
    return (int)syscall(SYS_pidfd_open, process, 0);
}

int shim_readable_descriptor(void) { return eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK); }
