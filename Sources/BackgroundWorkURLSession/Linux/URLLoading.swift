// Foundation with its URL loading system, which is a module of its own here.
@_exported import Foundation
@_exported import FoundationNetworking
