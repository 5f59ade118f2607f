import { z } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import { requireWorkspace } from "../identity/workspace_store.ts";
import type { Context } from "../platform/store/context.ts";
import { openBlob } from "../platform/spool/spool.ts";
import { Finding } from "./findings/finding.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import { requireProfile } from "./profiles/import_profile_document.ts";
import { profilesFor } from "./profiles/import_profiles.ts";
import type { ImportProfile } from "./profiles/profile.ts";
import { readParts } from "./receive/manifest.ts";
import type { ReceivedUpload } from "./receive/receive_upload.ts";
import { WebAddresses } from "./records/record_links.ts";
import { settingOf } from "./jobs/start_import.ts";
import { readUpload, type UploadSetting } from "./upload/read_upload.ts";

const RECORDS_MAX = 20;
const WARNINGS_MAX = 100;

/** What a profile makes of a file, nothing stored (docs/decisions/imports.md). */
export const Preview = z.object({
  profile: z.string().nullable().meta({ description: "The one that read the first file" }),
  records: z.array(z.object({
    index: z.int(),
    line: z.int(),
    sku: z.string().nullable(),
    fields: z.record(z.string(), z.unknown()).nullable()
      .meta({ description: "What would be imported; null when the record is refused" }),
    findings: z.array(Finding),
  })).meta({ description: `The first ${RECORDS_MAX}` }),
  warnings: z.array(Finding),
  error: Finding.nullable().meta({ description: "Why the file would be refused" }),
}).meta({ id: "ImportPreview" });

export type Preview = z.infer<typeof Preview>;

/** Reads no further than it shows. */
export async function previewUpload(
  ctx: Context,
  deps: ImportDeps,
  upload: ReceivedUpload,
  named: string | null,
): Promise<Preview> {
  const setting = await previewSetting(ctx, deps, unsavedProfile(upload), named);
  const parts = await readParts(await openBlob(ctx, upload.blobId), upload.manifestAt);
  const preview: Preview = { profile: null, records: [], warnings: [], error: null };
  for await (const event of readUpload(parts, setting)) {
    if (event.kind === "refused") preview.error = event.finding;
    if (event.kind === "warning") preview.warnings.push(event.finding);
    if (event.kind === "file") preview.profile ??= event.info.profile;
    if (event.kind !== "records") continue;
    for (const { index, line, sku, patch, findings } of event.records) {
      const found = [...findings];
      const fields = patch && { ...patch };
      preview.records.push({ index, line, sku, fields, findings: found });
      preview.warnings.push(...found);
      if (preview.records.length === RECORDS_MAX) return cut(preview);
    }
  }
  return cut(preview);
}

function cut(preview: Preview): Preview {
  return { ...preview, warnings: preview.warnings.slice(0, WARNINGS_MAX) };
}

function unsavedProfile({ fields }: ReceivedUpload): ImportProfile | null {
  const text = fields.get("profile");
  if (text === undefined) return null;
  try {
    return requireProfile(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const message = 'The part "profile" is not JSON';
    throw new Failure("invalid_json", message, undefined, { cause });
  }
}

async function previewSetting(
  ctx: Context,
  { limits, allowed }: ImportDeps,
  unsaved: ImportProfile | null,
  named: string | null,
): Promise<UploadSetting> {
  const { currency, timeZone, today } = settingOf(await requireWorkspace(ctx), ctx.now());
  const known = unsaved ? { profile: unsaved, profiles: [unsaved] } : await profilesFor(ctx, named);
  return {
    ...limits,
    ...known,
    tier: null,
    workspaceCurrency: currency,
    timeZone,
    today,
    addresses: new WebAddresses(allowed),
  };
}
