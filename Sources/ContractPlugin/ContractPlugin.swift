import PackagePlugin

/// Runs the generator before a target that carries a contract or a String Catalog is compiled.
@main
struct ContractPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] { [] }
}
