import { deepStrictEqual as assertEquals, strictEqual } from "node:assert/strict";
import { type CompetitorDocument, findCompetitors } from "../../src/shops/competitor_store.ts";
import { withApp } from "../harness.ts";
import { answered } from "./shop.ts";

const PATH = "/api/competitors";

withApp.test("findCompetitors() caches unchanged competitors, and sees a change with the next call", async (app) => {
  const add = (domain: string): Promise<CompetitorDocument> =>
    answered(app.manager.post(PATH, { domain }), 201);
  const { id } = await add("eins.example");
  const unknown = "0".repeat(24);
  const find = async (wanted: string) =>
    (await findCompetitors(app, [wanted, unknown])).get(wanted);

  const first = await find(id);
  strictEqual(await find(id), first);
  assertEquals([...(await findCompetitors(app, [unknown])).keys()], []);

  await answered(app.manager.patch(`${PATH}/${id}`, { displayName: "Eins" }), 200);
  assertEquals((await find(id))?.displayName, "Eins");
  const second = await add("zwei.example");
  assertEquals((await find(second.id))?.domain, "zwei.example");
  await answered(app.manager.delete(`${PATH}/${id}`), 200);
  assertEquals(await find(id), undefined);
  assertEquals((await find(second.id))?.domain, "zwei.example");
});
