import { sharePct } from "../../../base/percent.ts";
import type { Preview } from "../../../imports/preview_upload.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../controls.tsx";

interface LookTagsProps {
  readonly preview: Preview;
  /** Name of the profile that reads the file; null if the profile is only suggested. */
  readonly profileName: string | null;
}

export function LookTags({ preview: { look, reading, confidence }, profileName }: LookTagsProps) {
  const { words, show } = useApp();
  const texts = words.mapping.look;
  if (look === null) return null;
  const { kind, delimiter, sheet, root, encoding, headerRow, rows } = look;
  const sign = delimiter === "\t" ? texts.tab : words.findingGroups.value(delimiter ?? "");
  const count = rows === null
    ? texts.manyRows
    : kind === "xml"
    ? texts.records(show.number(rows))
    : texts.rows(show.number(rows));
  const share = confidence === null ? "" : show.percent(sharePct(confidence, 0));
  const tags = [
    kind === "delimited"
      ? texts.delimited(sign)
      : kind === "xlsx" && sheet !== null
      ? texts.sheet(sheet)
      : kind === "xml" && root !== null
      ? texts.root(root)
      : texts.kinds[kind],
    encoding,
    reading && texts.numbers[reading.numberFormat],
    headerRow !== null && headerRow > 1 && texts.headerRow(show.number(headerRow)),
    count,
    profileName !== null
      ? texts.profile(profileName, kind === "xml" ? "" : share).trim()
      : kind === "xml"
      ? null
      : texts.suggested(share),
  ];
  return (
    <p class="look-tags flow gap-6" role="status">
      {tags.map((tag) => tag && <Badge key={tag} tone="busy">{tag}</Badge>)}
    </p>
  );
}
