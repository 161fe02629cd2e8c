import Testing

@testable import BackgroundWorkTransfers

@Suite("Parts of URLs")
struct URLPartsTests {
    @Test(
        "scheme, host, port and path",
        arguments: [
            ("http://h/a/b", "http", "h", "", "/a/b"), ("HTTP://HOST", "http", "host", "", ""),
            ("https://u:p@h:8443/x@y?z=/#f", "https", "h", "8443", "/x@y"),
            ("socks5h://p:1080", "socks5h", "p", "1080", ""), ("http://h?x", "http", "h", "", ""),
            ("http://h#x/y", "http", "h", "", ""), ("http://a@b@h/", "http", "h", "", "/"),
            ("http://[::1%25eth0]:80/", "http", "[::1%25eth0]", "", "/"),
            ("http://[FE80::1]:8080", "http", "[fe80::1]", "8080", ""), ("http:///x", "http", "", "", "/x"),
        ])
    func parts(url: String, scheme: String, host: String, port: String, path: String) {
        let parts = URLParts(url)
        #expect(parts.scheme == scheme)
        #expect(parts.host == host)
        #expect(parts.port == port)
        #expect(parts.path == path)
    }

    @Test(
        "the standard port of http and https is none",
        arguments: [
            ("http://h:80/", ""), ("https://h:443/", ""), ("http://h:443/", "443"), ("https://h:80/", "80"),
            ("ftp://h:80/", "80"), ("http://h:/", ""), ("http://h:8080/", "8080"),
        ])
    func standardPort(url: String, port: String) { #expect(URLParts(url).port == port) }

    @Test(
        "a text without a scheme at its beginning has no host",
        arguments: [
            "", "nonsense", "h/x", "x?u=http://h/", "x#http://h/", "a:b://h/", "/http://h/", "://h/", "1http://h/",
            "http:/h/", "h\u{301}ttp://h/",
        ])
    func noScheme(url: String) {
        #expect(URLParts(url).scheme.isEmpty)
        #expect(URLParts(url).host.isEmpty)
    }

    @Test(
        "a separator counts as one although a combining accent follows it",
        arguments: [
            ("http://127.0.0.1/\u{301}x", "127.0.0.1"), ("http://127.0.0.1?\u{301}", "127.0.0.1"),
            ("http://u@\u{301}h/", "\u{301}h"), ("http://127.0.0.1:\u{301}80/", "127.0.0.1"),
            ("http://\u{301}h/", "\u{301}h"),
        ])
    func accents(url: String, host: String) {
        #expect(Array(URLParts(url).host.utf8) == Array(host.utf8))
    }

    /// libcurl takes what precedes the backslash for a user, other programs for the host.
    @Test("a host beside a backslash is not known", arguments: ["http://a\\@b/", "http://u@a\\b/", "http://a\\b@c:80"])
    func backslash(url: String) {
        for host in ["a", "b", "c", ""] { #expect(URLParts(url).host != host) }
        #expect(URLDestination(url: url).host == .unclear(.backslash))
    }

    @Test("an address in brackets that something follows is none", arguments: ["http://[::1]x/", "http://[::1"])
    func brackets(url: String) {
        #expect(URLParts(url).host != "[::1]")
        #expect(URLDestination(url: url).host == .unclear(.brackets))
    }

    @Test("brackets and zone belong to the spelling of an address")
    func bareHost() {
        #expect(URLParts("http://[FE80::1%25eth0]:1/").bareHost == "fe80::1")
        #expect(URLParts("http://Example.com:1/").bareHost == "example.com")
        #expect(URLParts("http://[::1]:1/").hostAndPort == "[::1]:1")
        #expect(URLParts("http://h:80/").hostAndPort == "h")
    }

    @Test(
        "outputs and messages have no user, password, query or fragment of a URL, whatever else it is",
        arguments: [
            ("https://u:p@h:1/a?b=c#d", "https://h:1/a"), ("https://h/a@b", "https://h/a@b"), ("odd?x", "odd"),
            ("HTTP://H/a?", "http://H/a"), ("http://h:80", "http://h:80"), ("a:b://u:p@h/x?y", "a:b://h/x"),
            ("http://u:p\\@h/x", "http://h/x"), ("http://u:p@\u{301}h/", "http://\u{301}h/"), ("x#u:p@h", "x"),
        ])
    func redacted(url: String, expected: String) {
        #expect(Array(URLParts(url).redacted.utf8) == Array(expected.utf8))
    }
}
