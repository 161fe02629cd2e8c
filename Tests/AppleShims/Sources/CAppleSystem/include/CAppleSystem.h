#ifndef CAPPLESYSTEM_H
#define CAPPLESYSTEM_H

// Darwin's C declarations, as far as the package uses them. C names have a prefix, and Swift sees Darwin's: clang does
// not accept two modules that define a structure of one name differently, and Glibc's module is always loaded. No
// header of the system is included, so that nothing of Glibc's is exported.
//
// Each declaration names the header it follows, in a repository of github.com/apple-oss-distributions.

#include "CAppleTypes.h"
#include "CAppleFiles.h"
#include "CAppleProcesses.h"
#include "CAppleSockets.h"
#include "CAppleThreads.h"

#endif
