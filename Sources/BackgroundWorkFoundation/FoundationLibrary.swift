// As much of Foundation as most of the package needs: without its internationalization where it comes apart, so that a
// program that needs no more links and loads no more.
#if !BACKGROUNDWORK_HAS_DARWIN && canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif
