/** Generates and sends requests that fit their documentation. */
import fc from "fast-check";
import { PASSWORD } from "../../accounts/people.ts";
import type { Caller } from "../../caller.ts";
import { type DocumentedOperation, jsonBodyOf } from "./document.ts";
import { asText, type Bias, fieldsOf, valuesOf } from "./inputs.ts";
import type { Scene } from "./scene.ts";

export interface Input {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export const LIST_OF: Readonly<Record<string, string>> = {
  productId: "/api/products",
  productIds: "/api/products",
  sampleProductIds: "/api/products",
  competitorId: "/api/competitors",
  competitorIds: "/api/competitors",
  competitorProductId: "/api/competitor-products",
  ruleId: "/api/rules",
  jobId: "/api/imports",
  runId: "/api/scrape-runs",
  profile: "/api/import-profiles",
};

/** Values that are meaningful to the service, by the name of the field. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  sku: ["A", "B/ü", "MANY-1"],
  idOrSku: ["A", "sku:B/ü"],
  domain: ["shop-1.example", "shop-2.example", "shop-3.example:8443"],
  currency: ["EUR", "CHF"],
  country: ["DE"],
  timeZone: ["Europe/Berlin"],
  locale: ["de-DE"],
  email: ["ida@shop.example"],
  url: ["http://127.0.0.1:9/p/1", "http://127.0.0.1:9/p/2"],
  password: [PASSWORD],
  newPassword: [PASSWORD],
  currentPassword: [PASSWORD],
  ean: ["4006381333931"],
  resource: ["product"],
};

export function inputsOf(
  operation: DocumentedOperation,
  { ids }: Scene,
  bias: Bias,
): fc.Arbitrary<Input> {
  const { parameters, schemas, path } = operation;
  const own = path.replace("/public/v1", "").split("/{")[0] ?? "";
  const known = (name: string) =>
    WORDS[name] ??
      ids.get(LIST_OF[name] ?? (/^ids?$/.test(name) ? own.replace("/bulk", "") : "")) ?? [];
  const drawing = { schemas, bias, known };
  const valuesIn = (place: string) => {
    const some = parameters.filter((one) => one.in === place);
    const required = some.filter((one) => one.required).map(({ name }) => name);
    const isFit = (value: unknown) => place !== "path" || isSegment(value);
    const values = some.map(({ name, schema }) =>
      [name, valuesOf(schema, drawing, name).filter(isFit)] as const
    );
    return fieldsOf(values, required);
  };
  const body = jsonBodyOf(operation);
  return fc.record({
    path: valuesIn("path"),
    query: valuesIn("query"),
    body: body ? valuesOf(body, drawing) : fc.constant(undefined),
  });
}

/** False for a text that would change the path. */
function isSegment(value: unknown): boolean {
  return !["", ".", ".."].includes(asText(value));
}

export function send(
  caller: Caller,
  { method, path, body }: DocumentedOperation,
  input: Input,
  headers: Readonly<Record<string, string>> = {},
) {
  const sent = (value: unknown) => asText(value).toWellFormed();
  const partOf = (_: string, name: string) => encodeURIComponent(sent(input.path[name] ?? "x"));
  const filled = path.replaceAll(/\{(\w+)\}/g, partOf);
  const query = new URLSearchParams(
    Object.entries(input.query).map(([name, value]) => [name, sent(value)]),
  );
  const target = query.size > 0 ? `${filled}?${query}` : filled;
  if (body === null || "application/json" in body) {
    return caller.send(method, target, input.body, headers);
  }
  const file = "<ITEMS><ITEM><SKU>A</SKU><TITLE>Kabel</TITLE></ITEM></ITEMS>";
  return caller.send(method, target, file, { ...headers, "Content-Type": "application/xml" });
}
