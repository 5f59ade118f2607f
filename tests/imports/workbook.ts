import { zipSync } from "../zip.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** A workbook with one sheet; texts are in the cells, not in a shared part. */
export function workbookOf(rows: readonly (readonly (string | number)[])[]) {
  const data = rows.map((row, at) => rowXml(row, at + 1)).join("");
  return workbookOfSheet(`<sheetData>${data}</sheetData>`);
}

export function workbookOfSheet(
  sheet: string,
  parts: readonly (readonly [type: string, name: string, content: string])[] = [],
): Uint8Array<ArrayBuffer> {
  return zipSync([
    ...smallParts(parts),
    ["xl/worksheets/sheet1.xml", `${HEAD}<worksheet xmlns="${SHEET}">${sheet}</worksheet>`],
    ...parts.map(([, name, content]) => [`xl/${name}`, content] as const),
  ], "deflated");
}

/** All files of a workbook except its sheet and `parts`. */
export function smallParts(
  parts: readonly (readonly [type: string, name: string, ...unknown[]])[],
): [name: string, content: string][] {
  const targets = parts.map(([type, name]) => [type, name] as const);
  return [
    ["[Content_Types].xml", `${HEAD}<Types xmlns="${PACKAGE}/content-types"/>`],
    ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
    [
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets>` +
      '<sheet name="Artikel" sheetId="1" r:id="r1"/></sheets></workbook>',
    ],
    ["xl/_rels/workbook.xml.rels", relations([["worksheet", "worksheets/sheet1.xml"], ...targets])],
  ];
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(([type, target], at) =>
    `<Relationship Id="r${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}

function rowXml(row: readonly (string | number)[], line: number): string {
  const cells = row.map((value, at) => {
    const place = `r="${String.fromCharCode(65 + at)}${line}"`;
    if (typeof value === "number") return `<c ${place}><v>${value}</v></c>`;
    return `<c ${place} t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  });
  return `<row r="${line}">${cells.join("")}</row>`;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
