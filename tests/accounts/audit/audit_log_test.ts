import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { AuditRow } from "../../../src/accounts/audit/audit.ts";
import { addAuditRow } from "../../../src/accounts/audit/audit_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { type TestApp, withApp } from "../../harness.ts";

interface Listed {
  items: AuditRow[];
  nextCursor: string | null;
  count: number;
}

/**
 * Adds twelve rows, one per day, about two resources of two types, with two actions and two actors.
 */
async function fill(app: TestApp): Promise<void> {
  const { newId } = app.app.clock;
  for (let n = 0; n < 12; n++) {
    const actor = { type: "user", id: n % 2 ? "anna" : "ben", name: "" } as const;
    const ctx = {
      workspaceId: app.workspaceId,
      actor,
      requestId: `r${n}`,
      newId,
      now: app.clock.now,
    };
    await transact(app, (write) => {
      const resource = { id: `id${n % 3}`, label: "" };
      const rest = { before: null, after: null };
      addAuditRow(
        write,
        ctx,
        n < 6 ? { action: "rule.update", resource: { type: "rule", ...resource }, ...rest } : {
          action: n % 2 ? "product.mark" : "product.update",
          resource: { type: "product", ...resource },
          ...rest,
        },
      );
      return Promise.resolve();
    });
    app.clock.advance(DAY_MS);
  }
}

async function list(app: TestApp, query: string): Promise<Listed> {
  const answer = await app.viewer.get(`/api/audit-logs?${query}`);
  assertEquals(answer.status, 200);
  return await answer.json();
}

const numbers = ({ items }: Listed) => items.map(({ requestId }) => Number(requestId.slice(1)));

withApp.test("GET /api/audit-logs filters by action, resource, actor and time, alone and together", async (app) => {
  await fill(app);
  const cases: [string, number[]][] = [
    ["", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ["order=desc&limit=3", [11, 10, 9]],
    ["action=rule.update", [0, 1, 2, 3, 4, 5]],
    ["resource=product", [6, 7, 8, 9, 10, 11]],
    ["resource=product:id1", [7, 10]],
    ["resource=nothing", []],
    ["resource=rule:id1", [1, 4]],
    ["resource=rule:id1&actor=anna", [1]],
    ["actor=ben&action=product.update", [6, 8, 10]],
    ["actor=ben&action=product.update&resource=product:id2&order=desc", [8]],
    ["action=nothing", []],
    ["action=&resource=&actor=&from=&to=", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ["from=2026-03-04&to=2026-03-05", [2, 3]],
    ["from=2026-03-04T09:00:00Z&to=2026-03-05T09:00:00.000Z", [2, 3]],
    ["from=2026-03-04T09:00:00.001Z&to=2026-03-05T08:59:59.999Z", []],
    ["from=2026-03-04T10:00:00%2B01:00&to=2026-03-04&actor=ben", [2]],
    ["from=2026-03-12", [10, 11]],
  ];
  for (const [query, expected] of cases) {
    assertEquals([query, numbers(await list(app, query))], [query, expected]);
  }
  const turned = await app.owner.get("/api/audit-logs?from=2026-03-05&to=2026-03-04");
  assertEquals((await turned.json()).error.code, "validation_failed");
});
