import Foundation
import JSON

/// The contract's build tool.
///
///     ContractGenerator catalog <file.xcstrings> <out.swift>
///     ContractGenerator contract <Protocol directory> <catalog.xcstrings> <out directory>
///     ContractGenerator reference <Protocol directory> <out.md>
func run(_ arguments: [String]) throws {
  switch (arguments.first, arguments.count) {
  case ("catalog", 3):
    let catalog = try StringCatalog(path: arguments[1])
    try write(CatalogSource(catalog).text, to: arguments[2])
  case ("contract", 4):
    let contract = try Contract(directory: arguments[1])
    try contract.check(against: StringCatalog(path: arguments[2]))
    try write(TypesSource(contract).text, to: arguments[3] + "/ContractTypes.swift")
    try write(MethodsSource(contract).text, to: arguments[3] + "/ContractMethods.swift")
    try write(ErrorsSource(contract).text, to: arguments[3] + "/ContractErrors.swift")
    try write(ConstantsSource(contract).text, to: arguments[3] + "/ContractConstants.swift")
    try write(OpenRPCSource(contract).swift, to: arguments[3] + "/OpenRPCDocument.swift")
  case ("reference", 3):
    try write(Reference(Contract(directory: arguments[1])).text, to: arguments[2])
  default:
    throw ContractError("usage: catalog, contract or reference; see main.swift")
  }
}

func write(_ text: String, to path: String) throws {
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
