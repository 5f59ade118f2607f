import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { identityReasonText, verdictText } from "../../../src/engine/wording/identity_words.ts";

Deno.test("the reason of a verdict names the value of each side, or that it has none", () => {
  const pack = { code: "pack", ours: null, theirs: "2er-pack" } as const;
  assertEquals(
    identityReasonText(pack, "de"),
    "Eine andere Packung: unsere keine Angabe, dort 2er-pack",
  );
  assertEquals(identityReasonText(pack, "en"), "Another pack: ours not said, theirs 2er-pack");
});

Deno.test("the reason of a verdict puts a condition into words", () => {
  const marked = { code: "condition", ours: "new", theirs: "used" } as const;
  assertEquals(
    identityReasonText(marked, "de"),
    "Der Zustand ist ein anderer: unserer neu, dort gebraucht",
  );
  const titled = { code: "condition", ours: null, theirs: "gebraucht" } as const;
  assertEquals(
    identityReasonText(titled, "en"),
    "The condition is different: ours not said, theirs gebraucht",
  );
});

Deno.test("a verdict is a sentence", () => {
  assertEquals(verdictText("different", "de"), "Ein anderes Produkt");
  assertEquals(verdictText("probably", "en"), "Probably the same product");
});
