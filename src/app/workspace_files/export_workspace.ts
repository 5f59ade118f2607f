/** Converts a workspace to lines, in an order in which they can be imported one by one. */
import { mapValues } from "../../base/collections.ts";
import { listUsers } from "../../accounts/users/user.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { DAY_MS, isoOrNull } from "../../base/time.ts";
import type { BrakeState } from "../../engine/pricing/situation.ts";
import { serialiseSource } from "../../imports/state/import_source.ts";
import { findLastImportOf, listStoredSources } from "../../imports/state/sources.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { isJudging } from "../../platform/events/outbox_store.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { findRuleStates, lapses, listRuleStates } from "../../rules/evaluation/rule_state_store.ts";
import { findTraces, listProposals } from "../../rules/proposals/proposal_store.ts";
import { listRules, walkDeletedRules } from "../../rules/rule.ts";
import { readFires } from "../../rules/evaluation/rule_stats.ts";
import { competitorsById, listCompetitors } from "../../shops/competitor_store.ts";
import { walkHeld } from "../../shops/offers/failing_and_held_store.ts";
import { SUSPICIONS } from "../../shops/choices.ts";
import { loneMoves } from "../../shops/observations/move_store.ts";
import { linesFrom, type LineSource, OFFER_TIMES, TABLE_LINES, withTexts } from "./table_lines.ts";
import {
  FILE_FORMAT,
  LINE_TYPES,
  type LineOf,
  type LineType,
  type WorkspaceLine,
} from "./workspace_line.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import {
  documentPages,
  findAnyProduct,
  listDeletedDocuments,
  listDocuments,
  walkPriceChanges,
} from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { findIdentities, type KeptIdentity } from "../../shops/matches/match_identity.ts";
import { findMatchesAt } from "../../shops/matches/match_store.ts";
import { ofProduct, ownedPages } from "../../shops/observations/read_observations.ts";
import { walkObserved } from "../../shops/observations/pack_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { walkOffers } from "../../shops/offers/offer_store.ts";

const ROWS_PER_READ = 500;

/** `END_OF_TIME` is the latest possible date, so that the export includes all observations. */
const END_OF_TIME = new Date(8.64e15);
const ALL_TIMES = { fromMs: 0, toMs: END_OF_TIME.getTime(), order: "asc" } as const;

function identityOf(kept: KeptIdentity | undefined): LineOf<"match">["identity"] {
  if (kept === undefined) return null;
  const { verdict, reasons, page, checkedAtMs, word } = kept;
  return { verdict, reasons: [...reasons], page, checkedAt: isoOrNull(checkedAtMs), word };
}

function offerOf({ matchId: _, urlHash: _hash, ...offer }: Offer): LineOf<"match">["offer"] {
  const { competitorId: _shop, enabled: _on, disabledBy: _by, ...seen } = offer;
  const { packFactor: _factor, matchType: _type, noPrice: _none, ...own } = seen;
  return withTexts(own, ...OFFER_TIMES);
}

async function skuOf(workspace: WorkspaceStore, productId: string): Promise<string> {
  const found = await findAnyProduct(workspace, productId);
  if (!found) throw new Error(`There is no product ${productId}: run check-store`);
  return found.product.sku;
}

type OfCompetitor = "discovery" | "heldPrice" | "match" | "shopRecipe" | "suggestion";

/** Omits lines whose competitor no longer exists, except lines for which `isKept` returns true. */
function ofCompetitors<T extends OfCompetitor>(
  { lines }: LineSource<T>,
  isKept: (line: LineOf<T>) => boolean = () => false,
): LineSource<T> {
  return {
    async *lines(ctx) {
      const known = await competitorsById(ctx);
      for await (const line of lines(ctx)) {
        if (known.has(line.competitorId) || isKept(line)) yield line;
      }
    },
  };
}

