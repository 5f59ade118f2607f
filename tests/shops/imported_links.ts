import type { FileLink } from "../../src/shops/matches/link_plan.ts";
import { column } from "../api/answers.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_bench.ts";

/** A link of a file, enabled by default. */
export function fileLink(url: string, more: Partial<FileLink> = {}): FileLink {
  return { url, name: null, domain: null, enabled: true, ...more };
}

/** Imports links of a product. Returns the numbers of newly enabled and of refused links. */
export async function importLinks(app: TestApp, sku: string, links: readonly FileLink[]) {
  const element = (name: string, text: string | null) => text ? `<${name}>${text}</${name}>` : "";
  const more = links.map(({ url, name, domain, enabled }) =>
    `<COMPETITOR>${element("NAME", name)}${element("DOMAIN", domain)}${element("URL", url)}` +
    `<ENABLED>${enabled ? "J" : "N"}</ENABLED></COMPETITOR>`
  );
  const key = await app.key(["products:write"]);
  const { data } = await importXml(key, itemsXml([{ sku, more: more.join("") }]));
  const { items } = await app.owner.read(`/api/imports/${data.jobId}/errors?limit=200`);
  const warnings = ["link_kept_off", "invalid_url"];
  const left = column(items, "code").filter((code) => warnings.includes(code));
  return [data.stats.competitorsLinked, left.length];
}
