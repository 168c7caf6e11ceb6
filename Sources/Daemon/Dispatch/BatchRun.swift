import EventLoop
import JSONRPC
import RPCServer

/// A batch on its way: its calls are run one by one, in as many turns as that takes, each in its turn's transaction. The answer leaves
/// with the turn of the last one.
@DaemonActor
final class BatchRun: UnfinishedLine {
  let isAnswered: Bool
  var size: Int { answer.size }

  private let items: [Result<Request, InvalidRequest>]
  private let slots: [Int?]
  private let answer: Answer
  private unowned let dispatcher: Dispatcher
  private var done = 0

  init(_ items: [Result<Request, InvalidRequest>], _ answer: Answer, _ dispatcher: Dispatcher) {
    self.items = items
    self.answer = answer
    self.dispatcher = dispatcher
    // Every reply has its place before the first is there, so that all of them fit.
    slots = items.map { item in
      switch item {
      case .success(let request): request.id.map { answer.reserve(for: $0) }
      case .failure(let failure): answer.reserve(for: failure.id)
      }
    }
    isAnswered = slots.contains { $0 != nil }
  }

  func runPiece() -> Bool {
    let slot = slots[done]
    switch items[done] {
    // What there is no room to answer is not run.
    case .success(let request) where answer.isFull:
      if let slot { dispatcher.fail(answer.tooLarge, request.id ?? .null, answer, slot) }
    case .success(let request): dispatcher.run(request, answer, slot)
    case .failure(let failure): dispatcher.refuse(failure, answer, slot ?? answer.reserve(for: failure.id))
    }
    done += 1
    if done == items.count { dispatcher.isRun(answer) }
    return done < items.count
  }
}
