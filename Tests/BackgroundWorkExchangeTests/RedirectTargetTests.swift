import Testing

@testable import BackgroundWorkExchange

@Suite("Where a redirect leads")
struct RedirectTargetTests {
    private let own = "https://host.example/a/b?c"

    @Test("a header line is recognized as a Location or not")
    func lines() {
        #expect(RedirectTarget(headerLine: "Location: /there\r\n") == RedirectTarget("/there"))
        #expect(RedirectTarget(headerLine: "LOCATION:\thttps://h/  \r\n") == RedirectTarget("https://h/"))
        #expect(RedirectTarget(headerLine: "location:\r\n") == RedirectTarget(""))
        #expect(RedirectTarget(headerLine: "Content-Location: /there\r\n") == nil)
        #expect(RedirectTarget(headerLine: "HTTP/1.1 302 Location: /there\r\n") == nil)
        #expect(RedirectTarget(headerLine: "\r\n") == nil)
    }

    @Test(
        "surely the same origin",
        arguments: [
            "/x", "x", "./x", "../x", "?q", "#f", "", "x/y:z", "x?a=b:c", "/x?u=https://evil/",
            "https://host.example/x", "HTTPS://HOST.example:443/x", "https://host.example", "https://host.example?x",
            "/\u{301}x", "/höhe", "https://host.example/\u{301}x",
        ])
    func same(location: String) {
        #expect(RedirectTarget(location).isSurely(at: own, from: own))
    }

    @Test(
        "another origin, or an uncertain one",
        arguments: [
            "//evil/x", "//host.example/x", "http://host.example/x", "https://host.example:444/", "https://evil/",
            "https://host.example@evil/", "https://evil@host.example/", "https://evil\\@host.example/",
            "https:\\\\host.example/", "/\\evil/", "\\\\evil/", "https:/host.example/", "https:host.example",
            "https:///evil/", "https://host.example\t.evil/", "https://host.example%2eevil/", "mailto:x", "x:y",
            "https://höst/", "https://host.example.evil/", " //evil/", "//\u{301}.evil/", "https:/\u{301}/evil/",
            "https://host.example\u{301}/", "https://host.example:\u{301}.evil/",
        ])
    func other(location: String) {
        #expect(!RedirectTarget(location).isSurely(at: own, from: own))
    }

    @Test("a relative target stays at its origin")
    func relative() {
        #expect(!RedirectTarget("/x").isSurely(at: own, from: "https://evil/"))
        #expect(!RedirectTarget("").isSurely(at: own, from: "http://host.example/"))
        #expect(RedirectTarget("https://host.example/").isSurely(at: own, from: "https://evil/"))
    }
}
