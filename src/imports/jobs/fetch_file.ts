/** Downloads a file into an upload, unless the server says that the file has not changed. */
import { Failure } from "../../base/failure.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { Context } from "../../platform/store/context.ts";
import type { KnownFile } from "../state/sources.ts";
import type { UploadLimits } from "../upload/read_upload.ts";
import { fileNameOf, type ReceivedUpload, receiveFiles } from "../upload/receive_upload.ts";

export interface FetchDeps {
  readonly safeFetch: SafeFetch;
  readonly limits: Pick<UploadLimits, "bodyBytesMax" | "spoolBytesMax">;
}

interface FileRequest {
  readonly url: string;
  /** `headers` are not sent to the target of a redirect. */
  readonly headers: Readonly<Record<string, string>>;
  /** If `known` is null, every file is treated as new. */
  readonly known: KnownFile | null;
  readonly follows?: (next: URL) => boolean | Promise<boolean>;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

export type FetchedFile = Awaited<ReturnType<typeof fetchFile>>;

const FETCH_MS = 15 * 60_000;
const FINAL_CODES: readonly string[] = ["private_address", "redirect_refused", "too_large"];

export async function fetchFile(
  ctx: Context,
  { safeFetch, limits }: FetchDeps,
  { url, headers, known, follows, timeoutMs = FETCH_MS, signal }: FileRequest,
) {
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  let receiving: Promise<ReceivedUpload> | null = null;
  const file = { name: nameOf(url), chunks: pieces.readable };
  const receive = () => {
    const room = { bytesMax: limits.spoolBytesMax, expectedBytes: 0, silentMs: FETCH_MS };
    const begun = receiveFiles(ctx, [file], room);
    begun.catch((error: unknown) => writer.abort(error).catch(() => {}));
    return begun;
  };
  const request = {
    url,
    conditional: { url: new URL(url).href, headers: { ...headers, ...validatorsOf(known) } },
    timeoutMs,
    redirectsMax: 5,
    ...(follows && { follows }),
    bytesMax: limits.bodyBytesMax,
    onTooLarge: "refuse" as const,
    async take(piece: Uint8Array) {
      receiving ??= receive();
      await writer.write(piece);
    },
    signal,
  };
  try {
    const result = await safeFetch(request);
    if (result.kind === "failed") throw new Refused(result.errorCode, result.message);
    if (result.kind === "moved") throw new Refused("redirect_refused", "Leads elsewhere");
    if (result.status === 304 && known !== null) {
      await spoolTrouble(writer, receiving, new Error("Nothing has changed"));
      return { kind: "unchanged" as const };
    }
    if (result.status < 200 || result.status > 299) {
      throw new Refused(`http_${result.status}`, `The server answered ${result.status}`);
    }
    receiving ??= receive();
    file.name = fileNameOf(result.headers) || file.name;
    await writer.close();
    const upload = await receiving;
    const { headers: answered } = result;
    return {
      kind: "file" as const,
      upload,
      etag: validator(answered.get("ETag")),
      lastModified: validator(answered.get("Last-Modified")),
    };
  } catch (error) {
    const trouble = await spoolTrouble(writer, receiving, error);
    signal.throwIfAborted();
    return failedBy(trouble);
  }
}

class Refused extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
    this.name = "Refused";
  }
}

async function spoolTrouble(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  receiving: Promise<ReceivedUpload> | null,
  error: unknown,
): Promise<unknown> {
  await writer.abort(error).catch(() => {});
  const spooled = await receiving?.catch((trouble: unknown) => trouble);
  return spooled instanceof Failure ? spooled : error;
}

function failedBy(error: unknown) {
  const isFinding = error instanceof Refused ||
    (error instanceof Failure && error.code !== "unavailable");
  if (!isFinding) throw error;
  const { code: errorCode, message } = error;
  const isFinal = FINAL_CODES.includes(errorCode);
  return { kind: "failed" as const, errorCode, message, isFinal };
}

function validatorsOf(known: KnownFile | null): Record<string, string> {
  return {
    ...(known?.etag ? { "If-None-Match": known.etag } : {}),
    ...(known?.lastModified ? { "If-Modified-Since": known.lastModified } : {}),
  };
}

function validator(text: string | null): string | null {
  return text !== null && text.length <= 500 ? text : null;
}

function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split("/").findLast((part) => part !== "") ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
