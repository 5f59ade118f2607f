/** `doctor`: the state of the installation, one line per point (`composition/diagnosis.ts`). */
import { VERSION } from "../../base/version.ts";
import { findLayout } from "../../platform/store/layout_store.ts";
import { readConfig } from "../composition/config.ts";
import { diagnose } from "../composition/diagnosis.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

export interface DoctorOptions {
  readonly json?: boolean;
}

/** Returns true without a problem; notes do not count. */
export async function doctor({ json = false }: DoctorOptions): Promise<boolean> {
  const config = readConfig();
  const { dataDir } = storeLocation(config);
  return await withTools(async ({ store }) => {
    const points = await diagnose({ store, config, dataDir, now: () => new Date() });
    const { layout } = await findLayout(store);
    const problems = points.filter(({ level }) => level === "problem").length;
    if (json) print(JSON.stringify({ version: VERSION, layout, problems, points }));
    else {
      for (const { name, level, text, remedy } of points) {
        print(`${level.padEnd(7)} ${name}: ${text}${remedy === null ? "" : `; ${remedy}`}`);
      }
      print(`The store has layout ${layout}; ${problems} findings`);
    }
    return problems === 0;
  });
}
