/** Checks that texts exist in both languages, and that the log and the forms name all fields. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Competitor } from "../../src/shops/competitor_store.ts";
import { CompetitorProduct, CompetitorProductPatch } from "../../src/shops/matches/match.ts";
import { SETTINGS_READ_ONLY, Workspace, WorkspaceSettings } from "../../src/accounts/workspace.ts";
import { NewImportSource } from "../../src/imports/state/import_source.ts";
import { RuleAnswer } from "../../src/engine/pricing/rule.ts";
import { View } from "../../src/accounts/views/view.ts";
import { Webhook } from "../../src/messages/webhook.ts";
import type { Language } from "../../src/base/codes.ts";
import { wordsOf } from "../../src/client/words/words.ts";
import { everyItem } from "../api/answers.ts";
import { fillWorkspace } from "../app/workspace_files/full_workspace.ts";
import { withApp } from "../harness.ts";
import { glob, readFile } from "node:fs/promises";
import { resourceText } from "../../src/client/parts/audit/audit_panel.tsx";
import { type Reopened, takenBackText } from "../../src/client/parts/decision/decision.tsx";
import { fieldText } from "../../src/client/parts/field_text.ts";
import { deadlineText } from "../../src/client/parts/import/import_state.tsx";
import { createShow } from "../../src/engine/wording/show.ts";

/** The client may have these texts only in German, because the service sends them in English. */
const OPTIONAL = [".codes.findings", ".terms", ".service"];

const wordsIn = (language: Language) => wordsOf(language, String);

function textsOf(value: unknown, place = ""): [string, unknown][] {
  if (OPTIONAL.includes(place)) return [];
  if (typeof value !== "object" || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${place}.${name}`));
}

function filled(text: unknown): string {
  return String(typeof text === "function" ? text(...Array(6).fill("1")) : text);
}

Deno.test("both languages have the same texts, none of them empty or with an unfilled placeholder", () => {
  const [german, english] = [textsOf(wordsIn("de")), textsOf(wordsIn("en"))];
  assertEquals(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  const wrong = [...german, ...english].filter(([, text]) => /^$|[{}]/.test(filled(text)));
  assertEquals(wrong, []);
});

Deno.test("no line break separates a number from its % or €", () => {
  const partingIn = (language: Language, parts: RegExp) =>
    textsOf(wordsIn(language)).filter(([, text]) => parts.test(filled(text))).map(([at]) => at);
  assertEquals(partingIn("de", /\d ?[%€]/), []);
  assertEquals(partingIn("en", /\d\s%/), []);
});

Deno.test("every field that people can change has a name in the log", () => {
  const unnamed = [
    Competitor.omit({ id: true }),
    CompetitorProduct.pick({ source: true }),
    CompetitorProductPatch.omit({ productId: true, competitorId: true, visit: true }),
    NewImportSource,
    RuleAnswer.omit({ stats: true }),
    View,
    Webhook,
    Workspace,
  ].flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !/^(id|createdAt|updatedAt)$/.test(name))
    .filter((name) => !(name in wordsIn("de").fields) || !(name in wordsIn("en").fields));
  assertEquals(unnamed, []);
});

/** The log hides ids and times, and shows attributes by their key, so these need no name. */
const NAMELESS = /^id$|Ids?$|^(?:createdAt|updatedAt)$|^attributes\./;

withApp.test("every field in the log of a full workspace has a name", async (app) => {
  await fillWorkspace(app);
  const names = new Set<string>();
  for (const { action, before, after } of await everyItem(app.owner, "/api/audit-logs?limit=200")) {
    // Fields of import profiles are explained in docs/import_profiles.md, so they need no name
    // here.
    if (action.startsWith("import_profile.")) continue;
    for (const name of Object.keys({ ...before, ...after })) names.add(name);
  }
  const { fields } = wordsIn("de");
  assertEquals([...names].filter((name) => !NAMELESS.test(name) && !(name in fields)), []);
});

const readOnly: readonly string[] = SETTINGS_READ_ONLY;
const settings = Object.keys(Workspace.shape).filter((name) => !readOnly.includes(name));

Deno.test("every setting is a field of PATCH /api/settings", () => {
  assertEquals(settings.filter((name) => !(name in WorkspaceSettings.shape)), []);
});

Deno.test("every setting is in a form of the client", async () => {
  const files = await Array.fromAsync(glob("src/client/pages/settings/*.tsx"));
  const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  assertEquals(settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)), []);
});

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
  ...{ outcome: "open", proposalId: "1", proposedCents: 9_000, currency: "EUR", closedBy: null },
};
const OTHER: Reopened = { ...OPEN, outcome: "other_price", proposedCents: 8_800 };
const CLOSED = { ...OPEN, outcome: "closed", proposalId: null, proposedCents: null } as const;
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
