import BackgroundWorkModel
import BackgroundWorkTransfers

/// Transfers as JSON. Every object has every field; what is unknown is null. Names are never changed or taken away.
package enum TransferJSON {
    /// One array, an object on each line.
    package static func array(_ transfers: [ShownTransfer]) throws -> String {
        if transfers.isEmpty { return "[]" }
        return "[\n" + (try transfers.map(line)).joined(separator: ",\n") + "\n]"
    }

    /// One object, on one line.
    package static func line(_ transfer: ShownTransfer) throws -> String {
        try JSONCoding.text(of: Object(transfer))
    }

    /// For a transfer that the agent no longer knows, and whose end was not reported.
    package static func lineOfGone(_ transfer: ShownTransfer) throws -> String {
        var object = Object(transfer)
        object.phase = "gone"
        return try JSONCoding.text(of: object)
    }

    private struct Object: Encodable {
        var transfer: ShownTransfer
        var phase: String

        init(_ transfer: ShownTransfer) {
            self.transfer = transfer
            phase = PhaseText.name(transfer.phase)
        }

        private enum CodingKeys: String, CodingKey {
            case id, number, session, group, priority, direction, phase, reason, message, bytes, totalBytes, fraction
            case bytesPerSecond, secondsLeft, name, path, url
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(transfer.id, forKey: .id)
            try container.encode(transfer.number, forKey: .number)
            try container.encode(transfer.session, forKey: .session)
            try container.encode(transfer.group, forKey: .group)
            try container.encode("\(transfer.priority)", forKey: .priority)
            try container.encode(transfer.isUpload ? "upload" : "download", forKey: .direction)
            try container.encode(phase, forKey: .phase)
            try container.encode(reason, forKey: .reason)
            try container.encode(message, forKey: .message)
            try container.encode(transfer.bytes, forKey: .bytes)
            try container.encode(transfer.totalBytes, forKey: .totalBytes)
            try container.encode(transfer.fraction, forKey: .fraction)
            try container.encode(transfer.bytesPerSecond, forKey: .bytesPerSecond)
            try container.encode(transfer.timeLeft?.components.seconds, forKey: .secondsLeft)
            try container.encode(transfer.name, forKey: .name)
            try container.encode(transfer.path, forKey: .path)
            try container.encode(transfer.url, forKey: .url)
        }

        private var reason: String? { if case .waiting(let reason) = transfer.phase { reason.rawValue } else { nil } }
        private var message: String? { if case .failed(let message) = transfer.phase { message } else { nil } }
    }
}
