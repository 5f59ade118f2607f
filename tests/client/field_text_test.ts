import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { fieldText } from "../../src/client/parts/field_text.ts";
import { worded } from "./worded.ts";

for (
  const [name, value, german, english] of [
    ["cooldownMinutes", 240, "4\u00a0Stunden", "4\u00a0hours"],
    ["cooldownMinutes", 1_440, "1\u00a0Tag", "1\u00a0day"],
    ["cooldownMinutes", 90, "90\u00a0min", "90\u00a0min"],
    ["importExpectedHours", 36, "36\u00a0Stunden", "36\u00a0hours"],
    ["priority", 20, "20", "20"],
    ["secondFactorRoles", ["owner"], "Inhaber", "Owner"],
    ["disabledBy", "import", "einen Import", "an import"],
    ["said", "rejected", "als falsch verworfen", "rejected as wrong"],
    ["events", ["scrape_run.finished"], "Ein Abruf ist zu Ende", "A fetch has ended"],
  ] as const
) {
  Deno.test(`a change of ${name} to ${value} reads ${english}`, () => {
    const told = (["de", "en"] as const).map((language) =>
      fieldText(worded(language), name, value, null)
    );
    assertEquals(told, [german, english]);
  });
}
