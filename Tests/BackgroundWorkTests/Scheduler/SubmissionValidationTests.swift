import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// Many submissions of which one is rejected: none of them is stored.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct SubmissionValidationTests {
    private let refusal: EnqueueRefusal
    private var scheduler: WorkScheduler { refusal.scheduler }
    private var request: TaskRequest { refusal.request }

    init() throws { refusal = try EnqueueRefusal() }

    @Test("of many submissions none is stored when one is bad, and the error counts")
    func submissions() async throws {
        let bad = TaskSubmission(request, id: "third", trigger: .oneTime(delay: .seconds(-1)))
        let submissions = ["first", "second"].map { TaskSubmission(request, id: $0) } + [bad]
        try await refusal.expect(
            .inSubmission(index: 2, .invalidDelay(.seconds(-1))), saying: "Submission 2", "delay of -1", "None of them"
        ) {
            try await scheduler.enqueue(contentsOf: submissions)[0]
        }
    }

    @Test("of many submissions none is stored when one takes the id of a chain")
    func submissionsInTheTransaction() async throws {
        try await scheduler.beginWith(request).enqueue(id: "c")
        let submissions = ["first", "second", "c/0.0", "fourth"].map { TaskSubmission(request, id: $0) }
        let error = await #expect(throws: EnqueueError.self) { try await scheduler.enqueue(contentsOf: submissions) }
        #expect(
            error == .inSubmission(index: 2, .idTaken(id: "c/0.0", by: "a member of the chain \"c\"")))
        #expect(error?.description.contains("Choose another") == true)
        #expect(try await scheduler.infos(matching: WorkQuery()).map(\.id) == ["c/0.0"])
        await scheduler.shutdown()
    }
}
