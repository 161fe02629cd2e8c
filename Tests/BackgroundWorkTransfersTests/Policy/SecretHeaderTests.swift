import Testing

@testable import BackgroundWorkTransfers

@Suite("Which headers are secrets")
struct SecretHeaderTests {
    @Test(
        "names that speak of one",
        arguments: [
            "Authorization", "AUTHORIZATION", "Proxy-Authorization", "X-Authentication", "Cookie", "Cookie2",
            "X-Auth-Token", "PRIVATE-TOKEN", "X-Amz-Security-Token", "X-CSRFToken", "X-Api-Key", "apikey", "X_API_KEY",
            "Ocp-Apim-Subscription-Key", "X-Client-Secret", "X-Password", "X-Session", "Session-Id", "X-Signature",
            "X-Hub-Signature-256", "X-JWT-Assertion", "X-Auth", "X-AccessKeyId", "DPoP-Credential",
        ])
    func secret(name: String) {
        #expect(SecretHeader.isSecret(name))
        #expect(SecretHeader.isSecret(line: "\(name): value: with; marks"))
        #expect(SecretHeader.isSecret(line: "\(name);"))
    }

    @Test(
        "names that do not",
        arguments: [
            "Accept", "Accept-Language", "User-Agent", "X-Plain", "Content-Type", "Range", "If-Range", "X-Author",
            "X-Monkey", "Idempotency-Key", "X-Design", "Upload-Metadata", "X-Request-Id", "Keyboard",
        ])
    func plain(name: String) {
        #expect(!SecretHeader.isSecret(name))
        #expect(!SecretHeader.isSecret(line: "\(name): Authorization: secret"))
    }
}
