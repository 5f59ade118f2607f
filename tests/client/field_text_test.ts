import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { fieldText } from "../../src/client/parts/field_text.ts";
import { wordsOf } from "../../src/client/words/words.ts";
import { createShow } from "../../src/engine/wording/show.ts";

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
    const told = ([["de", "de-DE"], ["en", "en-GB"]] as const).map(([language, locale]) => {
      const show = createShow({ locale, timeZone: "Europe/Berlin", currency: "EUR" }, Date.now);
      return fieldText({ words: wordsOf(language), show }, name, value, null);
    });
    assertEquals(told, [german, english]);
  });
}
