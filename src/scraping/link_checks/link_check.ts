/**
 * A link check compares products with pages before they are linked (docs/decisions/matching.md).
 * People paste lines `SKU;URL[;PACK]` (a tab may replace a semicolon) or `SKU,URL`. If a header
 * line begins with `GTIN`, `EAN` or `barcode`, the lines have GTINs instead of SKUs.
 */
import { NEAR_SKUS_MAX } from "../../catalogue/lists/find_product.ts";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import { type Job, JOB_STATUSES } from "../../platform/jobs/job.ts";
import { PackFactor } from "../../shops/matches/match.ts";
import { ArticleStatement } from "../page/last_page.ts";
import type { VisitState } from "../page/visit.ts";
import {
  CHECK_OUTCOMES,
  type CheckOutcome,
  LINE_ERRORS,
  LINE_STATUSES,
  type LineError,
} from "./check_codes.ts";
import { z } from "@hono/zod-openapi";

/** A link check has the same id as its job. */
export const CHECK_KIND = "link_check";
export const VISIT_KIND = "link_visit";
export const ACCEPT_KIND = "link_accept";

export const LINES_MAX = 50_000;
export const CHECK_BYTES_MAX = 8 * 1024 * 1024;
export const NEW_SHOPS_MAX = 100;
const NAMED_LINES_MAX = 200;

export interface CheckCursor {
  readonly part: number;
  readonly firstLine: number;
  readonly shop: string | null;
  readonly isVisiting: boolean;
}

export type CheckJob = Job<{ readonly parts: number }, CheckCursor, { readonly lines: number }>;

export interface VisitArgs {
  readonly checkId: string;
  readonly competitorId: string;
}

export interface VisitCursor extends VisitState {
  readonly blocked: number;
}

export type VisitJob = Job<VisitArgs, VisitCursor, Record<never, never>>;

export interface AcceptArgs {
  readonly checkId: string;
  readonly outcomes: readonly CheckOutcome[];
  /** Numbers of the accepted lines; null accepts all open lines with one of the `outcomes`. */
  readonly lines: readonly number[] | null;
}

export interface AcceptCursor {
  readonly outcome: number;
  readonly after: number;
}

const Refusal = z.object({
  line: z.int().describe("The number of the line"),
  code: z.string().meta({ examples: ["not_found", "conflict"] }),
  message: z.string(),
}).meta({ id: "RefusedLinkLine" });

export type AcceptCounts = Omit<AcceptedLines, "status">;

export type AcceptJob = Job<AcceptArgs, AcceptCursor, AcceptCounts>;

/** A request with an invalid line is accepted; only this line gets an error. */
export const LinkCheckRequest = z.union([
  z.strictObject({
    text: z.string().min(1).meta({
      description:
        "Lines `SKU;URL` or `SKU;URL;PACK`, separated by semicolons or tabs, or `SKU,URL`. A header " +
        "is optional; if it begins with `GTIN` or `EAN`, the lines have these instead of SKUs",
      example: "SKU-1;https://www.mediamarkt.de/p/1.html\nSKU-2;https://www.mediamarkt.de/p/2.html",
    }),
  }).meta({ id: "LinkCheckText" }),
  z.strictObject({
    lines: z.array(
      z.record(z.string(), z.unknown()).meta({
        properties: {
          sku: { type: "string" },
          gtin: { type: "string", description: "Alternative to the SKU" },
          url: { type: "string", format: "uri", description: "The page of the competitor" },
          packFactor: { type: "number" },
        },
        required: ["url"],
      }),
    ).min(1).max(LINES_MAX).describe("Lines with product and page"),
  }).meta({ id: "LinkCheckLines" }),
], { error: "Must have `text` or `lines`" }).meta({
  id: "LinkCheckRequest",
  example: { lines: [{ sku: "SKU-1", url: "https://www.mediamarkt.de/p/1.html" }] },
});
export type LinkCheckRequest = z.infer<typeof LinkCheckRequest>;

export const StartedLinkCheck = z.object({ jobId: z.string().describe("Id of the new check") })
  .meta({ id: "StartedLinkCheck" });

export const LinkCheck = z.object({
  id: z.string(),
  status: z.enum(JOB_STATUSES)
    .describe("`succeeded`: every line was checked, whatever the outcome"),
  lines: z.int().describe("Number of all lines"),
  counts: z.object({
    sure: z.int().describe("The page shows the product"),
    check: z.int().describe("The page may show the product; a person must check it"),
    wrong: z.int().describe("The page shows another product, or the line cannot be a link"),
    failed: z.int().describe("The page could not be read"),
    waiting: z.int().describe("Not checked yet"),
  }).describe("Number of lines by outcome"),
  open: z.object({
    sure: z.int().describe("The page shows the product"),
    check: z.int().describe("A person must check the page"),
  }).describe("Number of open lines by outcome: neither linked nor dropped"),
  linked: z.int().describe("Number of lines that are links now, including earlier links"),
  etaAt: z.iso.datetime().nullable()
    .describe("Approximate time when the last page will be fetched; null if none waits"),
  createdBy: z.string().describe("Name of the person or key"),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "LinkCheck" });
