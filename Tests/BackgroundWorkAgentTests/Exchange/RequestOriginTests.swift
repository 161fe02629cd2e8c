import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("Where credentials are sent")
struct RequestOriginTests {
    @Test(
        "one origin, written in different ways",
        arguments: [
            ("http://host/a", "http://host/b?c"), ("http://host/a", "http://host:80/"),
            ("https://h", "https://h:443/x"),
            ("HTTP://HOST/", "http://host"), ("http://user:pass@host/", "http://host/"),
            ("http://[::1]/", "http://[::1]:80/"), ("http://h:/", "http://h/"),
            ("http://host/", "http://host/\u{301}@evil"),
        ])
    func same(one: String, other: String) {
        #expect(RequestOrigin(one) == RequestOrigin(other))
    }

    @Test(
        "others",
        arguments: [
            ("http://host/", "https://host/"), ("http://host/", "http://host:8080/"),
            ("http://host/", "http://a.host/"),
            ("http://host/", "http://host.evil/"), ("http://host/", "http://host@evil/"),
            ("http://host:443/", "https://host:443/"), ("https://host:80/", "http://host:80/"),
            ("http://host/", "http://evil/host/"), ("http://host/", "http://evil\\@host/"),
            ("http://host/", "http://evil#@host/"), ("http://host/", "http://evil?@host/"),
            // libcurl takes this to evil.
            ("http://host/", "http://host\\@evil/"), ("http://a\\@evil/", "http://b\\@evil/"),
            ("http://[::1]/", "http://[::1]evil/"),
        ])
    func different(one: String, other: String) {
        #expect(RequestOrigin(one) != RequestOrigin(other))
    }

    @Test("TLS is lost only by a redirect from https to another scheme")
    func leavesTLS() {
        let (plain, safe) = (RequestOrigin("http://h/"), RequestOrigin("https://h/"))
        #expect(safe.leavesTLS(for: plain))
        #expect(safe.leavesTLS(for: RequestOrigin("ftp://h/")))
        #expect(!safe.leavesTLS(for: safe))
        #expect(!plain.leavesTLS(for: plain))
        #expect(!plain.leavesTLS(for: safe))
    }
}
