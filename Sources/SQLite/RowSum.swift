import CSQLite

/// A sum over the values of a row, kept beside them, by which a byte that changed on the disk is found: SQLite checks the build of its
/// trees, not the words in them.
///
/// In SQL it is the function `rowsum(value, …)`; in a row that was read, ``Row/sum(of:)``. Both give the same integer for the same
/// values. The sum is part of the file's format and never changes. A change within any eight bytes is always found, others
/// with a chance of 1 in 2⁶⁴ of being missed. It is no protection against someone who means to deceive.
struct RowSum {
  private var state: UInt64 = 0x6B69_6E64_7665_7262

  /// The sum, as SQLite's INTEGER.
  var value: Int64 { Int64(bitPattern: state) }

  private mutating func mix(_ word: UInt64) {
    // Each step can be undone, so that no two different words lead to the same state.
    state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }

  mutating func add(type: Int32) { mix(UInt64(UInt32(bitPattern: type))) }

  mutating func add(_ integer: Int64) { mix(UInt64(bitPattern: integer)) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    mix(UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    mix(bytes[offset...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Makes `rowsum` known to a connection's SQL.
  static func define(on handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "rowsum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, count, values in
        var sum = RowSum()
        for index in 0..<Int(count) {
          let value = values?[index]
          let type = sqlite3_value_type(value)
          sum.add(type: type)
          switch type {
          case SQLITE_INTEGER: sum.add(sqlite3_value_int64(value))
          case SQLITE_FLOAT: sum.add(Int64(bitPattern: sqlite3_value_double(value).bitPattern))
          case SQLITE_NULL: break
          default:
            // A text too is taken as its bytes: asked for as a text, SQLite would copy it to end it with a NUL.
            let base = sqlite3_value_blob(value)
            sum.add(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_value_bytes(value))))
          }
        }
        sqlite3_result_int64(context, sum.value)
      }, nil, nil, nil)
  }
}

extension Row {
  /// What `rowsum` gives for the values of these columns.
  public func sum(of columns: Range<Int>) -> Int64 {
    var sum = RowSum()
    for column in columns {
      let index = Int32(truncatingIfNeeded: column)
      let type = sqlite3_column_type(handle, index)
      sum.add(type: type)
      switch type {
      case SQLITE_INTEGER: sum.add(sqlite3_column_int64(handle, index))
      case SQLITE_FLOAT: sum.add(Int64(bitPattern: sqlite3_column_double(handle, index).bitPattern))
      case SQLITE_NULL: break
      default:
        let base = sqlite3_column_blob(handle, index)
        sum.add(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, index))))
      }
    }
    return sum.value
  }

  /// Throws, as damage, unless the sum kept in a column is that of the values.
  public func checkSum(of columns: Range<Int>, keptIn column: Int) throws(SQLiteError) {
    guard isNull(column) || sum(of: columns) != int64(column) else { return }
    throw SQLiteError(extendedCode: SQLITE_CORRUPT, message: "a row is not as it was written")
  }
}
