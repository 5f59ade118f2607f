/** Sentences of decisions, made of codes and facts: for people in their language, for interfaces in English. */
import type { Reason } from "../pricing/decide.ts";
import type { Saying } from "../pricing/said.ts";
import { guardWordsOf } from "./guard_words.ts";
import type { Listener } from "./language.ts";
import { REST_WORDS } from "./rest_words.ts";
import { type AnyFacts, type Sentences, type Table, wireMoney } from "./sentences.ts";
import { TRIGGER_WORDS, type TriggerWords } from "./trigger_words.ts";

const RESTS: Table<Sentences<AnyFacts>> = REST_WORDS;

/** Why a trigger fired or a rule rests; the code itself where nobody has words for it. */
export function saidText(
  { language, show }: Listener,
  { code, facts }: Saying,
  triggers: Table<TriggerWords> = TRIGGER_WORDS,
): string {
  return sentencesOf(code, triggers)?.[language](facts, show) ?? code;
}

/** The same in the interfaces. */
export function wireSaid(
  { code, facts }: Saying,
  triggers: Table<TriggerWords> = TRIGGER_WORDS,
): string {
  return sentencesOf(code, triggers)?.wire(facts) ?? code;
}

/** What a guard saw beyond its name; null when there is no more to say. */
export function guardDetail({ language, show }: Listener, { code, facts }: Saying): string | null {
  return guardWordsOf(code)?.detail?.[language](facts, show) || null;
}

/** What a guard has against a price, in the interfaces. */
export function wireObjection({ code, facts }: Saying): string {
  return guardWordsOf(code)?.wire(facts) ?? code;
}

/** The field `reason` of the interfaces: what was seen, the price, what stands against it. */
export function wireReason(reason: Reason): string {
  const { said, price, outrankedBy, objections, isCoolingDown } = reason;
  const parts = [wireSaid(said)];
  if (price !== null) {
    const { formula, cents, currency, liftedToPct } = price;
    const lifted = liftedToPct === null ? "" : `, lifted to the margin floor of ${liftedToPct} %`;
    parts.push(`${formula} gives ${wireMoney(cents, currency)}${lifted}`);
  }
  if (outrankedBy !== null) {
    parts.push(withCode({ code: "outranked", facts: { ruleName: outrankedBy } }));
  }
  if (objections.length > 0) {
    const so = price === null ? "no price" : "not applied without a person";
    parts.push(`${so}: ${objections.map(withCode).join(", ")}`);
  }
  if (isCoolingDown) parts.push(withCode({ code: "cooldown", facts: { lastFiredAt: null } }));
  return parts.join("; ");
}

function withCode(objection: Saying): string {
  return `${objection.code}: ${wireObjection(objection)}`;
}

function sentencesOf(code: string, triggers: Table<TriggerWords>) {
  return triggers[code]?.said ?? RESTS[code];
}
