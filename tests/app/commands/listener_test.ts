import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { type HttpServer, Listener } from "../../../src/app/commands/serve.ts";
import { nextTurn, PATIENCE_MS, until } from "../../patience.ts";

const ADDRESS: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 4711 };
const PATIENCE = { pauseMs: 1, giveUpMs: PATIENCE_MS };

/** An engine whose listeners the test can make fail. */
function createEngine() {
  const ports: number[] = [];
  const fails: ((error: Error) => void)[] = [];
  const ends: (() => void)[] = [];
  const state = { refusals: 0, left: 0 };
  const serve = (port: number): HttpServer => {
    if (ports.length > 0 && state.refusals-- > 0) throw new Error("Too many open files");
    ports.push(port);
    const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
    fails.push(reject);
    ends.push(resolve);
    const shutdown = () => {
      state.left++;
      resolve();
      return finished.catch(() => {});
    };
    return { addr: ADDRESS, finished, shutdown };
  };
  return { serve, ports, fails, ends, state };
}

Deno.test("a failed listener listens again on its port, and closes its idle connections", async () => {
  const engine = createEngine();
  const listener = new Listener(engine.serve, 0, PATIENCE);
  engine.state.refusals = 2;
  engine.fails[0]!(new Error("Too many open files"));
  await until("it listens again", () => engine.ports.length === 2);
  engine.ends[1]!();
  await until("it listens again", () => engine.ports.length === 3);
  assertEquals([engine.ports, engine.state.left], [[0, 4711, 4711], 2]);
  await listener.shutdown();
  assertEquals([engine.ports.length, engine.state.left], [3, 3]);
});

Deno.test("a listener that cannot listen again is gone, and reports it", async () => {
  const engine = createEngine();
  const listener = new Listener(engine.serve, 0, { ...PATIENCE, giveUpMs: 20 });
  engine.state.refusals = Infinity;
  engine.fails[0]!(new Error("Too many open files"));
  const failure = await listener.gone;
  assertEquals(failure.code, "unavailable");
  match(failure.message, /^The server can no longer listen on port 4711 of 127\.0\.0\.1$/);
});

Deno.test("a listener that was told to stop does not restart", async () => {
  const engine = createEngine();
  const listener = new Listener(engine.serve, 0, PATIENCE);
  await listener.shutdown();
  await nextTurn();
  assertEquals(engine.ports, [0]);
});
