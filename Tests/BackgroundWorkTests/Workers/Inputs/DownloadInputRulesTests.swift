import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

struct DownloadInputRulesTests {
    /// Goes through the registry's decoding, so that what JSON itself has to say is part of it.
    private func validated(_ json: String) throws -> ValidatedTransfer {
        let input = try WorkerRegistry.decode(
            DownloadConfiguration.self, from: json, for: "BackgroundDownloadWorker")
        return try DownloadInputRules(worker: "BackgroundDownloadWorker").validated(input, defaultSession: "default")
    }

    @Test("absent or null fields have the ancestor's default, and unknown fields are ignored")
    func defaults() throws {
        let download = try validated(
            #"{"url":"HTTPS://h/f","savePath":"/p","headers":null,"isDiscretionary":null,"future":{"x":1}}"#)
        #expect(
            download
                == ValidatedTransfer(
                    url: "HTTPS://h/f", path: "/p", sessionIdentifier: "default", options: TransferOptions()))
        #expect(download.options.stallTimeout == .milliseconds(1_800_000))
    }

    @Test("every valid field is accepted")
    func everything() throws {
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        let download = try validated(
            """
            {"url":"http://u:p@h:8080/f?x=1","savePath":"/p/","sessionIdentifier":"s","headers":{"X-A":"b"},\
            "isDiscretionary":true,"allowsCellularAccess":false,"timeoutMs":1,"resourceTimeoutMs":2,\
            "earliestBeginMs":0,"priority":3,"bytesPerSecond":1,"group":"g","proxy":"socks5h://h:1",\
            "authentication":{"scheme":"bearer","token":"t"},"tokenRefresh":{"url":"https://h/t","tokenPath":"a.b"},\
            "tls":{"pinnedPublicKeys":["\(key)"],"clientCertificatePath":"/c","clientKeyPassword":"x"},\
            "expectedChecksum":"D41D8CD98F00B204E9800998ECF8427E","checksumAlgorithm":"md5","onDuplicate":"skip",\
            "maxBytes":0,"resumable":false,"mirrors":["https://m/f"],"numChunks":16}
            """)
        #expect(download.sessionIdentifier == "s")
        #expect(download.options.group == "g")
        #expect(download.options.tls.pinnedPublicKeys == [key])
    }

    @Test(
        "texts that the daemon repeats in its messages have a limit, which the error names",
        arguments: [("url", 65_536), ("mirrors", 65_536), ("sessionIdentifier", 10_240), ("group", 10_240)])
    func lengths(field: String, limit: Int) throws {
        func validated(bytes: Int) throws -> ValidatedTransfer {
            var download = DownloadConfiguration(url: "http://h/", savePath: "/p")
            let text = "http://h/" + String(repeating: "x", count: bytes - 9)
            switch field {
            case "url": download.url = text
            case "mirrors": download.mirrors = [text]
            case "group": download.options.group = text
            default: download.sessionIdentifier = text
            }
            return try DownloadInputRules(worker: "W").validated(download, defaultSession: "default")
        }
        #expect(throws: Never.self) { try validated(bytes: limit) }
        let error = #expect(throws: WorkerInputError.self) { try validated(bytes: limit + 1) }
        let words = error?.description ?? ""
        #expect(words.contains("\"\(field)\"") && words.contains("\(limit + 1)") && words.contains("\(limit)"))
        #expect(words.utf8.count < 500)
    }

