import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { judgeLink } from "../../../src/shops/matches/link_plan.ts";
import {
  articleHash,
  countingVerdict,
  type KeptArticle,
  NO_IDENTITY,
  packIdentity,
  unpackIdentity,
  withPage,
  withWord,
} from "../../../src/shops/matches/match_identity.ts";

const SILENT: KeptArticle = {
  title: null,
  brand: null,
  gtin: null,
  mpn: null,
  sku: null,
  condition: null,
  isOtherVariant: false,
};
const OURS = { title: "A", brand: null, ean: null, mpn: null, condition: null };

Deno.test("judgeLink() compares each fact of the page with ours", () => {
  const ours = { title: "Bosch GSR 18", brand: "Bosch", ean: "4006381333931", mpn: "GSR-18" };
  const rows: readonly (readonly [Partial<KeptArticle>, string])[] = [
    [{ gtin: "04006381333931" }, "same"],
    [{ gtin: "4005556050178" }, "different"],
    [{ gtin: null, gtins: ["4005556050178", "4006381333931"] }, "same"],
    [{ title: "Puzzle Burg für Kinder" }, "different"],
    [{ title: "Puzzle Burg für Kinder", mpn: "gsr18" }, "probably"],
    [{ title: "Puzzle Burg für Kinder", brand: "Bosch", mpn: "gsr18" }, "same"],
    [{ title: "Bosch GSR 18", condition: "used" }, "different"],
    [{ isOtherVariant: true, gtin: "4006381333931" }, "probably"],
  ];
  for (const [page, verdict] of rows) {
    const { verdict: found } = judgeLink({ ...ours, condition: null }, 1, { ...SILENT, ...page });
    assertEquals(found, verdict, JSON.stringify(page));
  }
});

Deno.test("judgeLink() with a pack factor ignores a different GTIN, and nothing else", () => {
  const ours = { ...OURS, title: "Bosch Bohrer 5 mm", ean: "4006381333931" };
  const pack = { ...SILENT, title: "Bosch Bohrer 5 mm" };
  for (const gtin of ["14006381333938", "4005556050178"]) {
    assertEquals(judgeLink(ours, 1, { ...pack, gtin }).verdict, "different");
    assertEquals(judgeLink(ours, 6, { ...pack, gtin }).verdict === "different", false);
  }
  assertEquals(judgeLink(ours, 6, { ...pack, condition: "used" }).verdict, "different");
});

const person = { type: "user", id: "u", name: "Jana", at: "2026-11-21T10:00:00.000Z" } as const;
const article = fc.record<KeptArticle>({
  title: fc.option(fc.constantFrom("Bosch GSR", "Puzzle", "bosch  gsr!")),
  brand: fc.option(fc.constantFrom("Bosch", "Bosch GmbH", "Makita")),
  gtin: fc.option(fc.constantFrom("4006381333931", "04006381333931", "4005556050178")),
  mpn: fc.option(fc.constantFrom("GSR-18", "gsr18", "X9")),
  sku: fc.option(fc.constantFrom("1", "2")),
  condition: fc.option(fc.constantFrom("new", "used")),
  isOtherVariant: fc.boolean(),
}, { noNullPrototype: true });

Deno.test("a person's statement counts until the page changes in more than spelling", () => {
  const words = fc.constantFrom("confirmed", "rejected");
  fc.assert(fc.property(article, article, words, (one, two, kind) => {
    const first = withPage(NO_IDENTITY, one, { verdict: "different", reasons: [] }, 1);
    const decided = withWord(first, { kind, by: person });
    const won = kind === "confirmed" ? "same" : "different";
    assertEquals(countingVerdict(decided), won);
    const later = withPage(decided, two, { verdict: "unknown", reasons: [] }, 2);
    const holds = articleHash(one) === articleHash(two);
    assertEquals(countingVerdict(later), holds ? won : "unknown");
    assertEquals(countingVerdict(withWord(later, null)), "unknown");
    assertEquals(unpackIdentity(packIdentity(later)), later);
  }));
  const page = { ...SILENT, title: "Bosch GSR 18", gtin: "4006381333931", mpn: "GSR-18" };
  const written = { ...page, title: "BOSCH, GSR  18", gtin: "04006381333931", mpn: "gsr18" };
  assertEquals(articleHash(page), articleHash({ ...written, condition: "new" }));
  // A confirmation before the first fetch applies to the first content of the page.
  const early = withWord(NO_IDENTITY, { kind: "confirmed", by: person });
  const seen = withPage(early, page, { verdict: "different", reasons: [] }, 1);
  assertEquals(countingVerdict(seen), "same");
  const other = { ...page, gtin: "4005556050178" };
  const judged = withPage(seen, other, { verdict: "different", reasons: [] }, 2);
  assertEquals(countingVerdict(judged), "different");
});
