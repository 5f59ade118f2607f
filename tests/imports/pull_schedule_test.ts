import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DAYS } from "../../src/imports/choices.ts";
import { missedTime, plannedTime } from "../../src/imports/state/import_source.ts";

Deno.test("plannedTime() counts periods from the time of saving, and ignores earlier times", () => {
  const since = new Date("2026-03-02T09:07:00Z");
  const at = (text: string) => new Date(text);
  const cases: [Parameters<typeof plannedTime>[0], string, string | null, zone?: string][] = [
    [{ every: "15m" }, "2026-03-02T09:21:59Z", null],
    [{ every: "15m" }, "2026-03-02T09:22:00Z", "2026-03-02T09:22:00.000Z"],
    [{ every: "1h" }, "2026-03-02T12:00:00Z", "2026-03-02T11:07:00.000Z"],
    [{ every: "24h" }, "2026-03-05T09:06:59Z", "2026-03-04T09:07:00.000Z"],
    [{ at: "06:00", days: [...DAYS] }, "2026-03-02T20:00:00Z", null],
    [{ at: "06:00", days: [...DAYS] }, "2026-03-03T04:59:59Z", null],
    [{ at: "06:00", days: [...DAYS] }, "2026-03-03T05:00:00Z", "2026-03-03T05:00:00.000Z"],
    [{ at: "06:00", days: ["wed"] }, "2026-03-03T12:00:00Z", null],
    [{ at: "06:00", days: ["wed"] }, "2026-03-06T12:00:00Z", "2026-03-04T05:00:00.000Z"],
    // Summer time begins on 29 March.
    [{ at: "06:00", days: ["sun"] }, "2026-03-29T12:00:00Z", "2026-03-29T04:00:00.000Z"],
    [{ at: "02:30", days: ["sun"] }, "2026-03-29T12:00:00Z", "2026-03-29T01:30:00.000Z"],
    // It ends on 25 October, and only the first of two equal hours counts.
    [{ at: "02:30", days: ["sun"] }, "2026-10-25T12:00:00Z", "2026-10-25T00:30:00.000Z"],
    [
      { at: "06:00", days: ["tue"] },
      "2026-03-05T12:00:00Z",
      "2026-03-03T11:00:00.000Z",
      "America/New_York",
    ],
    [
      { at: "06:00", days: ["tue"] },
      "2026-03-05T12:00:00Z",
      "2026-03-03T00:15:00.000Z",
      "Asia/Kathmandu",
    ],
    [{ at: "06:00", days: ["tue"] }, "2026-03-05T12:00:00Z", "2026-03-03T06:00:00.000Z", "UTC"],
  ];
  for (const [schedule, now, wanted, timeZone = "Europe/Berlin"] of cases) {
    const planned = plannedTime(schedule, { since, now: at(now), timeZone });
    const what = JSON.stringify([schedule, now, timeZone]);
    assertEquals(planned?.toISOString() ?? null, wanted, what);
  }
});

Deno.test("missedTime() waits for the time, counts imports since the previous one, and ignores paused and new sources", () => {
  const daily = { by: "06:00", days: [...DAYS] };
  const source = { expected: daily, pausedAt: null, updatedAt: "2026-03-01T12:00:00Z" };
  const due = "2026-03-03T05:00:00.000Z";
  const cases: [
    Partial<typeof source> | { pausedAt: string },
    string | null,
    string,
    string | null,
  ][] = [
    [{}, "2026-03-02T23:30:00Z", "2026-03-03T08:00:00Z", null],
    [{}, "2026-03-02T04:59:00Z", "2026-03-03T08:00:00Z", due],
    [{}, null, "2026-03-03T08:00:00Z", due],
    [{}, null, "2026-03-03T05:00:00Z", due],
    [{}, "2026-03-01T23:30:00Z", "2026-03-03T04:59:00Z", null],
    [{}, "2026-03-03T07:00:00Z", "2026-03-03T08:00:00Z", null],
    [{ pausedAt: "2026-03-02T12:00:00Z" }, null, "2026-03-03T08:00:00Z", null],
    [{ updatedAt: "2026-03-03T06:00:00Z" }, null, "2026-03-03T08:00:00Z", null],
    [
      { expected: { by: "06:00", days: ["mon"] } },
      "2026-03-01T00:00:00Z",
      "2026-03-03T08:00:00Z",
      null,
    ],
    [
      { expected: { by: "06:00", days: ["mon"] }, updatedAt: "2026-02-01T00:00:00Z" },
      "2026-02-23T04:00:00Z",
      "2026-03-03T08:00:00Z",
      "2026-03-02T05:00:00.000Z",
    ],
  ];
  for (const [change, succeededAt, now, wanted] of cases) {
    const asked = { ...source, ...change };
    assertEquals(
      missedTime(asked, succeededAt, new Date(now), "Europe/Berlin"),
      wanted,
      JSON.stringify([change, succeededAt, now]),
    );
  }
});
