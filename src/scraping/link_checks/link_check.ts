/** Lines of product and page that are checked before they become links (docs/decisions/matching.md). */

import { NEAR_SKUS_MAX } from "../../catalogue/lists/near_skus.ts";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import { type Job, JOB_STATUSES } from "../../platform/jobs/job.ts";
import { PackFactor } from "../../shops/matches/match.ts";
import { ArticleStatement } from "../page/page_statement.ts";
import type { VisitState } from "../page/visit.ts";
import {
  CHECK_OUTCOMES,
  type CheckOutcome,
  LINE_ERRORS,
  LINE_STATUSES,
  type LineError,
} from "./check_codes.ts";
import { z } from "@hono/zod-openapi";

/** The job that reads the lines and waits for their pages; a check's id is its job's. */
export const CHECK_KIND = "link_check";
export const VISIT_KIND = "link_visit";
export const ACCEPT_KIND = "link_accept";

export const LINES_MAX = 50_000;
/** The lines of a request, as text or as JSON. */
export const CHECK_BYTES_MAX = 8 * 1024 * 1024;
export const NEW_SHOPS_MAX = 100;
export const NAMED_LINES_MAX = 200;

export interface CheckCursor {
  /** The next part of the lines to read; equal to `parts` when all are read. */
  readonly part: number;
  /** The number of the part's first line. */
  readonly firstLine: number;
  /** The last shop for which a visiting job was created; null before the first. */
  readonly shop: string | null;
  readonly isVisiting: boolean;
}

export type CheckJob = Job<{ readonly parts: number }, CheckCursor, { readonly lines: number }>;

export interface VisitArgs {
  readonly checkId: string;
  readonly competitorId: string;
}

export interface VisitCursor extends VisitState {
  /** The line that is being processed, or null. */
  readonly n: number | null;
  /** Number of consecutive pages that the shop refused. */
  readonly blocked: number;
}

export type VisitJob = Job<VisitArgs, VisitCursor, Record<never, never>>;

export interface AcceptArgs {
  readonly checkId: string;
  readonly outcomes: readonly CheckOutcome[];
  /** Null: all of the outcomes. */
  readonly lines: readonly number[] | null;
}

/** The last processed line. */
export interface AcceptCursor {
  readonly outcome: number;
  readonly after: number;
}

const Refusal = z.object({
  line: z.int().meta({ description: "The number of the line" }),
  code: z.string().meta({ examples: ["not_found", "conflict"] }),
  message: z.string(),
}).meta({ id: "RefusedLinkLine" });

export type AcceptCounts = Omit<AcceptedLines, "status">;

export type AcceptJob = Job<AcceptArgs, AcceptCursor, AcceptCounts>;

/** Each line is validated on its own, so that a bad one does not affect the others. */
export const LinkCheckRequest = z.union([
  z.strictObject({
    text: z.string().min(1).meta({
      description:
        "Lines `SKU;URL` or `SKU;URL;PACK`, parted by semicolons or tabs, or `SKU,URL`; a header is " +
        "optional, and one that begins with `GTIN` or `EAN` says that the lines do, too",
      example: "SKU-1;https://www.mediamarkt.de/p/1.html\nSKU-2;https://www.mediamarkt.de/p/2.html",
    }),
  }).meta({ id: "LinkCheckText" }),
  z.strictObject({
    lines: z.array(
      z.record(z.string(), z.unknown()).meta({
        properties: {
          sku: { type: "string" },
          gtin: { type: "string", description: "Instead of the SKU" },
          url: { type: "string", format: "uri", description: "The page of the competitor" },
          packFactor: { type: "number" },
        },
        required: ["url"],
      }),
    ).min(1).max(LINES_MAX).meta({ description: "What is to be linked to which page" }),
  }).meta({ id: "LinkCheckLines" }),
], { error: "Must have `text` or `lines`" }).meta({
  id: "LinkCheckRequest",
  example: { lines: [{ sku: "SKU-1", url: "https://www.mediamarkt.de/p/1.html" }] },
});

export type LinkCheckRequest = z.infer<typeof LinkCheckRequest>;

export const StartedLinkCheck = z.object({
  jobId: z.string().meta({ description: "The check, whose lines are looked at from now on" }),
}).meta({ id: "StartedLinkCheck" });

