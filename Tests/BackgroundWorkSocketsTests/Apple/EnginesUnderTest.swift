extension EngineUnderTest {
    static let all = [session]
}
