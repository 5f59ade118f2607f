import type { Language } from "../../../wording/language.ts";
import type { Show } from "../../../wording/show.ts";
import { triggerWordsOf } from "../../../wording/trigger_words.ts";
import type { Words } from "../../words/words.ts";
import type { FieldValues, RuleDraft } from "./rule_draft.ts";
import { skusIn } from "./rule_draft.ts";

interface Speaker {
  readonly words: Words;
  readonly language: { readonly value: Language };
  readonly show: Show;
}

/** The rule as one sentence that a person would say. */
export function ruleSentence(draft: RuleDraft, speaker: Speaker): string {
  const { sentence } = speaker.words.rules;
  const then = draft.actions.map(({ type, values }) => sayAction(type, values, speaker));
  const floor = draft.floorPct.trim();
  return sentence.whole(
    sayWhen(draft, speaker),
    sayScope(draft, speaker),
    then.join(sentence.and),
    floor === "" ? null : withPct(floor),
  );
}

function sayWhen({ trigger, when }: RuleDraft, { language }: Speaker): string {
  const words = triggerWordsOf(trigger);
  return words?.condition[language.value]((name) => textOf(when, name)) ?? trigger;
}

function sayAction(type: string, values: FieldValues, { words }: Speaker): string {
  const { sentence } = words.rules;
  const formula = textOf(values, "formula");
  switch (type) {
    case "propose_price": {
      const target = textOf(values, "targetMarginPct");
      return sentence.propose(formula || "match_cheapest", target === "" ? null : withPct(target));
    }
    case "auto_apply_if_safe":
      return sentence.apply(formula || null, withPct(textOf(values, "maxChangePct") || "10"));
    case "alert_inapp":
      return sentence.alert;
    case "alert_email":
      return sentence.mail;
    default:
      return words.terms.actions[type] ?? type;
  }
}

function sayScope({ scopeMode, scopeRows, skus }: RuleDraft, { words, show }: Speaker): string {
  const { sentence, scopeFields } = words.rules;
  if (scopeMode === "all") return sentence.all;
  if (scopeMode === "sku") return sentence.skus(show.number(skusIn(skus).length));
  const named = scopeRows.filter(({ value }) => value.trim() !== "");
  const fields = [...new Set(named.map(({ field }) => field))].map((field) => {
    const wanted = named.filter((row) => row.field === field)
      .map(({ op, value }) => op === "eq" ? value : sentence.contains(value));
    return sentence.scopeField(scopeFields[field], wanted.join(sentence.or));
  });
  return fields.length === 0 ? "…" : fields.join(sentence.and);
}

function textOf(values: FieldValues, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
}

function withPct(text: string): string {
  return `${text} %`;
}
