/** What a workbook consists of beside its rows (ECMA-376, part 1): small and the same for every table. */

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const WORKBOOK_TYPE = `${TYPES}.sheet`;

/** Numbers of the formats that cells name, in the order of `STYLES`. */
export const STYLE = {
  general: 0,
  head: 1,
  moment: 2,
  day: 3,
  /** Of amounts, by the decimals of their currency. */
  amounts: [4, 5, 6, 7, 8],
} as const;

const CODES: readonly (readonly [id: number, code: string])[] = [
  [164, "yyyy-mm-dd hh:mm:ss"],
  [165, "yyyy-mm-dd"],
  [166, "0.0"],
  [167, "0.000"],
  [168, "0.0000"],
];

/** Numbers of formats, of which those up to 163 are built in: 1 is `0`, 2 is `0.00`. */
const FORMATS = [0, 0, 164, 165, 1, 166, 2, 167, 168];

export const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${CODES.length}">` +
  CODES.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("") +
  "</numFmts>" +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${FORMATS.length}">` +
  FORMATS.map((id, style) =>
    `<xf numFmtId="${id}" fontId="${style === STYLE.head ? 1 : 0}" fillId="0" borderId="0" ` +
    `xfId="0"${id === 0 ? "" : ' applyNumberFormat="1"'}` +
    `${style === STYLE.head ? ' applyFont="1"' : ""}/>`
  ).join("") +
  "</cellXfs>" +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  "</styleSheet>";

/** The first row stays in sight. */
export const SHEET_HEAD = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView ` +
  'workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  "</sheetView></sheetViews><sheetData>";
export const SHEET_TAIL = "</sheetData></worksheet>";

export const sheetPath = (n: number) => `xl/worksheets/sheet${n}.xml`;

/** All parts beside the sheets and the styles. */
export function partsOf(sheets: number): readonly (readonly [path: string, xml: string])[] {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (each: string[]) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
  const part = (path: string, type: string) =>
    `<Override PartName="/${path}" ContentType="${TYPES}.${type}+xml"/>`;
  return [
    ["_rels/.rels", relations([relation("r1", "officeDocument", "xl/workbook.xml")])],
    [
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      numbers.map((n) => `<sheet name="${n}" sheetId="${n}" r:id="r${n}"/>`).join("") +
      "</sheets></workbook>",
    ],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...numbers.map((n) => relation(`r${n}`, "worksheet", `worksheets/sheet${n}.xml`)),
        relation("styles", "styles", "styles.xml"),
      ]),
    ],
    [
      "[Content_Types].xml",
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.' +
      'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
      part("xl/workbook.xml", "sheet.main") + part("xl/styles.xml", "styles") +
      numbers.map((n) => part(sheetPath(n), "worksheet")).join("") + "</Types>",
    ],
  ];
}
