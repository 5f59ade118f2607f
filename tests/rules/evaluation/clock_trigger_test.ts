import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { z } from "zod";
import { evaluateDue } from "../../../src/rules/evaluation/evaluation_loop.ts";
import { queueStaleProducts } from "../../../src/rules/evaluation/rejudge_job.ts";
import { createRuleCache, findRule, saveRule, type StoredRule } from "../../../src/rules/rule.ts";
import { findRuleStates } from "../../../src/rules/evaluation/rule_state_store.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { withStore } from "../../memory_store.ts";
import { WalkPosition } from "../../../src/platform/store/row_queue_store.ts";
import { listTriggers } from "../../../src/engine/pricing/reference_list.ts";
import { defineTrigger, verdict } from "../../../src/engine/pricing/trigger.ts";
import { referenceFields } from "../../../src/engine/pricing/reference.ts";
import { type FactsOf, type FieldsOf, TRIGGERS } from "../../../src/engine/pricing/triggers.ts";
import { saidText, wireSaid } from "../../../src/engine/wording/reason_text.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { TRIGGER_WORDS, type TriggerTable } from "../../../src/engine/wording/trigger_words.ts";
import { startTestApp } from "../../harness.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";
import { addProduct, addRule, untilJudged } from "./market.ts";

const own = z.strictObject({
  trigger: z.literal("late_hour"),
  fromHour: z.int().min(0).max(23).meta({ title: "From", description: "Hour in UTC" }),
});
const madeUp = defineTrigger({
  value: "late_hour",
  label: "It is late",
  description: "Fires from an hour of the day on, in UTC",
  needs: { ownPrice: false, references: false },
  isClockDriven: true,
  own,
  fields: own.safeExtend(referenceFields),
  facts: z.object({ hour: z.int(), fromHour: z.int() }),
  judgeBy: ({ fromHour }, say) => ({ market }) => {
    const hour = new Date(market.situation.nowMs).getUTCHours();
    return verdict(hour >= fromHour, () => say({ hour, fromHour }));
  },
});

const triggers = [...TRIGGERS, madeUp] as const;
type Some = (typeof triggers)[number];
type Words = TriggerTable<FactsOf<Some>, FieldsOf<Some>>;

// @ts-expect-error: without words the new trigger does not compile.
const forgotten: Words = TRIGGER_WORDS;

// @ts-expect-error: the words of the trigger's own field are missing.
const half: Words["late_hour"]["fields"] = {};

const words: Words = {
  ...TRIGGER_WORDS,
  late_hour: {
    label: { de: "es spät ist", en: "it is late" },
    subject: "market",
    said: {
      text: ({ hour, fromHour }) => ({
        de: `Es ist ${hour} Uhr, ab ${fromHour} Uhr schlägt sie an.`,
        en: `It is ${hour} o'clock, it fires from ${fromHour} on.`,
      }),
      wire: ({ hour, fromHour }) => `the hour is ${hour}, ${fromHour} fires`,
    },
    condition: (field) => ({
      de: `es ${field("fromHour")} Uhr ist`,
      en: `it is ${field("fromHour")} o'clock`,
    }),
    fields: { fromHour: { label: { de: "ab", en: "from" }, hint: { de: "UTC", en: "UTC" } } },
  },
};

withStore.test("a trigger is evaluated by the clock if its declaration says so", async (store) => {
  const clock = createTestClock();
  let [workspaceId, productId, ruleId] = ["", "", ""];
  {
    await using app = await startTestApp({ store });
    workspaceId = app.workspaceId;
    productId = await addProduct(app.owner, "A");
    ruleId = await addRule(app.owner, { enabled: false, actions: [{ type: "alert_inapp" }] });
    await untilJudged(app);
  }
  const workspace = { store, workspaceId };
  const found = await findRule(workspace, ruleId);
  const when: StoredRule["when"] = JSON.parse(
    JSON.stringify({ ...found?.rule.when, trigger: "late_hour", fromHour: 0 })
      .replace(/"competitorDeltaPct":\d+,/, ""),
  );
  await transact({ store }, (write) => {
    if (found) saveRule(write, workspaceId, found.rule, { ...found.rule, enabled: true, when });
    return Promise.resolve();
  });
  const setup = { store, clock, ruleCache: createRuleCache(triggers) };
  assertEquals(await queueStaleProducts(setup, clock.now()), 1);
  const position = new WalkPosition();
  const judged = { alerts: { isMailOn: false }, log: roomLog("test"), position };
  await evaluateDue({ ...setup, ...judged });
  const states = await findRuleStates(workspace, [productId]);
  assertEquals(states.get(productId)?.[ruleId]?.lastFiredAtMs, clock.now().getTime());
});

Deno.test("a trigger is listed with its fields from its declaration", () => {
  const listed = listTriggers(triggers).at(-1);
  assertEquals([listed?.value, listed?.label], ["late_hour", "It is late"]);
  assertEquals(listed?.fields[0]?.name, "fromHour");
});

Deno.test("a trigger has words in every language from a single row", () => {
  const show = createShow({ locale: "de-DE", timeZone: "UTC", currency: "EUR" }, () => 0);
  const said = { code: "late_hour", facts: { hour: 22, fromHour: 20 } };
  assertEquals(
    (["de", "en"] as const).map((language) => saidText({ language, show }, said, words)),
    ["Es ist 22 Uhr, ab 20 Uhr schlägt sie an.", "It is 22 o'clock, it fires from 20 on."],
  );
  assertEquals(wireSaid(said, words), "the hour is 22, 20 fires");
  assertEquals([forgotten, half].length, 2);
});
