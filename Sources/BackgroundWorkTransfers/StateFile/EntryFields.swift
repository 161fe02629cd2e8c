import BackgroundWorkModel

/// Where the fields of one entry stand in its JSON. Of a field that is there twice the last counts.
struct EntryFields {
    private let json: UnsafeBufferPointer<UInt8>
    private var ranges = Ranges()
    /// Fields that this version does not know, in the order in which they were found.
    private(set) var unknown: [RawField] = []

    fileprivate struct Ranges {
        var createdAtMs: Range<Int>?
        var savePath: Range<Int>?
        var sessionIdentifier: Range<Int>?
        var taskIdentifier: Range<Int>?
        var transferKey: Range<Int>?
        var workStore: Range<Int>?
        var workerName: Range<Int>?
    }

    /// `nil` if the value is not an object.
    ///
    /// - Parameter json: has to stay as long as the fields are asked for.
    init?(_ json: UnsafeBufferPointer<UInt8>) {
        self.json = json
        do {
            try JSONScanner.scan(json) { scanner in
                try scanner.members { scanner, name in take(try scanner.value(), named: name) }
            }
        } catch {
            // It is JSON, or its document would not have been read.
            return nil
        }
    }

    var createdAtMs: Int64? { integer(ranges.createdAtMs) }
    var savePath: String? { string(ranges.savePath) }
    var sessionIdentifier: String? { string(ranges.sessionIdentifier) }
    var taskIdentifier: Int64? { integer(ranges.taskIdentifier) }
    var transferKey: TransferKey? { string(ranges.transferKey).flatMap(TransferKey.init) }
    var workStore: String? { string(ranges.workStore) }
    var workerName: String? { string(ranges.workerName) }

    /// The two fields of a reference that could not be made of them, as they were found.
    var unusedReference: [RawField] {
        [("transferKey", ranges.transferKey), ("workStore", ranges.workStore)].compactMap { name, range in
            range.map { RawField(name: Array(name.utf8), value: Array(json[$0])) }
        }
    }

    private mutating func take(_ value: Range<Int>, named name: JSONScanner.Name) {
        let plain = UnsafeBufferPointer(rebasing: json[name.range])
        if name.hasEscapes {
            let spelled = JSONString.content(of: JSONString.text(of: plain))
            if spelled.withUnsafeBufferPointer({ ranges.take(value, named: $0) }) { return }
            unknown.append(RawField(name: spelled, value: Array(json[value])))
        } else if !ranges.take(value, named: plain) {
            unknown.append(RawField(name: Array(plain), value: Array(json[value])))
        }
    }

    private func string(_ range: Range<Int>?) -> String? {
        guard let range, json[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        return JSONString.text(of: UnsafeBufferPointer(rebasing: json[range.lowerBound + 1..<range.upperBound - 1]))
    }

    private func integer(_ range: Range<Int>?) -> Int64? {
        range.flatMap { Int64(json: UnsafeBufferPointer(rebasing: json[$0])) }
    }
}

extension EntryFields.Ranges {
    /// `false` for a name that is not known.
    fileprivate mutating func take(_ value: Range<Int>, named name: UnsafeBufferPointer<UInt8>) -> Bool {
        if name.spells("createdAtMs") {
            createdAtMs = value
        } else if name.spells("savePath") {
            savePath = value
        } else if name.spells("sessionIdentifier") {
            sessionIdentifier = value
        } else if name.spells("taskIdentifier") {
            taskIdentifier = value
        } else if name.spells("transferKey") {
            transferKey = value
        } else if name.spells("workStore") {
            workStore = value
        } else if name.spells("workerName") {
            workerName = value
        } else {
            return false
        }
        return true
    }
}

/// A field of an entry, its value as JSON.
struct RawField: Sendable, Hashable {
    /// The name as it is spelled between the quotes of a JSON string.
    var name: [UInt8]
    var value: [UInt8]

    /// Below zero if its name comes before the other one, above if after, zero if they are equal.
    func order(before other: UnsafeBufferPointer<UInt8>) -> Int {
        name.withUnsafeBufferPointer { $0.order(before: other) }
    }
}
