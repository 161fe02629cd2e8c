import BackgroundWorkHTTP
import Testing

@Suite("The URLs of a client")
struct APIURLTests {
    private func url(_ base: String, _ path: APIPath, _ query: APIQuery = [:]) throws -> String {
        try APIClient(base).request("GET", path, query: query).url
    }

    @Test(
        "a path is joined with one slash", arguments: ["https://h/v2", "https://h/v2/"], ["users/7", "/users/7"])
    func joined(base: String, path: String) throws {
        #expect(try url(base, APIPath(path)) == "https://h/v2/users/7")
    }

    @Test("the base URL alone, a slash at the end, and a base without a path stay what they are")
    func edges() throws {
        #expect(try url("https://h/v2", "") == "https://h/v2")
        #expect(try url("https://h/v2/", "") == "https://h/v2/")
        #expect(try url("https://h/v2", "/") == "https://h/v2/")
        #expect(try url("https://h/v2/", "/") == "https://h/v2/")
        #expect(try url("https://h/v2", "/users") == "https://h/v2/users")
        #expect(try url("https://h/v2", "/users/\(7)/", ["a": "b"]) == "https://h/v2/users/7/?a=b")
        #expect(try url("https://h", "a/") == "https://h/a/")
        #expect(try url("http://[::1]:8080", "a", ["b": "c"]) == "http://[::1]:8080/a?b=c")
    }

    @Test(
        "no text leads to another host or out of the base's path",
        arguments: [
            ("//evil", "https://h/v2//evil"), ("http://evil", "https://h/v2/http%3A//evil"),
            ("@evil/", "https://h/v2/%40evil/"), ("\\\\evil", "https://h/v2/%5C%5Cevil"),
            ("a?b=c#d", "https://h/v2/a%3Fb%3Dc%23d"), ("%2e%2e/x", "https://h/v2/%252e%252e/x"),
            ("a\r\nHost: evil", "https://h/v2/a%0D%0AHost%3A%20evil"), ("a\0b", "https://h/v2/a%00b"),
            ("é/+ ;", "https://h/v2/%C3%A9/%2B%20%3B"), (".../..a", "https://h/v2/.../..a"),
        ])
    func hostile(text: String, expected: String) throws { #expect(try url("https://h/v2", APIPath(text)) == expected) }

    @Test("a segment of dots is refused", arguments: ["..", "a/../b", "/..", "./a", "a/."])
    func dots(text: String) {
        #expect(throws: HTTPError.self) { try url("https://h/v2", APIPath(text)) }
        #expect(throws: HTTPError.self) { try url("https://h/v2", "x/\(text)/\("..")") }
    }

    @Test("what is interpolated stays one segment")
    func interpolated() throws {
        let (name, number) = ("a/b?c", 7)
        #expect(try url("https://h", "users/\(name)/n\(number)") == "https://h/users/a%2Fb%3Fc/n7")
        // What is dots together with its neighbors is refused as well.
        let dot = "."
        #expect(throws: HTTPError.self) { try url("https://h", "users/.\(dot)/x") }
        let slash = "/evil"
        #expect(try url("https://h", "\(slash)") == "https://h/%2Fevil")
    }

    @Test("an empty interpolation and a query in the path are refused, with words")
    func refused() {
        let empty = ""
        do {
            _ = try url("https://h", "users/\(empty)")
            Issue.record("accepted")
        } catch {
            #expect("\(error)" == "GET https://h: a value in its path is empty. Correct the request.")
        }
        #expect(throws: HTTPError.self) { try url("https://h", "users?all=1") }
    }

    @Test("a query is encoded, in its order, with repeated names and without nil")
    func query() throws {
        let query: APIQuery = ["q": "a+b c&d=e", "tag": "1", "tag": "2", "none": nil, "ü/?": ""]
        #expect(try url("https://h", "s", query) == "https://h/s?q=a%2Bb%20c%26d%3De&tag=1&tag=2&%C3%BC%2F%3F=")
    }

    @Test(
        "a base URL that is none is refused",
        arguments: ["", "h/v2", "ftp://h", "https://", "https:///v2", "https://h/?a=b", "https://h#f", "https://h\\@e"])
    func base(text: String) {
        do {
            _ = try url(text, "a")
            Issue.record("accepted")
        } catch {
            #expect((error as? HTTPError)?.kind == .invalid)
        }
    }
}
