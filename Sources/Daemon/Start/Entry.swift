import EventLoop
import Glibc
import KindVerbAPI
import Storage
import Systemd

/// The program: reads its arguments, starts the daemon on the loop and runs until it is told to stop.
public func kindverbdMain(_ arguments: [String], world: World = World()) -> Int32 {
  umask(0o077)
  forbidMemoryImages()
  // Whoever sets it for a browser does not mean what is sent from here.
  unsetenv("SSLKEYLOGFILE")
  let variable = { (name: String) in getenv(name).map { String(cString: $0) } }
  let language = Language.ofEnvironment(variable)
  do {
    switch try Options.parse(arguments, language: language, environment: variable) {
    case .help:
      say(MessageKey.daemonHelp.text(in: language))
      return 0
    case .version:
      say("kindverbd \(Version.program)")
      return 0
    case .run(let options):
      return try run(options, language, world)
    }
  } catch {
    Log("daemon").error("\(public: error.message)")
    return error.status.rawValue
  }
}

private func run(_ options: Options, _ language: Language, _ world: World) throws(StartFailure) -> Int32 {
  let configuration: Configuration
  do {
    guard let read = try Configuration.read(options.configPath) ?? (options.configIsExplicit ? nil : Configuration()) else {
      throw StartFailure(.configuration, .daemonStartConfigMissing, language, [options.configPath])
    }
    configuration = read
  } catch let error as ConfigurationError where error == .noFile {
    throw StartFailure(.configuration, .daemonStartConfigNoFile, language, [options.configPath])
  } catch let error as ConfigurationError {
    throw StartFailure(.configuration, .daemonStartConfig, language, [options.configPath, error.place])
  } catch let error as StartFailure {
    throw error
  } catch {
    throw StartFailure(.configuration, .daemonStartConfig, language, [options.configPath, "?"])
  }
  EventLoop.main.adoptThread()
  let outcome = Outcome()
  Task { @DaemonActor in
    do {
      let daemon = try DaemonProcess(options, configuration, language: language, world: world)
      outcome.daemon = daemon
      try await daemon.start()
    } catch let error as StartFailure {
      outcome.failure = error
      EventLoop.main.stop()
    }
  }
  EventLoop.main.run()
  return DaemonActor.assumeIsolated {
    if let failure = outcome.failure {
      Log("daemon").error("\(public: failure.message)")
      return failure.status.rawValue
    }
    return outcome.daemon?.exitStatus.rawValue ?? 0
  }
}

/// What the start came to; touched on the loop's thread alone.
@DaemonActor
private final class Outcome {
  var daemon: DaemonProcess?
  var failure: StartFailure?

  nonisolated init() {}
}

private func say(_ text: String) {
  let line = text + "\n"
  _ = write(1, line, line.utf8.count)
}

/// An image of the memory, left by a crash, would hold what a person wrote. What the daemon starts may allow itself one again.
private func forbidMemoryImages() {
  var limit = rlimit()
  guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit) == 0 else { return }
  limit.rlim_cur = 0
  setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
}
