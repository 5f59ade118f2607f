/** The entry module of the Web Worker that parses untrusted content, such as shop pages. */
import { FOREIGN_WORK, type ForeignJob, type ForeignWork } from "./foreign_work.ts";
import { serveSandbox } from "../../platform/sandbox/sandbox.ts";

serveSandbox<ForeignJob>(
  <Name extends keyof ForeignWork>({ name, input }: ForeignJob<Name>) => FOREIGN_WORK[name](input),
);
