import BackgroundWorkModel

/// The rules of uploads.
extension TransferInputRules {
    /// Checks the path of a file that is to be sent.
    package func check(source path: String, _ field: String) throws {
        try check(path: path, field)
        guard !path.hasSuffix("/") else { throw refusal(field, "it is \"\(path)\", which names a folder") }
    }

    /// Names are written into the part's `Content-Disposition`, where a line break would start another header.
    package func check(partName name: String, _ field: String) throws {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw refusal(
                field, "\"\(name)\" is empty or has control characters, so it is not a valid name of a form part")
        }
    }

    package func check(mimeType: String?, _ field: String = "mimeType") throws {
        guard let mimeType else { return }
        let parts = mimeType.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        let isType =
            parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && mimeType.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
        guard isType else { throw refusal(field, "it is \"\(mimeType.prefix(80))\", but must be like text/plain") }
    }

    package func check(formFields fields: [String: String]) throws {
        for (name, value) in fields {
            try check(partName: name, "fields")
            if value.utf8.contains(0) { throw refusal("fields", "\"\(name)\" has a NUL character in its value") }
        }
    }
}
