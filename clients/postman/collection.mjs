// Converts the OpenAPI document (file in the first argument) to a Postman collection (file in the
// second argument). Tests ten requests of the collection with newman.
import process from "node:process";
import { readFileSync, writeFileSync } from "node:fs";
import converter from "openapi-to-postmanv2";
import newman from "newman";

const [, , documentFile, file] = process.argv;
const document = JSON.parse(readFileSync(documentFile, "utf8"));
const options = {
  folderStrategy: "Tags",
  includeAuthInfoInExample: false,
  optimizeConversion: false,
};
const collection = await new Promise((resolve, reject) =>
  converter.convert({ type: "json", data: document }, options, (error, made) => {
    if (error || !made.result) return reject(error ?? new Error(made.reason));
    resolve(made.output[0].data);
  })
);

/** Returns the requests of all folders. */
const requestsOf = (items) => items.flatMap((item) => item.item ? requestsOf(item.item) : [item]);

collection.auth = { type: "bearer", bearer: [{ key: "token", value: "{{key}}", type: "string" }] };
collection.variable = [
  { key: "baseUrl", value: "https://kurant.shop.example" },
  { key: "key", value: "", type: "secret" },
];
for (const item of requestsOf(collection.item)) {
  // Sample answers would make the file ten times larger. Postman does not send disabled parameters.
  item.response = [];
  delete item.request.auth;
  for (const field of item.request.url.query ?? []) {
    Object.assign(field, { value: "", disabled: true });
  }
  item.request.header = (item.request.header ?? []).filter(({ key }) => key === "Content-Type");
}
writeFileSync(file, JSON.stringify(collection, null, 1));

/** Sends the request of the collection that has this title, with the given values filled in. */
async function call(title, { path = {}, query = {}, body } = {}) {
  const found = requestsOf(collection.item).find(({ name, request }) =>
    `${request.method} ${request.url.path.slice(3).join("/")}` === title && name !== ""
  );
  if (!found) throw new Error(`The collection has no request ${title}`);
  const { id: _, ...item } = structuredClone(found);
  const { url } = item.request;
  for (const variable of url.variable ?? []) variable.value = path[variable.key];
  for (const field of url.query ?? []) {
    if (field.key in query) Object.assign(field, { value: query[field.key], disabled: false });
  }
  if (body !== undefined) {
    item.request.body = { ...item.request.body, mode: "raw", raw: body };
  }
  const { KURANT, KEY } = process.env;
  const envVar = [{ key: "baseUrl", value: KURANT }, { key: "key", value: KEY }];
  return await new Promise((resolve, reject) =>
    newman.run({ collection: { ...collection, item: [item] }, envVar })
      .on("request", (error, { response } = {}) => {
        if (error) return reject(error);
        const text = response.stream.toString();
        if (response.code >= 300) return reject(new Error(`${title}: ${text}`));
        resolve(JSON.parse(text));
      })
  );
}
const show = (...values) => process.stdout.write(`${JSON.stringify(values)}\n`);

const { data: me } = await call("GET me");
show(me.key.name, me.workspace.currency);
const { data: settings } = await call("GET settings");
show(settings.pricesIncludeVat, settings.vatRatePct);
const sent = "sku;title;price;cost\nEX-1;Wasserkocher;49,90;20\nEX-2;Toaster;39,90;15\n";
const imported = await call("POST products/import", { query: { strict: "true" }, body: sent });
show(imported.data.status, imported.data.stats.inserted);
const items = [{ sku: "EX-1", ourPrice: 47.9 }, { sku: "EX-2", stock: 3 }];
const batch = await call("POST products/batch", { body: JSON.stringify({ items }) });
show(...batch.data.map(({ outcome }) => outcome));
const { data: product } = await call("GET products/:idOrSku", { path: { idOrSku: "EX-1" } });
show(product.title, product.ourPriceCents);
const market = await call("GET market", { query: { sku: "KS-300" } });
show(market.data[0].position, market.data[0].gapCents);
const proposals = await call("GET proposals");
show(proposals.data[0].sku, proposals.data[0].proposedCents);
const decided = await call("POST proposals/:id/approve", {
  path: { id: proposals.data[0].id },
  body: JSON.stringify({ reason: "As the market" }),
});
show(decided.data.status, decided.data.decisionReason);
const changes = await call("GET price-changes");
show(...changes.data.map(({ sku, toCents }) => [sku, toCents]));
const arrivals = await call("GET price-arrivals");
show(arrivals.data.length);
