import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, refusalOf } from "../api/answers.ts";
import { withApp } from "../harness.ts";

withApp.test("people set their own names, owners set others', also in the invitation", async ({ owner, viewer }) => {
  assertEquals((await bodyOf(viewer.get("/api/auth/me"), 200)).name, null);
  const me = await bodyOf(viewer.patch("/api/auth/me", { name: "  Jana Petersen " }), 200);
  assertEquals(me.name, "Jana Petersen");
  const body = { email: "marek@shop.example", role: "manager", name: "Marek Vogt" };
  const invited = await bodyOf(owner.post("/api/users", body), 201);
  assertEquals(invited.name, "Marek Vogt");
  const renamed = await bodyOf(owner.patch(`/api/users/${invited.id}`, { name: null }), 200);
  assertEquals([renamed.name, renamed.role], [null, "manager"]);
  const { items } = await bodyOf(viewer.get("/api/people"), 200);
  const names = items.map(({ name }: { name: string }) => name);
  assertEquals([names.includes("Jana Petersen"), names.includes(body.email)], [true, true]);
  const { items: people } = await bodyOf(owner.get("/api/users"), 200);
  assertEquals(
    people.map(({ name }: { name: string | null }) => name).filter(Boolean),
    ["Jana Petersen"],
  );
});

withApp.test("an invalid name is refused, and only owners set others' names", async (app) => {
  const { id } = await bodyOf(app.viewer.get("/api/auth/me"), 200);
  for (const name of ["", "   ", "x".repeat(201), "a\u0007", 5]) {
    const refused = await refusalOf(app.viewer.patch("/api/auth/me", { name }));
    assertEquals(refused.code, "validation_failed");
  }
  const forged = await refusalOf(app.viewer.patch("/api/auth/me", { role: "owner" }));
  assertEquals(forged.code, "validation_failed");
  const other = await refusalOf(app.manager.patch(`/api/users/${id}`, { name: "X" }));
  assertEquals(other.code, "forbidden");
});

withApp.test("the audit log, the history and marks show the name", async (app) => {
  await bodyOf(app.manager.patch("/api/auth/me", { name: "Jana Petersen" }), 200);
  const product = { sku: "A", title: "A", ourPrice: 5 };
  const { id } = await bodyOf(app.manager.post("/api/products", product), 201);
  const { items: [entry] } = await bodyOf(app.viewer.get(`/api/products/${id}/price-history`), 200);
  assertEquals(entry.actor.name, "Jana Petersen");
  const mark = { isError: true, neverShown: false };
  const path = `/api/products/${id}/price-history/${entry.at}/mark`;
  assertEquals((await bodyOf(app.manager.post(path, mark), 200)).mark.by.name, "Jana Petersen");
  const { items } = await bodyOf(app.viewer.get("/api/audit-logs?resource=product"), 200);
  const names = items.map(({ actor }: { actor: { name: string } }) => actor.name);
  assertEquals(names, ["Jana Petersen", "Jana Petersen"]);
});
