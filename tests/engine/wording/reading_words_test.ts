import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { WEIGHTS } from "../../../src/engine/extraction/shown/scored_price.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import {
  confidenceText,
  identityReasonText,
  objectionText,
} from "../../../src/engine/wording/page_words.ts";

Deno.test("every feature that lowers a price's score has words in both languages, others have none", () => {
  for (const language of ["de", "en"] as const) {
    for (const [feature, points] of Object.entries(WEIGHTS)) {
      const text = objectionText([feature], language);
      assertEquals(text === null, points >= 0, `${feature} ${language}: ${text}`);
    }
  }
});

Deno.test("a feature that excludes a price is named before one that only lowers its score", () => {
  const features = ["far", "near_500", "struck", "monthly"];
  assertEquals(objectionText(features, "de"), "Betrag pro Monat");
  assertEquals(objectionText(["near_500"], "de"), null);
});

Deno.test("the text of a confidence contains how many prices of its band were right", () => {
  const settings = { locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" };
  const show = createShow(settings, () => 0);
  const band = { from: 0.9, right: 149, of: 151 };
  assertEquals(confidenceText(0.9, band, { language: "de", show }), "0,9: 149 von 151 richtig");
  assertEquals(confidenceText(0.9, band, { language: "en", show }), "0,9: 149 of 151 right");
  assertEquals(confidenceText(0.6, null, { language: "en", show }), "0,6");
});

Deno.test("the reason of a verdict names the value of each side in words, or that it has none", () => {
  const pack = { code: "pack", ours: null, theirs: "2er-pack" } as const;
  const marked = { code: "condition", ours: "new", theirs: "used" } as const;
  const titled = { code: "condition", ours: null, theirs: "gebraucht" } as const;
  const texts = [
    identityReasonText(pack, "de"),
    identityReasonText(pack, "en"),
    identityReasonText(marked, "de"),
    identityReasonText(titled, "en"),
  ];
  assertEquals(texts, [
    "Eine andere Packung: unsere keine Angabe, dort 2er-pack",
    "Another pack: ours not said, theirs 2er-pack",
    "Der Zustand ist ein anderer: unserer neu, dort gebraucht",
    "The condition is different: ours not said, theirs gebraucht",
  ]);
});
