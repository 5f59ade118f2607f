import type { FileInfo, UploadSetting } from "../../src/imports/upload/read_xml_file.ts";
import { XML_LIMITS } from "../../src/engine/xml/reader.ts";
import type { ByteSource, Finding } from "../../src/imports/files/source_file.ts";
import { PROFILES, TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";
import { createAddressCheck } from "../../src/imports/records/raw_record.ts";
import type { EvaluatedRecord } from "../../src/imports/records/record_patch.ts";
import { readUpload, type UploadPart } from "../../src/imports/upload/read_upload.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";

export type WholeUpload = Awaited<ReturnType<typeof readWhole>>;

export const UPLOAD_LIMITS = {
  xml: XML_LIMITS,
  itemsMax: 2_000_000,
  filesMax: 200,
  ratioMax: 100,
  unpackedBytesMax: 2 * 1024 ** 3,
} as const;

export const SETTING: UploadSetting = {
  ...UPLOAD_LIMITS,
  profile: null,
  profiles: [...PROFILES, ...TABLE_TEMPLATES],
  tier: null,
  allowsNoPrices: false,
  workspaceCurrency: "EUR",
  vat: { side: "gross", ratePct: 19 },
  timeZone: "Europe/Berlin",
  today: "2026-11-20",
  acceptsAddress: createAddressCheck(NOTHING_ALLOWED),
};

export async function readWhole(
  parts: readonly UploadPart[],
  setting: Partial<UploadSetting> = {},
) {
  const records: EvaluatedRecord[] = [];
  const warnings: Finding[] = [];
  const files: FileInfo[] = [];
  let refused: Finding | null = null;
  for await (const event of readUpload(parts, { ...SETTING, ...setting })) {
    if (event.kind === "records") records.push(...event.records);
    if (event.kind === "warning") warnings.push(event.finding);
    if (event.kind === "file") files.push(event.info);
    if (event.kind === "refused") refused = event.finding;
  }
  return { records, warnings, files, refused };
}

export function readText(xml: string, setting: Partial<UploadSetting> = {}) {
  return readWhole([partOf("test.xml", new TextEncoder().encode(xml))], setting);
}

export function codesOf({ records }: WholeUpload): string[][] {
  return records.map(({ findings }) => findings.map(({ code }) => code));
}

export function partOf(name: string, bytes: Uint8Array): UploadPart {
  return partFrom(name, sourceOf(bytes));
}

export function partFrom(name: string, source: ByteSource): UploadPart {
  return { name, charset: null, isXml: false, source };
}

export function sourceOf(bytes: Uint8Array, readBytesMax = Infinity): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) =>
      Promise.resolve(bytes.slice(offset, offset + Math.min(length, readBytesMax))),
  };
}
