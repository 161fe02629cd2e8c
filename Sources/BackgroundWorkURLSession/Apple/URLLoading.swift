// Foundation with its URL loading system.
@_exported import BackgroundWorkFoundation
@_exported import Foundation
