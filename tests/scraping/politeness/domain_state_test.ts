import {
  CALM,
  type DomainState,
  judgePermit,
  released,
} from "../../../src/scraping/page/permit.ts";
import { isLong } from "../../../src/scraping/page/visit.ts";
import { type Aftermath, parseRetryAfter } from "../../../src/scraping/page/visit_tools.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const PACE = { delayMs: 2_000, holdMs: 25_000 };
const ask = (state: DomainState, nowMs: number, ahead = 0) =>
  judgePermit(state, { token: "t", ahead, nowMs, pace: PACE });

function stateAfter(state: DomainState, nowMs: number, ...aftermaths: Aftermath[]): DomainState {
  return aftermaths.reduce((before, aftermath) => {
    const held = { ...before, token: "t", busyUntilMs: nowMs + 1 };
    return released(held, { token: "t", aftermath, nextAtMs: 0 }, nowMs);
  }, state);
}

const TROUBLE: Aftermath = { kind: "trouble", retryAfterMs: null };

Deno.test("judgePermit() gives one permit at once, and the next one after the delay", () => {
  const first = ask(CALM, 1_000);
  ok(first.kind === "taken");
  assertEquals(ask(first.state, 1_500).kind, "wait");
  const used = { token: "t", aftermath: { kind: "fine" }, nextAtMs: 3_100 } as const;
  const free = released(first.state, used, 1_200);
  // The delay begins with the request, which started 100 ms after the permit was taken.
  assertEquals(ask(free, 3_000), { kind: "wait", untilMs: 3_100 });
  assertEquals(ask(free, 3_100).kind, "taken");
});

Deno.test("judgePermit() makes a request wait for those ahead of it", () => {
  const verdict = ask(CALM, 1_000, 3);
  ok(verdict.kind === "wait" && verdict.untilMs >= 1_000 + 3 * PACE.delayMs);
});

Deno.test("at most eight requests wait for a shop without a delay, and the others are parked", () => {
  const isParked = (ahead: number) => {
    const pace = { ...PACE, delayMs: 0 };
    const next = judgePermit(CALM, { token: "t", ahead, nowMs: 0, pace });
    return next.kind === "wait" && isLong(next, 0);
  };
  assertEquals([1, 7, 8, 100].map(isParked), [false, false, true, true]);
});

Deno.test("judgePermit() lets a request ask a busy shop again soon after its delay", () => {
  const first = ask(CALM, 1_000);
  ok(first.kind === "taken");
  assertEquals(ask(first.state, 1_500), { kind: "wait", untilMs: 3_000 });
  assertEquals(ask(first.state, 9_000), { kind: "wait", untilMs: 9_100 });
});

Deno.test("judgePermit() takes over an expired permit", () => {
  const first = ask(CALM, 0);
  ok(first.kind === "taken");
  assertEquals(ask(first.state, 24_999).kind, "wait");
  assertEquals(ask(first.state, 25_000).kind, "taken");
});

Deno.test("released() doubles the back-off after each trouble in a row, and resets it after a success", () => {
  const rests = [1, 2, 3, 4].map((times) =>
    stateAfter(CALM, 0, ...Array(times).fill(TROUBLE)).backoffUntilMs
  );
  assertEquals(rests, [10_000, 20_000, 40_000, 80_000]);
  const many = stateAfter(CALM, 0, ...Array(30).fill(TROUBLE));
  assertEquals(many.backoffUntilMs, 6 * 3_600_000);
  assertEquals(stateAfter(many, 0, { kind: "fine" }), CALM);
});

Deno.test("released() honours Retry-After, up to a day", () => {
  const asked = (retryAfterMs: number) =>
    stateAfter(CALM, 0, { kind: "trouble", retryAfterMs }).backoffUntilMs;
  assertEquals([asked(1_000), asked(600_000), asked(10 ** 12)], [10_000, 600_000, 86_400_000]);
});

Deno.test("released() does not change another caller's permit", () => {
  const state = { ...CALM, token: "other", busyUntilMs: 9 };
  const used = { token: "t", aftermath: TROUBLE, nextAtMs: 5 };
  assertEquals(released(state, used, 0), state);
});

Deno.test("judgePermit() waits for a short back-off and gives up on a long one", () => {
  const backingOff = (backoffUntilMs: number) => ask({ ...CALM, backoffUntilMs }, 0);
  assertEquals(backingOff(30_000), { kind: "wait", untilMs: 30_000 });
  assertEquals(backingOff(30_001), { kind: "backing_off", untilMs: 30_001 });
});

Deno.test("judgePermit() ignores a back-off that is longer than possible, after the clock was set back", () => {
  const day = 24 * 3_600_000;
  const nowMs = 100 * day;
  const asked = stateAfter(CALM, nowMs, { kind: "trouble", retryAfterMs: day });
  assertEquals(ask(asked, nowMs), { kind: "backing_off", untilMs: nowMs + day });
  assertEquals(ask(asked, nowMs - 1).kind, "taken");
  assertEquals(ask(asked, nowMs - 30 * day).kind, "taken");
});

Deno.test("parseRetryAfter() reads seconds and dates", () => {
  const nowMs = Date.parse("2026-03-02T09:00:00Z");
  const table: [string | null, number | null][] = [
    ["120", 120_000],
    ["0", 0],
    [" 7 ", 7_000],
    ["Mon, 02 Mar 2026 09:01:00 GMT", 60_000],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ];
  for (const [header, ms] of table) {
    assertEquals(parseRetryAfter(header, nowMs), ms, String(header));
  }
});
