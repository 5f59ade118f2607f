import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { statusOf } from "../api/answers.ts";
import { until } from "../patience.ts";
import { type LiveServer, type Server, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { connectTo } from "../raw_http.ts";
import { inFolder } from "../temporary_folder.ts";

const DESCRIPTORS_MAX = 256;
const CONNECTIONS = 400;
const FLOODS = extent(3, 2);

/** Opens connections that send nothing; disposal closes them. */
async function flood({ url }: Server): Promise<Disposable & { readonly count: number }> {
  const tries = Array.from({ length: CONNECTIONS }, () => connectTo(url).catch(() => null));
  const opened = (await Promise.all(tries)).filter((connection) => connection !== null);
  return {
    count: opened.length,
    [Symbol.dispose]() {
      for (const connection of opened) connection.close();
    },
  };
}

/** False also for a refused connection. */
const isServed = ({ anyone }: LiveServer) =>
  statusOf(anyone.get("/healthz")).then(
    (status) => status === 200,
    (error: unknown) => {
      if (error instanceof TypeError) return false;
      throw error;
    },
  );

inFolder.test(`${CONNECTIONS} idle connections of strangers at ${DESCRIPTORS_MAX} descriptors: others are served meanwhile and afterwards`, async (folder) => {
  const program = { descriptorsMax: DESCRIPTORS_MAX };
  await using server = await startLiveServer(folder.path, {}, { program });
  for (let n = 0; n < FLOODS; n++) {
    using held = await flood(server);
    // The number depends on how fast connections of the previous flood are closed.
    ok(held.count > 0, "nobody gets through");
    await until("somebody is served beside them", () => isServed(server));
  }
  await until("somebody is served after them", () => isServed(server));
  const product = { sku: "AFTERWARDS", title: "t" };
  assertEquals(await statusOf(server.owner.post("/api/products", product)), 201);
  ok(/"the listener ended and starts again"/.test(server.log()), "there were descriptors enough");
  assertEquals((await server.stop("SIGTERM")).code, 0);
});
