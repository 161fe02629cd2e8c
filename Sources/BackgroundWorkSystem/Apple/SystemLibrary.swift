// The system's C library by the name that it has on every platform.
#if BACKGROUNDWORK_HAS_DARWIN
@_exported import Darwin
#else
#error("Package.swift was read for Apple's platforms, and not for Linux: see Docs/architecture.md, Platforms.")
#endif