export const LinkCheck = z.object({
  id: z.string(),
  status: z.enum(JOB_STATUSES).meta({
    description: "`succeeded`: every line was looked at, whatever came of it",
  }),
  lines: z.int().meta({ description: "All lines" }),
  counts: z.object({
    sure: z.int().meta({ description: "The page shows the product" }),
    check: z.int().meta({ description: "It may show it: somebody must look" }),
    wrong: z.int().meta({ description: "Another product, or no line that could be a link" }),
    failed: z.int().meta({ description: "The page could not be read" }),
    waiting: z.int().meta({ description: "Not looked at yet" }),
  }).meta({ description: "What came of the lines" }),
  open: z.object({
    sure: z.int().meta({ description: "The page shows the product" }),
    check: z.int().meta({ description: "A person has to look" }),
  }).meta({
    description: "Lines that could be accepted: neither linked nor dropped",
  }),
  linked: z.int().meta({ description: "Lines that are links now, those of before included" }),
  etaAt: z.iso.datetime().nullable().meta({
    description: "About when the last page will have been fetched; null when none waits",
  }),
  createdBy: z.string().meta({ description: "Who asked for it" }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "LinkCheck" });

export type LinkCheck = Readonly<z.infer<typeof LinkCheck>>;

export const StoredCheckLine = z.object({
  line: z.int().meta({ description: "The number of the line, from 1 on" }),
  sku: z.string().nullable(),
  nearSkus: z.array(z.string()).max(NEAR_SKUS_MAX).meta({
    description:
      "Of `unknown_sku` and `unknown_gtin`: SKUs of products that may be meant, as theirs is almost so",
    examples: [["KT-10011"]],
  }),
  gtin: z.string().nullable().meta({ description: "As it was given, instead of the SKU" }),
  url: z.string().meta({ description: "As it was given" }),
  packFactor: PackFactor.nullable(),
  outcome: z.enum(CHECK_OUTCOMES),
  status: z.enum(LINE_STATUSES).meta({
    description: "`existing`: the link was there before; `dropped`: somebody put the line aside",
  }),
  productId: z.string().nullable(),
  title: z.string().nullable().meta({ description: "Of our product" }),
  competitorId: z.string().nullable().meta({ description: "The shop of the URL" }),
  competitorProductId: z.string().nullable().meta({ description: "The link" }),
  verdict: z.enum(VERDICTS).nullable().meta({ description: "Null where no page was read" }),
  reasons: z.array(IdentityEvidence).meta({ description: "Why, the deciding one first" }),
  page: ArticleStatement.nullable().meta({ description: "What the page says of its article" }),
  price: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  currency: z.string().nullable(),
  errorCode: z.string().nullable().meta({
    description: "Why the line is no link, or why its page brought nothing",
    examples: [...LINE_ERRORS, "gone", "robots_disallowed"],
  }),
  message: z.string().nullable(),
  checkedAt: z.iso.datetime().meta({ description: "When the page was seen, or the line judged" }),
});

export type StoredCheckLine = Readonly<z.infer<typeof StoredCheckLine>>;

export const CheckLine = StoredCheckLine.extend({
  competitor: z.string().nullable().meta({ description: "The shop's display name" }),
}).meta({ id: "LinkCheckLine" });

export type CheckLine = Readonly<z.infer<typeof CheckLine>>;

/** A line as received, if it has the form of one. */
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
  .meta({ description: "Numbers of lines" });

export const AcceptLines = z.union([
  z.strictObject({
    outcomes: z.array(z.enum(["sure", "check"])).min(1).max(2).meta({
      description: "All open lines of these outcomes",
    }),
  }).meta({ id: "AcceptLinkOutcomes" }),
  z.strictObject({ lines: Named }).meta({ id: "AcceptNamedLines" }),
], { error: "Must have `outcomes` or `lines`" }).meta({
  id: "AcceptLinkLines",
  example: { outcomes: ["sure"] },
});

export type AcceptLines = z.infer<typeof AcceptLines>;

export const AcceptedLines = z.object({
  status: z.enum(JOB_STATUSES).meta({
    description: "`queued` or `running`: the rest is linked in the background",
  }),
  linked: z.int().meta({ description: "New links" }),
  existing: z.int().meta({ description: "Links that were there before" }),
  refused: z.int().meta({ description: "Lines that could not be linked" }),
  refusals: z.array(Refusal).meta({ description: "The first 100 of them" }),
}).meta({ id: "AcceptedLinkLines" });

export type AcceptedLines = Readonly<z.infer<typeof AcceptedLines>>;

export const NewShops = z.strictObject({
  domains: z.array(z.string().max(300)).min(1).max(NEW_SHOPS_MAX).optional().meta({
    description: "Those that are wanted; absent: all of them",
  }),
}).meta({ id: "NewShopsOfLines", example: { domains: ["shop.example"] } });

export type NewShops = z.output<typeof NewShops>;

export const MissingShops = z.object({
  shops: z.array(z.object({
    domain: z.string(),
    lines: z.int().meta({ description: "Open lines whose page is there" }),
  })).max(NEW_SHOPS_MAX).meta({ description: "The most lines first" }),
}).meta({ id: "MissingShopsOfLines" });

export type MissingShops = z.output<typeof MissingShops>;

export const MadeShops = z.object({
  jobId: z.string().meta({ description: "A new check of the lines of these shops" }),
  domains: z.array(z.string()).meta({ description: "Shops that are ours now" }),
  lines: z.int().meta({ description: "Lines that are checked anew, and dropped here" }),
}).meta({ id: "MadeShopsOfLines" });

export type MadeShops = z.output<typeof MadeShops>;

export const DropLines = z.strictObject({
  lines: Named,
  dropped: z.boolean().default(true).meta({ description: "False takes them back" }),
}).meta({ id: "DropLinkLines", example: { lines: [1, 2] } });

export type DropLines = z.output<typeof DropLines>;

export const DroppedLines = z.object({
  changed: z.int().meta({ description: "Lines that are other than before" }),
}).meta({ id: "DroppedLinkLines" });
