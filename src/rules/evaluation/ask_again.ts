import type { Product } from "../../catalogue/products/product.ts";
import { compileRules } from "../../engine/pricing/compile_rule.ts";
import type { Context } from "../../platform/store/context.ts";
import type { AskedAgain } from "../proposals/decide_proposal.ts";
import { pricedProductOf } from "../proposals/priced_product.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { listRules } from "../rule_store.ts";
import { judgeOne, rulesOf } from "./judge.ts";
import { proposalOf } from "./judge_subject.ts";
import { readSubjects, readSurroundings } from "./situation_reader.ts";

/** Asks the rule of a proposal again, as if that proposal were open, so no cooldown applies. */
export async function askAgain(
  ctx: Context,
  previous: StoredProposal,
  product: Product,
): Promise<AskedAgain> {
  const { ruleId } = previous;
  const all = (await listRules(ctx)).map(({ rule }) => rule);
  const rule = all.find(({ id }) => id === ruleId);
  if (!rule) return closed("rule_deleted");
  if (!rule.enabled) return closed("rule_off");
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  const read = await readSubjects(ctx, [product.id], surroundings, moment);
  const [subject] = read.subjects;
  if (!subject) return closed("product_deleted");
  const situation = {
    ...subject.situation,
    product: pricedProductOf(product),
    history: { ...subject.situation.history, openProposal: previous },
  };
  // A rule with only scheduled times is evaluated now only if it is the named rule.
  const compiled = compileRules(all);
  const asked = compiled.filter(({ id, isScheduledOnly }) => !isScheduledOnly || id === ruleId);
  const rules = rulesOf({ all: compiled, compiled: asked });
  const { decisions } = await judgeOne(ctx, rules, { situation });
  const own = decisions.find((decision) => decision.ruleId === ruleId);
  const cents = own?.proposedCents ?? null;
  if (!own || cents === null) return closed(own?.blocked[0] ?? "no_longer_fires");
  const priced = { product, situation, ruleName: rule.name, cents };
  const proposal = { ...await proposalOf(ctx, own, priced), reopenedFrom: previous.id };
  return { proposal, trace: own.trace(), closedBy: null };
}

function closed(closedBy: string): AskedAgain {
  return { proposal: null, closedBy };
}
