/** Strangers who open connections and say nothing keep the service busy, and neither still nor silent. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { statusOf } from "../api/answers.ts";
import { temporaryFolder } from "../commands/kurant.ts";
import { createCaller } from "../harness.ts";
import { until } from "../patience.ts";
import { type OwnProcess, startOwnProcess } from "./own_process.ts";

const DESCRIPTORS_MAX = 256;
const CONNECTIONS = 400;
const FLOODS = 3;

/** Connections that say nothing, until they are disposed of. */
async function flood({ url }: OwnProcess): Promise<Disposable & { readonly count: number }> {
  const { hostname, port } = new URL(url);
  const tries = Array.from(
    { length: CONNECTIONS },
    () => Deno.connect({ hostname, port: Number(port) }).catch(() => null),
  );
  const opened = (await Promise.all(tries)).filter((connection) => connection !== null);
  return {
    count: opened.length,
    [Symbol.dispose]() {
      for (const connection of opened) connection.close();
    },
  };
}

/** Also false for one who is refused a connection. */
const isServed = (server: OwnProcess) =>
  statusOf(createCaller(server.url, {}).get("/healthz")).then(
    (status) => status === 200,
    (error: unknown) => {
      if (error instanceof TypeError) return false;
      throw error;
    },
  );

Deno.test(`${CONNECTIONS} idle connections of strangers at ${DESCRIPTORS_MAX} descriptors: others are served while they stay, and afterwards`, async () => {
  await using folder = await temporaryFolder();
  await using server = await startOwnProcess(
    { DATA_DIR: folder.path },
    { descriptorsMax: DESCRIPTORS_MAX },
  );
  for (let n = 0; n < FLOODS; n++) {
    using held = await flood(server);
    ok(held.count > DESCRIPTORS_MAX / 2, `${held.count} connections`);
    await until("somebody is served beside them", () => isServed(server));
  }
  await until("somebody is served after them", () => isServed(server));
  const product = { sku: "AFTERWARDS", title: "t" };
  assertEquals(await statusOf(server.owner.post("/api/products", product)), 201);
  ok(/"the listener ended and begins anew"/.test(server.log()), "there were descriptors enough");
  Deno.kill(server.pid, "SIGTERM");
  assertEquals(await server.ended, 0);
});
