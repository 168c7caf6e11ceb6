import COpenSSL
import JSON

/// Which check a signed text failed. Nothing of the text is in it.
public enum SignatureRefusal: String, Error, CaseIterable, Sendable {
  /// Longer than ``SignatureVerifier/longestText`` bytes.
  case tooLong = "too_long"
  /// Not three parts of base64url, the first two of them JSON objects in which no name stands twice.
  case malformed
  /// Not signed with ES256.
  case algorithm
  /// It demands that its reader understand something (`crit`).
  case critical
  /// Not three certificates.
  case chainLength = "chain_length"
  /// Nothing is wrong with the text: OpenSSL's libcrypto is not installed, and nothing can be verified.
  case noLibrary = "no_library"
  /// A certificate that is none.
  case certificate
  /// It does not say when it was signed.
  case signingTime = "signing_time"
  /// No strict path to a pinned root, valid when it was signed.
  case chain
  /// A certificate is not one for this purpose.
  case purpose
  /// The signature is another key's, or another text's.
  case signature
}

/// Verifies texts that carry their certificates: compact JWS (RFC 7515) with `x5c`, ES256, and a chain of three to a root that is pinned.
/// No network, no clock: the certificates must have been valid when the text says it was signed, which stays so for ever. So it proves what
/// was true then, and knows nothing of a revocation since.
public struct SignatureVerifier: Sendable {
  /// A text may have so many bytes.
  public static let longestText = 65_536

  private let roots: [[UInt8]]
  private let leafMark: String
  private let intermediateMark: String

  /// A verifier that trusts these roots, certificates as DER, and of what they certify only what is marked: by an extension with that
  /// object identifier in the leaf, and another in the intermediate certificate.
  public init(roots: [[UInt8]], leafMark: String, intermediateMark: String) {
    self.roots = roots
    self.leafMark = leafMark
    self.intermediateMark = intermediateMark
  }

  /// What a text says, once everything has been verified. `signedAt` finds in it when it was signed, in milliseconds since 1970; it is
  /// asked before anything is proved and must do nothing else with what it sees.
  public func payload(of text: String, signedAt: (JSONObject) -> Int64?) throws(SignatureRefusal) -> JSONObject {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longestText else { throw .tooLong }
    let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let payload = Self.object(parts[1]),
      let signature = Base64.url.bytes(of: parts[2])
    else { throw .malformed }
    let certificates = try Self.certificates(header)
    guard let time = signedAt(payload) else { throw .signingTime }
    guard Certificate.load() else { throw .noLibrary }
    // What OpenSSL notes of failures is nobody's next error.
    defer { kv_ERR_clear_error() }
    guard let leaf = Certificate(der: certificates.leaf), let intermediate = Certificate(der: certificates.intermediate) else {
      throw .certificate
    }
    let seconds = time / 1_000 - (time % 1_000 < 0 ? 1 : 0)
    guard leaf.isCertified(over: intermediate, by: roots, at: seconds) else { throw .chain }
    guard leaf.has(leafMark), intermediate.has(intermediateMark) else { throw .purpose }
    guard leaf.signed(bytes[..<parts[1].endIndex], with: signature) else { throw .signature }
    return payload
  }

  private static func object(_ part: some Collection<UInt8>) -> JSONObject? {
    Base64.url.bytes(of: part).flatMap { try? JSONParser.parse($0) }?.objectValue
  }

  /// The first two certificates of a header. The third is the root as the sender sees it: it must be there, and is not looked at.
  private static func certificates(_ header: JSONObject) throws(SignatureRefusal) -> (leaf: [UInt8], intermediate: [UInt8]) {
    guard header["alg"]?.stringValue == "ES256" else { throw .algorithm }
    guard header["crit"] == nil else { throw .critical }
    guard let chain = header["x5c"]?.arrayValue, chain.count == 3 else { throw .chainLength }
    guard let leaf = chain[0].stringValue.flatMap({ Base64.standard.bytes(of: $0.utf8) }),
      let intermediate = chain[1].stringValue.flatMap({ Base64.standard.bytes(of: $0.utf8) })
    else { throw .certificate }
    return (leaf, intermediate)
  }
}
