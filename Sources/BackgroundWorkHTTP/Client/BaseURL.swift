import BackgroundWorkTransfers

/// The URL below which all paths of a client are. What is joined to it changes neither its host nor its path.
struct BaseURL: Sendable {
    private let text: String
    private let method: String

    /// - Parameter method: for messages.
    init(_ text: String, method: String) throws(HTTPError) {
        self.text = text
        self.method = method
        if let complaint = URLSyntax.complaint(about: text) ?? Self.complaint(about: text) {
            throw .invalid("the base URL \(complaint)", TransferURL(text, method: method))
        }
    }

    private static func complaint(about text: String) -> String? {
        text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ? "has a query or a fragment, which each request has for itself" : nil
    }

    func url(of path: APIPath, _ query: APIQuery) throws(HTTPError) -> String {
        if let problem = path.problem { throw .invalid(problem, TransferURL(text, method: method)) }
        var url = text
        if !path.encoded.isEmpty {
            if !url.hasSuffix("/") { url += "/" }
            if path.encoded != "/" { url += path.encoded }
        }
        return query.isEmpty ? url : "\(url)?\(query.encoded)"
    }
}
