import { z } from "@hono/zod-openapi";

/** What is said about how a table is written; null is found out. */
export const ReadPlan = z.strictObject({
  delimiter: z.enum([";", "\t", ",", "|"]).nullable().default(null)
    .meta({ description: "What parts the cells of delimited text" }),
  quote: z.enum(['"', "'"]).nullable().default(null)
    .meta({ description: "What may stand around a cell" }),
  encoding: z.string().max(40).nullable().default(null).meta({
    description: "As the WHATWG Encoding Standard names it",
    examples: ["windows-1252"],
  }),
  headerRow: z.int().min(1).max(1_000).nullable().default(null)
    .meta({ description: "Line of the row that names the columns" }),
  sheet: z.string().max(200).nullable().default(null)
    .meta({ description: "Workbook: its name; else the first that can be seen" }),
  list: z.string().max(500).nullable().default(null)
    .meta({
      description: "JSON: the keys of the list of records, parted by dots",
      examples: ["data.items"],
    }),
  each: z.string().max(200).nullable().default(null)
    .meta({ description: "JSON: a list within a record whose members are a row each" }),
});

export type ReadPlan = z.infer<typeof ReadPlan>;
