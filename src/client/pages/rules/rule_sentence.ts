import type { Action } from "../../../pricing/actions.ts";
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

/** What an action does, by its type; a form holds what its fields would be. */
const ACTION_SENTENCES: Readonly<
  Record<Action["type"], (values: FieldValues, sentence: Words["rules"]["sentence"]) => string>
> = {
  propose_price: (values, sentence) => {
    const target = textOf(values, "targetMarginPct");
    const formula = textOf(values, "formula") || "match_cheapest";
    return sentence.propose(formula, target === "" ? null : withPct(target));
  },
  auto_apply_if_safe: (values, sentence) => {
    const maxPct = withPct(textOf(values, "maxChangePct") || "10");
    return sentence.apply(textOf(values, "formula") || null, maxPct);
  },
  alert_inapp: (_values, sentence) => sentence.alert,
  alert_email: (_values, sentence) => sentence.mail,
};

const isKnown = (type: string): type is Action["type"] => type in ACTION_SENTENCES;

function sayAction(type: string, values: FieldValues, { words }: Speaker): string {
  return isKnown(type)
    ? ACTION_SENTENCES[type](values, words.rules.sentence)
    : words.terms.actions[type] ?? type;
}

function sayScope({ scopeMode, scopeRows, skus }: RuleDraft, { words, show }: Speaker): string {
  const { sentence, scopeFields } = words.rules;
  switch (scopeMode) {
    case "all":
      return sentence.all;
    case "sku":
      return sentence.skus(show.number(skusIn(skus).length));
    case "attribute": {
      const named = scopeRows.filter(({ value }) => value.trim() !== "");
      const fields = [...new Set(named.map(({ field }) => field))].map((field) => {
        const wanted = named.filter((row) => row.field === field)
          .map(({ op, value }) => op === "eq" ? value : sentence.contains(value));
        return sentence.scopeField(scopeFields[field], wanted.join(sentence.or));
      });
      return fields.length === 0 ? "…" : fields.join(sentence.and);
    }
  }
}

function textOf(values: FieldValues, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
}

function withPct(text: string): string {
  return `${text} %`;
}
