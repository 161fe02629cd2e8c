/// How the types that hold secrets show themselves: `description`, `dump` and a debugger show no secret.
///
/// A type with a mirror of its own needs no `description`: it is made of the mirror's children.
package enum ShownParts {
    /// In the place of a secret.
    static let hidden = Hidden()

    /// Shown without quotes.
    struct Hidden: CustomStringConvertible {
        var description: String { "…" }
    }

    /// Headers or form fields: with the values of secret ones hidden.
    static func members(_ members: [String: String]) -> [String: String] {
        members.reduce(into: [:]) { shown, member in
            shown[member.key] = SecretHeader.isSecret(member.key) ? "…" : url(member.value)
        }
    }

    /// A URL is shortened; other text is shown as it is.
    package static func url(_ text: String) -> String {
        text.contains("://") && !text.hasPrefix("/") ? ShownURL.text(text) : text
    }
}
