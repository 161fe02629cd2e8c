// The system's C library by one name, whichever it is.
#if BACKGROUNDWORK_HAS_DARWIN
#error("Package.swift was read for Linux, and not for Apple's platforms: see Docs/architecture.md, Platforms.")
#elseif canImport(Glibc)
@_exported import Glibc
#else
@_exported import Musl
#endif
