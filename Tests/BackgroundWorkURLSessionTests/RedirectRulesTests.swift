import Testing

@testable import BackgroundWorkURLSession

@Suite("What a redirect's request carries")
struct RedirectRulesTests {
    private func followed(from source: String, to target: String) throws -> URLRequest? {
        var specification = TaskLabelTests.specification()
        specification.url = source
        specification.options.headers = ["X-Api-Key": "k", "Accept": "a"]
        var request = URLRequest(url: try #require(URL(string: target)))
        for (name, value) in specification.options.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        return RedirectRules.request(request, from: specification)
    }

    @Test("the own origin gets everything", arguments: ["https://example.com/b", "https://EXAMPLE.com:443/b"])
    func sameOrigin(_ target: String) throws {
        let request = try #require(try followed(from: "https://example.com/a", to: target))
        #expect(request.value(forHTTPHeaderField: "X-Api-Key") == "k")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test("another one gets no secrets", arguments: ["https://example.org/b", "https://example.com:8443/b"])
    func otherOrigin(_ target: String) throws {
        let request = try #require(try followed(from: "https://example.com/a", to: target))
        #expect(request.value(forHTTPHeaderField: "X-Api-Key") == nil)
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(request.value(forHTTPHeaderField: "Accept") == "a")
    }

    @Test("headers that are to stay at their origin do, whatever they are called")
    func ownOriginHeaders() throws {
        var specification = TaskLabelTests.specification()
        specification.url = "https://example.com/a"
        for (target, expected) in [("https://example.com/b", "c"), ("https://example.org/b", nil)] {
            var request = URLRequest(url: try #require(URL(string: target)))
            request.setValue("c", forHTTPHeaderField: "X-Code")
            let followed = try #require(
                RedirectRules.request(request, from: specification, ownOriginHeaders: ["x-code"]))
            #expect(followed.value(forHTTPHeaderField: "X-Code") == expected)
        }
    }

    @Test(
        "nothing leads from https to http, or to another scheme",
        arguments: ["http://example.com/b", "ftp://example.com/b"])
    func forbidden(_ target: String) throws {
        #expect(try followed(from: "https://example.com/a", to: target) == nil)
    }
}
