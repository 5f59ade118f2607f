/**
 * Traces as they were stored before sentences were made of facts: the rows of the fixture were
 * written by that version, beside what its client showed of them in German.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { type FormerTrace, isTrace, readTrace } from "../../../src/engine/pricing/former_trace.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { addProposal, findProposal } from "../../../src/rules/proposals/proposal_store.ts";
import { toTraceDocument } from "../../../src/rules/proposals/trace_document.ts";
import type { Listener } from "../../../src/engine/wording/language.ts";
import { guardDetail, saidText } from "../../../src/engine/wording/reason_text.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { bodyOf } from "../../api/answers.ts";
import { addProduct, addRule, proposals, push, untilJudged } from "../evaluation/market.ts";
import { startTestApp } from "../../harness.ts";
import { NOW_MS } from "../../engine/pricing/market.ts";

interface FormerRow {
  readonly name: string;
  readonly trace: FormerTrace;
  /** What the client made of the trigger's part, and of each objection. */
  readonly german: string;
  readonly guards: Readonly<Record<string, string | null>>;
}

const ROWS: readonly FormerRow[] = JSON.parse(
  await Deno.readTextFile(new URL("fixtures/former_traces.json", import.meta.url)),
);

const german: Listener = {
  language: "de",
  show: createShow({ locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" }, () => NOW_MS),
};

const plain = (text: string | null) => text?.replaceAll(/\s/g, " ") ?? null;

for (const { name, trace, german: sentence, guards } of ROWS) {
  Deno.test(`readTrace() finds the facts of a trace of then: ${name}`, () => {
    const read = readTrace(trace);
    assertEquals(plain(saidText(german, read.trigger.said)), sentence);
    const objections = read.guards.flatMap(({ guard, facts }) =>
      facts === null ? [] : [[guard, plain(guardDetail(german, { code: guard, facts }))]]
    );
    assertEquals(Object.fromEntries(objections), guards);
    assertEquals(readTrace(read), read);
    const { trigger, guards: asked } = toTraceDocument(trace);
    assertEquals(trigger.reason, trace.trigger.reason);
    assertEquals(asked.map(({ why }) => why), trace.guards.map(({ why }) => why));
  });
}

Deno.test("isTrace() takes the traces of both versions, and nothing that could not be shown", () => {
  for (const { trace } of ROWS) {
    assertEquals([isTrace(trace), isTrace(readTrace(trace))], [true, true]);
  }
  const [{ trace }] = [ROWS[0]!];
  const broken = [null, 1, {}, { ...trace, trigger: {} }, { ...trace, guards: null }];
  assertEquals(broken.filter(isTrace), []);
});

Deno.test("readTrace() keeps the sentence of what the figures do not tell", () => {
  const [{ trace } = ROWS[0]!] = ROWS;
  const trigger = { ...trace.trigger, value: "unheard_of" };
  const { said } = readTrace({ ...trace, trigger }).trigger;
  assertEquals(saidText(german, said), trace.trigger.reason);
});

Deno.test("a proposal with a trace of then is answered with its sentences and their facts", async () => {
  await using app = await startTestApp();
  await addRule(app.owner);
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  const [made] = await proposals(app.owner, "status=open");
  const workspace = { store: app.store, workspaceId: app.workspaceId };
  const found = made && await findProposal(workspace, made.id);
  ok(found);
  const { trace } = ROWS.find(({ name }) => name.startsWith("held: new"))!;
  const id = app.app.clockwork.newId();
  await transact(workspace, (write) => {
    addProposal(write, app.workspaceId, { ...found.proposal, id, status: "rejected" }, trace);
    return Promise.resolve();
  });
  const answer = await bodyOf(app.viewer.get(`/api/proposals/${id}`), 200);
  assertEquals(answer.trace.trigger.reason, trace.trigger.reason);
  assertEquals(answer.trace.trigger.said.code, "competitor_undercut");
  const asked = answer.trace.guards.find(({ guard }: { guard: string }) => guard === "outlier");
  const was = trace.guards.find(({ guard }) => guard === "outlier");
  assertEquals([asked.why, asked.facts.awayFrom], [was?.why, "own"]);
});
