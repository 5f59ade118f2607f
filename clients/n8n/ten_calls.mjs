// Tests the n8n node with ten calls. Simulates what n8n itself does: inputs, credentials, requests.
import process from "node:process";
import { Buffer } from "node:buffer";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const folder = process.argv[2];
const { Kurant } = require(`${folder}/dist/nodes/Kurant/Kurant.node.js`);
const { KurantApi } = require(`${folder}/dist/credentials/KurantApi.credentials.js`);
const { KURANT: baseUrl, KEY: key } = process.env;
const node = new Kurant();

// The header that n8n would send: its template with the API key filled in.
const bearer = new KurantApi().authenticate.properties.headers.Authorization
  .replace("=", "").replace("{{$credentials.key}}", key);

async function call(operation, parameters = {}, file = "") {
  // The form of the node must have an input for each given parameter of the operation.
  for (const name of Object.keys(parameters)) {
    const shown = node.description.properties.some((property) =>
      property.name === name && property.displayOptions?.show?.operation?.includes(operation)
    );
    if (!shown) throw new Error(`${operation} shows no ${name}`);
  }
  const [items] = await node.execute.call({
    getInputData: () => [{}],
    continueOnFail: () => false,
    getCredentials: () => Promise.resolve({ baseUrl, key }),
    getNodeParameter: (name, _index, fallback) =>
      ({ operation, binaryProperty: "data", ...parameters })[name] ?? fallback,
    helpers: {
      getBinaryDataBuffer: () => Promise.resolve(Buffer.from(file)),
      async httpRequestWithAuthentication(_credentials, { method, url, qs, headers, body, json }) {
        const answer = await fetch(`${url}?${new URLSearchParams(qs)}`, {
          method,
          headers: {
            ...headers,
            Authorization: bearer,
            ...json && body ? { "Content-Type": "application/json" } : {},
          },
          body: json && body ? JSON.stringify(body) : body,
        });
        if (!answer.ok) throw new Error(await answer.text());
        return await answer.json();
      },
    },
  });
  return items.map((item) => item.json);
}
const show = (...values) => process.stdout.write(`${JSON.stringify(values)}\n`);

const [me] = await call("listMe");
show(me.key.name, me.workspace.currency);
const [settings] = await call("listSettings");
show(settings.pricesIncludeVat, settings.vatRatePct);
const file = "sku;title;price;cost\nEX-1;Wasserkocher;49,90;20\nEX-2;Toaster;39,90;15\n";
const [job] = await call("importProducts", { query: { strict: true } }, file);
show(job.status, job.stats.inserted);
const items = [{ sku: "EX-1", ourPrice: 47.9 }, { sku: "EX-2", stock: 3 }];
show(
  ...(await call("batchProducts", { body: JSON.stringify({ items }) })).map((one) => one.outcome),
);
const [product] = await call("getProduct", { path_idOrSku: "EX-1" });
show(product.title, product.ourPriceCents);
const [row] = await call("listMarket", { query: { sku: "KS-300" } });
show(row.position, row.gapCents);
const [proposal] = await call("listProposals", { query: { limit: 1 }, allPages: true });
show(proposal.sku, proposal.proposedCents);
const [decided] = await call("approveProposal", {
  path_id: proposal.id,
  body: { reason: "As the market" },
});
show(decided.status, decided.decisionReason);
show(...(await call("listPriceChanges")).map(({ sku, toCents }) => [sku, toCents]));
show((await call("listPriceArrivals")).length);
