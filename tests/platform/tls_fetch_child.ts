/** Fetches URLs whose host names all lead to this machine, and prints the results. */
import { stdout } from "node:process";
import { fetchPage, saidOf } from "./safe_fetching.ts";

const ports = new Set([Number(URL.parse(Deno.args[0] ?? "")?.port)]);
for (const url of Deno.args) {
  const result = await fetchPage(url, {}, { ports, resolve: () => Promise.resolve(["127.0.0.1"]) });
  const said = result.kind === "failed" ? result.message : saidOf(result);
  stdout.write(`${said}\n`);
}
