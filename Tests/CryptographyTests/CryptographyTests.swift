import JSON
import Testing

@testable import Cryptography

@Suite struct SumTests {
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sumsOfTheStandard(text: String, sum: String) {
    #expect(SHA256.hex(of: Array(text.utf8)) == sum)
  }

  /// The sum of the sums of n bytes 0, 1, 2 …, for every n up to 300, by Python's hashlib: each way in which the last block can end.
  @Test func everyLength() {
    let sums = (0...300).map { count in SHA256.hex(of: (0..<count).map { UInt8(truncatingIfNeeded: $0) }) }
    #expect(SHA256.hex(of: Array(sums.joined().utf8)) == "d64e80cd14d5651b82fc752683de544bebae3046132ed7278785fdd2e9f3c310")
  }
}

@Suite struct Base64Tests {
  @Test func theTextsOfTheStandard() {
    let texts = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
    for (count, text) in texts.enumerated() {
      let bytes = Array("foobar".utf8.prefix(count))
      #expect(Base64.standard.bytes(of: text.utf8) == bytes)
      #expect(Base64.url.bytes(of: text.utf8.filter { $0 != UInt8(ascii: "=") }) == bytes)
    }
    #expect(Base64.standard.bytes(of: "+/+/".utf8) == [0xFB, 0xFF, 0xBF])
    #expect(Base64.url.bytes(of: "-_-_".utf8) == [0xFB, 0xFF, 0xBF])
  }

  @Test(
    "whatever is not the one spelling is none",
    arguments: [
      "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z", "Zm9v=", "Zm9vYg==\n", " Zg==", "Zm-_", "=Zg=", "Zg=A", "Zm9vé", "Zg\0=",
    ])
  func strictStandard(text: String) { #expect(Base64.standard.bytes(of: text.utf8) == nil) }

  @Test(arguments: ["Zg==", "Zh", "Zm9", "Z", "Zm9v\n", "Zm 9v", "Zm+/", "="])
  func strictURL(text: String) { #expect(Base64.url.bytes(of: text.utf8) == nil) }
}

@Suite struct SignatureTests {
  static let leafMark = "1.2.840.113635.100.6.11.1"
  static let intermediateMark = "1.2.840.113635.100.6.2.1"

  private func verifier(leafMark: String = leafMark, intermediateMark: String = intermediateMark, roots: [[UInt8]]? = nil) throws
    -> SignatureVerifier
  {
    let root = try #require(Base64.standard.bytes(of: Fixture.root.utf8))
    return SignatureVerifier(roots: roots ?? [root], leafMark: leafMark, intermediateMark: intermediateMark)
  }

  private func refusal(_ text: String, by verifier: SignatureVerifier, at time: Int64? = nil) -> SignatureRefusal? {
    do {
      _ = try verifier.payload(of: text) { time ?? $0["signedDate"]?.intValue.map(Int64.init) }
      return nil
    } catch { return error }
  }

  @Test func whatWasSignedIsAnswered() throws {
    let payload = try verifier().payload(of: Fixture.transaction) { $0["signedDate"]?.intValue.map(Int64.init) }
    #expect(payload["productId"]?.stringValue == "kindverb.pro.lifetime")
    #expect(payload["signedDate"]?.intValue == 1_764_547_200_000)
  }

  @Test func rootsAndMarksDecide() throws {
    #expect(refusal(Fixture.transaction, by: try verifier(roots: [])) == .chain)
    #expect(refusal(Fixture.transaction, by: try verifier(leafMark: Self.intermediateMark)) == .purpose)
    #expect(refusal(Fixture.transaction, by: try verifier(intermediateMark: Self.leafMark)) == .purpose)
    // The leaf of a chain is no root, although it is trusted.
    let header = try #require(
      Base64.url.bytes(of: Fixture.transaction.utf8.prefix { $0 != UInt8(ascii: ".") }).flatMap { try? JSON(parsing: $0) })
    for place in 0..<2 {
      let certificate = try #require(header["x5c"]?[place]?.stringValue.flatMap { Base64.standard.bytes(of: $0.utf8) })
      #expect(refusal(Fixture.transaction, by: try verifier(roots: [certificate])) == .chain)
    }
  }

  @Test("the leaf counts when it was signed, whenever that was, and not from its last second on")
  func validity() throws {
    let verifier = try verifier()
    let (signed, half) = (1_764_547_200_000 as Int64, 200 * 86_400_000 as Int64)
    for (time, isValid) in [
      (signed - half, true), (signed - half - 1, false), (signed + half - 1, true), (signed + half, false), (0, false),
      (Int64.max, false), (Int64.min, false),
    ] { #expect((refusal(Fixture.transaction, by: verifier, at: time) == nil) == isValid, "\(time)") }
    #expect(throws: SignatureRefusal.signingTime) { try verifier.payload(of: Fixture.transaction) { _ in nil } }
  }

  @Test("no byte of it can be another")
  func everyByteCounts() throws {
    let verifier = try verifier()
    let bytes = Array(Fixture.transaction.utf8)
    for place in Array(stride(from: 0, to: bytes.count, by: 5)) + bytes.indices.suffix(88) {
      var changed = bytes
      changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(refusal(String(decoding: changed, as: UTF8.self), by: verifier) != nil, "byte \(place)")
    }
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(refusal(String(decoding: bytes[..<count], as: UTF8.self), by: verifier) != nil)
    }
    for text in [
      "\(Fixture.transaction)=", "\(Fixture.transaction)\n", " \(Fixture.transaction)", "\(Fixture.transaction).", "..",
    ] {
      #expect(refusal(text, by: verifier) == .malformed)
    }
    let long = String(repeating: "A", count: SignatureVerifier.longestText)
    #expect(refusal(long, by: verifier) == .malformed)
    #expect(refusal(long + "A", by: verifier) == .tooLong)
  }

  @Test("what a refusal says is which check it was, and nothing of the text")
  func refusalsTellNothing() {
    for refusal in SignatureRefusal.allCases { #expect(refusal.rawValue.allSatisfy { $0.isLowercase || $0 == "_" }) }
  }
}
