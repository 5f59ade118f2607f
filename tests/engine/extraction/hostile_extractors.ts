/** Selectors and JSON paths that are as slow as an attacker can make them. */
import { extent } from "../../proof.ts";

export const HOSTILE_PATHS: readonly string[] = [
  `$${"[0,0,0,0,0,0,0,0,0,0]".repeat(20)}`,
  `$${"[:,:,:,:,:,:,:,:]".repeat(25)}`,
  `$${"[*,*,*,*]".repeat(50)}`,
  "$..[?@..zz]",
  "$..[?@..*]",
  "$..[?count(@..*) > 1]",
  "$..[?@.*.*.*.*.*.*.*.*]",
  `$..[?${"@.a && ".repeat(60)}@.b]`,
  "$[*][?count(@..*) == count(@.*)]",
  "$..*[?@[*] == @[*]]",
  `$..[${"::-1,".repeat(90)}0]`,
  "$..[?length(@) < 1 || @..price]",
];

export const HOSTILE_SELECTORS: readonly string[] = [
  ":has(b):has(i):has(p):has(u):has(s)",
  "div div div div div div div div b i",
  "div ~ div ~ div ~ div ~ div > b",
  ":nth-child(2n+1 of :nth-child(2n+1))",
  ":nth-last-child(3n) ~ :nth-child(2n) b",
  ":not(:not(:not(:not(:has(> b)))))",
  "* * * * * * * * * * * *",
  ":is(div, :is(p, :is(b, :is(i, u)))) ".repeat(10).trim(),
  "div:has(~ div:not(:nth-child(odd))) :last-of-type",
  `[class*="${"a".repeat(300)}"] ~ *`,
  "*:has(+ * + * + * + *)",
  ":nth-last-of-type(2n+1):only-of-type, :nth-of-type(3n) ~ :nth-of-type(2n)",
];

/** A deep and wide JSON answer with many equal values. */
export function hostileJson(): string {
  const leaf = [0, "1,00", { price: 1, a: true, b: null }];
  let tree: unknown = leaf;
  for (let depth = 0; depth < 24; depth++) tree = [tree, leaf, { a: tree === leaf ? 1 : leaf }];
  return JSON.stringify([
    tree,
    Array.from({ length: extent(8_000, 2_000) }, (_, n) => ({ price: n, a: [n] })),
  ]);
}

export function hostileMarkup(): string {
  const deep = '<div class="aaaa">'.repeat(400) + "<b>1,00 €</b>" + "</div>".repeat(400);
  const wide = "<div><p><b>x</b><i>y</i></p></div>".repeat(extent(12_000, 3_000));
  return `<!doctype html><html lang="de"><body>${deep}${wide}</body></html>`;
}
