import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DAYS } from "../../src/imports/choices.ts";
import { missedTime, plannedTime } from "../../src/imports/state/import_source.ts";

/** A time of March 2026, written as in `02T09:07:00`. */
const march = (text: string) => new Date(`2026-03-${text}Z`);

Deno.test("plannedTime() counts periods from the time of saving, and ignores earlier times", () => {
  const since = march("02T09:07:00");
  const days = [...DAYS];
  const cases: [Parameters<typeof plannedTime>[0], Date, string | null, zone?: string][] = [
    [{ every: "15m" }, march("02T09:21:59"), null],
    [{ every: "15m" }, march("02T09:22:00"), "2026-03-02T09:22"],
    [{ every: "1h" }, march("02T12:00:00"), "2026-03-02T11:07"],
    [{ every: "24h" }, march("05T09:06:59"), "2026-03-04T09:07"],
    [{ at: "06:00", days }, march("02T20:00:00"), null],
    [{ at: "06:00", days }, march("03T04:59:59"), null],
    [{ at: "06:00", days }, march("03T05:00:00"), "2026-03-03T05:00"],
    [{ at: "06:00", days: ["wed"] }, march("03T12:00:00"), null],
    [{ at: "06:00", days: ["wed"] }, march("06T12:00:00"), "2026-03-04T05:00"],
    // Summer time begins on 29 March.
    [{ at: "06:00", days: ["sun"] }, march("29T12:00:00"), "2026-03-29T04:00"],
    [{ at: "02:30", days: ["sun"] }, march("29T12:00:00"), "2026-03-29T01:30"],
    // It ends on 25 October, and only the first of two equal hours counts.
    [{ at: "02:30", days: ["sun"] }, new Date("2026-10-25T12:00:00Z"), "2026-10-25T00:30"],
    [{ at: "06:00", days: ["tue"] }, march("05T12:00:00"), "2026-03-03T11:00", "America/New_York"],
    [{ at: "06:00", days: ["tue"] }, march("05T12:00:00"), "2026-03-03T00:15", "Asia/Kathmandu"],
    [{ at: "06:00", days: ["tue"] }, march("05T12:00:00"), "2026-03-03T06:00", "UTC"],
  ];
  for (const [schedule, now, wanted, timeZone = "Europe/Berlin"] of cases) {
    const planned = plannedTime(schedule, { since, now, timeZone })?.toISOString() ?? null;
    const what = JSON.stringify([schedule, now, timeZone]);
    assertEquals(planned, wanted && `${wanted}:00.000Z`, what);
  }
});

Deno.test("missedTime() waits for the time, counts imports since the previous one, and ignores paused and new sources", () => {
  const expected = { by: "06:00", days: [...DAYS] };
  const source = { expected, pausedAt: null, updatedAt: "2026-03-01T12:00:00Z" };
  const monday = { expected: { by: "06:00", days: ["mon" as const] } };
  const due = "2026-03-03T05:00:00.000Z";
  const later = "03T08:00:00";
  const cases: [object, succeededAt: string | null, now: string, string | null][] = [
    [{}, "2026-03-02T23:30:00Z", later, null],
    [{}, "2026-03-02T04:59:00Z", later, due],
    [{}, null, later, due],
    [{}, null, "03T05:00:00", due],
    [{}, "2026-03-01T23:30:00Z", "03T04:59:00", null],
    [{}, "2026-03-03T07:00:00Z", later, null],
    [{ pausedAt: "2026-03-02T12:00:00Z" }, null, later, null],
    [{ updatedAt: "2026-03-03T06:00:00Z" }, null, later, null],
    [monday, "2026-03-01T00:00:00Z", later, null],
    [
      { ...monday, updatedAt: "2026-02-01T00:00:00Z" },
      "2026-02-23T04:00:00Z",
      later,
      "2026-03-02T05:00:00.000Z",
    ],
  ];
  for (const [change, succeededAt, now, wanted] of cases) {
    const missed = missedTime({ ...source, ...change }, succeededAt, march(now), "Europe/Berlin");
    assertEquals(missed, wanted, JSON.stringify([change, succeededAt, now]));
  }
});
