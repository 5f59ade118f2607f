/** The steps that migrate a store of an earlier layout (CHANGELOG.md), oldest first. */
import { removeFormerIndexRows } from "../../accounts/audit/audit_store.ts";
import { inEachWorkspace } from "../../accounts/workspace_store.ts";
import { clearFormerRows, rewriteProducts } from "../../catalogue/changes/rewrite_products.ts";
import type { MigrationStep } from "../../platform/store/layout_store.ts";
import { rewriteProposals } from "../../rules/proposals/proposal_store.ts";
import { rewriteMatches } from "../../shops/matches/match_store.ts";
import { resealSome, type SecretPlace } from "./secrets.ts";

export const MIGRATION_STEPS: readonly MigrationStep[] = [
  { what: "products get all fields", advance: inEachWorkspace(rewriteProducts) },
  { what: "links get their present form", advance: inEachWorkspace(rewriteMatches) },
  { what: "proposals keep facts", advance: inEachWorkspace(rewriteProposals) },
  { what: "awaited prices are one row", advance: inEachWorkspace(clearFormerRows) },
  {
    what: "credentials in rows are sealed",
    advance: (store, write, at) => resealSome(store, write, isSecretPlace(at) ? at : null),
  },
  {
    what: "audit rows lose index rows that no list needs",
    advance: inEachWorkspace(removeFormerIndexRows),
  },
];

function isSecretPlace(place: unknown): place is SecretPlace {
  return typeof place === "object" && place !== null && "table" in place && "after" in place;
}
