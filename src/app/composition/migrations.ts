/**
 * Changes of stored layouts, oldest first (CHANGELOG.md). The first one also converts rows that are
 * older than its layout.
 */
import { removeFormerIndexRows } from "../../accounts/audit/audit_store.ts";
import { inEachWorkspace } from "../../accounts/each_workspace.ts";
import { clearFormerRows, rewriteProducts } from "../../catalogue/changes/rewrite_products.ts";
import { PRE_RELEASE_LAYOUT } from "../../platform/store/layout_store.ts";
import type { Migration } from "../../platform/store/migrate.ts";
import { rewriteProposals } from "../../rules/proposals/rewrite_proposals.ts";
import { rewriteMatches } from "../../shops/matches/match_store.ts";
import { resealSome, type SecretPlace } from "./secrets.ts";

const RELEASE_STEPS: readonly Migration["advance"][] = [
  inEachWorkspace(rewriteProducts),
  inEachWorkspace(rewriteMatches),
  inEachWorkspace(rewriteProposals),
  inEachWorkspace(clearFormerRows),
];

export const MIGRATIONS: readonly Migration[] = [
  {
    from: PRE_RELEASE_LAYOUT,
    to: 1,
    what:
      "products, links, proposals and awaited prices of earlier versions get the form of version 1.0.0",
    advance: oneAfterTheOther(RELEASE_STEPS),
  },
  {
    from: 1,
    to: 10,
    what: "credentials in rows are sealed",
    advance: (store, write, place) => resealSome(store, write, isSecretPlace(place) ? place : null),
  },
  {
    from: 10,
    to: 11,
    what: "audit rows lose index rows that no list needs",
    advance: inEachWorkspace(removeFormerIndexRows),
  },
];

interface Place {
  readonly step: number;
  /** Position within the step; null at its beginning. */
  readonly at: unknown;
}

function oneAfterTheOther(steps: readonly Migration["advance"][]): Migration["advance"] {
  return async (store, write, place): Promise<Place | null> => {
    const { step, at } = isPlace(place) ? place : { step: 0, at: null };
    const advance = steps[step];
    if (advance === undefined) return null;
    const next = await advance(store, write, at);
    return next === null ? { step: step + 1, at: null } : { step, at: next };
  };
}

function isSecretPlace(place: unknown): place is SecretPlace {
  return typeof place === "object" && place !== null && "table" in place && "after" in place;
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "step" in place && "at" in place;
}
