import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { idBytes, idText } from "../../../src/base/id.ts";
import { packMatch, unpackMatch } from "../../../src/shops/matches/match_store.ts";
import { encodeMoves } from "../../../src/shops/observations/move_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { fillWorkspace } from "../workspace_files/full_workspace.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

interface Row {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

type Damage = (rows: readonly Row[], workspace: Deno.KvKey) => readonly Row[];

const firstGone: Damage = ([_, ...rest]) => rest;

const allGone: Damage = () => [];

const lastMoved = (part: number): Damage => (rows) => [
  ...rows.slice(0, -1),
  ...moved(rows.at(-1), part),
];

const firstCopied = (part: number): Damage => (rows) => [...rows, ...moved(rows[0], part)];

function moved(row: Row | undefined, part: number): Row[] {
  if (!row) return [];
  const now = row.key[part];
  const other = now instanceof Uint8Array ? idBytes(NOBODY) : Number(now) + 1;
  return [{ ...row, key: row.key.with(part, typeof now === "string" ? "other" : other) }];
}

function changed<Value>(change: (value: Value, key: Deno.KvKey) => unknown): Damage {
  return (rows) => rows.map(({ key, value }) => ({ key, value: change(value as Value, key) }));
}

const added = (value: unknown, ...parts: Deno.KvKey): Damage => (_, key) => [
  { key: [...key, ...parts], value },
];

const NOBODY = "0".repeat(24);

const encoded = (text: string) => new TextEncoder().encode(text);

/** Moves each time in the row back by a day; a time is 13 digits between `[`, `,` or `]`. */
const aDayBefore = (row: Uint8Array) =>
  encoded(
    new TextDecoder().decode(row)
      .replaceAll(/(?<=[[,])\d{13}(?=[,\]])/g, (ms) => String(Number(ms) - 86_400_000)),
  );

const withOtherTerms = (row: Uint8Array, key: Deno.KvKey) => {
  const match = unpackMatch(idText(key[2] as Uint8Array), row);
  return packMatch({ ...match, enabled: !match.enabled, url: "https://shop.de/2" });
};

const excess = (rows: string, count: number) =>
  `The rows ${rows} contradict other rows: ${count} more than expected`;
const excessOfShop = (table: string, count: number) => excess(`"${table}" of competitor …`, count);

const tracked = (said: number | "no", real: number) =>
  `Competitor … counts ${said} tracked products, there are ${real}`;

/** Damages of tables, with the messages that `check-store` must print; `…` stands for an id. */
const DAMAGES: readonly (readonly [table: string, Damage, ...findings: string[]])[] = [
  // People
  [
    "vw",
    changed<object>((view) => ({ ...view, createdBy: NOBODY })),
    "View … belongs to no person: there is no user …",
  ],
  ["k", firstGone, 'The whole store: The index row "kw … …" leads to no row of "k"'],
  ["kw", firstGone, 'The whole store: "k" lacks 1 index rows "kw"'],
  // Products
  ["d", changed(() => new Deno.KvU64(5n)), "32 products are active, the count says 5"],
  // The market
  [
    "mkd",
    changed(() => Uint8Array.of(32)),
    'The trends of 202603 have a row of "at" with invalid days',
    'The trends of 202603 have a row of "total" with invalid days',
  ],
  ["mv", changed((_, key) => encodeMoves([], Number(key[2]))), "The row of moves … is empty"],
  ["mvp", lastMoved(4), "The move … of product … is stored under another id"],
  // Rules and proposals
  [
    "bk",
    lastMoved(2),
    "The brake of rule … on product … until 1772787600000 is in the rule state, but not in the list",
    "The brake of rule … on product … until 1772787600001 is listed, but not in the rule state",
  ],
  [
    "pr",
    changed<object>((proposal) => ({ ...proposal, heldUntil: "2026-03-03T09:00:00.000Z" })),
    "The list of open proposals differs from …",
  ],
  ["pro", firstGone, "Product … lacks its open proposal …"],
  ["pro", firstCopied(2), "The open proposal … of product … is not open"],
  ["prs", firstGone, "The list of applied proposals lacks …"],
  ["prs", firstCopied(2), "The list of other proposals wrongly has …"],
  [
    "r",
    firstGone,
    "Proposal … belongs to the unknown rule …",
    "There are fires of the unknown rule …",
  ],
  ["rf", firstCopied(2), "There are fires of the unknown rule …"],
  [
    "rsm",
    added("2026-11-20 06:00", idBytes(NOBODY)),
    "A time of day is kept of rule …, which does not exist",
  ],
  ["rs", firstCopied(2), "There are rule states of the unknown product …"],
  // Shops, links and offers
  [
    "c",
    firstGone,
    "A recipe belongs to the unknown competitor …",
    "Discovery belongs to the unknown competitor …",
    "Match … belongs to the unknown competitor …",
    'The index row "cd … acme.example" leads to no row of "c"',
  ],
  ["cd", firstGone, '"c" lacks 1 index rows "cd"'],
  ["ct", firstGone, tracked("no", 3)],
  ["ct", changed(() => new Deno.KvU64(7n)), tracked(7, 1), tracked(7, 3)],
  ["dsc", firstCopied(2), "Discovery belongs to the unknown competitor …"],
  ["m", firstGone, excessOfShop("mc", 1), excess('"mi"', 1), excessOfShop("o", 1)],
  ["m", changed(withOtherTerms), "Match … is stored under another URL", excessOfShop("o", 0)],
  ["mc", firstGone, excessOfShop("mc", -1)],
  ["mc", firstCopied(2), excessOfShop("mc", 1)],
  ["mi", firstGone, excess('"mi"', -1)],
  [
    "o",
    firstGone,
    tracked(1, 0),
    tracked(3, 2),
    excess('"idn"', 2),
    excessOfShop("o", -1),
    excess('"qu"', 1),
  ],
  ["o", changed(aDayBefore), excess('"qu"', 0)],
  ["qu", firstGone, excess('"qu"', -1)],
  ["rc", firstCopied(2), "A recipe belongs to the unknown competitor …"],
  // Observations
  ["ob", firstGone, excessOfShop("oc", 1)],
  [
    "ob",
    lastMoved(4),
    "The observation … of product … is stored under another id",
    excessOfShop("oc", 0),
  ],
  ["oc", firstGone, excessOfShop("oc", -1)],
  ["ock", allGone, "Competitor … has observations, but is not marked"],
];

async function findings({ store }: TestApp): Promise<string[]> {
  const found = await Array.fromAsync(findDisagreements(store));
  const lines = found.map((line) =>
    line.replace(/^Test: /, "").replaceAll(/[0-9a-f]{20,}/g, "…").replace(
      /(\d+) stored, (\d+) expected/,
      (_, stored, expected) => `${stored - expected} more than expected`,
    )
  );
  return [...new Set(lines)].sort();
}

withApp.test("check-store names each damage to a row that must agree with others", async (app) => {
  await fillWorkspace(app);
  await app.key([]);
  assertEquals(await findings(app), []);
  const { kv } = app.store;
  for (const [table, damage, ...named] of DAMAGES) {
    const rows = await Array.fromAsync(kv.list<unknown>({ prefix: [table] }));
    const damaged = damage(rows, [table, idBytes(app.workspaceId)]);
    for (const { key } of rows) await kv.delete(key);
    for (const { key, value } of damaged) await kv.set(key, value);
    assertEquals([table, ...await findings(app)], [table, ...named]);
    for (const { key } of damaged) await kv.delete(key);
    for (const { key, value } of rows) await kv.set(key, value);
  }
  assertEquals(await findings(app), []);
});
