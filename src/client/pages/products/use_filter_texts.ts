import { fromKeys } from "../../../base/collections.ts";
import { FILTERED_NAMES } from "../../../catalogue/products/product_field_table.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import type { Shop } from "../../parts/use_shops.ts";
import { labelIn } from "../../words/label.ts";
import type { Chip, FilterName } from "./market_query.ts";

interface FilterTexts {
  ofChip(chip: Chip): string;
  /** The words of a filter, with names instead of ids. */
  ofName(name: FilterName, value: string): string;
}

/** The parts of the filter in words. */
export function useFilterTexts(shops: ReadonlyMap<string, Shop>): FilterTexts {
  const { words, show } = useApp();
  const { market, product, products, fields } = words;
  const asksRule = new URLSearchParams(location.search).has("ruleId");
  const rules = useDocument({
    key: ["rules", "names"],
    read: (api) => api.GET("/api/rules"),
    isWanted: asksRule,
  });
  const pct = (value: string) => show.percent(Number(value));
  const shop = (id: string) => shops.get(id)?.displayName ?? market.someShop;
  const rule = (id: string) =>
    rules.data?.find((known) => known.id === id)?.name ?? market.someRule;
  const { chosen } = market;
  const texts: Readonly<Record<FilterName, (value: string) => string>> = {
    ...ofFields((name, value) => chosen.field(fields[name], value)),
    condition: (value) => chosen.field(fields.condition, labelIn(product.conditions, value)),
    q: (value) => value,
    sku: (value) => chosen.field(products.sku, value),
    updatedSince: (value) => chosen.field(products.updatedSince, show.date(value)),
    includeDeleted: () => products.withDeleted,
    stock: (value) => labelIn(market.stocks, value),
    isHeld: (value) => value === "true" ? market.chips.held : chosen.isNotHeld,
    dearerThanPct: (value) => chosen.dearerThanPct(pct(value)),
    roomAbovePct: (value) => chosen.roomAbovePct(pct(value)),
    marginBelowPct: (value) => chosen.marginBelowPct(pct(value)),
    rankMin: chosen.rankMin,
    rankMax: chosen.rankMax,
    position: (value) => labelIn(market.positions, value),
    state: (value) => labelIn(market.states, value),
    hasProposal: (value) => value === "true" ? market.chips.proposal : chosen.hasNoProposal,
    competitorId: (value) => chosen.competitorId(shop(value)),
    cheapestCompetitorId: (value) => chosen.cheapestCompetitorId(shop(value)),
    undercutBy: (value) => chosen.undercutBy(shop(value)),
    missing: (value) => chosen.missing(value === "any" ? null : shop(value)),
    ruleId: (value) => chosen.ruleId(rule(value)),
    newestBefore: (value) => chosen.newestBefore(show.dateTime(value)),
  };
  const { chips } = market;
  const chipTexts: Readonly<Record<Chip["name"], string>> = {
    dearer: chips.dearer(pct("3")),
    room: chips.room,
    margin: chips.margin(pct("10")),
    noLinks: chips.noLinks,
    stale: chips.stale,
    proposal: chips.proposal,
    held: chips.held,
  };
  return {
    ofChip: ({ name }) => chipTexts[name],
    ofName: (name, value) => texts[name](value),
  };
}

type FieldName = (typeof FILTERED_NAMES)[number];

function ofFields(textOf: (name: FieldName, value: string) => string) {
  return fromKeys(FILTERED_NAMES, (name) => (value: string) => textOf(name, value));
}
