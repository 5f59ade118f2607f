import { isId } from "../../base/id.ts";
import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import type { Context } from "../../platform/store/context.ts";
import { compileRules } from "../../engine/pricing/compile_rule.ts";
import { decideProduct } from "../../engine/pricing/decide_product.ts";
import { listRules } from "../rule_store.ts";
import { readBudget } from "./day_budget.ts";
import { type ExplainedDecision, toExplained } from "./decision_document.ts";
import { withFacts } from "./price_facts.ts";
import { readSubjects, readSurroundings } from "./situation_reader.ts";

/** What every enabled rule says of a product now, in the order in which they are asked. Refuses with `not_found`. */
export async function explainProduct(ctx: Context, id: string): Promise<ExplainedDecision[]> {
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "explain" } as const;
  const read = await readSubjects(ctx, isId(id) ? [id] : [], surroundings, moment);
  const [subject] = read.subjects;
  if (!subject) throw noSuchProduct(id);
  const compiled = compileRules((await listRules(ctx)).map(({ rule }) => rule));
  const names = new Map(compiled.map((rule) => [rule.id, rule.name]));
  const spent = (await readBudget(ctx, compiled, surroundings))?.spent;
  const situation = {
    ...await withFacts(ctx, subject.situation),
    ...spent && { spent },
  };
  return decideProduct(compiled, situation).decisions
    .map((decision) => toExplained(names.get(decision.ruleId) ?? "", decision));
}
