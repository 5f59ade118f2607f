/** Current names of the things in audit rows; connects rooms that do not know each other. */
import type { AuditDeps } from "../../accounts/audit/audit_routes.ts";
import { isId } from "../../base/id.ts";
import { findIndexRow } from "../../catalogue/products/index_row_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { normaliseSku } from "../../base/text.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { personName } from "../../accounts/users/user.ts";
import { listUsers } from "../../accounts/users/user_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { listRules } from "../../rules/rule_store.ts";

/** Provides names for the routes of the audit log. */
export const AUDIT_NAMES: AuditDeps = {
  async productIdOf(workspace, text) {
    const sku = normaliseSku(text);
    return skuError(sku) === null ? (await findIndexRow(workspace, sku))?.id ?? null : null;
  },

  async namesOf(workspace, things) {
    const names = new Map<string, string>();
    const idsOf = (type: string) => things.filter((one) => one.type === type).map(({ id }) => id);
    const products = idsOf("product").filter(isId);
    await Promise.all([
      noteProducts(names, workspace, products),
      idsOf("rule").length > 0 && noteRules(names, workspace),
      idsOf("user").length > 0 && notePeople(names, workspace),
    ]);
    const asked = new Set(things.map(({ type, id }) => `${type}:${id}`));
    return new Map([...names].filter(([thing]) => asked.has(thing)));
  },
};

async function noteProducts(
  names: Map<string, string>,
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<void> {
  for (const { id, bytes } of await findDocuments(workspace, ids)) {
    const { sku, title } = parseProduct(bytes);
    names.set(`product:${id}`, `${sku} ${title}`);
  }
}

async function noteRules(names: Map<string, string>, workspace: WorkspaceStore): Promise<void> {
  for (const { rule } of await listRules(workspace)) names.set(`rule:${rule.id}`, rule.name);
}

/** Adds the names of all people, because they are few. */
async function notePeople(names: Map<string, string>, workspace: WorkspaceStore): Promise<void> {
  for (const user of await listUsers(workspace, { after: null, limit: null })) {
    names.set(`user:${user.id}`, personName(user));
  }
}
