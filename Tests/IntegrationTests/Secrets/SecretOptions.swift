import BackgroundWork
import Foundation

/// Requests with every kind of secret. Each contains the same word, so that one search finds any of them.
enum SecretOptions {
    static let word = "Zq7Secret"
    /// The credentials of Basic authentication as they are sent.
    static let encoded = Data("me:\(word)-password".utf8).base64EncodedString()

    static func fill(_ options: inout TransferOptions, readableFile: String) {
        options.headers = [
            "Cookie": "session=\(word)-cookie-0123456789", "X-Api-Key": "\(word)-api-key",
            "Referer": "http://u:\(word)-referer@127.0.0.1/page?sig=\(word)-in-referer", "X-Plain": "shown",
        ]
        options.authentication = .basic(user: "me", password: "\(word)-password")
        options.tokenRefresh = TokenRefresh(
            url: "http://127.0.0.1/token?client=\(word)-client", headers: ["Authorization": "Basic \(word)-refresh"],
            body: "grant_type=refresh_token&refresh_token=\(word)-refresh-token")
        options.tls.clientCertificatePath = readableFile
        options.tls.clientKeyPassword = "\(word)-key-password"
        options.retry = .atOnce(2)
    }

    /// The URL with a user, a password and a signed query.
    static func sign(_ url: String) -> String {
        url.replacingOccurrences(of: "http://", with: "http://me:\(word)-user-info@")
            + "?X-Amz-Credential=\(word)-credential&X-Amz-Signature=\(word)-signature#\(word)-fragment"
    }
}
