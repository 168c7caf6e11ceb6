/// The cursor of a page: the row it goes on before.
public enum PageCursor {
  /// The row of a cursor; −32602 if it is none of ours.
  public static func row(_ text: String?) throws(APIError) -> Int64? {
    guard let text else { return nil }
    guard let row = Int64(text), row > 0 else {
      var failure = APIError(.rpcInvalidParams, field: "before")
      failure.expected = "`next` of an earlier page"
      throw failure
    }
    return row
  }
}