const SOURCES: { readonly [T in Exclude<LineType, "end">]: LineSource<T> } = {
  ...TABLE_LINES,
  discovery: ofCompetitors(TABLE_LINES.discovery),
  shopRecipe: ofCompetitors(TABLE_LINES.shopRecipe),
  suggestion: ofCompetitors(TABLE_LINES.suggestion, ({ status }) => status === "rejected"),
  workspace: {
    async *lines(ctx) {
      const workspace = await requireWorkspace(ctx);
      const exportedAt = ctx.now().toISOString();
      const [lapse] = await lapses.list(ctx, { limit: 1 });
      const hasPendingEvaluations = lapse !== undefined || await isJudging(ctx);
      const head = { format: FILE_FORMAT, exportedAt, hasPendingEvaluations } as const;
      yield { type: "workspace", ...head, ...workspace };
    },
  },
  user: linesFrom(
    "user",
    (workspace) => listUsers(workspace, { after: null, limit: null }),
    ({ id, email, name = null, role, createdAt, dailyMail = false }) => ({
      id,
      email,
      name,
      role,
      createdAt,
      dailyMail,
    }),
  ),
  importSource: {
    async *lines(workspace) {
      for (const stored of await listStoredSources(workspace)) {
        const { isDefault: _, ...source } = serialiseSource(stored);
        const lastImport = await findLastImportOf(workspace, stored.id);
        yield { type: "importSource", source: { ...source, lastImport } };
      }
    },
  },
  competitor: linesFrom(
    "competitor",
    (workspace) => listCompetitors(workspace, null, null),
    (competitor) => competitor,
  ),
  product: {
    async *lines(workspace) {
      for (const list of [listDocuments, listDeletedDocuments]) {
        for await (const page of documentPages(workspace, list, ROWS_PER_READ)) {
          const products = page.map(({ bytes }) => parseProduct(bytes));
          const indexRows = await findIndexRows(workspace, products.map(({ sku }) => sku));
          for (const product of products) {
            const { importHash = null, isFromImport = false, importSource = null } =
              indexRows.get(product.sku) ?? {};
            yield { type: "product", ...product, importHash, isFromImport, importSource };
          }
        }
      }
    },
  },
  priceChange: linesFrom("priceChange", walkPriceChanges, ({ productId, change }) => ({
    productId,
    ...change,
  })),
  match: ofCompetitors({
    async *lines(workspace) {
      for await (const { productId, offers } of walkOffers(workspace)) {
        const sku = await skuOf(workspace, productId);
        const places = offers.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }));
        const matches = new Map(
          (await findMatchesAt(workspace, places)).map(({ match }) => [match.id, match]),
        );
        const identities = await findIdentities(workspace, offers.map(({ matchId }) => matchId));
        for (const offer of offers) {
          const match = matches.get(offer.matchId);
          if (!match) continue;
          const identity = identityOf(identities.get(match.id));
          yield { type: "match", ...match, sku, offer: offerOf(offer), identity };
        }
      }
    },
  }),
  observation: {
    async *lines(workspace) {
      const reader = { ...workspace, now: () => END_OF_TIME };
      for await (const productId of walkObserved(workspace)) {
        const sku = await skuOf(workspace, productId);
        for await (
          const page of ownedPages(reader, ofProduct(productId), ALL_TIMES, ROWS_PER_READ)
        ) {
          for (const { observation } of page) {
            yield { type: "observation", ...withTexts(observation, "observedAt"), sku };
          }
        }
      }
    },
  },
  loneMove: linesFrom(
    "loneMove",
    (workspace) => loneMoves.walk(workspace),
    ({ row: { id: _, isObserved: _seen, ...move } }) => withTexts(move, "at"),
  ),
  ruleState: {
    async *lines(workspace) {
      const pages = pagesOf((...at) => listRuleStates(workspace, ...at), idOf, ROWS_PER_READ);
      for await (const page of pages) {
        for (const [productId, { state }] of await findRuleStates(workspace, page.map(idOf))) {
          const rules = mapValues(state, ({ brake, ...rest }) => ({
            ...withTexts(rest, "lastFiredAt"),
            ...brake && { brake: brakeDocument(brake) },
          }));
          yield { type: "ruleState", productId, sku: await skuOf(workspace, productId), rules };
        }
      }
    },
  },
  heldPrice: ofCompetitors(linesFrom("heldPrice", walkHeld, ({ id: _, ...held }) => {
    const code = SUSPICIONS.find((one) => one === held.code);
    return code ? { ...withTexts(held, "heldAt", "observedAt"), code } : null;
  })),
  proposal: {
    async *lines(workspace) {
      const index = { by: "all" } as const;
      const pages = pagesOf((...at) => listProposals(workspace, index, ...at), idOf, ROWS_PER_READ);
      for await (const page of pages) {
        const traces = await findTraces(workspace, page.map(({ id }) => id));
        for (const proposal of page) {
          yield { type: "proposal", ...proposal, trace: traces.get(proposal.id) ?? null };
        }
      }
    },
  },
  rule: {
    async *lines(workspace) {
      for (const rules of [await listRules(workspace), walkDeletedRules(workspace)]) {
        for await (const rule of rules) {
          const { days, lastFiredAtMs } = await readFires(workspace, rule.id);
          const fires = days.filter(({ count }) => count > 0).map(({ day, count }) => ({
            day: new Date(day * DAY_MS).toISOString().slice(0, 10),
            count,
          }));
          yield { type: "rule", ...rule, fires, lastFiredAt: isoOrNull(lastFiredAtMs) };
        }
      }
    },
  },
};

/** Exports no jobs, runs, webhooks, keys or secrets. The store must not change during an export. */
export async function* exportWorkspace(
  ctx: WorkspaceStore & Pick<Context, "now">,
): AsyncGenerator<WorkspaceLine> {
  let lines = 0;
  for (const type of LINE_TYPES) {
    if (type === "end") continue;
    for await (const line of SOURCES[type].lines(ctx)) {
      lines++;
      yield line;
    }
  }
  yield { type: "end", lines };
}

function brakeDocument(brake: BrakeState) {
  const cuts = brake.cuts.map((cut) => withTexts(cut, "at"));
  return { ...withTexts(brake, "until"), cuts };
}