export type LinkCheck = Readonly<z.infer<typeof LinkCheck>>;

export const StoredCheckLine = z.object({
  line: z.int().describe("Number of the line, from 1"),
  sku: z.string().nullable(),
  nearSkus: z.array(z.string()).max(NEAR_SKUS_MAX).meta({
    description: "For `unknown_sku`: similar SKUs of active products",
    examples: [["KT-10011"]],
  }),
  gtin: z.string().nullable().describe("As given instead of the SKU"),
  url: z.string().describe("As given"),
  packFactor: PackFactor.nullable(),
  outcome: z.enum(CHECK_OUTCOMES),
  status: z.enum(LINE_STATUSES)
    .describe("`existing`: the link existed before; `dropped`: a person has dropped the line"),
  productId: z.string().nullable(),
  title: z.string().nullable().describe("Title of our product"),
  competitorId: z.string().nullable().describe("The shop of the URL"),
  competitorProductId: z.string().nullable().describe("Id of the link"),
  verdict: z.enum(VERDICTS).nullable().describe("Null if no page was read"),
  reasons: z.array(IdentityEvidence).describe("The reasons, the deciding one first"),
  page: ArticleStatement.nullable().describe("The article as the page describes it"),
  price: z.int().nullable().describe("Minor units of `currency`"),
  currency: z.string().nullable(),
  errorCode: z.string().nullable().meta({
    description: "Why the line cannot be a link, or why its page could not be read",
    examples: [...LINE_ERRORS, "gone", "robots_disallowed"],
  }),
  message: z.string().nullable(),
  checkedAt: z.iso.datetime().describe("When the page was visited or the line was checked"),
});
export type StoredCheckLine = Readonly<z.infer<typeof StoredCheckLine>>;

export const CheckLine = StoredCheckLine.extend({
  competitor: z.string().nullable().describe("The shop's display name"),
}).meta({ id: "LinkCheckLine" });
export type CheckLine = Readonly<z.infer<typeof CheckLine>>;

export interface RawLine {
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly url: string;
  readonly packFactor: number | null;
  readonly misfit: LineError | null;
}

export interface WaitingLine extends Pick<RawLine, "sku" | "gtin" | "url" | "packFactor"> {
  readonly line: number;
  readonly productId: string;
}

const Named = z.array(z.int().min(1).max(LINES_MAX)).min(1).max(NAMED_LINES_MAX)
  .describe("Numbers of lines");

export const AcceptLines = z.union([
  z.strictObject({
    outcomes: z.array(z.enum(["sure", "check"])).min(1).max(2)
      .describe("All open lines with these outcomes"),
  }).meta({ id: "AcceptLinkOutcomes" }),
  z.strictObject({ lines: Named }).meta({ id: "AcceptNamedLines" }),
], { error: "Must have `outcomes` or `lines`" }).meta({
  id: "AcceptLinkLines",
  example: { outcomes: ["sure"] },
});
export type AcceptLines = z.infer<typeof AcceptLines>;

export const AcceptedLines = z.object({
  status: z.enum(JOB_STATUSES)
    .describe("`queued` or `running`: the remaining lines are linked in the background"),
  linked: z.int().describe("Number of new links"),
  existing: z.int().describe("Number of links that existed before"),
  refused: z.int().describe("Number of lines that could not be linked"),
  refusals: z.array(Refusal).describe("The first 100 refused lines"),
}).meta({ id: "AcceptedLinkLines" });
export type AcceptedLines = Readonly<z.infer<typeof AcceptedLines>>;

export const NewShops = z.strictObject({
  domains: z.array(z.string().max(300)).min(1).max(NEW_SHOPS_MAX).optional()
    .describe("Domains of the shops to create; default: all"),
}).meta({ id: "NewShopsOfLines", example: { domains: ["shop.example"] } });
export type NewShops = z.output<typeof NewShops>;

export const MissingShops = z.object({
  shops: z.array(z.object({
    domain: z.string(),
    lines: z.int().describe("Number of open lines with a page of this domain"),
  })).max(NEW_SHOPS_MAX).describe("Domains with most lines first"),
}).meta({ id: "MissingShopsOfLines" });
export type MissingShops = z.output<typeof MissingShops>;

export const MadeShops = z.object({
  jobId: z.string().describe("Id of the new check for the lines of these shops"),
  domains: z.array(z.string()).describe("Domains of the shops that exist now"),
  lines: z.int().describe("Number of lines that are checked again, and dropped here"),
}).meta({ id: "MadeShopsOfLines" });
export type MadeShops = z.output<typeof MadeShops>;

export const DropLines = z.strictObject({
  lines: Named,
  dropped: z.boolean().default(true).describe("False restores the lines"),
}).meta({ id: "DropLinkLines", example: { lines: [1, 2] } });
export type DropLines = z.output<typeof DropLines>;

export const DroppedLines = z.object({
  changed: z.int().describe("Number of changed lines"),
}).meta({ id: "DroppedLinkLines" });

