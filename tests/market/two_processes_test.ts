import { sha256Hex } from "../../src/base/bytes.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { testNeeding } from "../needing.ts";
import { extent } from "../proof.ts";
import { addProduct, addRule, untilJudged } from "../rules/evaluation/market.ts";
import { MISSING_DENOKV, startDenokv } from "../stores.ts";
import { V8_FLAGS } from "../task_flags.ts";
import { inFolder } from "../temporary_folder.ts";
import { openMarketCache, saidByStore, statementAuthor } from "./market_reader.ts";
import { chanceFrom, changeSomething } from "./random_changes.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const PRODUCTS = extent(300, 12);
const ROUNDS = extent(200, 6);
/** Number of second processes, one after another. Each is killed and replaced by the next one. */
const LIVES = extent(3, 2);

interface Place {
  /** The address of the store; empty for a local file. */
  readonly kvUrl: string;
  readonly dataDir: string;
}

/** A second process that reads the market on request. */
class Elsewhere {
  readonly #child: Deno.ChildProcess;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #text = "";

  constructor({ kvUrl, dataDir }: Place, workspaceId: string) {
    const path = new URL("elsewhere_child.ts", import.meta.url).pathname;
    const program = ["run", "--no-check", "--quiet", V8_FLAGS, "-A", path];
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...program, kvUrl, dataDir, workspaceId],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#writer = this.#child.stdin.getWriter();
  }

  async line(): Promise<string> {
    while (!this.#text.includes("\n")) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`The other process ended after "${this.#text}"`);
      this.#text += value;
    }
    const end = this.#text.indexOf("\n");
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 1);
    return line;
  }

  async looksUntil(nowMs: number, expected: string): Promise<number> {
    await this.#writer.write(new TextEncoder().encode(`${nowMs} ${expected}\n`));
    return Number((await this.line()).split(" ")[0]);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#writer.abort().catch(() => {});
    await Promise.all([this.#child.status, this.#reader.cancel()]);
  }
}

async function compare(app: TestApp, place: Place): Promise<void> {
  const chance = chanceFrom(11);
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  const ids: string[] = [];
  for (let n = 0; n < PRODUCTS; n++) ids.push(await addProduct(app.owner, `S-${n}`));
  const reader = { store: app.store, workspaceId: app.workspaceId, now: app.clock.now };
  const own = openMarketCache();
  const seen = new Set<string>();
  for (let life = 0; life < LIVES; life++) {
    const elsewhere = new Elsewhere(place, app.workspaceId);
    assertEquals(await elsewhere.line(), "ready");
    for (let round = 0; round < ROUNDS / LIVES; round++) {
      await changeSomething(app, ids, chance);
      await untilJudged(app);
      const expected = JSON.stringify(await saidByStore(reader));
      ok(
        JSON.stringify(statementAuthor(await own.read(reader))) === expected,
        "where it was written",
      );
      const hash = sha256Hex(expected);
      assertEquals(await elsewhere.looksUntil(app.clock.now().getTime(), hash), 1, "elsewhere");
      seen.add(hash);
    }
    await elsewhere.kill();
  }
  ok(seen.size > ROUNDS / 2);
  await own.close();
}

inFolder.test("another process sees changes at its next read, however often it dies (file)", async (folder) => {
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  {
    await using app = await startTestApp({ store });
    await compare(app, { kvUrl: "", dataDir: folder.path });
  }
  store.kv.close();
});

testNeeding(MISSING_DENOKV, {
  name: "another process sees changes at its next read, however often it dies (remote)",
  async fn() {
    await using server = await startDenokv();
    const store = await openStore({ kvUrl: server.url, dataDir: null }, 60_000);
    {
      await using app = await startTestApp({ store });
      await compare(app, { kvUrl: server.url, dataDir: "" });
    }
    store.kv.close();
  },
});
