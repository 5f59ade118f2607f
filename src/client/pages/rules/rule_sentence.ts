import type { Show } from "../../../wording/show.ts";
import type { Words } from "../../words/de.ts";
import type { FieldValues, RuleDraft } from "./rule_draft.ts";
import { skusIn } from "./rule_draft.ts";

interface Speaker {
  readonly words: Words;
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

function sayWhen({ trigger, when }: RuleDraft, { words }: Speaker): string {
  const { sentence } = words.rules;
  const text = (name: string) => textOf(when, name);
  const pct = (name: string) => text(name) === "" ? null : withPct(text(name));
  const reference = text("reference") || "cheapest";
  const delta = text("competitorDeltaPct");
  const gap = delta === "" || delta === "0" ? null : withPct(delta);
  switch (trigger) {
    case "competitor_undercut":
      return sentence.undercut(reference, gap);
    case "competitor_overcut":
      return sentence.overcut(reference, gap);
    case "margin_below":
      return sentence.marginBelow(pct("marginPct") ?? "…");
    case "margin_above":
      return sentence.marginAbove(pct("marginPct") ?? "…");
    case "position_change":
      return sentence.position(text("direction") || "any", text("minPositions") || "1");
    case "market_index":
      return sentence.index(
        text("indexAbove") || null,
        text("indexBelow") || (text("indexAbove") ? null : "…"),
      );
    case "scrape_stale":
      return sentence.stale(text("staleHours") || null);
    default:
      return words.terms.triggers[trigger] ?? trigger;
  }
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
