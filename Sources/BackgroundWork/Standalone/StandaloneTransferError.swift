import BackgroundWorkFoundation
import BackgroundWorkModel

/// Why a ``Downloader`` or an ``Uploader`` has no answer of a server to give.
public enum StandaloneTransferError: Error, Hashable, CustomStringConvertible {
    /// The identifier is blank, has a NUL character, or is longer than 10,240 bytes.
    case badIdentifier(String)
    /// Another request has started under this identifier, and its end has not been delivered yet.
    case identifierInUse(String)
    /// The transfer was cancelled while a caller waited for it.
    case cancelled(String)
    /// The `Downloader` or `Uploader` has been shut down. The daemon continues its transfers.
    case shutDown
    /// A `URLRequest` asks for what a transfer of a file cannot do.
    case unsuitableRequest(String)
    /// The transfer failed, other than by a refusal of the server. `isTemporary`: asking again may help.
    case transferFailed(identifier: String, message: String, isTemporary: Bool)

    /// What happened, to which transfer, and what to do.
    public var description: String {
        switch self {
        case .badIdentifier(let identifier):
            "\"\(identifier.prefix(80))\" cannot name a transfer: it is blank, has a NUL character, or is longer than "
                + "\(RequestRules.maximumIDBytes) bytes. Choose a name that is the same at each launch."
        case .identifierInUse(let identifier):
            "Another request is active as \"\(identifier)\", or has ended without being asked for its end. Ask for it "
                + "with the URL and file that it was begun with, cancel it, or choose another identifier."
        case .cancelled(let identifier): "The transfer \"\(identifier)\" was cancelled."
        case .shutDown:
            "It was shut down, so it no longer waits for transfers. Transfers in progress continue; create a new one, and "
                + "ask under the same identifier."
        case .unsuitableRequest(let reason): "The URLRequest cannot be a transfer of a file: \(reason)."
        case .transferFailed(let identifier, let message, _): "The transfer \"\(identifier)\" failed: \(message)"
        }
    }
}

extension StandaloneTransferError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
