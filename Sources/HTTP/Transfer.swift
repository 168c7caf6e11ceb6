import CCurl
import EventLoop
import Glibc

/// One request on its way: libcurl's handle for it, what has come of the answer, and the limits.
@DaemonActor
final class Transfer {
  /// How far it is. Each phase has a limit of its own.
  private enum Phase {
    case connecting
    case waiting
    case receiving
  }

  let request: HTTPRequest
  let handle: UnsafeMutableRawPointer
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let onBody: (@DaemonActor ([UInt8]) -> Void)?
  private let onEnd: @DaemonActor (Transfer, Result<HTTPResponse, HTTPFailure>) -> Void
  private var timer: TimerSource?
  private var phase = Phase.connecting
  private let startedAt = monotonicMilliseconds()
  private var phaseSince: Int
  private var headers = HTTPHeaders()
  private var body: [UInt8] = []
  /// How often a connection was given to it.
  private var connections = 0
  /// What a callback stopped it for; libcurl only knows that it was stopped.
  private var objection: HTTPFailure.Reason?
  private var hasEnded = false
  /// libcurl's words. Nothing but the kind of one error is read out of them.
  private let words: UnsafeMutablePointer<CChar>

  /// A transfer that waits to be added; nil where there is no memory for it. `onEnd` is called once, and not from within libcurl.
  /// `keptSeconds`: how old a connection that it uses may be; 0 has it make its own.
  init?(
    _ request: HTTPRequest, _ lines: [String], trust: HTTPClient.Trust, keptSeconds: Int,
    onBody: (@DaemonActor ([UInt8]) -> Void)?,
    onEnd: @escaping @DaemonActor (Transfer, Result<HTTPResponse, HTTPFailure>) -> Void
  ) {
    guard let handle = kv_curl_new() else { return nil }
    self.handle = handle
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.request = request
    self.onBody = onBody
    self.onEnd = onEnd
    phaseSince = startedAt
    timer = try? TimerSource { [weak self] in self?.checkTime() }
    guard timer != nil, append(lines), prepare(trust, keptSeconds), listen() else { return nil }
  }

  isolated deinit {
    kv_curl_free(handle)
    kv_curl_free_list(lines)
    words.deallocate()
  }

  /// Begins to count the time.
  func start() { checkTime() }

  /// Ends it for a reason of ours. Nothing happens once it has ended.
  func fail(_ reason: HTTPFailure.Reason) {
    end(.failure(HTTPFailure(reason, mayHaveBeenSent: connections > 0, status: headers.status)))
  }

  /// Ends it as libcurl did.
  func end(_ code: CURLcode) {
    if code == CURLE_OK, objection == nil, let status = headers.status {
      end(.success(HTTPResponse(status: status, headers: headers, body: body)))
    } else {
      fail(objection ?? reason(code))
    }
  }

  private func end(_ result: Result<HTTPResponse, HTTPFailure>) {
    guard !hasEnded else { return }
    hasEnded = true
    timer?.cancel()
    onEnd(self, result)
  }

  // MARK: Limits

  private var deadline: (at: Int, reason: HTTPFailure.Reason) {
    let limits = request.limits
    let ofPhase: (at: Int, reason: HTTPFailure.Reason) =
      switch phase {
      case .connecting: (phaseSince + limits.connect, .connectTimeout)
      case .waiting: (phaseSince + limits.firstByte, .firstByteTimeout)
      case .receiving: (phaseSince + limits.idle, .idleTimeout)
      }
    let total = startedAt + limits.total
    return total <= ofPhase.at ? (total, .totalTimeout) : ofPhase
  }

  private func checkTime() {
    let deadline = deadline
    let left = deadline.at - monotonicMilliseconds()
    if left <= 0 { fail(deadline.reason) } else { timer?.arm(afterMilliseconds: left) }
  }

  /// The next phase, or the same anew. Within one the limit only moves away: the timer finds that out when it goes off, and a piece of an
  /// answer costs no system call.
  private func enter(_ next: Phase) {
    phaseSince = monotonicMilliseconds()
    guard phase != next else { return }
    phase = next
    timer?.arm(afterMilliseconds: max(0, deadline.at - phaseSince))
  }

  // MARK: What libcurl tells

  /// There is a connection, and the request goes out; whether it may.
  fileprivate func connected() -> Bool {
    connections += 1
    // A kept connection died under a request that it had taken. libcurl would send it once more, and the first may have arrived.
    guard connections == 1 || request.method == .get else {
      objection = .broken
      return false
    }
    enter(.waiting)
    return true
  }

