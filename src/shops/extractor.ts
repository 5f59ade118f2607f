import { currencyExponent } from "../base/money.ts";
import { refuseFields } from "../base/failure.ts";
import { hasControlCharacters } from "../base/text.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { ExtractorError, ExtractorPrograms } from "../engine/extraction/extractors.ts";
import { z } from "@hono/zod-openapi";

const Program = z.string().trim().min(1).max(500)
  .refine((text) => !hasControlCharacters(text), "Must not contain control characters");

export const Extractor = z.strictObject({
  priceSelector: Program.nullable().default(null)
    .meta({ description: "CSS selector of the price on an HTML page", example: "#price .value" }),
  stockSelector: Program.nullable().default(null),
  jsonPath: Program.nullable().default(null)
    .meta({ description: "RFC 9535 path of the price in a JSON answer", example: "$.offer.price" }),
  currency: z.string().refine(
    (code) => currencyExponent(code) !== null,
    'Must be a currency code of ISO 4217 in upper case, such as "EUR"',
  ).nullable().default(null).meta({
    description: "Expected currency; a price in another currency fails with `currency_mismatch`",
    example: "EUR",
  }),
  locale: z.string().refine(isLocale, 'Must be a language tag such as "de-DE"')
    .nullable().default(null)
    .meta({ description: "Language tag that says how the page writes numbers", example: "de-DE" }),
}).meta({ id: "Extractor" });
export type Extractor = z.infer<typeof Extractor>;

export type ExtractorCheck = (
  partition: string,
  extractor: ExtractorPrograms,
) => Promise<readonly ExtractorError[]>;

export async function requireUsable(
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  errorsOf: ExtractorCheck,
  extractor: Extractor | null | undefined,
): Promise<void> {
  if (!extractor) return;
  const validationErrors = await errorsOf(workspaceId, extractor);
  if (validationErrors.length === 0) return;
  throw refuseFields(
    validationErrors.map(({ part, message }) => ({ path: `extractor.${part}`, message })),
  );
}

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
