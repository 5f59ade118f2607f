/** Test calls for every generated client, and the values that the client must return. */
import { isSchema, type Schema } from "../src/app/reference/openapi_schemas.ts";
import { until } from "../tests/patience.ts";
import { entriesOf, partOf } from "./n8n_operations.ts";
import { type OwnService, post } from "./own_service.ts";

export type Way = readonly (string | number | { readonly option: string })[];

export interface Asked {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly status?: number;
  /** `way` is a path such as `scope.ScopeAll.mode`: `ScopeAll` is the schema chosen in a union. */
  readonly expected: readonly (readonly [way: string, value: unknown])[];
}

export interface Call {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly status: number;
  readonly inPath: Readonly<Record<string, string | number>>;
  readonly inQuery: Readonly<Record<string, string | number>>;
  /** Names of query and header parameters, in the order of the OpenAPI document. */
  readonly outsidePath: readonly string[];
  readonly body: unknown;
  /** Schema names of the request body and of the answer; null if the schema has no name. */
  readonly bodyName: string | null;
  readonly answerName: string | null;
  readonly ways: readonly Way[];
  readonly values: readonly unknown[];
}

const SKU = "KS-300";
const EXTERNAL = "/api/public/v1";
const FILE = `sku;title;price;cost\n${SKU};Kühlschrank;299,99;150\nKS-310;Gefrierschrank;399,99;200
KS-320;;9,99;1\n`;
const PAGE = "https://www.mediamarkt.de/p/1.html";
const OBSERVATIONS = {
  observations: [
    { sku: SKU, url: PAGE, price: 289.99, currency: "EUR", inStock: true },
    { sku: "NONE", url: PAGE, price: "289.99", currency: "EUR", inStock: null },
  ],
};
const RULE = {
  name: "Undercut",
  enabled: true,
  when: { trigger: "competitor_undercut", competitorDeltaPct: 1 },
  scope: { mode: "all" },
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 1 }],
};

const OBJECTION = { maxPct: 1, fromCents: 29999, toCents: 28999 };
const PROFILE = {
  id: "katalog",
  name: "Katalog der Zentrale",
  detect: { root: "KATALOG|CATALOG" },
  itemPath: "KATALOG/STAMMSATZ",
  fields: { sku: { path: "@nr" }, title: { path: "BEZEICHNUNG|NAME" } },
};

export async function prepareCalls({ base, key, session }: OwnService) {
  const bearer = { Authorization: `Bearer ${key}` };
  const cookie = { Cookie: `pr_session=${session}` };
  const read = async (path: string, headers: Record<string, string> = bearer) =>
    await (await fetch(base + path, { headers })).json();
  const imported = await fetch(`${base}${EXTERNAL}/products/import`, {
    method: "POST",
    headers: { ...bearer, Prefer: "wait=30", "Content-Type": "application/octet-stream" },
    body: FILE,
  });
  if (imported.status !== 200) throw new Error(`The import answers ${await imported.text()}`);
  await imported.body?.cancel();
  const send = async (path: string, body: unknown, headers: Record<string, string> = bearer) =>
    await (await post(base, path, body, headers)).json();
  const links = [{ sku: SKU, url: PAGE }];
  await send(`${EXTERNAL}/competitor-products/bulk`, { links, visit: "never" });
  const rule = await send("/api/rules", RULE, cookie);
  await send(`${EXTERNAL}/import-profiles`, PROFILE);
  await send(`${EXTERNAL}/observations`, OBSERVATIONS);
  const proposals = `${EXTERNAL}/proposals`;
  await until("a price is proposed", async () => (await read(proposals)).count > 0);
  const hook = { url: "https://erp.example:9/hooks", events: ["price.changed"] };
  const { data: webhook } = await send(`${EXTERNAL}/webhooks`, hook);
  const { data: [proposal] } = await read(proposals);
  const guards: { guard: string }[] = proposal.trace.guards;
  const { items: products } = await read("/api/products", cookie);
  const ids: Ids = {
    products: [products[0].id, products[1].id],
    rule: rule.id,
    webhook: webhook.id,
    objection: guards.findIndex(({ guard }) => guard === "change_too_large"),
  };
  return {
    external: externalCalls(ids, (await read(`${EXTERNAL}/products?limit=1`)).nextCursor),
    inApp: inAppCalls(ids, (await read("/api/products?limit=1", cookie)).nextCursor),
  } satisfies Record<string, readonly Asked[]>;
}

interface Ids {
  readonly products: readonly [first: string, second: string];
  readonly rule: string;
  readonly webhook: string;
  readonly objection: number;
}

function externalCalls(ids: Ids, cursor: string): readonly Asked[] {
  return [{
    operationId: "getProduct",
    parameters: { idOrSku: SKU },
    expected: [
      ["data.sku", SKU],
      ["data.ourPriceCents", 29999],
      ["data.brand", null],
      ["data.prices.0.amountCents", 29999],
    ],
  }, {
    operationId: "getProduct",
    parameters: { idOrSku: "NONE" },
    status: 404,
    expected: [["error.code", "not_found"]],
  }, {
    operationId: "batchProducts",
    body: { items: [{ sku: SKU, ourPrice: 299.99, brand: null }, { sku: "NEW" }] },
    expected: [
      ["data.0.outcome", "unchanged"],
      ["data.0.error", null],
      ["data.1.id", null],
      ["data.1.error.code", "validation_failed"],
    ],
  }, {
    operationId: "createObservation",
    body: OBSERVATIONS,
    expected: [["data.accepted", 1], ["data.errors.0.code", "not_found"]],
  }, {
    operationId: "listMarket",
    parameters: { sku: SKU },
    expected: [
      ["data.0.gapCents", 1000],
      ["data.0.gapPct", 3.45],
      ["data.0.position", "dearest"],
      ["data.0.proposal.proposedCents", 28999],
    ],
  }, {
    operationId: "listRules",
    expected: [
      ["data.0.name", RULE.name],
      ["data.0.budgetPerDay", null],
      ["data.0.marginFloor", null],
      ["data.0.createdBy.name", "owner@shop.example"],
    ],
  }, ...sharedCalls(ids, cursor, { item: "data.", list: "data" })];
}

