import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { openStore } from "../../src/platform/open_store.ts";
import { heardCounts } from "./news.ts";

const KILLS = 12;
const CAUSES = 1_500;

function startChild(dataDir: string): Deno.ChildProcess {
  const program = new URL("./crash_child.ts", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", "-A", program, dataDir, String(CAUSES)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

Deno.test(`a process that is killed ${KILLS} times loses no news and doubles none`, async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "kurant-news-" });
  try {
    let kills = 0;
    for (let isDone = false; !isDone;) {
      const child = startChild(dataDir);
      const reader = child.stdout.getReader();
      await reader.read();
      reader.releaseLock();
      let timer: ReturnType<typeof setTimeout> | undefined;
      isDone = await Promise.race([
        child.status.then(() => true),
        new Promise<false>((resolve) => {
          // In the end it may finish.
          if (kills < KILLS) timer = setTimeout(() => resolve(false), 20 + Math.random() * 150);
        }),
      ]);
      clearTimeout(timer);
      if (!isDone) {
        child.kill("SIGKILL");
        kills++;
      }
      await Promise.all([child.status, child.stdout.cancel()]);
    }
    ok(kills >= KILLS / 2, "the work is too short for this machine");
    const store = await openStore({ kvUrl: null, dataDir }, 5_000);
    const counts = await heardCounts(store);
    const left = await Array.fromAsync(store.kv.list({ prefix: ["nw"] }));
    store.kv.close();
    assertEquals(new Set(counts.values()), new Set([1]), "none doubled");
    assertEquals(counts.size, CAUSES * 131, "none lost");
    assertEquals(left, []);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
