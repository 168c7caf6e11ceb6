/// A value that can stand for a `?` in a statement.
public protocol Bindable {
  /// Puts the value at a parameter's place, counted from 1.
  func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError)
}

extension Int64: Bindable {
  /// Binds as INTEGER.
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Int: Bindable {
  /// Binds as INTEGER.
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(Int64(self), at: index)
  }
}

extension Double: Bindable {
  /// Binds as REAL.
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension String: Bindable {
  /// Binds as TEXT, straight from the string's UTF-8.
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension [UInt8]: Bindable {
  /// Binds as BLOB.
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  /// Binds the value, or NULL.
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    switch self {
    case .some(let value): try value.bind(to: statement, at: index)
    case .none: try statement.bindNull(at: index)
    }
  }
}
