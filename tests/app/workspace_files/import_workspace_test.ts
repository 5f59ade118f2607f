import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { withStore } from "../../memory_store.ts";
import { onEveryStore } from "../../stores.ts";
import { TABLES } from "../../../src/platform/store/table.ts";
import { commandContext, createClock, type Tools } from "../../../src/platform/store/context.ts";
import { type Store, transact, type Write } from "../../../src/platform/store/kv.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { exportWorkspace } from "../../../src/app/workspace_files/export_workspace.ts";
import { importWorkspace, readLines } from "../../../src/app/workspace_files/import_workspace.ts";
import { LINE_TYPES, type WorkspaceLine } from "../../../src/app/workspace_files/workspace_line.ts";
import { competitors, leavingCompetitors } from "../../../src/shops/competitor_store.ts";
import { outboxQueue, publish } from "../../../src/platform/events/outbox_store.ts";
import { lapses } from "../../../src/rules/evaluation/rule_state_store.ts";
import {
  addProduct,
  addSilentRule,
  pushJudged,
  untilJudged,
} from "../../rules/evaluation/market.ts";
import { fillWorkspace } from "./full_workspace.ts";
import { blankProduct } from "../../../src/catalogue/products/product.ts";

const encoder = new TextEncoder();

async function linesOf(tools: Tools, workspaceId: string): Promise<WorkspaceLine[]> {
  return await Array.fromAsync(exportWorkspace(commandContext(tools, workspaceId)));
}

const fileOf = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

