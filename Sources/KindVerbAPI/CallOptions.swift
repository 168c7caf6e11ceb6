import JSON

/// What a call asks for beside its parameters: the members of `params._meta`.
public struct CallOptions: Equatable, Sendable {
  /// The member of the parameters that holds them.
  public static let member = "_meta"
  /// The longest that a caller may wait, in milliseconds.
  public static let longestDeadlineMs = 600_000

  /// A name for this call's effect: the same reply comes for 24 hours, however often it is sent. At most 128 bytes.
  public var idempotencyKey: String?
  /// How long the caller waits, in milliseconds from when the daemon has read the line's end: 1…600 000.
  public var deadlineMs: Int?
  /// Whether the effect is undone after it has been computed.
  public var dryRun = false
  /// The language of texts in the answer.
  public var language: Language?

  /// No wishes.
  public init() {}

  /// Reads the options; unknown ones are refused.
  public init(decoding json: JSON) throws(APIError) {
    guard let object = json.objectValue else {
      throw APIError.mismatch(Self.member, expected: "object", got: json)
    }
    do {
      let fields = try Fields(params: object, known: ["idempotencyKey", "deadlineMs", "dryRun", "language"])
      idempotencyKey = try fields.optional("idempotencyKey", Read.string(Rule(minimum: 1, bytes: 128)))
      deadlineMs = try fields.optional("deadlineMs", Read.integer(Rule(minimum: 1, maximum: Self.longestDeadlineMs)))
      dryRun = try fields.optional("dryRun", Read.boolean) ?? false
      language = try fields.optional("language", Read.enumeration(Language.self))
    } catch {
      var failure = error
      failure.field = failure.field.map { "\(Self.member).\($0)" } ?? Self.member
      throw failure
    }
  }
}
