/** Runs the service with invented products and shops. Other machines cannot reach the demo. */
import { createApp } from "../composition/app.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { type Config, configuredPort, readConfig, urlOf } from "../composition/config.ts";
import { type DemoProduct, demoProducts } from "../demo/demo_catalogue.ts";
import { beginOf, DemoClock, startNeighbours } from "../demo/start_neighbours.ts";
import { DEMO_LOGIN, fillDemo } from "../demo/fill_demo.ts";
import { startLogging } from "../../platform/log.ts";
import { MinuteCron } from "../../platform/jobs/work_loop.ts";
import { openStore, storeFile } from "../../platform/store/open_store.ts";
import { lockStore } from "../../platform/store/store_file.ts";
import { startSchedule } from "../composition/schedule.ts";
import { awaitSignal, drain, listen } from "./serve.ts";
import { print, writeLog } from "./terminal.ts";

interface DemoOptions {
  readonly port?: string;
  readonly dir?: string;
  readonly keep?: boolean;
}

const LOOPBACK = "127.0.0.1";

/** Runs until SIGTERM, SIGINT or an error, then deletes the store's folder unless `keep` is set. */
export async function demo(options: DemoOptions): Promise<void> {
  await demoWith(demoProducts(), options);
}

export async function demoWith(
  products: readonly DemoProduct[],
  options: DemoOptions,
): Promise<void> {
  using stop = awaitSignal();
  const dataDir = await emptyFolder(options.dir);
  try {
    await playDemo(products, dataDir, options.port ?? configuredPort(), stop.came);
  } finally {
    if (options.keep) print(`The store lies in ${dataDir}`);
    else await Deno.remove(dataDir, { recursive: true });
  }
}

async function playDemo(
  products: readonly DemoProduct[],
  dataDir: string,
  port: string,
  stopped: Promise<Deno.Signal>,
): Promise<void> {
  await using neighbours = startNeighbours(products);
  const config = demoConfig({ dataDir, port, hosts: neighbours.hosts });
  startLogging({ level: config.LOG_LEVEL, format: config.LOG_FORMAT, write: writeLog });
  using _lock = lockStore(storeFile(dataDir).lockPath);
  const store = await openStore({ kvUrl: null, dataDir }, 30_000);
  await using ends = new AsyncDisposableStack();
  ends.defer(() => store.kv.close());
  const clock = new DemoClock(beginOf(new Date()));
  const app = await createApp({ store, config, now: () => clock.now(), pauseMinMs: 5 });
  ends.defer(() => app.close());
  const filled = fillDemo({ app, store, config, clock, neighbours, products, print });
  const first = await Promise.race([filled.then(() => "filled"), stopped]);
  filled.catch(() => {});
  if (first !== "filled") return;
  const delayMs = config.SCRAPE_DOMAIN_DELAY_MS;
  const cron = new MinuteCron();
  cron.register();
  const schedule = startSchedule({ store, clock: app.clock, delayMs, cron, staysWhileDue: false });
  ends.defer(() => schedule.stop());
  const listener = listen(app, config);
  print(`Kurant listens on ${urlOf(config, listener.addr)}`);
  print(`Sign in as ${DEMO_LOGIN.email} with the password: ${DEMO_LOGIN.password}`);
  const reason = await Promise.race([stopped, listener.gone]);
  await drain(app, listener);
  if (reason instanceof Failure) throw reason;
}

/** Uses no environment variables, because a variable could let the demo reach real shops. */
function demoConfig(
  { dataDir, port, hosts }: { dataDir: string; port: string; hosts: readonly string[] },
): Config {
  const settings: Record<string, string> = {
    DATA_DIR: dataDir,
    HOST: LOOPBACK,
    PORT: port,
    LOG_LEVEL: "error",
    SCRAPE_ALLOW_PRIVATE: hosts.join(","),
    SCRAPE_DOMAIN_DELAY_MS: "250",
    SCRAPE_USER_AGENT: "Kurant-Demo/1.0 (contact: whoever started it)",
  };
  return readConfig((name) => settings[name]);
}

async function emptyFolder(dir: string | undefined): Promise<string> {
  if (dir === undefined) return await Deno.makeTempDir({ prefix: "kurant-demo-" });
  await Deno.mkdir(dir, { recursive: true });
  for await (const { name } of Deno.readDir(dir)) {
    throw refuseFields([{ path: "dir", message: `Must be empty, but has "${name}"` }]);
  }
  return dir;
}
