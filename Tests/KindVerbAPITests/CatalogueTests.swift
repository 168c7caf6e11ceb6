import Foundation
import JSON
import KindVerbAPI
import Testing

/// A method's examples, as the contract's file has them.
private func examples(of descriptor: MethodDescriptor) throws -> [JSON] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  let data = try Data(contentsOf: root.appending(path: "Protocol/\(descriptor.domain).json"))
  let file = try JSON(parsing: Array(data))
  return try #require(file["methods"]?[descriptor.name]?["examples"]?.arrayValue)
}

@Suite struct CatalogueTests {
  /// Every result and every parameter of the examples goes through the generated types and comes out as it was.
  private func roundTrip<Method: ContractMethod>(_ method: Method.Type, _ seen: inout [String]) throws {
    seen.append(Method.descriptor.name)
    for example in try examples(of: Method.descriptor) {
      let place: Comment = "\(Method.descriptor.name): \(example["name"]?.stringValue ?? "")"
      if let result = example["result"] { #expect(try written(Method.Result(json: result)) == result, place) }
      if let params = example["params"]?.objectValue, example["error"] == nil {
        #expect(try written(Method.Params(decoding: params)) == .object(params), place)
      }
    }
  }

  @Test func everyExampleFitsTheTypes() throws {
    var seen: [String] = []
    try roundTrip(Methods.AiConsentGet.self, &seen)
    try roundTrip(Methods.AiConsentSet.self, &seen)
    try roundTrip(Methods.AiStatus.self, &seen)
    try roundTrip(Methods.AiPreview.self, &seen)
    try roundTrip(Methods.ConflictTypes.self, &seen)
    try roundTrip(Methods.EmotionList.self, &seen)
    try roundTrip(Methods.EntitlementGet.self, &seen)
    try roundTrip(Methods.EntitlementRestore.self, &seen)
    try roundTrip(Methods.EventsSubscribe.self, &seen)
    try roundTrip(Methods.EventsUnsubscribe.self, &seen)
    try roundTrip(Methods.HealthRecordSet.self, &seen)
    try roundTrip(Methods.HealthRecordClear.self, &seen)
    try roundTrip(Methods.HealthWeightSet.self, &seen)
    try roundTrip(Methods.HealthWeightClear.self, &seen)
    try roundTrip(Methods.HealthUndo.self, &seen)
    try roundTrip(Methods.HealthDayGet.self, &seen)
    try roundTrip(Methods.HealthCalendarGet.self, &seen)
    try roundTrip(Methods.HealthSeriesGet.self, &seen)
    try roundTrip(Methods.JournalCreate.self, &seen)
    try roundTrip(Methods.JournalUpdate.self, &seen)
    try roundTrip(Methods.JournalComplete.self, &seen)
    try roundTrip(Methods.JournalGet.self, &seen)
    try roundTrip(Methods.JournalList.self, &seen)
    try roundTrip(Methods.JournalSearch.self, &seen)
    try roundTrip(Methods.JournalResume.self, &seen)
    try roundTrip(Methods.JournalDelete.self, &seen)
    try roundTrip(Methods.LetterCompose.self, &seen)
    try roundTrip(Methods.LetterDraft.self, &seen)
    try roundTrip(Methods.LetterRewrite.self, &seen)
    try roundTrip(Methods.LetterEdit.self, &seen)
    try roundTrip(Methods.LetterFinalize.self, &seen)
    try roundTrip(Methods.LetterGet.self, &seen)
    try roundTrip(Methods.LetterList.self, &seen)
    try roundTrip(Methods.LetterDelete.self, &seen)
    try roundTrip(Methods.NotificationConsentGet.self, &seen)
    try roundTrip(Methods.NotificationConsentSet.self, &seen)
    try roundTrip(Methods.NotificationSettingsGet.self, &seen)
    try roundTrip(Methods.NotificationSettingsSet.self, &seen)
    try roundTrip(Methods.OutboxStatus.self, &seen)
    try roundTrip(Methods.PeopleList.self, &seen)
    try roundTrip(Methods.PeopleAdd.self, &seen)
    try roundTrip(Methods.PeopleRemove.self, &seen)
    try roundTrip(Methods.ReminderSettingsGet.self, &seen)
    try roundTrip(Methods.ReminderSettingsSet.self, &seen)
    try roundTrip(Methods.ReminderUpcoming.self, &seen)
    try roundTrip(Methods.ReminderHistory.self, &seen)
    try roundTrip(Methods.ReminderTest.self, &seen)
    try roundTrip(Methods.RpcDiscover.self, &seen)
    try roundTrip(Methods.RpcCancel.self, &seen)
    try roundTrip(Methods.SettingsGet.self, &seen)
    try roundTrip(Methods.SettingsSet.self, &seen)
    try roundTrip(Methods.ShareConsentGet.self, &seen)
    try roundTrip(Methods.ShareConsentSet.self, &seen)
    try roundTrip(Methods.ShareCreate.self, &seen)
    try roundTrip(Methods.ShareList.self, &seen)
    try roundTrip(Methods.ShareGet.self, &seen)
    try roundTrip(Methods.ShareRetry.self, &seen)
    try roundTrip(Methods.ShareCancel.self, &seen)
    try roundTrip(Methods.ShareDelete.self, &seen)
    try roundTrip(Methods.SystemPing.self, &seen)
    try roundTrip(Methods.SystemInfo.self, &seen)
    try roundTrip(Methods.SystemStats.self, &seen)
    try roundTrip(Methods.SystemBackup.self, &seen)
    #expect(seen == MethodCatalogue.all.map(\.name))
  }

  @Test func aResultMayGrow() throws {
    #expect(try Pong(json: ["pong": true, "new": 1]).pong)
  }

  @Test func aResultThatDoesNotFitNamesTheMember() throws {
    func field(_ json: JSON) throws -> String? { try #require(throws: APIError.self) { _ = try Deletion(json: json) }.field }
    #expect(try field(["id": "x"]) == "Deletion.deleted")
    #expect(try field(["id": 5, "deleted": true]) == "Deletion.id")
    #expect(try field(nil) == "Deletion")
  }

  @Test func namesAreFound() {
    #expect(MethodCatalogue.named("journal.create")?.effect == .write)
    #expect(MethodCatalogue.named("journal.Create") == nil)
    #expect(MethodCatalogue.nearest(to: "jornal.create") == "journal.create")
    #expect(MethodCatalogue.nearest(to: "system.pnig") == "system.ping")
    #expect(MethodCatalogue.nearest(to: "x") == nil)
    #expect(MethodCatalogue.nearest(to: String(repeating: "journal.create", count: 1_000)) == nil)
  }

  @Test func parametersKeepTheContractsOrder() throws {
    let parameters = try #require(MethodCatalogue.named("journal.update")).parameters
    #expect(
      parameters.map(\.name) == [
        "id", "conflictType", "situationText", "feelings", "hurtText", "reflectionText", "desiredNeedText", "addressee",
      ])
    #expect(parameters.map(\.isRequired) == [true, false, false, false, false, false, false, false])
    #expect(parameters[0].isNullable == false && parameters[2].isNullable)
    #expect(parameters[3].kind == .array(.string))
    #expect(parameters[1].kind == .enumeration(["friends", "couple", "parentChild", "siblings", "inLaws"]))
    #expect(parameters.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func theDocumentIsTheSameContract() throws {
    let text = OpenRPCDocument.text
    let document = try JSON(parsing: Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)))
    #expect(document["methods"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == MethodCatalogue.all.map(\.name))
    #expect(document["components"]?["errors"]?.objectValue?.names == ErrorKey.allCases.map(\.rawValue))
  }
}