const LINE_UNITS_MAX = 5_000;
const SHOWN_UNITS = 200;
const HEAD = /^(?:gtin|ean|barcode|sku|art(?:ikel)?[ .-]?n(?:umme)?r?\.?|item|product|produkt)/i;
const GTIN_HEAD = /^(?:gtin|ean|barcode)/i;

export const TOO_MANY = "too_many";

export function readLineText(text: string): RawLine[] | typeof TOO_MANY {
  const lines: RawLine[] = [];
  let isByGtin = false;
  let isFirst = true;
  for (let from = text.startsWith("\uFEFF") ? 1 : 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    const line = text.slice(from, Math.min(to, from + LINE_UNITS_MAX + 1)).trim();
    from = to + 1;
    if (line === "") continue;
    if (isFirst) {
      isFirst = false;
      const head = headOf(line);
      if (head !== null) {
        isByGtin = GTIN_HEAD.test(head);
        continue;
      }
    }
    if (lines.length === LINES_MAX) return TOO_MANY;
    lines.push(readLine(line, isByGtin));
  }
  return lines;
}

function headOf(line: string): string | null {
  const [first = ""] = line.split(/[;\t,]/);
  const name = first.replaceAll('"', "").trim();
  return !line.includes("/") && HEAD.test(name) ? name : null;
}

function readLine(line: string, isByGtin: boolean): RawLine {
  const [number = "", url = "", pack = ""] = fieldsOf(line);
  if (line.length > LINE_UNITS_MAX || number === "" || url === "") return badLine(line);
  const numbers = isByGtin ? { sku: null, gtin: number } : { sku: number, gtin: null };
  return rawLine({ ...numbers, url }, pack === "" ? null : pack.replace(",", "."));
}

/** URLs may contain `;`, so an unquoted text after the last `;` is a pack size only if numeric. */
function fieldsOf(line: string): string[] {
  if (line.includes('"')) {
    const quoted = quotedFields(line);
    if (quoted !== null) return quoted;
  }
  const comma = /,\s*https?:/i.exec(line)?.index ?? -1;
  const first = line.search(/[;\t]/);
  const isByComma = comma !== -1 && (first === -1 || comma < first);
  const at = isByComma ? comma : first;
  if (at === -1) return [line.trim()];
  const number = line.slice(0, at).trim();
  const rest = withoutEmptyEnd(line.slice(at + 1));
  // If a comma follows the SKU, the rest of the line is the URL, even with a number at the end.
  if (isByComma) return [number, rest];
  const last = Math.max(rest.lastIndexOf(";"), rest.lastIndexOf("\t"));
  const tail = last === -1 ? "" : rest.slice(last + 1).trim();
  const isPack = rest[last] === "\t" || /^-?\d{1,9}(?:[.,]\d{1,9})?$/.test(tail);
  if (!isPack || tail === "") return [number, rest];
  return [number, rest.slice(0, last).trim(), tail];
}

/** Removes the separators that spreadsheets write for empty cells at the end of a row. */
function withoutEmptyEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[;\s]/.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end).trim();
}

function quotedFields(line: string): string[] | null {
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (line[at + 1] === '"') {
        field += '"';
        at++;
      } else isQuoted = false;
    } else if (char === '"' && field.trim() === "") {
      field = "";
      isQuoted = true;
    } else if (char === ";" || char === "\t") {
      fields.push(field.trim());
      field = "";
    } else field += char;
  }
  if (isQuoted) return null;
  return [...fields, field.trim()].slice(0, 3);
}

export function readJsonLine(input: Readonly<Record<string, unknown>>): RawLine {
  const { sku, gtin, url, packFactor, ...others } = input;
  const number = sku ?? gtin;
  const isOne = (sku === undefined) !== (gtin === undefined) && Object.keys(others).length === 0;
  if (!isOne || typeof number !== "string" || typeof url !== "string" || number.trim() === "") {
    return badLine(JSON.stringify(input));
  }
  const numbers = sku === undefined ? { sku: null, gtin: number } : { sku: number, gtin: null };
  return rawLine({ ...numbers, url }, packFactor ?? null);
}

function badLine(text: string): RawLine {
  const url = text.slice(0, SHOWN_UNITS).toWellFormed();
  return { sku: null, gtin: null, url, packFactor: null, misfit: "bad_line" };
}

function rawLine(
  { sku, gtin, url }: Pick<RawLine, "sku" | "gtin" | "url">,
  pack: unknown,
): RawLine {
  const isLong = url.length > LINE_UNITS_MAX;
  const cut = (number: string | null) => number?.trim().slice(0, 200).toWellFormed() ?? null;
  const parsed = PackFactor.safeParse(typeof pack === "string" ? Number(pack) : pack);
  const isBadPack = pack !== null && !parsed.success;
  return {
    sku: cut(sku),
    gtin: cut(gtin),
    url: (isLong ? url.slice(0, SHOWN_UNITS) : url.trim()).toWellFormed(),
    packFactor: parsed.data ?? null,
    misfit: isBadPack ? "bad_pack" : isLong ? "bad_url" : null,
  };
}
