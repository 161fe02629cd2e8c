import BackgroundWorkFoundation

/// An archive cannot be read or written, whatever is tried. The description says why.
package enum ArchiveError: Error, Hashable, CustomStringConvertible {
    /// It is not a ZIP archive, or only a part of one.
    case notAnArchive(String)
    /// It contradicts itself or its format.
    case damaged(String)
    /// An entry contradicts the directory, or its content is not what its checksum says.
    case damagedEntry(name: String, String)
    /// It uses something of the format that is not supported.
    case unsupported(String)
    /// Its content is not extracted because it could do harm.
    case refused(String)

    /// What is wrong.
    package var description: String {
        switch self {
        case .notAnArchive(let reason): "It is not a complete ZIP archive: \(reason)"
        case .damaged(let reason): "The ZIP archive is damaged: \(reason)"
        case .damagedEntry(let name, let reason): "The ZIP archive is damaged at the entry \"\(name)\": \(reason)"
        case .unsupported(let reason): "The ZIP archive cannot be extracted: \(reason)"
        case .refused(let reason): "The ZIP archive was refused: \(reason)"
        }
    }
}

extension ArchiveError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
