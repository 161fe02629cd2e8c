import Testing

@testable import BackgroundWorkTransfers

struct LocationReferenceTests {
    @Test(
        "a Location is resolved against the URL that has it, whose host stays as it is written",
        arguments: [
            ("/b?c", "http://h/a", "http://h/b?c"), ("b", "http://h:81/a/", "http://h:81/a/b"),
            ("https://other/x", "http://h/a", "https://other/x"), ("//other/x", "http://h/a", "http://other/x"),
            ("/b", "http://münchen.example:81/a", "http://münchen.example:81/b"),
            ("b", "http://münchen.example/a/c", "http://münchen.example/a/b"),
            ("https://münchen.example/x", "http://h/a", "https://münchen.example/x"),
            ("//other/x", "http://münchen.example/a", "http://other/x"),
        ])
    func resolved(location: String, base: String, expected: String) {
        #expect(LocationReference.url(location, from: base) == expected)
    }

    @Test("one with blanks beside an internationalized host means nothing")
    func none() { #expect(LocationReference.url("http://münchen example/", from: "http://h/") == nil) }
}
