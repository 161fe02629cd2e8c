import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkTransfers

@Suite("Copies of a secret in another form")
struct SecretTextTests {
    private let secrets: KnownSecrets = {
        var options = TransferOptions()
        options.authentication = .basic(user: "me", password: "p%w/ D+1")
        return KnownSecrets(
            of: "https://Zq7%2Duser:Zq7-word@h/f", options,
            headers: [
                ("Authorization", "Bearer Zq7TokenValue"), ("X-Api-Key", "Zq7KeyOne"), ("X-Api-Key", "Zq7KeyTwo"),
                ("Proxy-Authorization", "Basic bWU6WnE3LXBhc3M="), ("Accept", "text/plain"),
            ])
    }()

    @Test(
        "letters of any case, percent-encoding and the form of a header hide nothing",
        arguments: [
            "Zq7TokenValue", "zq7tokenvalue", "ZQ7TOKENVALUE", "bearer zq7tokenvalue", "Bearer%20Zq7TokenValue",
            "%5aq7Token%56alue", "zq7keyone", "zq7keytwo", "p%w/ D+1", "p%25w%2F%20D%2b1", "P%25W/%20D+1",
            "bWU6cCV3LyBEKzE=", "bWU6cCV3LyBEKzE", "WnE3LXVzZXI6WnE3LXdvcmQ", "zq7-word", "me:Zq7-pass",
            "zq7-pass", "bWU6WnE3LXBhc3M",
        ])
    func copies(copy: String) {
        let hidden = secrets.hidden(in: "ä%zz \(copy)%4")
        #expect(hidden.hasPrefix("ä%zz …") && hidden.hasSuffix("…%4"), "\(hidden)")
        #expect(secrets.occur(in: copy))
    }

    @Test("what only resembles one stays", arguments: ["Zq7Token", "text/plain", "%20", "Zq7%20TokenValu%65", "", "%"])
    func others(text: String) {
        #expect(secrets.hidden(in: text) == text)
        #expect(!secrets.occur(in: text))
    }

    @Test("a file gets no name that repeats a secret")
    func names() {
        func name(_ disposition: String, _ url: String = "https://h/file.bin?q") -> String {
            SuggestedFileName.name(contentDisposition: disposition, url: url, without: secrets)
        }
        #expect(name("attachment; filename=\"a.txt\"") == "a.txt")
        for repeated in [
            "attachment; filename=\"Bearer Zq7TokenValue.txt\"", "attachment; filename=\"zq7tokenvalue\"",
            "attachment; filename*=UTF-8''%5Aq7TokenValue.txt", "attachment; filename=\"p%w/ D+1.txt\"",
            "attachment; filename=\"Zq7\u{7}TokenValue.txt\"",
        ] {
            #expect(name(repeated) == "file.bin")
            #expect(name(repeated, "https://h/zq7tokenvalue/f") == "download")
        }
    }

    @Test("the URL that answered may repeat one as well")
    func finalURL() {
        let outcome = TransferOutcome(
            reference: TransferReference(store: "s", key: TransferKey(workID: "a", generation: 1)),
            sessionIdentifier: "s", taskIdentifier: 1, savePath: "/p", workerName: "W",
            result: .delivered(
                stagingPath: "/s", bytes: 1, statusCode: 200, finalURL: "https://h/zq7tokenvalue/f"), details: nil)
        #expect(
            outcome.withoutSecrets(secrets).result
                == .delivered(stagingPath: "/s", bytes: 1, statusCode: 200, finalURL: "https://h/…/f"))
    }
}