function inAppCalls(ids: Ids, cursor: string): readonly Asked[] {
  const [first, second] = ids.products;
  const price = { currency: "EUR", seenCents: 39998, ourPriceCents: 38998 };
  return [{
    operationId: "getProduct",
    parameters: { id: first },
    expected: [
      ["sku", SKU],
      ["ourPriceCents", 29999],
      ["brand", null],
      ["market.position", "dearest"],
    ],
  }, {
    operationId: "getProduct",
    parameters: { id: "NONE" },
    status: 404,
    expected: [["error.code", "not_found"]],
  }, {
    operationId: "updateProduct",
    parameters: { id: second },
    body: { stock: 5, brand: null },
    expected: [["stock", 5], ["brand", null]],
  }, {
    operationId: "pricesProductsBulk",
    body: { prices: [{ id: second, ...price }] },
    expected: [["results.0.ok", false], ["results.0.error.code", "version_conflict"]],
  }, {
    operationId: "getRule",
    parameters: { id: ids.rule },
    expected: [
      ["name", RULE.name],
      ["budgetPerDay", null],
      ["marginFloor", null],
      ["scope.ScopeAll.mode", "all"],
      ["when.WhenCompetitorUndercutAnswer.competitorDeltaPct", 1],
    ],
  }, {
    operationId: "previewProposalsBulk",
    body: { filter: { sku: SKU } },
    expected: [["found.count", 1], ["found.down.count", 1], ["found.up.meanPct", null]],
  }, ...sharedCalls(ids, cursor, { item: "", list: "items" })];
}

/** Returns calls of operations that are in both APIs: the public one and the web client's. */
function sharedCalls(
  { webhook, objection }: Ids,
  cursor: string,
  { item, list }: { readonly item: string; readonly list: string },
): readonly Asked[] {
  const profile = `${item}XmlProfileDocument`;
  return [{
    operationId: "listProducts",
    parameters: { limit: 1, cursor },
    expected: [[`${list}.0.sku`, "KS-310"], ["nextCursor", null], ["count", 1]],
  }, {
    operationId: "listProposals",
    parameters: { sku: SKU },
    expected: [
      [`${list}.0.currentCents`, 29999],
      [`${list}.0.trace.guards.0.facts`, null],
      [`${list}.0.trace.guards.${objection}.facts`, OBJECTION],
    ],
  }, {
    operationId: "getImportProfile",
    parameters: { id: PROFILE.id },
    expected: [
      [`${profile}.detect.root`, PROFILE.detect.root],
      [`${profile}.detect.namespace`, null],
      [`${profile}.fields.title.path`, PROFILE.fields.title.path],
      [`${profile}.prices`, null],
    ],
  }, {
    operationId: "updateWebhook",
    parameters: { id: webhook },
    body: { enabled: false },
    expected: [
      [`${item}enabled`, false],
      [`${item}events`, ["price.changed"]],
      [`${item}failingSince`, null],
    ],
  }];
}

export function callOf(document: Schema, asked: Asked): Call {
  const { operationId, parameters = {}, status = 200 } = asked;
  for (const [path, item] of entriesOf(document.paths)) {
    for (const [method, operation] of entriesOf(item)) {
      if (operation.operationId !== operationId) continue;
      const declared = [operation.parameters ?? []].flat().map((one) => resolvedIn(document, one));
      const given = (place: string) =>
        Object.fromEntries(
          Object.entries(parameters).filter(([name]) =>
            declared.some((one) => one.name === name && one.in === place)
          ),
        );
      return {
        operationId,
        method,
        path,
        tag: String([operation.tags].flat()[0]),
        status,
        inPath: given("path"),
        inQuery: given("query"),
        outsidePath: declared.filter((one) => one.in !== "path").map((one) => String(one.name)),
        body: asked.body ?? null,
        bodyName: schemaNameOf(operation.requestBody),
        answerName: schemaNameOf(
          resolvedIn(document, partOf(operation.responses, String(status))),
        ),
        ways: asked.expected.map(([way]) =>
          way.split(".").map((step) => {
            if (/^[A-Z]/.test(step)) return { option: step };
            return /^\d+$/.test(step) ? Number(step) : step;
          })
        ),
        values: asked.expected.map(([, value]) => value),
      };
    }
  }
  throw new Error(`The document has no operation ${operationId}`);
}

function resolvedIn(document: Schema, part: unknown): Schema {
  const place = /^#\/(components\/.+)$/.exec(String(partOf(part, "$ref")))?.[1];
  const found = place ? partOf(document, ...place.split("/")) : part;
  return isSchema(found) ? found : {};
}

function schemaNameOf(body: unknown): string | null {
  const reference = partOf(body, "content", "application/json", "schema", "$ref");
  return /^#\/components\/schemas\/(.+)$/.exec(String(reference))?.[1] ?? null;
}
