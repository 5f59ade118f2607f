import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { AuditRow } from "../../src/accounts/audit/audit.ts";
import {
  type Undoing,
  undoingOf,
  undoingsOf,
} from "../../src/client/pages/audit_log/undo_entry.ts";
import { type Ask, createApi } from "../../src/client/api/call.ts";
import { isDay, isFold, logRows } from "../../src/client/pages/audit_log/audit_columns.tsx";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
let lastId = 0;

function row(action: string, more: Partial<AuditRow> = {}, id = "p1"): AuditRow {
  const [type = ""] = action.split(".");
  lastId++;
  return {
    id: `a${lastId}`,
    at: new Date(NOW_MS - 1_000_000 + lastId * 1_000).toISOString(),
    actor: { type: "user", id: "u", name: "Jana" },
    action,
    resource: { type, id, label: id },
    before: null,
    after: null,
    requestId: `req_${lastId}`,
    ...more,
  };
}

const priced = (from: number, to: number, more: Partial<AuditRow> = {}) =>
  row("product.update", { before: { ourPriceCents: from }, after: { ourPriceCents: to }, ...more });

Deno.test("undoingOf() reverts a price, a hold or a switch, but nothing beyond these", () => {
  const table: readonly (readonly [AuditRow["before"], AuditRow["after"], unknown])[] = [
    [{ ourPriceCents: 1 }, { ourPriceCents: 2 }, { ourPriceCents: 1 }],
    [{ ourPriceCents: null }, { ourPriceCents: 2 }, { ourPriceCents: null }],
    [{ heldUntil: null }, { heldUntil: "2026-12-01T00:00:00Z" }, { heldUntil: null }],
    [{ heldUntil: "2026-11-20T11:00:00Z" }, { heldUntil: null }, { heldUntil: null }],
    [
      { heldUntil: "2026-11-21T11:00:00Z", ourPriceCents: 1 },
      { heldUntil: null, ourPriceCents: 2 },
      { heldUntil: "2026-11-21T11:00:00Z", ourPriceCents: 1 },
    ],
    [{ title: "Alt" }, { title: "Neu" }, null],
    [{ title: "Alt", ourPriceCents: 1 }, { title: "Neu", ourPriceCents: 2 }, null],
    [{}, {}, null],
    [null, { ourPriceCents: 1 }, null],
  ];
  for (const [before, after, back] of table) {
    const found = undoingOf(row("product.update", { before, after }), NOW_MS);
    const undone = found?.kind === "product" ? [found.seen, found.back] : null;
    assertEquals(undone, back && [after, back]);
  }
});

function requestOf(ask: Ask<unknown>): string {
  let asked = "";
  const note = (address: string, { params: { path }, body }: Sent) => {
    const filled = address.replace(/{(\w+)}/g, (_, name) => path[name] ?? "");
    asked = [filled, ...(body ? [JSON.stringify(body)] : [])].join(" ");
    return Promise.withResolvers().promise;
  };
  void ask(new Proxy(createApi({}), { get: () => note }));
  return asked;
}

interface Sent {
  readonly params: { readonly path: Readonly<Record<string, string>> };
  readonly body?: unknown;
}

function wayOf(undoing: Undoing): string | null {
  switch (undoing.kind) {
    case "request":
      return requestOf(undoing.ask);
    case "link":
      return `${JSON.stringify(undoing.back)} ${undoing.matchId}`;
    case "decision":
      return `${undoing.action} ${undoing.proposalId}`;
    default:
      return null;
  }
}

