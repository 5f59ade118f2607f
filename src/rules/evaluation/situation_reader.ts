/** Reads the inputs of decisions for named products; `product_stream.ts` reads those of all products. */

import { readWorkspace } from "../../accounts/workspace_store.ts";
import { findDocuments, type StoredProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { Mode, PricingSettings, Situation } from "../../engine/pricing/situation.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
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

export interface Surroundings extends Shops {
  readonly settings: PricingSettings;
}

/** Additional facts of a live pass: the calendar, and the version of the settings. */
export interface LiveSurroundings extends Surroundings {
  readonly timeZone: string;
  readonly settingsVersion: string | null;
  readonly competitorsVersion: string | null;
}

export async function readSurroundings(
  workspace: WorkspaceStore,
): Promise<LiveSurroundings> {
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

/** One active product at one moment, with the rows that effects change. */
export interface Subject {
  readonly found: StoredProduct;
  readonly state: RuleState;
  /** Which of its changes were judged. */
  readonly seen: Seen;
  readonly offersVersion: string | null;
  readonly open: StoredProposal | null;
  readonly situation: Situation;
}

export interface Moment {
  readonly nowMs: number;
  readonly mode: Mode;
}

/** The active ones among the products, in their order, and the open proposals of the others. */
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
