import Foundation
import PackagePlugin

/// Runs the generator before a target that carries a String Catalog or the contract is compiled.
@main
struct ContractPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let tool = try context.tool(named: "ContractGenerator").url
    let directory = URL(fileURLWithPath: target.directoryURL.path)
    let output = context.pluginWorkDirectoryURL
    var commands: [Command] = []
    let entries = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    for catalog in entries.filter({ $0.hasSuffix(".xcstrings") }) {
      let input = directory.appending(path: catalog)
      let source = output.appending(path: catalog.replacing(".xcstrings", with: "Catalog.swift"))
      commands.append(
        .buildCommand(
          displayName: "Texts of \(catalog)", executable: tool, arguments: ["catalog", input.path, source.path],
          inputFiles: [input], outputFiles: [source]))
    }
    if target.name == "KindVerbAPI" {
      let contract = context.package.directoryURL.appending(path: "Protocol")
      let files = try FileManager.default.contentsOfDirectory(atPath: contract.path).filter { $0.hasSuffix(".json") }.sorted()
      let catalog = directory.appending(path: "Localizable.xcstrings")
      let sources = ["ContractTypes", "ContractMethods", "ContractErrors", "ContractConstants", "OpenRPCDocument"]
      commands.append(
        .buildCommand(
          displayName: "The contract", executable: tool, arguments: ["contract", contract.path, catalog.path, output.path],
          inputFiles: files.map { contract.appending(path: $0) } + [catalog],
          outputFiles: sources.map { output.appending(path: $0 + ".swift") }))
    }
    return commands
  }
}