Deno.test("undoingOf() can undo decisions, marks and deletions", () => {
  const at = "2026-11-19T08:00:00.000Z";
  const until = "2026-11-22T06:00:00Z";
  const reopened = "/api/competitor-products/x/reopen";
  const unmarked = `/api/products/x/price-history/${at}/mark` +
    ' {"isError":false,"neverShown":false,"reason":null}';
  const table: readonly [string, AuditRow["before"], AuditRow["after"], string | null][] = [
    ["proposal.approve", null, null, "rollback x"],
    ["proposal.reject", null, null, "reopen x"],
    ["proposal.later", { until: null }, { until }, '/api/proposals/x/later {"until":null}'],
    ["proposal.later", { until }, { until: null }, null],
    ["proposal.rollback", null, null, null],
    ["competitor_product.update", { noPrice: null }, { noPrice: true }, '{"noPrice":false} x'],
    ["competitor_product.update", { noPrice: true }, { noPrice: false }, null],
    ["competitor_product.update", null, { noPrice: true, enabled: false }, null],
    ["competitor_product.delete", null, null, '{"removed":false} x'],
    ["competitor_product.confirm", null, { said: "confirmed" }, reopened],
    ["competitor_product.reject", null, { said: "rejected" }, reopened],
    ["competitor_product.reopen", null, { said: null }, null],
    ["product.mark", { at, isError: false }, { at, isError: true }, unmarked],
    ["product.mark", { at, isError: true }, { at, isError: false }, null],
    ["product.delete", null, null, "/api/products/x/restore"],
    ["product.create", null, { sku: "A" }, null],
    ["rule.update", { name: "a" }, { name: "b" }, null],
    ["user.create", null, { role: "viewer" }, null],
  ];
  for (const [action, before, after, way] of table) {
    const found = undoingOf(row(action, { before, after }, "x"), NOW_MS);
    assertEquals([action, before, found && wayOf(found)], [action, before, way]);
  }
});

Deno.test("undoingOf() reverts a bulk change per product, and only where the change still holds", () => {
  const setsOf = (before: Record<string, unknown>, after: Record<string, unknown>) => {
    const found = undoingOf(row("product.bulk", { before, after }, "bulk"), NOW_MS);
    return found?.kind === "bulk" ? found.changes.map(({ set, ids }) => [set, ids]) : null;
  };
  const hours = (scrapeIntervalHours: number) => ({ scrapeIntervalHours });
  const found = { a: hours(6), b: hours(3), c: hours(6) };
  assertEquals(
    undoingOf(row("product.bulk", { before: found, after: hours(12) }, "bulk"), NOW_MS),
    {
      kind: "bulk",
      changes: [
        { set: hours(6), ids: ["a", "c"], having: hours(12) },
        { set: hours(3), ids: ["b"], having: hours(12) },
      ],
      products: 3,
    },
  );
  const held = { a: { heldUntil: null }, b: { heldUntil: "2026-11-20T11:59:00Z" } };
  assertEquals(setsOf(held, { heldUntil: "2026-12-01T00:00:00Z" }), [
    [{ heldUntil: null }, ["a", "b"]],
  ]);
  const worn = { a: { condition: null }, b: { condition: "new" } };
  assertEquals(setsOf(worn, { condition: "used" }), [
    [{ condition: null }, ["a"]],
    [{ condition: "new" }, ["b"]],
  ]);
  assertEquals(setsOf({ a: { condition: "odd" } }, { condition: "used" }), null);
  assertEquals(setsOf({ a: { unknown: 1 } }, { unknown: 2 }), null);
  assertEquals(setsOf({ a: "no" }, { priceLocked: true }), null);
});

Deno.test("undoingsOf() offers only the newest change of an object, and the decision instead of its price", () => {
  const first = priced(1, 2);
  const second = priced(2, 3);
  const hold = row("product.update", {
    before: { heldUntil: null },
    after: { heldUntil: "2026-12-01T00:00:00Z" },
  });
  const offered = (rows: readonly AuditRow[]) => [...undoingsOf(rows, NOW_MS).keys()].sort();
  assertEquals(offered([hold, second, first]), [second.id, hold.id].sort());
  assertEquals(offered([first, second, hold]), [second.id, hold.id].sort());

  const requestId = "req_same";
  const price = priced(100, 90, { requestId });
  const approval = row("proposal.approve", { requestId, after: { productId: "p1" } }, "x");
  assertEquals(offered([price, approval]), [approval.id]);
  const later = priced(90, 80);
  assertEquals(offered([price, approval, later]), [later.id]);

  const rejected = row("proposal.reject", { after: { productId: "p2" } }, "y");
  const reopened = row("proposal.reopen", { after: { productId: "p2" } }, "z");
  assertEquals(offered([rejected]), [rejected.id]);
  assertEquals(offered([rejected, reopened]), []);
});

