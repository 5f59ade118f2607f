import { valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withBench, withVat } from "./import_calls.ts";

type ShownColumn = { column: string; field: string | null; confidence: number; isGuess: boolean };

/** Returns `column=field` for each guess, and requires a low confidence. */
function guessesOf(columns: readonly ShownColumn[]): string[] {
  const guesses = columns.filter(({ isGuess }) => isGuess);
  assertEquals(guesses.filter(({ confidence }) => confidence <= 0 || confidence >= 0.7), []);
  return guesses.map(({ column, field }) => `${column}=${field}`);
}

const TITLES = ["Kochtopf 20 cm mit Deckel", "Wasserkessel 1,7 l rot", "Pfanne 28 cm beschichtet"];

/** Name and values of the column after the SKU, and the field that must be guessed for it. */
const CASES: readonly (readonly [name: string, values: readonly string[], guess: string | null])[] =
  [
    ["Feld 7", ["372,19 €", "12,50 €", "1.299,00 €"], "price"],
    ["Feld 7", ["EUR 372.19", "EUR 12.50", "EUR 1,299.00"], "price"],
    ["Feld 7", ["372,19", "12,50", "1.299,00"], "price"],
    ["Feld 7", ["372", "12", "1299"], null],
    ["Feld 7", ["01.06.2026", "02.06.2026", "03.06.2026"], null],
    ["Feld 7", ["1,250", "0,300", "12,000"], null],
    ["Feld 7", ["4006381333931", "4000000001379", "4000000019183"], "ean"],
    ["Feld 7", ["4006381333930", "4000000001370", "4000000019180"], "ean"],
    ["Feld 7", ["400638133393", "40000000013", "400000001918"], null],
    ["Feld 7", TITLES, "title"],
    ["Feld 7", ["rot", "blau", "grün"], null],
    ["Feld 7", [TITLES[0] ?? "", TITLES[0] ?? "", TITLES[0] ?? ""], null],
    ["Feld 7", ["", "", ""], null],
    ["Verk.-Pr.", ["372", "12", "1299"], "price"],
    ["Einst.-Pr.", ["372", "12", "1299"], "costPrice"],
    ["Lgr.", ["14", "0", "3"], "stock"],
    ["Lgr.", ["Nord", "Süd", "West"], null],
    ["Art.-Bez.", ["Topf", "Kessel", "Pfanne"], "title"],
    ["Kat.", ["Töpfe", "Kessel", "Pfannen"], "category"],
    ["Höhe", ["372", "12", "1299"], null],
    ["Farbe", ["rot", "blau", "grün"], null],
  ];

withBench.test("an unknown column is guessed from its values or its abbreviation", async ({ preview }) => {
  for (const [name, values, guess] of CASES) {
    const rows = values.map((value, n) => `A-${n};${value};${n % 2}`);
    const csv = `Artikelnummer;${name};K1\n${rows.join("\n")}\n`;
    const { columns, suggestion } = await preview(csv);
    const expected = guess === null ? [] : [`${name}=${guess}`];
    assertEquals(guessesOf(columns), expected, `${name}: ${values}`);
    const { sku, ...others } = suggestion.fields;
    const named = Object.values(others).filter((column) => column !== null);
    assertEquals([sku.columns, named, suggestion.prices], [["Artikelnummer"], [], []]);
  }
});

withBench.test("a guess never repeats a recognised column's role, and each role has one column", async ({ preview }) => {
  const rows = TITLES.map((title, n) => `A-${n};${title};${n + 1},99;${n + 2},49 €;${n + 3},00 €`);
  const named = await preview(`SKU;Titel;Preis;F4;F5\n${rows.join("\n")}\n`);
  assertEquals(guessesOf(named.columns), []);
  const { columns } = await preview(`SKU;F2;F3;F4;F5\n${rows.join("\n")}\n`);
  // Amounts with a currency are more likely to be prices than bare amounts.
  assertEquals(guessesOf(columns), ["F2=title", "F4=price"]);
  // If no column name is known, the header is the first row whose words are all different.
  const above = "Stand; stand\n2. Halbjahr;Nord\n-;Nord\n";
  const unknown = await preview(`${above}Bauform;Farbe\nrund;rot\n`);
  assertEquals(valuesOf(unknown.columns, "column"), [["Bauform"], ["Farbe"]]);
});

const CSV = `SKU;Bezeichnung;Verk.-Pr. netto;Nummer 2\n` +
  TITLES.map((title, n) => `A-${n};${title};${n + 1}00,00 €;400000000137${n}`).join("\n") + "\n";

withVat.test("an import ignores columns that only look like a price or a GTIN, with a warning", async ({ send, products }) => {
  const { warnings } = await send(CSV);
  const ignored = ["columns_ignored", "Verk.-Pr. netto, Nummer 2"];
  assertEquals(valuesOf(warnings, "code", "value"), [["no_price_column", null], ignored]);
  const bare = ["A-0", "A-1", "A-2"].map((sku) => [sku, null, null]);
  const stored = [...(await products()).values()];
  assertEquals(valuesOf(stored, "sku", "ourPriceCents", "ean").sort(), bare);
});

withVat.test("a column that a person confirms is read on its side of VAT, and is no guess", async ({ preview }) => {
  const { columns, suggestion, warnings } = await preview(CSV);
  assertEquals(guessesOf(columns), ["Verk.-Pr. netto=price", "Nummer 2=ean"]);
  const [, , price] = columns;
  assertEquals([price.side, warnings[0].code], ["net", "no_price_column"]);
  const from = { columns: [price.column] };
  const prices = [{ from, role: "own", side: price.side, currency: price.currency }];
  const confirmed = await preview(CSV, "artikel.csv", { ...suggestion, id: "own", prices });
  assertEquals(guessesOf(confirmed.columns), ["Nummer 2=ean"]);
  const read = confirmed.columns.find(({ column }: ShownColumn) => column === price.column);
  assertEquals([read.field, read.confidence], ["price", 1]);
  assertEquals(confirmed.records[0].fields.ourPriceCents, 11_900);
});
