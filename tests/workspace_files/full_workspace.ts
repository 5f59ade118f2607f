/** A workspace with something of everything that its file has lines for. */
import { bodyOf } from "../api/answers.ts";
import { addProduct, addRule, proposals, push, untilJudged } from "../evaluation/market.ts";
import type { TestApp } from "../harness.ts";

const DAY_MS = 24 * 3_600_000;

export async function fillWorkspace(app: TestApp): Promise<void> {
  const { owner, clock } = app;
  const settings = { pricesIncludeVat: true, vatRatePct: 19, importExpectedHours: 30 };
  await bodyOf(owner.patch("/api/settings", settings), 200);
  await addProfile(app);
  const alerting = [
    { type: "propose_price", formula: "match_cheapest" },
    { type: "alert_inapp", severity: "high" },
  ];
  await addRule(owner, { actions: alerting, marginFloor: { pct: 5 } });
  const leaving = await addRule(owner, { name: "Leaving", enabled: false });
  await bodyOf(owner.delete(`/api/rules/${leaving}`), 200);
  const listed = Array.from(
    { length: 1_000 },
    (_, n) => `SKU-WITH-A-VERY-LONG-NAME-OF-ITS-OWN-IN-THIS-LIST-${n}`,
  );
  await addRule(owner, { name: "Long", enabled: false, scope: { mode: "sku", list: listed } });

  await addProduct(owner, "A", { brand: "Bosch", category: "Kühlschränke", tier: "B2C" });
  const b = await addProduct(owner, "B/ü", { attributes: { Farbe: "weiß" }, ean: "4006381333931" });
  const gone = await addProduct(owner, "GONE", { brand: "Bosch" });
  for (let n = 0; n < 30; n++) await addProduct(owner, `MANY-${n}`, { brand: `Brand ${n % 7}` });
  clock.advance(DAY_MS);
  await bodyOf(owner.patch(`/api/products/${b}`, { ourPrice: 110, priceLocked: true }), 200);
  await bodyOf(owner.delete(`/api/products/${gone}`), 200);

  await push(app, [["A", "acme", 90], ["A", "bolt", 95], ["B/ü", "acme", 80]]);
  await untilJudged(app);
  clock.advance(DAY_MS);
  await push(app, [["A", "acme", 88.5], ["MANY-1", "acme", 70]]);
  await untilJudged(app);
  const open = (await proposals(owner, "status=open")).find(({ sku }) => sku === "MANY-1");
  await bodyOf(owner.post(`/api/proposals/${open?.id}/approve`), 200);
  await untilJudged(app);
  await removeMatch(app, b);
  const { items: [alert] } = await bodyOf(owner.get("/api/alerts"), 200);
  await bodyOf(owner.post(`/api/alerts/${alert.id}/read`), 200);
}

async function addProfile({ owner }: TestApp): Promise<void> {
  const { items: [profile] } = await bodyOf(owner.get("/api/import-profiles"), 200);
  const { builtIn: _, ...copy } = profile;
  await bodyOf(owner.post("/api/import-profiles", { ...copy, id: "own" }), 201);
}

async function removeMatch({ owner }: TestApp, productId: string): Promise<void> {
  const { items: [match] } = await bodyOf(
    owner.get(`/api/competitor-products?productId=${productId}`),
    200,
  );
  await bodyOf(owner.delete(`/api/competitor-products/${match.id}`), 200);
}
