/** Sentences of decisions, made of codes and facts: for people in their language, for interfaces in English. */
import type { Reason } from "../pricing/decide.ts";
import type { Saying } from "../pricing/said.ts";
import { AIM_WORDS } from "./aim_words.ts";
import { guardWordsOf } from "./guard_words.ts";
import type { Listener } from "./language.ts";
import { NOTE_WORDS } from "./note_words.ts";
import { REST_WORDS } from "./rest_words.ts";
import { type AnyFacts, type Sentences, type Table, wireMoney } from "./sentences.ts";
import { TRIGGER_WORDS, type TriggerWords } from "./trigger_words.ts";

const RESTS: Table<Sentences<AnyFacts>> = REST_WORDS;
const NOTES: Table<Sentences<AnyFacts>> = NOTE_WORDS;

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

/** What has changed a price on its way, in the interfaces. */
export function wireNote({ code, facts }: Saying): string {
  return NOTES[code]?.wire(facts) ?? code;
}

/** The same for people; the code itself where nobody has words for it. */
export function noteText({ language, show }: Listener, { code, facts }: Saying): string {
  return NOTES[code]?.[language](facts, show) ?? code;
}

/** The field `reason` of the interfaces: what was seen, the price, what stands against it. */
export function wireReason(reason: Reason): string {
  const { said, price, outrankedBy, objections, isCoolingDown } = reason;
  const parts = [wireSaid(said)];
  if (price !== null) {
    const { formula, from, cents, currency, notes } = price;
    const noted = notes.map((note) => `, ${wireNote(note)}`).join("");
    const source = formula ?? (from === null ? "price" : AIM_WORDS[from].wire);
    parts.push(`${source} gives ${wireMoney(cents, currency)}${noted}`);
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
