import { bodyOf, everyItem, statusOf } from "../api/answers.ts";
import { addKey, addUser } from "../../src/accounts/set_up.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { onEveryStore } from "../stores.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

async function listSkus(caller: Caller, query: string): Promise<string[]> {
  return (await everyItem(caller, `/api/products?limit=3&${query}`)).map(({ sku }) => sku);
}

onEveryStore.test("products are created, changed, found, deleted and restored", async (store) => {
  await using app = await startTestApp({ store });
  const { manager } = app;
  const made: { id: string }[] = [];
  for (let n = 0; n < 8; n++) {
    const brand = n % 2 ? "Bosch" : "Siemens";
    const body = { sku: `S-${n}`, title: `Gerät ${n}`, brand, category: "Küche", ourPrice: 10 + n };
    made.push(await manager.create("/api/products", body));
  }
  const path = (n: number) => `/api/products/${made[n]!.id}`;
  const taken = manager.post("/api/products", { sku: "S-1", title: "x" });
  assertEquals(await statusOf(taken), 409);
  await manager.change(path(0), { ourPrice: "12.50", brand: "AEG" });
  await manager.remove(path(1));
  await manager.remove(path(2));
  await manager.act(`${path(2)}/restore`);

  const all = ["S-0", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7"];
  assertEquals(await listSkus(manager, ""), all);
  assertEquals(await listSkus(manager, "brand=bosch"), ["S-3", "S-5", "S-7"]);
  assertEquals(await listSkus(manager, "category=KÜCHE&brand=siemens"), ["S-2", "S-4", "S-6"]);
  assertEquals(await listSkus(manager, "q=ger%C3%A4t"), all);
  const history = await manager.read(`${path(0)}/price-history`);
  assertEquals(history.items.map(({ toCents }: { toCents: number }) => toCents), [1250, 1000]);
  assertEquals(await Array.fromAsync(checkCatalogue(store, app.workspaceId)), []);
});

onEveryStore.test("people sign in and out, keys are created and revoked, and everything is in the log", async (store) => {
  await using app = await startTestApp({ store });
  const tools = { store, clock: app.app.clock };
  const credentials = { email: "eva@example.com", password: "vier lange deutsche Wörter" };
  await addUser(tools, { ...credentials, role: "manager", workspace: "Muster GmbH" });
  const login = await app.anyone.post("/api/auth/login", credentials);
  await bodyOf(login, 200);
  const cookie = { Cookie: login.headers.get("Set-Cookie")!.split(";")[0]! };
  await app.anyone.read("/api/auth/me", cookie);
  await app.anyone.act("/api/auth/logout", undefined, cookie);
  assertEquals(await statusOf(app.anyone.get("/api/auth/me", cookie)), 401);

  const { text } = await addKey(tools, { name: "ERP", scopes: [], workspace: "Muster GmbH" });
  const bearer = { Authorization: `Bearer ${text}` };
  await app.anyone.read("/api/public/v1/products", bearer);

  const key = await app.owner.create("/api/keys", { name: "k", scopes: [] });
  await app.owner.remove(`/api/keys/${key.id}`);
  const revoked = { Authorization: `Bearer ${key.key}` };
  assertEquals(await statusOf(app.anyone.get("/api/public/v1/products", revoked)), 401);
  const { items } = await app.owner.read("/api/audit-logs");
  assertEquals(items.map(({ action }: { action: string }) => action).sort(), [
    "api_key.create",
    "api_key.revoke",
  ]);
});
