import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { transact, type Write } from "../../../src/platform/store/kv.ts";
import {
  openTable,
  proposalTable,
  statusTable,
} from "../../../src/rules/proposals/proposal_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { checkRules } from "../check_rules.ts";
import { propose } from "./market.ts";

const findings = (app: TestApp) => Array.fromAsync(checkRules(app.store, app.workspaceId));

withApp.test("check-store reports each row of proposals that is missing, surplus or different", async (app) => {
  const { productId, id } = await propose(app);
  const [key, open] = [{ id }, { productId, proposalId: id }];
  const proposal = await proposalTable.find(app, key);
  const listed = await statusTable.find(app, { status: "open", proposalId: id });
  ok(proposal && listed?.row.brief);
  const { row } = proposal;
  const { brief } = listed.row;
  const other = app.app.clock.newId();
  const cases: readonly [(write: Write) => void, (write: Write) => void, readonly string[]][] = [
    [
      (write) => openTable.drop(write, app, open),
      (write) => openTable.put(write, app, open),
      [`Product ${productId} lacks its open proposal ${id}`],
    ],
    [
      (write) => openTable.put(write, app, { productId: other, proposalId: id }),
      (write) => openTable.drop(write, app, { productId: other }),
      [`The open proposal ${id} of product ${other} is not open`],
    ],
    [
      (write) => statusTable.drop(write, app, listed.row),
      (write) => statusTable.put(write, app, listed.row),
      [`The list of open proposals lacks ${id}`],
    ],
    [
      (write) => statusTable.put(write, app, { status: "applied", proposalId: id, brief: null }),
      (write) => statusTable.drop(write, app, { status: "applied", proposalId: id }),
      [`The list of applied proposals wrongly has ${id}`],
    ],
    [
      (write) =>
        statusTable.put(write, app, {
          ...listed.row,
          brief: { ...brief, heldUntil: "2026-03-03T09:00:00.000Z" },
        }),
      (write) => statusTable.put(write, app, listed.row),
      [`The list of open proposals differs from ${id}`],
    ],
    [
      (write) => proposalTable.put(write, app, { ...row, ruleId: other }, row),
      (write) => proposalTable.put(write, app, row, { ...row, ruleId: other }),
      [
        `Proposal ${id} belongs to the unknown rule ${other}`,
        `The list of open proposals differs from ${id}`,
      ],
    ],
  ];
  assertEquals(await findings(app), []);
  for (const [damage, repair, named] of cases) {
    await commit(app, damage);
    assertEquals((await findings(app)).sort(), [...named].sort());
    await commit(app, repair);
    assertEquals(await findings(app), []);
  }
});

function commit(app: TestApp, change: (write: Write) => void): Promise<void> {
  return transact(app, (write) => Promise.resolve(change(write)));
}