async function* inPieces(file: string | Uint8Array, pieceBytes = 9_999) {
  const bytes = typeof file === "string" ? encoder.encode(file) : file;
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const copyOf = (tools: Tools, lines: readonly unknown[], name?: string) =>
  importWorkspace(tools, readLines(inPieces(fileOf(...lines))), name);

/**
 * Removes what may differ in a copy: the workspace's name, id and time of export, the audit row of
 * the import, and the number of lines.
 */
function comparable(lines: readonly WorkspaceLine[]): unknown[] {
  return lines.filter((line) => line.type !== "audit" || line.action !== "workspace.import")
    .map((line) => {
      if (line.type === "workspace") return { ...line, id: "", exportedAt: "", name: "" };
      return line.type === "end" ? { type: "end" } : line;
    });
}

const toolsOf = ({ store, app }: TestApp): Tools => ({ store, clock: app.clock });

const emptyTools = async (store: Store): Promise<Tools> => ({
  store,
  clock: await createClock(store, () => new Date()),
});

let full: Promise<WorkspaceLine[]> | null = null;

/** Tests share the lines of a full workspace, because creating it takes long. */
function fullLines(): Promise<WorkspaceLine[]> {
  const make = async () => {
    await using app = await startTestApp();
    await fillWorkspace(app);
    return await linesOf(toolsOf(app), app.workspaceId);
  };
  return full ??= make();
}

onEveryStore.test("a workspace's lines make the same workspace on another store, which is consistent and exports the same lines", async (store) => {
  const before = await fullLines();
  const found = [...new Set(before.map(({ type }) => type))];
  assertEquals(found.toSorted(), LINE_TYPES.toSorted(), "a type has no example here");
  const tools = await emptyTools(store);
  const made = await copyOf(tools, before);
  assertEquals(made.name, "Test");
  assertEquals(await Array.fromAsync(findDisagreements(store)), []);
  assertEquals(comparable(await linesOf(tools, made.id)), comparable(before));
});

/** Prefixes of the tables that are empty in a copied workspace, by reason. */
const LEFT_BEHIND = {
  "people get a password, programs a key and webhooks a secret at the new place":
    "fap far fat fp il opb opi k kl s sul uv wd wdo wh",
  "jobs are not in the file, so what belongs to imports is not either":
    "bh j ja jc jf ji jl jn jp jr ju jv jw jy isi isp iss phi xi xj",
  "it is worked out again": "cs dc dl ds due fo foc op oq ptb qa qj qs rcd rsm rso rsop",
  "pages and addresses of shops are found again": "dsa dsn dsp dsu fr lcp sp sv sw",
  "it is of the moment: positions in queues, waiting work, what was reported":
    "alc ald alo als alw cx dm dom dq ev fac idm lp mks mls oqd rls rob robt rsp sdn th xb",
  "runs and health of shops are not part of the file": "hc hd he hs ra re rp rq rr",
  "the copy has seals of its own": "amd asl asr",
  "rows of an earlier version": "xas",
};

withStore.test("each declared table is copied with its workspace, or its reason is listed", async (store) => {
  await copyOf(await emptyTools(store), await fullLines(), "Copy");
  const rows = await Array.fromAsync(store.kv.list({ prefix: [] }));
  const copied = new Set(rows.map(({ key: [prefix] }) => String(prefix)));
  const left = TABLES
    .map(({ options: { prefix } }) => prefix)
    .filter((prefix) => !copied.has(prefix));
  const reasons = Object.values(LEFT_BEHIND).flatMap((prefixes) => prefixes.split(" "));
  assertEquals(left.toSorted(), reasons.toSorted());
});

withApp.test("a copy next to its original has the same ids and documents, and no users or secrets", async (app) => {
  await fillWorkspace(app);
  const { text } = await app.newKey([]);
  const hook = { url: "https://hooks.example/in", events: ["price.changed"] };
  const { secret } = await app.owner.create("/api/webhooks", hook);
  const tools = toolsOf(app);
  const before = await linesOf(tools, app.workspaceId);
  const cookie = app.ownerCookie.split("=")[1] ?? "";
  for (const hidden of [text, secret, cookie, "unusable", "passwordHash"]) {
    ok(!JSON.stringify(before).includes(hidden), `${hidden} is in the file`);
  }
  const made = await copyOf(tools, before, "Copy");
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
  // Users exist already in this store, so neither they nor their private views are copied.
  const isCopied = (line: WorkspaceLine) =>
    line.type !== "user" && (line.type !== "view" || line.isShared);
  const withoutUsers = (lines: readonly WorkspaceLine[]) => comparable(lines.filter(isCopied));
  const after = await linesOf(tools, made.id);
  assertEquals(withoutUsers(after), withoutUsers(before));
  assertEquals(after.filter(({ type }) => type === "user"), []);
  assertEquals(await linesOf(tools, app.workspaceId).then(withoutUsers), withoutUsers(before));

  const { items } = await app.owner.read("/api/products?limit=200");
  ok(items.length > 30);
  await app.owner.change(`/api/products/${items[0].id}`, { title: "Only here" });
  assertEquals(withoutUsers(await linesOf(tools, made.id)), withoutUsers(before));
});

withStore.test("lines of a workspace with an interrupted deletion of competitors make a consistent copy", async (store) => {
  await using app = await startTestApp();
  await fillWorkspace(app);
  await transact(app, async (write) => {
    for await (const found of competitors.walk(app)) {
      competitors.remove(write, app, found);
      leavingCompetitors.put(write, app, found.row);
    }
  });
  const lines = await linesOf(toolsOf(app), app.workspaceId);
  const suggested = lines.flatMap((line) => line.type === "suggestion" ? [line.status] : []);
  assertEquals(new Set(suggested), new Set(["rejected"]));
  await copyOf(await emptyTools(store), lines, "Copy");
  assertEquals(await Array.fromAsync(findDisagreements(store)), []);
});

withStore.test("an older file is read: offers have fewer fields, and competitors get colours in file order", async (store) => {
  const tools = await emptyTools(store);
  const lines = await fullLines();
  const former = lines.map((line): unknown => {
    if (line.type === "competitor") return { ...line, colour: undefined };
    if (line.type !== "match") return line;
    const { condition: _c, seller: _s, shippingCents: _p, verdict: _v, heldAt, ...rest } =
      line.offer;
    const { failingSince: _f, ...offer } = rest;
    // Keeps `heldAt` of a held offer, because the file has a `heldPrice` line for it.
    const known = { ...offer, ...heldAt !== null && { heldAt } };
    return { ...line, identity: undefined, offer: known };
  });
  const made = await copyOf(tools, former, "Before");
  assertEquals(await Array.fromAsync(findDisagreements(store)), []);
  const offersOf = (all: readonly WorkspaceLine[]) =>
    all.flatMap((line) => line.type === "match" ? [line.offer] : []);
  const unknown = { condition: null, seller: null, shippingCents: null, verdict: null };
  const after = await linesOf(tools, made.id);
  assertEquals(offersOf(after), offersOf(lines).map((offer) => ({ ...offer, ...unknown })));
  const colours = after.flatMap((line) => line.type === "competitor" ? [line.colour] : []);
  assertEquals(colours, colours.map((_, n) => n + 1));
});

withApp.test("a pulled source comes without credentials and paused, its products keep it, and an older file names none", async (app) => {
  const pull = { url: "https://erp.example/a.csv", auth: { kind: "bearer", token: "s3cret" } };
  const source = { name: "ERP", id: "erp", kind: "pull", pull };
  await app.owner.create("/api/import-sources", source);
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", title: "A" }]), "?source=erp");
  const tools = toolsOf(app);
  const lines = await linesOf(tools, app.workspaceId);
  ok(!JSON.stringify(lines).includes("s3cret"));
  const sourceOf = (all: readonly WorkspaceLine[]) =>
    all.flatMap((line) => line.type === "importSource" && line.source.id === "erp" ? [line] : [])
      .map(({ source: { pull, pausedAt, lastImport } }) => [
        pull?.auth ?? null,
        pausedAt !== null,
        lastImport?.status,
      ]);
  const madeBy = (all: readonly WorkspaceLine[]) =>
    all.flatMap((line) => line.type === "product" ? [line.importSource] : []);
  assertEquals(sourceOf(lines), [[{ kind: "bearer" }, false, "succeeded"]]);
  const made = await copyOf(tools, lines, "Copy");
  const copied = await linesOf(tools, made.id);
  assertEquals([sourceOf(copied), madeBy(copied)], [[[null, true, "succeeded"]], ["erp"]]);
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
  const former = lines.filter(({ type }) => type !== "importSource").map((line): unknown => {
    if (line.type === "end") return { ...line, lines: line.lines - 1 };
    return line.type === "product" ? { ...line, importSource: undefined } : line;
  });
  const before = await copyOf(tools, former, "Before");
  assertEquals(madeBy(await linesOf(tools, before.id)), [null]);
});

withStore.test("a copy evaluates its products if some of them were waiting at the time of the export", async (store) => {
  await using app = await startTestApp();
  const productId = await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90]]);
  await addSilentRule(app);
  // No service runs on this store, so it evaluates no product.
  const tools = await emptyTools(store);
  const made = await copyOf(tools, await linesOf(toolsOf(app), app.workspaceId));
  const still = commandContext(tools, made.id);
  const data = { cause: "write", ref: null, productIds: [productId] } as const;
  const lapse = { untilMs: 1, productId };
  const reasons: Record<string, (write: Write) => void> = {
    nothing: () => {},
    event: (write) => publish(write, still, [{ type: "products.touched", data }]),
    delay: (write) => lapses.put(write, still, lapse),
  };
  for (const [reason, wait] of Object.entries(reasons)) {
    await transact(still, wait);
    const { id } = await copyOf(toolsOf(app), await linesOf(tools, made.id), reason);
    await untilJudged(app);
    const proposed = (await linesOf(toolsOf(app), id))
      .flatMap((line) => line.type === "proposal" ? [line.productId] : []);
    assertEquals(proposed, reason === "nothing" ? [] : [productId], reason);
    for await (const row of outboxQueue.list(store, [made.id])) {
      await transact(still, (write) => outboxQueue.take(write, row));
    }
  }
});

