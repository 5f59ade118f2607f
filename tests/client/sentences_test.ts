/** Sentences of the client in both languages, told without a page. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Language } from "../../src/base/codes.ts";
import { HOUR_MS } from "../../src/base/time.ts";
import { resourceText } from "../../src/client/parts/audit/audit_text.ts";
import { type Reopened, takenBackText } from "../../src/client/parts/decision/decision.tsx";
import { fieldText } from "../../src/client/parts/field_text.ts";
import { deadlineText } from "../../src/client/parts/import/source_guards.tsx";
import { countedUntil } from "../../src/client/parts/shop/shop_state.ts";
import { wordsOf } from "../../src/client/words/words.ts";
import { createShow } from "../../src/engine/wording/show.ts";

/** Words and formats of a person in Berlin. */
function worded(language: Language) {
  const locale = language === "de" ? "de-DE" : "en-GB";
  const settings = { locale, timeZone: "Europe/Berlin", currency: "EUR" };
  const show = createShow(settings, () => 0);
  return { words: wordsOf(language, show.number), show };
}

const inBoth = <Told>(tell: (app: ReturnType<typeof worded>) => Told): Told[] => [
  tell(worded("de")),
  tell(worded("en")),
];

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
    assertEquals(inBoth((app) => fieldText(app, name, value, null)), [german, english]);
  });
}

const OPEN: Reopened = {
  outcome: "open",
  proposalId: "1",
  proposedCents: 9_000,
  currency: "EUR",
  closedBy: null,
};
const OTHER: Reopened = { ...OPEN, outcome: "other_price", proposedCents: 8_800 };
const CLOSED = {
  outcome: "closed",
  proposalId: null,
  proposedCents: null,
  currency: "EUR",
} as const;
const OFF: Reopened = { ...CLOSED, closedBy: "rule_off" };
const LOCKED: Reopened = { ...CLOSED, closedBy: "price_locked" };

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
    const told = inBoth((app) => takenBackText(app, "A-1: x", reopened).replaceAll("\u00a0", " "));
    assertEquals(told, [german, english]);
  });
}

Deno.test("a deadline of today is a time of the day, and another day is named", () => {
  const told = (now: string) =>
    inBoth((app) => deadlineText(app, "2026-11-26T14:05:00Z", Date.parse(now)));
  assertEquals(told("2026-11-26T08:00:00Z"), ["heute 15:05", "15:05 today"]);
  assertEquals(told("2026-11-25T08:00:00Z"), ["Do, 15:05", "Thu 15:05"]);
});

Deno.test("countedUntil() says until when the last prices counted, once they no longer do", () => {
  const readAt = "2026-11-25T07:00:00Z";
  const told = (hours: number) =>
    countedUntil(worded("de"), readAt, Date.parse(readAt) + hours * HOUR_MS);
  assertEquals(told(48), undefined);
  assertEquals(told(49), { read: "Preise vom Mi, 08:00", until: "zählten bis 08:00" });
  assertEquals(countedUntil(worded("de"), null, 0), undefined);
});

Deno.test("resourceText() counts rows and products with separators of thousands", () => {
  const entry = {
    ...{ id: "1", at: "2026-11-25T09:00:00.000Z", requestId: "req_1", action: "sales.push" },
    actor: { type: "user", id: "1", name: "Jana Petersen" },
    ...{ before: null, after: { rows: 12_345 } },
  } as const;
  const many = Object.fromEntries(Array.from({ length: 1_234 }, (_, at) => [`P-${at}`, {}]));
  const sales = { ...entry, resource: { type: "sales", id: "1", label: "" } } as const;
  const bulk = { ...entry, resource: { type: "product", id: "bulk", label: "" }, before: many };
  assertEquals(inBoth((app) => resourceText(app, sales, {})), ["12.345 Zeilen", "12,345 rows"]);
  assertEquals(inBoth((app) => resourceText(app, bulk, {})), ["1.234 Produkte", "1,234 products"]);
});
