/** `workspace delete NAME`: a workspace goes for good, with all that it has. */
import { countActiveProducts } from "../../catalogue/products/product_count_store.ts";
import { Failure } from "../../base/failure.ts";
import { readConfig } from "../composition/config.ts";
import { storeFile } from "../../platform/store/open_store.ts";
import { deleteWorkspace, findWorkspaceToDelete } from "../workspace_files/delete_workspace.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { lockStoreFile } from "./store_copy.ts";
import { print } from "./terminal.ts";

/**
 * By name or id. Refuses without `yes`, saying what would go, and while a server holds the file; a
 * store with `KV_URL` has no lock, so its servers must have been stopped. Broken off, it goes on when
 * it is called again.
 */
export async function workspaceDelete(
  nameOrId: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<void> {
  const { dataDir } = storeLocation(readConfig());
  using _lock = dataDir === null ? null : await lockStoreFile(storeFile(dataDir));
  await withTools(async ({ store }) => {
    const { id, name } = await findWorkspaceToDelete(store, nameOrId);
    const workspace = { store, workspaceId: id };
    if (!yes) {
      const products = await countActiveProducts(workspace);
      const message = `"${name}" (${id}) with ${products} products would go for good: ` +
        'make a backup or a "workspace export", then say --yes';
      throw new Failure("validation_failed", message);
    }
    const rows = await deleteWorkspace(workspace);
    print(`Workspace "${name}" (${id}) is gone: ${rows} rows`);
  });
}
