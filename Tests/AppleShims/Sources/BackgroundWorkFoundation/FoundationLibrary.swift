// What `@_exported import Foundation` brings on Apple's platforms, except that Linux's whole Foundation is not exported:
// it exports Glibc, whose names are then ambiguous. A file that needs more of it imports Foundation itself, and may not
// use the system's library.
@_exported import AppleDispatch
@_exported import FoundationExtras
