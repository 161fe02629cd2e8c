import Testing

@testable import BackgroundWorkTransfers

struct SuggestedFileNameTests {
    private func name(_ contentDisposition: String?, _ url: String = "https://h/end.bin") -> String {
        SuggestedFileName.name(contentDisposition: contentDisposition, url: url)
    }

    @Test(
        "Content-Disposition names the file, as a token, a quoted string or with an encoding",
        arguments: [
            ("attachment; filename=plain.txt", "plain.txt"), ("inline;FileName = spaced.txt ;x=y", "spaced.txt"),
            (#"attachment; filename="with \"quotes\" and ; .txt""#, #"with "quotes" and ; .txt"#),
            (#"attachment; filename="not closed.txt"#, "not closed.txt"),
            ("attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates.txt", "£ rates.txt"),
            (#"attachment; filename="EURO.txt"; filename*=utf-8''%e2%82%ac.txt"#, "€.txt"),
            (#"attachment; filename*=utf-8''%e2%82%ac.txt; filename="EURO.txt""#, "€.txt"),
            ("attachment; filename=first.txt; filename=second.txt", "first.txt"),
            // An encoding that cannot be read leaves the plain one.
            ("attachment; filename=plain.txt; filename*=UTF-8''%zz.txt", "plain.txt"),
            ("attachment; filename=plain.txt; filename*=UTF-8''%ff.txt", "plain.txt"),
            ("attachment; filename=plain.txt; filename*=KOI8-R''x.txt", "plain.txt"),
            (#"attachment; filename="Grüße.txt""#, "Grüße.txt"),
        ])
    func contentDisposition(header: String, expected: String) { #expect(name(header) == expected) }

    @Test(
        "without a usable suggestion the name is the end of the URL, and without that a fixed word",
        arguments: [
            (nil, "https://h/a/b%20c.zip?token=/x#y/z", "b c.zip"), ("attachment", "https://h/f.txt", "f.txt"),
            (#"attachment; filename="""#, "https://h/f.txt", "f.txt"), ("attachment; filename=..", "https://h/f", "f"),
            ("", "https://h/f", "f"), (";;;=;", "https://h/f", "f"), (nil, "https://h/%zz", "%zz"),
            (nil, "https://h/%ff", "%ff"), (nil, "https://h/folder/", "download"), (nil, "https://h", "download"),
            (nil, "https://h?x=/y", "download"), (nil, "https://h/..", "download"), (nil, "", "download"),
            (nil, "https://h/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"), (nil, "https://h/a%5Cb", "b"),
        ])
    func url(header: String?, url: String, expected: String) { #expect(name(header, url) == expected) }

    @Test(
        "what a server says stays in the folder, visible and in its direction",
        arguments: [
            (#"attachment; filename="../../etc/passwd""#, "passwd"), (#"attachment; filename="/etc/shadow""#, "shadow"),
            (#"attachment; filename="C:\temp\a.txt""#, "a.txt"), (#"attachment; filename="..\..\a.txt""#, "a.txt"),
            ("attachment; filename=.bashrc", "bashrc"), (#"attachment; filename=". ..x""#, "x"),
            ("attachment; filename*=UTF-8''a%00%0a%1b%7f%c2%85b", "ab"),
            ("attachment; filename*=UTF-8''doc%e2%80%aegnp.exe", "docgnp.exe"),
            ("attachment; filename*=UTF-8''..%2f..%2fx", "x"), (#"attachment; filename="a.txt/""#, "a.txt"),
            (#"attachment; filename="  x.txt  ""#, "x.txt"),
        ])
    func safe(header: String, expected: String) { #expect(name(header) == expected) }

    @Test("a name is shortened to 255 bytes before its extension, and never within a character")
    func long() {
        let long = name("attachment; filename=" + String(repeating: "ä", count: 300) + ".tar")
        #expect(long.utf8.count == 254)
        #expect(long.hasSuffix("ä.tar"))
        let sentence = name("attachment; filename=\"" + "x." + String(repeating: "y", count: 300) + "\"")
        #expect(sentence.utf8.count == 255)
    }
}
