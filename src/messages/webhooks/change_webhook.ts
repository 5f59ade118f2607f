/**
 * Creates, changes and deletes webhooks, and replaces their secrets. Secrets are stored encrypted.
 * A secret is shown only once, in the answer to the request that creates it. For some hours after a
 * replacement, events are signed with both secrets.
 */
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { requireUrl, type UrlLimits } from "../../platform/fetch/address_guard.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { HOUR_MS } from "../../base/time.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import {
  ENABLED_DEFAULT,
  type NewWebhook,
  type SecretRotation,
  serialiseWebhook,
  type StoredWebhook,
  type Webhook,
  WEBHOOK_READ_ONLY,
  type WebhookPatch,
} from "./webhook.ts";
import { webhooks } from "./webhook_store.ts";
import { randomBytes } from "node:crypto";

/** Writes nothing if nothing changes. Enabling a webhook clears its record of failures. */
export async function changeWebhook(
  ctx: Context,
  id: string,
  patch: WebhookPatch,
  { limits, expected }: {
    readonly limits: UrlLimits;
    /** The version that the caller expects (`If-Match`); null for any version. */
    readonly expected: string | null;
  },
): Promise<Webhook> {
  const value = await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    const { row: before } = found;
    requireVersion(expected, versionOf(serialiseWebhook(before), WEBHOOK_READ_ONLY));
    const enabled = patch.enabled === null ? ENABLED_DEFAULT : patch.enabled ?? before.enabled;
    const isRevived = enabled && !before.enabled;
    const merged = {
      ...before,
      events: patch.events ?? before.events,
      enabled,
      url: patch.url === undefined ? before.url : requireUrl("url", patch.url, limits, URL_ERRORS),
      ...(isRevived ? { failingSince: null, disabledAt: null } : {}),
    };
    if (JSON.stringify(merged) === JSON.stringify(before)) return before;
    const after = { ...merged, updatedAt: ctx.now().toISOString() };
    webhooks.save(write, ctx, found, after);
    addAuditRow(write, ctx, webhookAudit("webhook.update", before, after));
    return after;
  });
  return serialiseWebhook(value);
}

/** Deliveries that are being sent at this moment are not dropped. Throws `not_found`. */
export async function deleteWebhook(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    requireVersion(expected, versionOf(serialiseWebhook(found.row), WEBHOOK_READ_ONLY));
    webhooks.remove(write, ctx, found);
    addAuditRow(write, ctx, webhookAudit("webhook.delete", found.row, null));
  });
}

/** Contains no secret. */
export function webhookAudit(
  action: AuditAction<"webhook">,
  before: StoredWebhook | null,
  after: StoredWebhook | null,
): AuditEntry {
  const one = after ?? before;
  return {
    action,
    resource: { type: "webhook", id: one?.id ?? "", label: one ? new URL(one.url).host : "" },
    ...changedFields(before && serialiseWebhook(before), after && serialiseWebhook(after), [
      "updatedAt",
    ]),
  };
}

/** Throws `not_found`, also for a webhook of another workspace. */
export async function requireWebhook(
  workspace: WorkspaceStore,
  id: string,
): Promise<Found<StoredWebhook>> {
  const found = isId(id) ? await webhooks.find(workspace, { id }) : null;
  if (found) return found;
  throw noSuch("webhook", id);
}

const URL_ERRORS = {
  malformed: "Must be a URL such as https://erp.example/hook",
  scheme: "Must begin with https:// or http://",
};

/** Limited, because each event adds a delivery per webhook to one commit. */
const WEBHOOKS_MAX = 20;
const SECRET_BYTES = 32;

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Throws `not_found`. */
export async function rotateSecret(
  ctx: Context,
  id: string,
  { overlapHours }: SecretRotation,
): Promise<OpenWebhook> {
  return await transact(ctx, (write) => rotateIn(write, ctx, id, overlapHours));
}

async function rotateIn(write: Write, ctx: Context, id: string, overlapHours: number) {
  const found = await requireWebhook(ctx, id);
  const { previous: _, ...before } = found.row;
  const now = ctx.now();
  const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
  const secret = newSecret();
  const after: StoredWebhook = {
    ...before,
    secret: await webhooks.seal(ctx, { id }, "secret", secret),
    updatedAt: now.toISOString(),
    ...(overlapHours > 0 && { previous: { secret: await earlierSecret(ctx, before), until } }),
  };
  webhooks.save(write, ctx, found, after);
  addAuditRow(write, ctx, {
    action: "webhook.rotate",
    resource: { type: "webhook", id, label: new URL(after.url).host },
    after: { until },
  });
  ctx.receipt?.put(write, null);
  return { ...after, secret };
}

async function earlierSecret(ctx: Context, before: StoredWebhook) {
  const secret = await webhooks.open(ctx, before, "secret");
  return await webhooks.seal(ctx, before, "previous.secret", secret);
}

/** Contains the secret in plain text, which must be shown only once. */
interface OpenWebhook extends StoredWebhook {
  readonly secret: string;
}

/** The webhook receives only events that happen after its creation. */
export async function createWebhook(
  ctx: Context,
  { url, events, enabled }: NewWebhook,
  limits: UrlLimits,
): Promise<OpenWebhook> {
  const createdAt = ctx.now().toISOString();
  const id = ctx.newId();
  const secret = newSecret();
  const webhook: StoredWebhook = {
    id,
    url: requireUrl("url", url, limits, URL_ERRORS),
    events,
    enabled,
    failingSince: null,
    disabledAt: null,
    createdAt,
    updatedAt: createdAt,
    secret: await webhooks.seal(ctx, { id }, "secret", secret),
  };
  await transact(ctx, async (write) => {
    const version = await webhooks.version(ctx);
    if ((await webhooks.list(ctx)).length >= WEBHOOKS_MAX) {
      throw new Failure("conflict", `A workspace has at most ${WEBHOOKS_MAX} webhooks`);
    }
    webhooks.checkVersion(write, ctx, version);
    webhooks.put(write, ctx, webhook);
    addAuditRow(write, ctx, webhookAudit("webhook.create", null, webhook));
    // Record no path, because an answer that is read again under this path would lack the secret.
    ctx.receipt?.put(write, null);
  });
  return { ...webhook, secret };
}
