#ifndef CAPPLEDISPATCH_H
#define CAPPLEDISPATCH_H

/// pidfd_open(2): a descriptor that is readable when the process has ended. -1 and errno on failure.
int shim_process_descriptor(int process);
/// eventfd(2): a descriptor that is readable from the beginning. -1 and errno on failure.
int shim_readable_descriptor(void);

#endif
