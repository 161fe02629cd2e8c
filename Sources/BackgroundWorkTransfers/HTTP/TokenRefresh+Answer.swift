import BackgroundWorkModel

extension TokenRefresh {
    /// In bytes. A longer response cannot be that of a token endpoint.
    package static let longestAnswer = 1 << 20

    /// The token that a response with a status of success has. Throws an `.invalid` failure if it has none.
    ///
    /// - Parameter url: of the request for the token.
    package func token(in answer: UnsafeBufferPointer<UInt8>, _ url: TransferURL) throws(TransferFailure) -> String {
        guard let token = text(in: answer), !token.isEmpty else {
            throw .invalid("its answer has no text at \"\(tokenPath.printable)\" to be used as a token", url)
        }
        return token
    }

    private func text(in answer: UnsafeBufferPointer<UInt8>) -> String? {
        guard var value = try? JSONCoding.value(JSONValue.self, from: answer) else { return nil }
        for name in tokenPath.split(separator: ".") {
            guard case .object(let members) = value, let member = members[JSONName(String(name))] else { return nil }
            value = member
        }
        guard case .string(let token) = value else { return nil }
        return token
    }
}
