// What `@_exported import Darwin` brings on Apple's platforms.
@_exported import AppleDispatch
@_exported import AppleSystem