withApp.test("importWorkspace() refuses the name of another workspace", async (app) => {
  const tools = toolsOf(app);
  const lines = await linesOf(tools, app.workspaceId);
  const message = 'There is a workspace "Test" already: choose another name by --name';
  await rejects(copyOf(tools, lines), { code: "conflict", message });
});

const createdAt = "2026-03-02T09:00:00.000Z";
const ID = "64f0c2a1e4b0a1b2c3d4e5f6";
const NAMES = { id: ID, name: "Muster GmbH", createdAt, exportedAt: createdAt };
const PLACE = { currency: "EUR", timeZone: "Europe/Berlin", locale: "de-DE" };
const PRICES = { pricesIncludeVat: false, vatRatePct: null, autoApply: false };
const IMPORTS = { importHold: null, importExpectedHours: null };
const WORKSPACE = { type: "workspace", format: 1, ...NAMES, ...PLACE, ...PRICES, ...IMPORTS };
const USER = { type: "user", id: ID, email: "eva@example.com", role: "owner", createdAt };
const END = { type: "end", lines: 2 };

const read = (file: string | Uint8Array, pieceBytes?: number) =>
  Array.fromAsync(readLines(inPieces(file, pieceBytes)));

Deno.test("readLines() reads a file cut at any byte, also within a character", async () => {
  const file = fileOf({ ...WORKSPACE, name: "Müßter" }, USER, END);
  const whole = await read(file);
  assertEquals(whole.map(({ type }) => type), ["workspace", "user", "end"]);
  for (const pieceBytes of [1, 2, 7, 100]) assertEquals(await read(file, pieceBytes), whole);
});

