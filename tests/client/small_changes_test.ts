import { readPct } from "../../src/client/pages/proposals/inbox.tsx";
import { fitsFilter, OPEN_FILTER_SHAPE } from "../../src/rules/proposals/proposal_filter.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { z } from "zod";
import type { ProposalBrief } from "../../src/rules/proposals/proposal.ts";

const ANY: ProposalBrief = {
  ...{ id: "", ruleId: "", ruleName: "", productId: "", sku: "", productTitle: null },
  ...{ currentCents: 0, proposedCents: 0, currency: "EUR", createdAt: "", expiresAt: "" },
  ...{ heldUntil: null, effectCents: null, marginAfterPct: null, rivals: null },
};

/** True if the change is below `units` / 10,000 percent, in exact integer arithmetic. */
function isSmaller(currentCents: number, proposedCents: number, units: number): boolean {
  const moved = BigInt(proposedCents) - BigInt(currentCents);
  const distance = moved < 0n ? -moved : moved;
  return distance * 1_000_000n < BigInt(currentCents) * BigInt(units);
}

/** The percentage in the spelling of the screen's field. */
function pctOf(units: number): string {
  const digits = String(units).padStart(5, "0");
  return `${digits.slice(0, -4)},${digits.slice(-4)}`;
}

function judged(currentCents: number, proposedCents: number, text: string): boolean {
  const pct = readPct(text, "de-DE");
  if (pct === null) throw new Error(`"${text}" was not read`);
  // The percentage as the service parses it from the screen's request.
  const asked = z.object(OPEN_FILTER_SHAPE).parse({ changeBelowPct: String(pct) });
  const filter = { ...asked, search: null, ruleId: null, productId: null };
  return fitsFilter({ ...ANY, currentCents, proposedCents }, filter, 0);
}

Deno.test("a filter by small changes is exact at its limit and one cent to either side, in 5,400 cases", () => {
  for (let units = 1_000; units <= 300_000; units += 1_000) {
    for (const currentCents of [1_000, 2_000, 10_000, 30_000, 70_000, 100_000]) {
      const distance = Math.floor(currentCents * units / 1_000_000);
      for (const proposedCents of [-1, 0, 1].map((step) => currentCents - distance + step)) {
        const found = judged(currentCents, proposedCents, pctOf(units));
        const where = `${currentCents} to ${proposedCents} at ${pctOf(units)} %`;
        assertEquals(found, isSmaller(currentCents, proposedCents, units), where);
      }
    }
  }
});

Deno.test("readPct() takes percentages with at most four decimals, and refuses very long ones", () => {
  const texts = ["3", "1,1", "0,0001", "100", "0,00001", "", "drei", "-1", "9".repeat(400)];
  const read = texts.map((text) => readPct(text, "de-DE"));
  assertEquals(read, [3, 1.1, 0.0001, 100, null, null, null, null, null]);
});
