import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DEMAND, limitRows, planRows, planTables } from "../../scripts/capacity_plan.ts";

/** Without what `deno fmt` does to the columns of a table. */
function plain(text: string): string {
  return text.replaceAll(/ *\| */g, "|").replaceAll(/-{3,}/g, "---");
}

Deno.test("docs/scale.md has the arithmetic of today: deno run scripts/capacity_plan.ts", async () => {
  const document = plain(await Deno.readTextFile("docs/scale.md"));
  assertEquals(planTables().map(plain).filter((table) => !document.includes(table)), []);
});

Deno.test("the plan is for the pages that the demand comes to", () => {
  const { workspaces, products, competitors, checksPerDay } = DEMAND;
  const pages = workspaces * products * competitors * checksPerDay;
  const row = planRows().find(([what]) => what === "pages a day");
  assertEquals(row?.[2], pages.toLocaleString("en-US"));
  assertEquals(limitRows().length, 6);
});
