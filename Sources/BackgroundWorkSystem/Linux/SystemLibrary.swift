// The system's C library by one name, whichever it is.
#if BACKGROUNDWORK_HAS_DARWIN
#error("Package.swift was read for Linux. Unset BACKGROUNDWORK_PLATFORM to build for Apple's platforms.")
#elseif canImport(Glibc)
@_exported import Glibc
#else
@_exported import Musl
#endif
