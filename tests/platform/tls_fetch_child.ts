/** Fetches the given URLs from this machine under a host name, and prints the results. */
import { stdout } from "node:process";
import { parseAllowList } from "../../src/platform/fetch/fetch_limits.ts";
import { createSafeFetch } from "../../src/platform/fetch/safe_fetch.ts";

const list = parseAllowList(["127.0.0.0/8"]);
if (!("allowed" in list)) throw new Error("No list");
const safeFetch = createSafeFetch({
  allowed: list.allowed,
  ports: new Set([Number(URL.parse(Deno.args[0] ?? "")?.port)]),
  userAgent: "KurantTest/1.0",
  resolve: () => Promise.resolve(["127.0.0.1"]),
  dial: (address, port) => ({ address, port }),
});
for (const url of Deno.args) {
  const result = await safeFetch({
    url,
    timeoutMs: 60_000,
    redirectsMax: 0,
    bytesMax: 1_000,
    onTooLarge: "refuse",
    signal: new AbortController().signal,
  });
  const said = result.kind === "answer"
    ? `${result.status} ${new TextDecoder().decode(result.body)}`
    : result.kind === "failed"
    ? result.message
    : result.kind;
  stdout.write(`${said}\n`);
}
