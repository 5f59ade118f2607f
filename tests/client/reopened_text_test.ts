import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { type Reopened, takenBackText } from "../../src/client/parts/decision/decision.tsx";
import { worded } from "./worded.ts";

const OPEN: Reopened = {
  outcome: "open",
  proposalId: "1",
  proposedCents: 9_000,
  currency: "EUR",
  closedBy: null,
};
const OTHER: Reopened = { ...OPEN, outcome: "other_price", proposedCents: 8_800 };
const closed = (closedBy: string): Reopened => ({
  ...OPEN,
  outcome: "closed",
  proposalId: null,
  proposedCents: null,
  closedBy,
});
const OFF = closed("rule_off");
const LOCKED = closed("price_locked");

for (
  const [reopened, german, english] of [
    [[], "A-1: x", "A-1: x"],
    [[OPEN], "A-1: x. Der Vorschlag ist wieder offen.", "A-1: x. The proposal is open again."],
    [
      [OTHER],
      "A-1: x. Der Vorschlag ist wieder offen, jetzt mit 88,00 €.",
      "A-1: x. The proposal is open again, now at €88.00.",
    ],
    [
      [OFF],
      "A-1: x. Der Vorschlag bleibt geschlossen: Die Regel wurde ausgeschaltet.",
      "A-1: x. The proposal stays closed: The rule was switched off.",
    ],
    [
      [OPEN, OTHER, OPEN],
      "A-1: x. 3 Vorschläge sind wieder offen, davon 1 mit anderem Preis.",
      "A-1: x. 3 proposals are open again, 1 of them at another price.",
    ],
    [
      [OPEN, OFF, OFF],
      "A-1: x. 1 Vorschlag ist wieder offen. 2 bleiben geschlossen: Die Regel wurde ausgeschaltet.",
      "A-1: x. 1 proposal is open again. 2 stay closed: The rule was switched off.",
    ],
    [
      [LOCKED, OFF],
      "A-1: x. 2 bleiben geschlossen: Preis gesperrt; Die Regel wurde ausgeschaltet.",
      "A-1: x. 2 stay closed: price locked; The rule was switched off.",
    ],
  ] as const
) {
  Deno.test(`an undone approval is described: ${english}`, () => {
    const told = (["de", "en"] as const).map((language) =>
      takenBackText(worded(language), "A-1: x", reopened).replaceAll("\u00a0", " ")
    );
    assertEquals(told, [german, english]);
  });
}
