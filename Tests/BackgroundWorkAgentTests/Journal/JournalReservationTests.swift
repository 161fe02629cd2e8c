import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("Specifications as the journal stores them")
struct JournalReservationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/agent.sqlite" }
    private let now = WallTime(milliseconds: 1)

    init() throws { folder = try TemporaryFolder() }

    /// What the agent reads in a client's message.
    private func document(_ json: String) throws -> SpecificationDocument {
        let frame = #"{"id":1,"request":{"reserve":{"specification":\#(json)}}}"#
        let request = try FrameCodec.decode(ClientFrame.self, from: Array(frame.utf8)[...]).request
        guard case .reserve(let document) = request else {
            throw FrameError.garbled(frame, reason: "it is not a reservation")
        }
        return document
    }

    /// The members of a specification's JSON, with the closing bracket.
    private func members(_ specification: TransferSpecification) throws -> Substring {
        try FastJSON.text(of: specification).dropFirst()
    }

    private func stored(_ journal: Journal) throws -> [String] {
        var texts: [String] = []
        try journal.connection.rows("SELECT specification FROM transfers ORDER BY task") { texts.append($0.text(0)) }
        return texts
    }

    @Test("a specification is stored as it was received, and compared with another one as a value")
    func received() throws {
        let members = try members(.sample())
        let text = #"{ "later" : {"x":[1e2]}, \#(members.replacing("/", with: #"\/"#))"#
        do {
            let journal = try Journal(path: path)
            #expect(try journal.reserve(document(text), at: now) == .reserved(task: 1))
            #expect(try journal.reserve(.sample(), at: now) == .reserved(task: 1))
            #expect(try stored(journal) == [text])
        }
        let journal = try Journal(path: path)
        let reference = TransferSpecification.sample().reference
        guard case .started(let record) = try journal.resume(reference, at: now, boot: "b") else {
            Issue.record("not started")
            return
        }
        #expect(record.specification == .sample())
        #expect(try journal.reserve(document("{" + members), at: now) == .reserved(task: 1))
        let other = text.replacing("http:", with: "https:")
        #expect(try journal.reserve(document(other), at: now) == .conflict(state: .active))
        #expect(try stored(journal) == [text])
    }

    @Test("a reservation that is changed before its start is stored as the change was received")
    func change() throws {
        let journal = try Journal(path: path)
        _ = try journal.reserve(.sample(), at: now)
        let text = try "{ " + members(.sample(url: "http://host/other"))
        #expect(try journal.reserve(document(text), at: now) == .reserved(task: 1))
        #expect(try stored(journal) == [text])
    }

    @Test("a specification that only the decoder reads is stored as this version writes it")
    func duplicateName() throws {
        let journal = try Journal(path: path)
        let members = try members(.sample())
        #expect(try journal.reserve(document(#"{"url":"http://old/",\#(members)"#), at: now) == .reserved(task: 1))
        #expect(try stored(journal) == ["{" + members])
    }
}
