import { readDate, readNumber } from "../../src/base/german_values.ts";
import { readPriceText } from "../../src/base/price_text.ts";

/*
 * Budget on two cores: a number of a file well below 1 µs, so that an import of 100,000 articles
 * with four prices each spends less than a tenth of a second on them.
 */
const SETTING = { format: "de", exponent: 2, currency: "EUR" } as const;

for (const text of ["1.234,56", "99,90", "1234.56", "39,90 €", "auf Anfrage"]) {
  Deno.bench(`readNumber() of ${text}`, { group: "number" }, () => {
    readNumber(text, SETTING);
  });
}

for (const text of ["31.12.2025", "2025-12-31T23:59:59Z"]) {
  Deno.bench(`readDate() of ${text}`, { group: "date" }, () => {
    readDate(text);
  });
}

for (const text of ["29,99 €", "UVP: 299,00 € jetzt nur 249,00 € inkl. MwSt."]) {
  Deno.bench(`readPriceText() of ${text}`, { group: "price" }, () => {
    readPriceText(text);
  });
}
