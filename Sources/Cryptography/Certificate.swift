import COpenSSL

/// An X.509 certificate. Only once ``load()`` has said yes.
struct Certificate: ~Copyable {
  private let handle: OpaquePointer

  /// Loads what knows certificates; false where it is not installed.
  static func load() -> Bool { kv_openssl_load() == 0 }

  /// Reads a certificate; nil for bytes that are none, or that go on after its end.
  init?(der: [UInt8]) {
    let read = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var place = buffer.baseAddress
      guard let handle = kv_d2i_X509(nil, &place, buffer.count) else { return nil }
      if place == buffer.baseAddress.map({ $0 + buffer.count }) { return handle }
      kv_X509_free(handle)
      return nil
    }
    guard let read else { return nil }
    handle = read
  }

  deinit { kv_X509_free(handle) }

  /// Whether it has an extension of that object identifier, whatever its value.
  func has(_ identifier: String) -> Bool {
    guard let object = kv_OBJ_txt2obj(identifier, 1) else { return false }
    defer { kv_ASN1_OBJECT_free(object) }
    return kv_X509_get_ext_by_OBJ(handle, object, -1) >= 0
  }

  /// Whether a path leads from here over `intermediate`, and nothing else, to one of `roots`, by the strict rules of RFC 5280 and with
  /// every certificate valid at that time, in seconds since 1970. Revocation is not looked at.
  func isCertified(over intermediate: borrowing Certificate, by roots: [[UInt8]], at seconds: Int64) -> Bool {
    guard let store = kv_X509_STORE_new(), let untrusted = kv_openssl_stack(intermediate.handle),
      let context = kv_X509_STORE_CTX_new()
    else { return false }
    defer {
      kv_X509_STORE_CTX_free(context)
      kv_openssl_stack_free(untrusted)
      kv_X509_STORE_free(store)
    }
    for root in roots {
      // The store takes its own reference.
      guard let root = Certificate(der: root), kv_X509_STORE_add_cert(store, root.handle) == 1 else { return false }
    }
    guard kv_X509_STORE_CTX_init(context, store, handle, untrusted) == 1 else { return false }
    let rules = kv_X509_STORE_CTX_get0_param(context)
    kv_X509_VERIFY_PARAM_set_time(rules, Int(seconds))
    guard kv_X509_VERIFY_PARAM_set_flags(rules, UInt(X509_V_FLAG_X509_STRICT)) == 1, kv_X509_verify_cert(context) == 1 else {
      return false
    }
    let path = kv_X509_STORE_CTX_get0_chain(context)
    return kv_openssl_stack_count(path) == 3 && kv_X509_cmp(kv_openssl_stack_item(path, 1), intermediate.handle) == 0
  }

  /// Whether a signature of r and s, 32 bytes each, is that of its key over `bytes`: ECDSA with SHA-256 on the curve P-256.
  func signed(_ bytes: some Collection<UInt8>, with signature: [UInt8]) -> Bool {
    guard signature.count == 64, let key = kv_X509_get0_pubkey(handle), Self.isP256(key), let context = kv_EVP_MD_CTX_new() else {
      return false
    }
    defer { kv_EVP_MD_CTX_free(context) }
    guard kv_EVP_DigestVerifyInit(context, nil, kv_EVP_sha256(), nil, key) == 1 else { return false }
    let (signature, bytes) = (Self.sequence(of: signature), Array(bytes))
    return kv_EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
  }

  private static func isP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    return kv_EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1
      && name.prefix(count).elementsEqual("prime256v1".utf8.lazy.map { CChar(bitPattern: $0) })
  }

  /// r and s as OpenSSL wants them: a DER sequence of two integers.
  private static func sequence(of signature: [UInt8]) -> [UInt8] {
    let integers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
      var digits = Array(half.drop { $0 == 0 })
      // An integer that begins with a one bit would be negative, and one without digits none.
      if (digits.first ?? 0x80) & 0x80 != 0 { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(integers.count)] + integers
  }
}
