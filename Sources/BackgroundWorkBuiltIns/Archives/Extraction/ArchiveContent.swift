import BackgroundWorkArchive
import BackgroundWorkModel

/// Creates everything that is in an archive in an empty folder.
struct ArchiveContent {
    /// A link's target may not be longer (PATH_MAX).
    private static let longestTarget = 4_095

    private let reader: ZipReader
    private let links: ExtractedLinks
    private let flag: CancellationFlag
    private(set) var skippedLinks = 0

    init(_ reader: ZipReader, _ links: ExtractedLinks, _ flag: CancellationFlag) {
        self.reader = reader
        self.links = links
        self.flag = flag
    }

    /// Checks everything that can be checked without reading contents.
    func validate(_ limits: ExtractionLimits) throws -> ZipReader.Totals {
        try reader.validate(limits) { entry in
            try flag.check()
            let path = try entry.path()
            guard entry.kind == .folder || !path.components.isEmpty else {
                throw ArchiveError.refused("the entry \"\(entry.shownName)\" names no file")
            }
            guard entry.kind == .link else { return }
            if links == .refuse { throw Self.refusal(ofLink: entry) }
            if entry.bytes > Self.longestTarget {
                throw ArchiveError.refused("the entry \"\(entry.shownName)\" is a symbolic link that is too long")
            }
        }
    }

    private static func refusal(ofLink entry: ZipEntry) -> ArchiveError {
        .refused(
            "the entry \"\(entry.shownName)\" is a symbolic link; set links to SKIP to extract the archive without its "
                + "links, or to INSIDE to make those that stay in the folder")
    }

    /// Creates files and folders first, so nothing is written through a link; then the links; then the folders get their
    /// times.
    mutating func create(in builder: TreeBuilder, _ progress: inout ByteProgress) throws {
        var (hasLinks, hasFolders) = (false, false)
        try reader.forEach { entry in
            try flag.check()
            let path = try entry.path()
            switch entry.kind {
            case .folder:
                hasFolders = true
                try builder.addFolder(path)
                // It has no content, but a header, which is checked.
                try reader.read(entry) { _ in }
            case .link: hasLinks = true
            case .file:
                try builder.addFile(entry, path) { write in
                    try reader.read(entry) { bytes in
                        try flag.check()
                        try write(bytes)
                        progress.add(bytes.count)
                    }
                }
            }
        }
        if hasLinks { try createLinks(in: builder) }
        if hasFolders {
            try reader.forEach { entry in
                guard entry.kind == .folder else { return }
                try flag.check()
                try builder.finishFolder(entry, entry.path())
            }
        }
    }

    private mutating func createLinks(in builder: TreeBuilder) throws {
        try reader.forEach { entry in
            guard entry.kind == .link else { return }
            try flag.check()
            var target: [UInt8] = []
            try reader.read(entry) { target += $0 }
            if links == .skip {
                skippedLinks += 1
                return
            }
            let path = try entry.path()
            guard path.contains(target: target) else {
                throw ArchiveError.refused(
                    "the entry \"\(entry.shownName)\" is a symbolic link to \"\(ZipEntry.shown(target))\", which may lead "
                        + "out of the folder; set links to SKIP to extract the archive without its links")
            }
            try builder.addLink(entry, path, to: target)
        }
    }
}
