/** What one line tells of the entries of one action. */
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { changePct } from "../../../base/percent.ts";
import type { App } from "../../app/app.ts";
import { changeSides, deedText, resourceText, ruleText } from "../../parts/audit/audit_text.ts";
import type { LogFold } from "./log_rows.ts";

type Names = Readonly<Record<string, string>>;
type Told = Pick<App, "words" | "show">;

/** "24 Preise gesetzt". */
export function foldDeed({ words, show }: Told, { told }: LogFold): string {
  const { many } = words.auditLog;
  const count = show.number(told.length);
  const [first] = told;
  if (first === undefined) return count;
  const isPrice = first.action === "product.update" && "ourPriceCents" in (first.after ?? {});
  if (isPrice) return many.price(count);
  const [type, deed = ""] = first.action.split(".");
  return type === "proposal" && isDecision(deed)
    ? many[deed](count)
    : many.other(count, deedText(words, first));
}

const DECISIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

function isDecision(deed: string): deed is (typeof DECISIONS)[number] {
  return DECISIONS.some((one) => one === deed);
}

/** The rule that all of them are by; else the first of what it was done to, and how many more. */
export function foldResource({ words, show }: Told, { told }: LogFold, names: Names): string {
  const rule = same(told.map((row) => ruleText(words, row, names)));
  if (rule !== null) return rule;
  const [first, ...others] = told;
  if (first === undefined) return "";
  const text = resourceText(words, first, names);
  return words.auditLog.andMore(text, show.number(others.length));
}

/** What all have become; of prices by how much they moved. */
export function foldAfter(app: Told, { told }: LogFold): string {
  const changes = told.flatMap((row) => {
    const [was, is] = pricesOf(row);
    return typeof was === "number" && typeof is === "number" && was > 0 ? [changePct(was, is)] : [];
  });
  if (changes.length === told.length) {
    const sum = changes.reduce((all, one) => all + one, 0);
    return app.words.auditLog.average(app.show.percentChange(sum / changes.length));
  }
  return same(told.map((row) => changeSides(app, row).after)) ?? "";
}

/** From what to what a price was set; nothing where none was. */
function pricesOf({ action, before, after }: AuditRow): readonly unknown[] {
  if (action === "product.update") return [before?.ourPriceCents, after?.ourPriceCents];
  if (action !== "proposal.approve") return [];
  return [after?.currentCents, after?.appliedCents ?? after?.proposedCents];
}

/** Null where they differ, or say nothing. */
export function same(texts: readonly (string | null)[]): string | null {
  const [first = null, ...others] = texts;
  return others.every((text) => text === first) ? first || null : null;
}