  fileprivate func tookHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard headers.take(line) else {
      objection = .tooLarge
      return false
    }
    // An interim answer (1xx) is not the one that is waited for.
    if let status = headers.status, status >= 200 { enter(.receiving) }
    return true
  }

  fileprivate func tookBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    enter(.receiving)
    guard bytes.count <= request.limits.responseBytes - body.count else {
      objection = .tooLarge
      return false
    }
    body += bytes
    onBody?(Array(bytes))
    return true
  }
}

// MARK: - Options and codes

extension Transfer {
  private func append(_ texts: [String]) -> Bool {
    // Without this libcurl asks whether it may send a large body, and waits a second for an answer that few servers give.
    for text in texts + ["Expect:"] {
      guard let longer = kv_curl_append(lines, text) else { return false }
      lines = longer
    }
    return true
  }

  private func prepare(_ trust: HTTPClient.Trust, _ keptSeconds: Int) -> Bool {
    let limits = request.limits
    let numbers: [(CURLoption, Int)] = [
      // Signals are the loop's.
      (CURLOPT_NOSIGNAL, 1),
      (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
      (CURLOPT_FOLLOWLOCATION, 0),
      // HTTP/1.1: a cancelled request closes its connection, and a connection that died took one request with it.
      (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
      // A name that is still being looked up is left to its thread, which the loop does not wait for.
      (CURLOPT_QUICK_EXIT, 1),
      // Which addresses of a host are tried one after the other, and how long each, libcurl decides by this; the limit itself is ours.
      (CURLOPT_CONNECTTIMEOUT_MS, max(1, limits.connect)),
      (CURLOPT_MAXAGE_CONN, max(1, keptSeconds)), (CURLOPT_FRESH_CONNECT, keptSeconds == 0 ? 1 : 0),
      // What a proxy answers is not the server's answer, and what is for the server is not the proxy's to see.
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE)),
    ]
    return numbers.allSatisfy { kv_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }
      && kv_curl_set_large(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.responseBytes)) == CURLE_OK
      && kv_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "https") == CURLE_OK
      && kv_curl_set_string(handle, CURLOPT_URL, request.url) == CURLE_OK
      && kv_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines) == CURLE_OK
      && (request.method == .get || kv_curl_set_post(handle, request.body, request.body.count) == CURLE_OK)
      && prepare(certificates: trust)
  }

  private func prepare(certificates trust: HTTPClient.Trust) -> Bool {
    switch trust {
    case .file(let path):
      return kv_curl_set_string(handle, CURLOPT_CAINFO, path) == CURLE_OK
        && kv_curl_set_string(handle, CURLOPT_CAPATH, nil) == CURLE_OK
    case .system:
      // The directory is asked for the one certificate that is needed. Reading all of the bundle takes 30 ms for every connection.
      return HTTPClient.hasCertificateDirectory ? kv_curl_set_string(handle, CURLOPT_CAINFO, nil) == CURLE_OK : true
    }
  }

  private func listen() -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let options = [CURLOPT_PREREQDATA, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA]
    return kv_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words) == CURLE_OK
      && options.allSatisfy { kv_curl_set_pointer(handle, $0, context) == CURLE_OK }
      && kv_curl_set_before_request(handle) { context, _, _, _, _ in
        DaemonActor.assumeIsolated { Transfer.at(context)?.connected() ?? false } ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      } == CURLE_OK
      && kv_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
        DaemonActor.assumeIsolated {
          Transfer.at(context)?.tookHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ?? false
        } ? count : Int(CURL_WRITEFUNC_ERROR)
      } == CURLE_OK
      && kv_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
        DaemonActor.assumeIsolated {
          Transfer.at(context)?.tookBody(UnsafeRawBufferPointer(start: bytes, count: count)) ?? false
        } ? count : Int(CURL_WRITEFUNC_ERROR)
      } == CURLE_OK
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// What a code of libcurl's means here.
  private func reason(_ code: CURLcode) -> HTTPFailure.Reason {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .unreachable
    case CURLE_OPERATION_TIMEDOUT: phase == .connecting ? .connectTimeout : .totalTimeout
    case CURLE_SSL_CONNECT_ERROR: wasCutInHandshake ? .broken : .tls
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .tls
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    // After a connection was made the first of them says that what came is no HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: phase == .connecting ? .notAllowed : .broken
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_SSL_ENGINE_NOTFOUND: .unavailable
    default: wasRefusedByProxy ? .proxy : .broken
    }
  }

  /// The connection ended in the middle of the handshake. libcurl has one code for that and for what TLS itself refuses; only of the
  /// latter does OpenSSL have something to say (`error:0A00010B:…`).
  private var wasCutInHandshake: Bool { !String(cString: words).contains("error:") }

  /// There is no connection, and the proxy has answered.
  private var wasRefusedByProxy: Bool {
    phase == .connecting && kv_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE) != 0
  }
}

/// The time on the clock that timers run on, in milliseconds.
private func monotonicMilliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
}
