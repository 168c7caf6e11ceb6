import COpenSSL

/// The SHA-256 sum (FIPS 180-4).
public enum SHA256 {
  /// The sum of bytes as 64 lower-case hexadecimal digits.
  public static func hex(of bytes: [UInt8]) -> String {
    var sum = [UInt8](repeating: 0, count: 32)
    // It can fail only without memory, where Swift would have ended the program already.
    let isDone = EVP_Digest(bytes, bytes.count, &sum, nil, EVP_sha256(), nil) == 1
    precondition(isDone, "OpenSSL has no SHA-256")
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: sum.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