    @Test("of duplicate names the last counts, in nested objects as well")
    func doubledNames() throws {
        let download = try validated(
            #"{"url":"http://a/","savePath":"/a","headers":{"X":"1","Y":"2","X":"3"},"url":"http://b/","#
                + #""sav\u0065Path":"/b","tokenRefresh":{"url":"https://a/"},"tokenRefresh":{"url":"https://b/"}}"#)
        #expect(download.url == "http://b/")
        #expect(download.path == "/b")
        #expect(download.options.headers == ["X": "3", "Y": "2"])
        #expect(download.options.tokenRefresh == TokenRefresh(url: "https://b/"))
        let short = try validated(#"{"url":"http://a/","savePath":"/a","url":"http://b/"}"#)
        #expect(short.url == "http://b/")
    }

    @Test(
        "input that breaks a rule is rejected, and the field is named",
        arguments: [
            (#""url":"ftp://h/f","savePath":"/p""#, "url"), (#""url":"file:///etc/passwd","savePath":"/p""#, "url"),
            (#""url":"http://","savePath":"/p""#, "url"), (#""url":"http:///f","savePath":"/p""#, "url"),
            (#""url":"http://a@b@c/f","savePath":"/p""#, "url"), (#""url":"http://h/a b","savePath":"/p""#, "url"),
            (#""url":"http://h/\r\nX: y","savePath":"/p""#, "url"), (#""url":"","savePath":"/p""#, "url"),
            (#""url":"http://h\\@x/","savePath":"/p""#, "url"), (#""url":"http://h/","savePath":"""#, "savePath"),
            (#""url":"http://h/","savePath":"  ""#, "savePath"), (#""url":"http://h/","savePath":"a/b""#, "savePath"),
            (#""url":"http://h/","savePath":"/a\u0000b""#, "savePath"), (#""savePath":"/p""#, "url"),
            (#""url":7,"savePath":"/p""#, "url"), (#""url":null,"savePath":"/p""#, "url"),
            (#""url":"http://h/""#, "savePath"),
        ])
    func refusedPlace(members: String, field: String) throws { try expectRefusal("{\(members)}", naming: field) }

    @Test(
        "input that breaks a rule of the common fields is rejected, and the field is named",
        arguments: [
            (#""sessionIdentifier":" ""#, "sessionIdentifier"), (#""timeoutMs":0"#, "timeoutMs"),
            (#""timeoutMs":"soon""#, "timeoutMs"), (#""timeoutMs":1.5"#, "timeoutMs"),
            (#""timeoutMs":1e30"#, "timeoutMs"),
            (#""maxBytes":18446744073709551615"#, "maxBytes"),
            (#""resourceTimeoutMs":-1"#, "resourceTimeoutMs"), (#""headers":{"A":"b\r\nC: d"}"#, "headers"),
            (#""headers":{"A":"b\u0000"}"#, "headers"), (#""headers":{"A B":"c"}"#, "headers"),
            (#""headers":{"":"c"}"#, "headers"), (#""headers":{"A":1}"#, "headers.A"),
            (#""expectedChecksum":"abc""#, "expectedChecksum"),
            (#""expectedChecksum":"\#(String(repeating: "g", count: 64))""#, "expectedChecksum"),
            (
                #""expectedChecksum":"\#(String(repeating: "a", count: 64))","checksumAlgorithm":"MD5""#,
                "expectedChecksum"
            ),
            (#""checksumAlgorithm":"CRC32""#, "checksumAlgorithm"), (#""checksumAlgorithm":5"#, "checksumAlgorithm"),
            (#""onDuplicate":"ASK""#, "onDuplicate"), (#""maxBytes":-1"#, "maxBytes"),
            (#""maxBytes":"1""#, "maxBytes"), (#""resumable":1"#, "resumable"),
            (#""mirrors":["https://m/","ftp://m/"]"#, "mirrors"), (#""mirrors":"https://m/""#, "mirrors"),
            (#""numChunks":0"#, "numChunks"), (#""numChunks":17"#, "numChunks"),
            (#""maxConnections":17"#, "maxConnections"), (#""bytesPerSecond":0"#, "bytesPerSecond"),
            (#""priority":9"#, "priority"), (#""group":"""#, "group"),
            (
                #""retry":{"growth":"linear","initialDelayMs":-1,"maximumDelayMs":1,"maximumAttempts":1,"jitter":0}"#,
                "retry"
            ),
            (#""retry":{"growth":"cubic"}"#, "retry.growth"), (#""proxy":"ftp://h""#, "proxy"),
            (#""proxy":"none""#, "proxy"), (#""proxy":"http://""#, "proxy"), (#""proxy":"http://a b""#, "proxy"),
            (#""authentication":{"scheme":"basic","user":"u"}"#, "authentication.password"),
            (#""authentication":{"scheme":"ntlm"}"#, "authentication.scheme"),
            (#""authentication":{"scheme":"basic","user":"u\n","password":""}"#, "authentication"),
            (#""authentication":{"scheme":"digest","user":"a:b","password":""}"#, "authentication"),
            (#""authentication":{"scheme":"bearer","token":""}"#, "authentication"),
            (#""authentication":{"scheme":"bearer","token":"t\r\nX: y"}"#, "authentication"),
            (#""tokenRefresh":{"url":"ftp://h/"}"#, "tokenRefresh.url"),
            (#""tokenRefresh":{}"#, "tokenRefresh.url"),
            (#""tokenRefresh":{"url":"https://h/","method":"P T"}"#, "tokenRefresh.method"),
            (#""tokenRefresh":{"url":"https://h/","tokenPath":"a..b"}"#, "tokenRefresh.tokenPath"),
            (#""tokenRefresh":{"url":"https://h/","headers":{"A":"\n"}}"#, "tokenRefresh.headers"),
            (#""tls":{"clientCertificatePath":"c.pem"}"#, "tls.clientCertificatePath"),
            (#""tls":{"clientKeyPath":"/k.pem"}"#, "tls.clientCertificatePath"),
            (#""tls":{"additionalAuthoritiesPath":""}"#, "tls.additionalAuthoritiesPath"),
            (#""tls":{"pinnedPublicKeys":["c2hvcnQ="]}"#, "tls.pinnedPublicKeys"),
            (#""tls":{"pinnedPublicKeys":["!"]}"#, "tls.pinnedPublicKeys"),
        ])
    func refusedOption(member: String, field: String) throws {
        try expectRefusal(#"{"url":"http://h/","savePath":"/p",\#(member)}"#, naming: field)
    }

    @Test(
        "a refusal quotes no secret",
        arguments: [
            (#""url":"ftp://me:Zq7@h/f?sig=Zq7","savePath":"/p""#, "h/f"),
            (#""url":"me:Zq7@h/f?sig=Zq7","savePath":"/p""#, "h/f"),
            (#""url":"https://me:Zq7\\@h/f?sig=Zq7","savePath":"/p""#, "h/f"),
            (#""url":"https://me:Zq7/x@h/f?sig=Zq7","savePath":"/p""#, "h/f"),
            (#""url":"https://h/f","savePath":"https://me:Zq7@h/p?sig=Zq7""#, "https://h/p"),
            (#""url":"https://h/f","savePath":"/p","mirrors":["ftp://me:Zq7@m/f?sig=Zq7"]"#, "m/f"),
            (#""url":"https://h/f","savePath":"/p","headers":{"Authorization: Bearer Zq7":"x"}"#, "Authorization"),
            (#""url":"https://h/f","savePath":"/p","proxy":"http://me:Zq7@localhost:1/?Zq7""#, "localhost"),
            (#""url":"https://h/f","savePath":"/p","proxy":"me:Zq7@p:1""#, "proxy"),
            (#""url":"https://h/f","savePath":"/p","authentication":{"scheme":"Bearer Zq7"}"#, "scheme"),
            (#""url":"https://h/f","savePath":"/p","authentication":{"scheme":"bearer","token":"Zq7\n"}"#, "token"),
            (#""url":"https://h/f","savePath":"/p","tokenRefresh":{"url":"x://me:Zq7@h/f?Zq7"}"#, "h/f"),
        ])
    func refusalWithoutSecret(members: String, shown: String) throws {
        let error = #expect(throws: WorkerInputError.self) { try validated("{\(members)}") }
        let text = error?.description ?? ""
        #expect(!text.contains("Zq7") && text.contains(shown), "\(text)")
    }

    private func expectRefusal(_ json: String, naming field: String) throws {
        let error = #expect(throws: WorkerInputError.self) { try validated(json) }
        #expect(error?.description.contains("\"\(field)\"") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("BackgroundDownloadWorker") == true)
    }
}