const REFUSED: readonly (readonly [what: string, file: string | Uint8Array, message: RegExp])[] = [
  ["bytes that are not UTF-8", new Uint8Array([0x7b, 0xff, 0xfe]), /UTF-8/],
  ["an empty file", "", /^Line 1 .* is missing: the file was cut$/],
  ["a truncated file", fileOf(WORKSPACE, USER), /^Line 3 .* is missing: the file was cut$/],
  ["a lost line", fileOf(WORKSPACE, END), /^Line 2 .* says that 2 lines are before it/],
  ["invalid JSON", `${fileOf(WORKSPACE)}{"type":`, /^Line 2 .* is no JSON$/],
  ["another first line", fileOf(USER, END), /^Line 1 .* must begin with its only "workspace" line/],
  ["two workspaces", fileOf(WORKSPACE, WORKSPACE, END), /^Line 2 .* with its only "workspace"/],
  ["lines after the end", fileOf(WORKSPACE, USER, END, USER), /^Line 4 .* after the end/],
  ["an unknown type", fileOf(WORKSPACE, { type: "secret" }), /^Line 2 .* is wrong: .*type/],
  ["an unknown field", fileOf(WORKSPACE, { ...USER, passwordHash: "x" }), /passwordHash/],
  ["a malformed id", fileOf(WORKSPACE, { ...USER, id: "1" }), /Must be an id .*at id/],
  ["a later format", fileOf({ ...WORKSPACE, format: 2 }), /use the version that wrote the file/],
];

for (const [what, file, message] of REFUSED) {
  Deno.test(`readLines() refuses ${what} and names the line`, async () => {
    await rejects(read(file), { code: "validation_failed", message });
  });
}

Deno.test("readLines() reads a product of an older file: newer fields have their defaults", async () => {
  const given = { id: USER.id, sku: "A", title: "A", currency: "EUR", createdAt };
  const line = { type: "product", ...given, updatedAt: createdAt };
  const marks = { importHash: null, isFromImport: false, importSource: null };
  const [, product] = await read(fileOf(WORKSPACE, { ...line, ...marks }, END));
  assertEquals(product, { type: "product", ...blankProduct(given), ...marks });
  for (const name of Object.keys(line)) {
    const kept = Object.entries({ ...line, ...marks }).filter(([other]) => other !== name);
    const lacking = Object.fromEntries(kept);
    await rejects(read(fileOf(WORKSPACE, lacking, END)), /^Failure: Line 2 /, name);
  }
});

Deno.test("docs/workspace_file.md has every type of line, in the order of a file", async () => {
  const document = await Deno.readTextFile("docs/workspace_file.md");
  const told = [...document.matchAll(/^\| `(\w+)` +\| (?!Is )/gm)].map(([, type]) => type);
  assertEquals(told, LINE_TYPES);
});
