import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// What a download keeps from run to run, as its work's checkpoint: what its partial file consists of, or that it is
/// being moved to its target.
///
/// It is stored before any byte that it describes is written, and its marks after their bytes are on the disk. So what it
/// counts is there, also after a power cut.
struct DownloadCheckpoint: Sendable, Hashable, Codable {
    /// The SHA-256 of the URL, which may have secrets.
    var source: String
    /// The partial file's.
    var inode: UInt64
    /// What `If-Range` carries; `nil` if nothing can be resumed.
    var validator: String?
    /// The file's length in bytes, if the server has announced it.
    var total: Int64?
    /// In which boot of the machine it was written: until the next one, what was written is there without a sync.
    var boot: String
    /// How many bytes of one stream are on the disk.
    var received: Int64 = 0
    /// The parts of the file, and how much of each is on the disk; `nil` for one stream.
    var segments: [SegmentTable.Segment]?
    /// The complete file, on its way to its target.
    var move: FileMove?

    var entity: RecordedEntity { RecordedEntity(validator: validator, total: total) }

    /// Reads one; `nil` if a work item's checkpoint is none.
    init?(json: String?) {
        guard let json, let value = try? JSONCoding.value(DownloadCheckpoint.self, from: json) else { return nil }
        self = value
    }

    init(source: String, inode: UInt64, entity: RecordedEntity, boot: String) {
        (self.source, self.inode, self.boot) = (source, inode, boot)
        (validator, total) = (entity.validator, entity.total)
    }

    /// Where a download of the source goes on.
    ///
    /// - Parameters:
    ///   - file: the partial file, as it is.
    ///   - boot: the present one.
    func start(of source: String, in file: FileIdentity, boot: String) -> DownloadStart {
        guard move == nil, source == self.source, file.inode == inode, validator != nil else { return .beginning }
        if let segments {
            guard let total, let table = SegmentTable(total: total, segments: segments),
                file.bytes >= table.writtenEnd
            else { return .beginning }
            return table.received > 0 ? .parts(table, entity) : .beginning
        }
        let length = boot == self.boot ? file.bytes : min(file.bytes, received)
        let offset = ResumePolicy.offset(fileSize: length, entity: entity)
        return offset > 0 ? .stream(at: offset, entity) : .beginning
    }
}

/// Where a download begins or goes on.
enum DownloadStart: Sendable, Hashable {
    case beginning
    /// Over one connection, after so many bytes.
    case stream(at: Int64, RecordedEntity)
    case parts(SegmentTable, RecordedEntity)
}
