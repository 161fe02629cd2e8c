// The system's C library by the name that it has on every platform.
#if BACKGROUNDWORK_HAS_DARWIN
@_exported import Darwin
#else
#error("Package.swift was read for Apple's platforms. Set BACKGROUNDWORK_PLATFORM=linux to build for Linux.")
#endif
