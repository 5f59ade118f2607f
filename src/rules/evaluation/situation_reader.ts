/** Reads the inputs of decisions for given products, and the budget of the day. */
import { readWorkspace } from "../../accounts/workspace_store.ts";
import { findDocuments, type StoredProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import type { Mode, PricingSettings, Situation } from "../../engine/pricing/situation.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import {
  pricedProductOf,
  pricingOffersOf,
  pricingSettingsOf,
  type Shops,
  shopsOf,
} from "../proposals/priced_product.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { findOpenProposals } from "../proposals/proposal_store.ts";
import {
  findKeptStates,
  NO_STATE,
  NOTHING_SEEN,
  type RuleState,
  type Seen,
} from "./rule_state_store.ts";
import { dateIn } from "../../base/time.ts";
import type { Spent } from "../../engine/pricing/brake.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";

export interface Surroundings extends Shops {
  readonly settings: PricingSettings;
}

interface LiveSurroundings extends Surroundings {
  readonly timeZone: string;
  readonly settingsVersion: string | null;
  readonly competitorsVersion: string | null;
}

export async function readSurroundings(workspace: WorkspaceStore): Promise<LiveSurroundings> {
  const [settings, competitors] = await Promise.all([
    readWorkspace(workspace),
    readCompetitorSet(workspace),
  ]);
  return {
    settings: pricingSettingsOf(settings.workspace),
    timeZone: settings.workspace.timeZone,
    settingsVersion: settings.versionstamp,
    ...shopsOf(settings.workspace, competitors.byId),
    competitorsVersion: competitors.version,
  };
}

export interface Subject {
  readonly found: StoredProduct;
  readonly state: RuleState;
  readonly seen: Seen;
  readonly offersVersion: string | null;
  readonly open: StoredProposal | null;
  readonly situation: Situation;
}

export interface Moment {
  readonly nowMs: number;
  readonly mode: Mode;
}

/**
 * `subjects` has the active products in the given order, `orphans` the open proposals of inactive
 * products.
 */
export async function readSubjects(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  surroundings: Surroundings,
  moment: Moment,
): Promise<{ subjects: Subject[]; orphans: StoredProposal[] }> {
  const [documents, offers, states, open] = await Promise.all([
    findDocuments(workspace, productIds),
    findOffersOf(workspace, productIds),
    findKeptStates(workspace, productIds),
    findOpenProposals(workspace, productIds),
  ]);
  const offersOf = new Map(offers.map((row) => [row.productId, row]));
  const subjects = documents.map((document): Subject => {
    const product = parseProduct(document.bytes);
    const { state, seen } = states.get(document.id) ?? { state: NO_STATE, seen: NOTHING_SEEN };
    const row = offersOf.get(document.id);
    const proposal = open.get(document.id) ?? null;
    return {
      found: { ...document, product },
      state,
      seen,
      offersVersion: row?.versionstamp ?? null,
      open: proposal,
      situation: {
        product: pricedProductOf(product),
        ...pricingOffersOf(row?.offers ?? [], surroundings),
        history: { rules: state, price: null, openProposal: proposal },
        settings: surroundings.settings,
        ...moment,
      },
    };
  });
  const active = new Set(documents.map(({ id }) => id));
  const orphans = [...open.values()].filter(({ productId }) => !active.has(productId));
  return { subjects, orphans };
}

/** A local date, such as `2026-11-21`. */
interface SpentDay extends Spent {
  readonly date: string;
}

export const spentDays = defineTable<SpentDay, "date">({
  prefix: "bd",
  about: "how many prices rules have set automatically on that day in the workspace's time zone; " +
    "counted while a budget is set, in the commits that set the prices",
  key: { date: "text" },
  keep: {
    what: "counts of automatic prices per day, for budgets",
    days: 7,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
    isInOrder: true,
  },
});

/** Counts the prices set on a day, including those of the current commit. */
export class DayBudget {
  readonly #budgeted: ReadonlySet<string>;
  readonly #found: Found<SpentDay> | null;
  #day: SpentDay;

  constructor(date: string, budgeted: ReadonlySet<string>, found: Found<SpentDay> | null) {
    this.#budgeted = budgeted;
    this.#found = found;
    this.#day = found?.row ?? { date, all: 0, rules: {} };
  }

  get spent(): Spent {
    return this.#day;
  }

  note(ruleId: string): void {
    const { date, all, rules } = this.#day;
    const ofRule = this.#budgeted.has(ruleId) ? { [ruleId]: (rules[ruleId] ?? 0) + 1 } : {};
    this.#day = { date, all: all + 1, rules: { ...rules, ...ofRule } };
  }

  /** Costs one check and one mutation. The commit fails if the row was changed meanwhile. */
  save(write: Write, workspaceId: string): void {
    if (this.#day.all > (this.#found?.row.all ?? 0)) {
      spentDays.save(write, { workspaceId }, this.#found, this.#day);
    }
  }
}

/** Null if neither the workspace nor a rule has a budget. */
export async function readBudget(
  workspace: WorkspaceStore & Pick<Context, "now">,
  rules: readonly CompiledRule[],
  { settings, timeZone }: LiveSurroundings,
): Promise<DayBudget | null> {
  const budgeted = new Set(
    rules.filter(({ budgetPerDay }) => budgetPerDay !== null).map(({ id }) => id),
  );
  if (budgeted.size === 0 && (settings.budgetPerDay ?? null) === null) return null;
  const date = dateIn(workspace.now(), timeZone);
  return new DayBudget(date, budgeted, await spentDays.find(workspace, { date }));
}
