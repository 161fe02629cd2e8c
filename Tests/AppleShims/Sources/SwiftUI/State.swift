/// doc: swiftui/state; the value of a view that is not shown
@propertyWrapper public struct State<Value> {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    /// doc: swiftui/state/init(wrappedvalue:)
    public init(wrappedValue value: Value) { storage = Storage(value) }
    /// doc: swiftui/state/init(initialvalue:)
    public init(initialValue value: Value) { storage = Storage(value) }

    /// doc: swiftui/state/wrappedvalue
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    /// doc: swiftui/state/projectedvalue
    public var projectedValue: Binding<Value> {
        let storage = storage
        return Binding(get: { storage.value }, set: { storage.value = $0 })
    }
}

/// doc: swiftui/binding
@propertyWrapper public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// doc: swiftui/binding/wrappedvalue
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}
