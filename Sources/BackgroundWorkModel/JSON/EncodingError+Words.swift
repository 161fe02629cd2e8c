extension EncodingError {
    /// Which field could not be written and why, without Swift's type names around it.
    package var inWords: String {
        switch self {
        case .invalidValue(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\"\(path)\": \(context.debugDescription)"
        @unknown default: return "\(self)"
        }
    }
}
