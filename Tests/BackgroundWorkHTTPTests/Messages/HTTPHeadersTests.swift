import BackgroundWorkHTTP
import Testing

@Suite("Header fields")
struct HTTPHeadersTests {
    @Test("names are compared without case, values of one name are joined")
    func names() {
        var headers: HTTPHeaders = ["Accept": "a", "X-A": "1"]
        headers.add(name: "accept", value: "b")
        #expect(headers["ACCEPT"] == "a, b")
        #expect(headers.values(of: "accept") == ["a", "b"])
        headers["aCCept"] = "c"
        #expect(headers.fields.map(\.name) == ["aCCept", "X-A"])
        headers["x-a"] = nil
        #expect(headers.fields == [.init(name: "aCCept", value: "c")])
    }

    @Test("fields take the place of those of the same names")
    func replaced() {
        var headers: HTTPHeaders = ["A": "1", "B": "2"]
        headers.replace(with: ["b": "3", "C": "4"])
        #expect(headers == ["A": "1", "b": "3", "C": "4"])
    }

    @Test("a description has no secret")
    func description() {
        let headers: HTTPHeaders = ["Authorization": "Bearer hush", "Accept": "text/plain"]
        #expect(headers.description == "Authorization: …\nAccept: text/plain")
    }
}
