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
    assertEquals(
      found?.kind === "product" ? [found.seen, found.back] : null,
      back && [after, back],
    );
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
  const mark = (was: boolean, is: boolean) =>
    row("product.mark", { before: { at, isError: was }, after: { at, isError: is } });
  const until = "2026-11-22T06:00:00Z";
  const table: readonly (readonly [AuditRow, string | null])[] = [
    [row("proposal.approve", {}, "x"), "rollback x"],
    [row("proposal.reject", {}, "x"), "reopen x"],
    [
      row("proposal.later", { before: { until: null }, after: { until } }, "x"),
      '/api/proposals/x/later {"until":null}',
    ],
    [row("proposal.later", { before: { until }, after: { until: null } }, "x"), null],
    [row("proposal.rollback", {}, "x"), null],
    [
      row(
        "competitor_product.update",
        { before: { noPrice: null }, after: { noPrice: true } },
        "m",
      ),
      '{"noPrice":false} m',
    ],
    [
      row(
        "competitor_product.update",
        { before: { noPrice: true }, after: { noPrice: false } },
        "m",
      ),
      null,
    ],
    [row("competitor_product.delete", { after: null }, "m"), '{"removed":false} m'],
    [row("competitor_product.update", { after: { noPrice: true, enabled: false } }, "m"), null],
    [
      row("competitor_product.confirm", { after: { said: "confirmed" } }, "m"),
      "/api/competitor-products/m/reopen",
    ],
    [
      row("competitor_product.reject", { after: { said: "rejected" } }, "m"),
      "/api/competitor-products/m/reopen",
    ],
    [row("competitor_product.reopen", { after: { said: null } }, "m"), null],
    [
      mark(false, true),
      `/api/products/p1/price-history/${at}/mark {"isError":false,"neverShown":false,"reason":null}`,
    ],
    [mark(true, false), null],
    [row("product.delete"), "/api/products/p1/restore"],
    [row("product.create", { after: { sku: "A" } }), null],
    [row("rule.update", { before: { name: "a" }, after: { name: "b" } }), null],
    [row("user.create", { after: { role: "viewer" } }), null],
  ];
  for (const [given, way] of table) {
    const found = undoingOf(given, NOW_MS);
    assertEquals([given.action, found && wayOf(found)], [given.action, way]);
  }
});

Deno.test("undoingOf() reverts a bulk change per product, and only where the change still holds", () => {
  const bulk = (before: Record<string, unknown>, after: Record<string, unknown>) =>
    undoingOf(row("product.bulk", { before, after }, "bulk"), NOW_MS);
  const found = bulk(
    { a: { scrapeIntervalHours: 6 }, b: { scrapeIntervalHours: 3 }, c: { scrapeIntervalHours: 6 } },
    { scrapeIntervalHours: 12 },
  );
  assertEquals(found, {
    kind: "bulk",
    changes: [
      { set: { scrapeIntervalHours: 6 }, ids: ["a", "c"], having: { scrapeIntervalHours: 12 } },
      { set: { scrapeIntervalHours: 3 }, ids: ["b"], having: { scrapeIntervalHours: 12 } },
    ],
    products: 3,
  });
  const held = bulk({ a: { heldUntil: null }, b: { heldUntil: "2026-11-20T11:59:00Z" } }, {
    heldUntil: "2026-12-01T00:00:00Z",
  });
  assertEquals(held?.kind === "bulk" ? held.changes.map(({ set }) => set) : null, [
    { heldUntil: null },
  ]);
  const worn = bulk({ a: { condition: null }, b: { condition: "new" } }, { condition: "used" });
  assertEquals(worn?.kind === "bulk" ? worn.changes.map(({ set }) => set) : null, [
    { condition: null },
    { condition: "new" },
  ]);
  assertEquals(bulk({ a: { condition: "odd" } }, { condition: "used" }), null);
  assertEquals(bulk({ a: { unknown: 1 } }, { unknown: 2 }), null);
  assertEquals(bulk({ a: "no" }, { priceLocked: true }), null);
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
  assertEquals(
    heads(rows.toReversed()),
    ["0 day 2026-11-18", "2 day 2026-11-19", "5 day 2026-11-20"],
  );
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
  assertEquals(folded(rows, [`fold ${rows[0]?.id}`]), ["24", ...rows.map(({ id }) => id)]);
  assertEquals(folded(rows.toReversed(), [`fold ${rows.at(-1)?.id}`]), [
    "24",
    ...rows.toReversed().map(({ id }) => id),
  ]);
  const [single = priced(1, 2)] = entriesOf("alone", 200, prices(1));
  assertEquals(folded([...rows, single]), ["24", single.id]);
});

Deno.test("logRows() counts only decisions, not the prices that they set, and does not fold a single one", () => {
  const decided = (productId: string) => [
    row("product.update", { before: { ourPriceCents: 2 }, after: { ourPriceCents: 1 } }, productId),
    row("proposal.approve", { after: { productId } }, `of ${productId}`),
  ];
  assertEquals(folded(entriesOf("nine", 0, ["a", "b", "c"].flatMap(decided))), ["3"]);
  const one = entriesOf("one", 0, decided("a"));
  assertEquals(folded(one), one.slice(1).map(({ id }) => id));
});

Deno.test("logRows() joins the requests of a large action, but no entries of others or of later times", () => {
  const large = [...entriesOf("first", 0, prices(200)), ...entriesOf("rest", 3, prices(1))];
  assertEquals(folded(large), ["201"]);
  assertEquals(folded(large.toReversed()), ["201"]);

  const [later = priced(1, 2)] = entriesOf("later", 200, prices(1));
  assertEquals(folded([...large, later]), ["201", later.id]);
  const [why = priced(1, 2)] = entriesOf("why", 4, [{ ...priced(1, 2), reason: "other" }]);
  assertEquals(folded([...large, why]), ["201", why.id]);
  const somebody = { type: "user", id: "v", name: "Selin" } as const;
  const [theirs = priced(1, 2)] = entriesOf("theirs", 4, [{ ...priced(1, 2), actor: somebody }]);
  assertEquals(folded([...large, theirs]), ["201", theirs.id]);
  const held = row("product.update", {
    before: { heldUntil: null },
    after: { heldUntil: "2026-12-01T00:00:00Z" },
  });
  const [hold = held] = entriesOf("hold", 4, [held]);
  assertEquals(folded([...large, hold]), ["201", hold.id]);
  // Equal steps of one person within two minutes form one line.
  const two = [...entriesOf("a", 0, prices(1)), ...entriesOf("b", 1, prices(1))];
  assertEquals(folded(two), ["2"]);
});

Deno.test("logRows() keeps entries in between in their place, and never folds one name across times", () => {
  const [a = priced(1, 2), b = priced(1, 2), c = priced(1, 2)] = entriesOf("many", 0, prices(3));
  const between = { ...row("rule.toggle"), at: b.at };
  assertEquals(folded([a, between, b, c], [`fold ${a.id}`]), ["3", a.id, b.id, c.id, between.id]);
  const mixed = entriesOf("mixed", 0, [priced(1, 2), row("product.delete"), priced(1, 2)]);
  assertEquals(folded(mixed), ["2", mixed[1]?.id]);
  const nightly = [0, 86_400, 172_800].flatMap((at) =>
    entriesOf("source", at, [row("import_source.pull")])
  );
  assertEquals(folded(nightly), nightly.map(({ id }) => id));
});