Deno.test("logRows() shows a heading per day of the workspace, in either order of time", () => {
  const at = (time: string) => row("product.delete", { at: time });
  const rows = [
    at("2026-11-19T23:30:00Z"),
    at("2026-11-19T22:59:59Z"),
    at("2026-11-18T23:00:00Z"),
    at("2026-11-18T22:59:00Z"),
  ];
  const heads = (given: readonly AuditRow[]) =>
    logRows(given, { byDayOf: "Europe/Berlin", open: new Set() }).flatMap(({ id }, n) =>
      id.startsWith("day") ? [`${n} ${id}`] : []
    );
  assertEquals(heads(rows), ["0 day 2026-11-20", "2 day 2026-11-19", "5 day 2026-11-18"]);
  const reversed = heads(rows.toReversed());
  assertEquals(reversed, ["0 day 2026-11-18", "2 day 2026-11-19", "5 day 2026-11-20"]);
  assertEquals(logRows([], { byDayOf: "UTC", open: new Set() }), []);
});

/** A short form of the list. A single entry becomes its id, a fold the number of its entries. */
function folded(rows: readonly AuditRow[], open: readonly string[] = []): string[] {
  return logRows(rows, { byDayOf: "UTC", open: new Set(open) })
    .filter((one) => !isDay(one))
    .map((one) => isFold(one) ? String(one.folded.length) : one.id);
}

/** Entries of one request, `seconds` after the start. */
function entriesOf(requestId: string, seconds: number, rows: readonly AuditRow[]): AuditRow[] {
  return rows.map((one, n) => ({
    ...one,
    requestId,
    at: new Date(NOW_MS + seconds * 1_000 + n).toISOString(),
  }));
}

const prices = (count: number) => Array.from({ length: count }, (_, n) => priced(n + 1, n + 2));

Deno.test("logRows() folds one bulk action into a line, which unfolds to all entries", () => {
  const rows = entriesOf("one", 0, prices(24));
  assertEquals(folded(rows), ["24"]);
  for (const given of [rows, rows.toReversed()]) {
    assertEquals(folded(given, [`fold ${given[0]?.id}`]), ["24", ...given.map(({ id }) => id)]);
  }
  // Decisions are counted, not the prices that they set. A single decision is not folded.
  const decided = (productId: string) => [
    row("product.update", { before: { ourPriceCents: 2 }, after: { ourPriceCents: 1 } }, productId),
    row("proposal.approve", { after: { productId } }, `of ${productId}`),
  ];
  assertEquals(folded(entriesOf("nine", 0, ["a", "b", "c"].flatMap(decided))), ["3"]);
  const one = entriesOf("one", 0, decided("a"));
  assertEquals(folded(one), one.slice(1).map(({ id }) => id));
});

Deno.test("logRows() joins the requests of a large action, but no entries of others, of later times or of other kinds", () => {
  const large = [...entriesOf("first", 0, prices(200)), ...entriesOf("rest", 3, prices(1))];
  assertEquals(folded(large), ["201"]);
  assertEquals(folded(large.toReversed()), ["201"]);
  const somebody = { type: "user", id: "v", name: "Selin" } as const;
  const held = { before: { heldUntil: null }, after: { heldUntil: "2026-12-01T00:00:00Z" } };
  const strangers = {
    later: entriesOf("later", 200, prices(1)),
    why: entriesOf("why", 4, [priced(1, 2, { reason: "other" })]),
    theirs: entriesOf("theirs", 4, [priced(1, 2, { actor: somebody })]),
    hold: entriesOf("hold", 4, [row("product.update", held)]),
  };
  for (const [what, rows] of Object.entries(strangers)) {
    assertEquals(folded([...large, ...rows]), ["201", rows[0]?.id], what);
  }
  // Equal steps of one person within two minutes form one line.
  assertEquals(folded([...entriesOf("a", 0, prices(1)), ...entriesOf("b", 1, prices(1))]), ["2"]);
  const nightly = [0, 86_400, 172_800].flatMap((at) =>
    entriesOf("source", at, [row("import_source.pull")])
  );
  assertEquals(folded(nightly), nightly.map(({ id }) => id));
});

Deno.test("logRows() keeps entries in between in their place", () => {
  const [a = priced(1, 2), b = priced(1, 2), c = priced(1, 2)] = entriesOf("many", 0, prices(3));
  const between = { ...row("rule.toggle"), at: b.at };
  assertEquals(folded([a, between, b, c], [`fold ${a.id}`]), ["3", a.id, b.id, c.id, between.id]);
  const mixed = entriesOf("mixed", 0, [priced(1, 2), row("product.delete"), priced(1, 2)]);
  assertEquals(folded(mixed), ["2", mixed[1]?.id]);
});
