import type { Product } from "../../../catalogue/products/product.ts";
import type { MatchIdentity } from "../../../shops/matches/match_identity.ts";
import { identityReasonText, verdictText } from "../../../engine/wording/identity_words.ts";
import { listenerOf, useApp } from "../../app/app.ts";
import {
  brandOnPage,
  type ComparedRow,
  mpnOnPage,
  positionOf,
  STANDING_MARKS,
} from "../../parts/identity/row_marks.ts";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";

export type OurSide = Pick<Product, "id" | "title" | "brand" | "ean" | "mpn" | "condition">;

interface IdentityNoteProps {
  readonly preview: Pick<MatchIdentity, "verdict" | "reasons" | "page">;
  readonly product: OurSide;
}

const TONES = { same: "good", probably: "info", different: "bad", unknown: "warn" } as const;

interface Row {
  readonly key: ComparedRow;
  readonly label: string;
  readonly ours: string | null;
  readonly theirs: string | null;
}

export function IdentityNote({ preview, product }: IdentityNoteProps) {
  const app = useApp();
  const { words } = app;
  const { language } = listenerOf(app);
  const { verdict, reasons, page } = preview;
  if (verdict === null || page === null) return null;
  const { notKnown, conditions, identity: texts } = words.product;
  const stateOf = (condition: OurSide["condition"]) => condition && conditions[condition];
  const rows: readonly Row[] = [
    { key: "title", label: words.fields.title, ours: product.title, theirs: page.title },
    {
      key: "brand",
      label: words.fields.brand,
      ours: product.brand,
      theirs: brandOnPage(page, product.brand, texts),
    },
    {
      key: "gtin",
      label: words.fields.ean,
      ours: product.ean,
      theirs: page.gtins?.join(", ") ?? page.gtin,
    },
    {
      key: "mpn",
      label: words.fields.mpn,
      ours: product.mpn,
      theirs: mpnOnPage(page, reasons, texts),
    },
    {
      key: "condition",
      label: words.fields.condition,
      ours: stateOf(product.condition),
      theirs: stateOf(page.condition),
    },
  ];
  const columns: readonly Column<Row>[] = [
    column("field", texts.field, 120).cell(({ label }) => label),
    column("ours", texts.ours, 140).cell(({ ours }) => ours ?? notKnown),
    column("theirs", texts.theirs, 140).cell((row) => {
      const stands = positionOf(row.key, reasons);
      const said = row.theirs ?? notKnown;
      return stands
        ? <span class={`side ${stands}`}>{`${STANDING_MARKS[stands]} ${said}`}</span>
        : said;
    }),
  ];
  return (
    <div class={`note ${TONES[verdict]}`} role={verdict === "different" ? "alert" : "status"}>
      <strong>{verdictText(verdict, language)}</strong>
      <ul>
        {reasons.map((reason) => <li key={reason.code}>{identityReasonText(reason, language)}</li>)}
      </ul>
      <SimpleTable label={texts.sides} columns={columns} rows={rows} />
    </div>
  );
}
