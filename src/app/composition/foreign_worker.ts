/** The entry module of the Worker that parses untrusted content. */
import { FOREIGN_WORK, type ForeignJob, type ForeignWork } from "./foreign_work.ts";
import { serveSandbox } from "../../platform/sandbox/sandbox.ts";

serveSandbox<ForeignJob>(
  <Name extends keyof ForeignWork>({ name, input }: ForeignJob<Name>) => FOREIGN_WORK[name](input),
);
