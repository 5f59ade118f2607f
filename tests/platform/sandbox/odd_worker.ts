/** A Worker of the sandbox whose jobs misbehave in every known way. */

import { TooComplex } from "../../../src/base/failure.ts";
import { serveSandbox } from "../../../src/platform/sandbox/sandbox.ts";

export type OddJob =
  | { readonly do: "add"; readonly one: number; readonly other: number }
  | { readonly do: "sleep"; readonly ms: number; readonly busyMs?: number }
  | { readonly do: "touch" }
  | { readonly do: "loop" | "backtrack" | "swallow" | "recurse" | "give up" | "break" | "die" };

serveSandbox((job: OddJob): unknown => {
  switch (job.do) {
    case "add":
      return job.one + job.other;
    case "sleep":
      for (const endsAt = performance.now() + (job.busyMs ?? 0); performance.now() < endsAt;);
      // Simulates a busy machine, on which the thread gets no CPU time.
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
    case "touch":
      return dirty();
    case "loop":
      for (;;);
    case "backtrack":
      return /^(a+)+$/.test(`${"a".repeat(60)}b`);
    case "swallow":
      return swallowed();
    case "recurse":
      return deep(0);
    case "give up":
      throw new TooComplex("The budget is used up");
    case "break":
      throw new TypeError("a defect");
    case "die":
      setTimeout(() => {
        throw new Error("dead");
      });
      return "about to die";
  }
});

/** Tries what a Worker must not be allowed to do; returns the result of each attempt. */
function dirty(): string[] {
  const tries = [
    () => Deno.readTextFileSync("deno.json"),
    () => Deno.writeTextFileSync("/tmp/kurant-sandbox", ""),
    () => Deno.env.get("HOME"),
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    () => new Deno.Command("true").outputSync(),
  ];
  return tries.map((attempt) => {
    try {
      attempt();
      return "allowed";
    } catch (error) {
      return error instanceof Error ? error.name : "unknown";
    }
  });
}

function swallowed(): void {
  for (;;) {
    try {
      for (;;);
    } catch {
      // Not even code that catches all errors may outlast the time limit.
    } finally {
      deep(0);
    }
  }
}

function deep(depth: number): number {
  return deep(depth + 1) + 1;
}
