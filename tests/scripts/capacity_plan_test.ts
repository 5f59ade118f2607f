import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DEMAND, limitRows, planRows, planTables } from "../../scripts/capacity_plan.ts";

/** Undoes the table layout of `deno fmt`. */
function plain(text: string): string {
  return text.replaceAll(/ *\| */g, "|").replaceAll(/-{3,}/g, "---");
}

Deno.test("docs/scale.md has the current tables: deno run scripts/capacity_plan.ts", async () => {
  const document = plain(await Deno.readTextFile("docs/scale.md"));
  assertEquals(planTables().map(plain).filter((table) => !document.includes(table)), []);
});

Deno.test("the plan has the pages per day that follow from the demand", () => {
  const { workspaces, products, competitors, checksPerDay } = DEMAND;
  const pages = workspaces * products * competitors * checksPerDay;
  const row = planRows().find(([what]) => what === "pages a day");
  assertEquals(row?.[2], pages.toLocaleString("en-US"));
  assertEquals(limitRows().length, 6);
});
