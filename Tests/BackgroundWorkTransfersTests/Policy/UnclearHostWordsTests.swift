import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("What is said of hosts that programs read differently")
struct UnclearHostWordsTests {
    @Test(
        "a refusal says to write the host plainly, and names no way around the policy",
        arguments: [
            ("http://%65xample.com/", "its host is percent-encoded.", "Write the host in its plain form"),
            ("http://a@b@c/", "it has several @", "Write an @ of the user or the password as %40."),
            ("http://[2001:db8::1%25eth0]/", "its address has a zone", "Write the address without its zone."),
            ("http://1.2.3.256/", "its host ends with a number", "Write an address as four decimal numbers"),
            ("http://１２７.0.0.1/", "its host has characters", "Write the name in its plain form"),
            ("http://a\\b/", "it has a backslash", "Write the URL with slashes."),
            ("http://h:99999/", "its port is not a number from 1 to 65535", "Write such a port, or none."),
        ])
    func words(url: String, problem: String, advice: String) throws {
        let rule = "The security policy (publicInternet) can be applied only to a host that every program reads alike."
        let own = try #require(SecurityPolicy.publicInternet.complaint(about: url))
        #expect(own.hasPrefix(problem) && own.contains(rule) && own.contains(advice), "\(own)")
        let refusal = try #require(SecurityPolicy.publicInternet.refusal(of: URLDestination(url: url)))
        let redirect = TransferFailure.refusedAddress(refusal, redirects: 1, TransferURL("https://h/")).message
        #expect(redirect.contains(problem) && redirect.contains(rule) && redirect.contains(advice), "\(redirect)")
        for text in [own, redirect] {
            #expect(!text.contains("unrestricted") && !text.contains("cannot be applied"), "\(text)")
        }
    }

    @Test("a long host is not cut in the middle of what may be a secret")
    func long() throws {
        let host = String(repeating: "abc.", count: 100) + "local"
        let text = try #require(SecurityPolicy.publicInternet.complaint(about: "http://\(host)/"))
        #expect(text.contains("a host of 405 bytes leads") || text.contains("a host of 405 bytes,"), "\(text)")
    }
}
