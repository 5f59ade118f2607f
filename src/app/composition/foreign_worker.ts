/** The entry module of the Worker that parses untrusted content. */
import { createForeignWork, type ForeignJob, type ForeignWork } from "./foreign_work.ts";
import { serveSandbox } from "../../platform/sandbox/serve_sandbox.ts";

const work: ForeignWork = createForeignWork();

serveSandbox<ForeignJob>(
  <Name extends keyof ForeignWork>({ name, input }: ForeignJob<Name>) => work[name](input),
);
