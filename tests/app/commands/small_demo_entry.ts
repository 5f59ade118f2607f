/** The demo with the first products only. */
import { parseArgs } from "node:util";
import { demo } from "../../../src/app/commands/demo.ts";
import { demoProducts } from "../../../src/app/demo/demo_catalogue.ts";

export const SMALL_DEMO = 400;

if (import.meta.main) {
  const options = { dir: { type: "string" }, port: { type: "string" } } as const;
  await demo(parseArgs({ options }).values, demoProducts().slice(0, SMALL_DEMO));
  Deno.exit(0);
}
