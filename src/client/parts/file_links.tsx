import { addressOf } from "../api/call.ts";
import { useApp } from "../app/app.ts";

export interface Files {
  readonly csv: string;
  readonly xlsx: string;
  readonly isHeaded?: boolean;
}

export function filesOf(path: string, query: Readonly<Record<string, unknown>> = {}): Files {
  return {
    csv: addressOf(`${path}.csv`, query),
    xlsx: addressOf(`${path}.xlsx`, query),
    isHeaded: true,
  };
}

export function FileLinks(
  { what, csv, xlsx, isHeaded = false }: Files & { readonly what?: string },
) {
  const { words, language } = useApp();
  const inWords = (path: string) =>
    isHeaded ? `${path}${path.includes("?") ? "&" : "?"}lang=${language.value}` : path;
  const named = what ?? words.market.export;
  return (
    <span class="file-links" role="group" aria-label={named}>
      <a class="button plain" download href={inWords(csv)} title={`${named}: CSV`}>CSV</a>
      <a class="button plain" download href={inWords(xlsx)} title={`${named}: XLSX`}>XLSX</a>
    </span>
  );
}
