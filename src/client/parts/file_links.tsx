import { useApp } from "../app/app.ts";

/** What is seen as files, beside each other: a CSV that Excel opens by a double click, and a workbook. */
export function FileLinks({ what, csv, xlsx }: {
  readonly what?: string;
  /** Addresses. */
  readonly csv: string;
  readonly xlsx: string;
}) {
  const { words } = useApp();
  const named = what ?? words.market.export;
  return (
    <span class="file-links" role="group" aria-label={named}>
      <a class="button plain" download href={csv} title={`${named}: CSV`}>CSV</a>
      <a class="button plain" download href={xlsx} title={`${named}: XLSX`}>XLSX</a>
    </span>
  );
}
