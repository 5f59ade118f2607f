/** Runs the services of `deploy/compose.yaml` as local processes instead of containers. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { parse } from "yaml";
import { z } from "zod";
import { newSecretKey } from "../../src/platform/store/secret_store.ts";
import { BY_TASK_KURANT, type Launch } from "../program.ts";
import { freePort, startDenokvBy } from "../stores.ts";

const Service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
  depends_on: z.array(z.string()).default([]),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
type Service = z.infer<typeof Service>;

const Compose = z.object({ services: z.record(z.string(), Service) });

export interface ComposedServer {
  readonly settings: Record<string, string>;
  readonly launch: Launch;
}

export async function readServices(): Promise<Record<string, Service>> {
  const text = await Deno.readTextFile("deploy/compose.yaml");
  return Compose.parse(parse(text, { merge: true })).services;
}

/** Reads the compose file; `folder` replaces Docker's volumes and secrets. */
export async function composedStore(folder: string) {
  const services = Object.values(await readServices())
    .filter(({ profiles }) => profiles.includes("several"));
  const port = freePort();
  await Deno.writeTextFile(`${folder}/metrics_token`, "token-of-the-tests");
  const here = (text: string) =>
    text.replace("http://kv:4512", `http://127.0.0.1:${port}`)
      .replace("0.0.0.0:4512", `127.0.0.1:${port}`)
      .replace(/^\/(data|run\/secrets)\b/, folder);
  const [kv] = services.filter(({ image }) => image?.includes("/denokv:"));
  const secretKey = newSecretKey();
  /** Leaves out `PUBLIC_URL`, the address of a proxy, because no proxy runs here. */
  const mapped = ({ PUBLIC_URL: _, ...environment }: Record<string, string>) =>
    Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)]));
  const servers = services.filter(({ build }) => build).map(({ environment }): ComposedServer => ({
    launch: BY_TASK_KURANT,
    settings: {
      ...mapped({ ...environmentOfImage, ...environment }),
      HOST: "127.0.0.1",
      PORT: "0",
      SECRET_KEY: secretKey,
    },
  }));
  return { servers, startKv: () => startDenokvBy((kv?.command ?? []).map(here), port) };
}

const docker = (await Deno.readTextFile("Dockerfile")).replaceAll("\\\n", " ");
const lastOf = (word: string) => docker.match(new RegExp(`^${word} .*$`, "gm"))?.at(-1) ?? "";
// The tests start the server with this command, so the Docker image must have the same.
assertEquals(
  [lastOf("ENTRYPOINT"), lastOf("CMD")],
  ['ENTRYPOINT ["deno", "task", "--quiet", "kurant"]', 'CMD ["serve"]'],
);
const environmentOfImage = Object.fromEntries(
  [...lastOf("ENV").matchAll(/(HOST|PORT|DATA_DIR|LOG_FORMAT)=(\S+)/g)]
    .map(([, name = "", value = ""]) => [name, value]),
);
