/** Traces as the interfaces show them: facts, and beside them the English sentences of these. */
import { isFormer, readTrace, type StoredTrace } from "../pricing/former_trace.ts";
import type { Asked } from "../pricing/find_price.ts";
import type { Trace } from "../pricing/trace.ts";
import { wireObjection, wireSaid } from "../wording/reason_text.ts";

/** A trace with its sentences; one of an earlier version keeps those that it was stored with. */
export interface TraceDocument extends Omit<Trace, "trigger" | "guards"> {
  readonly trigger: Trace["trigger"] & { readonly reason: string };
  readonly guards: readonly (Asked & { readonly why: string | null })[];
}

export function toTraceDocument(stored: StoredTrace): TraceDocument & Record<string, unknown> {
  const trace = readTrace(stored);
  const { trigger, guards } = trace;
  const told = isFormer(stored) ? stored : null;
  return {
    ...trace,
    trigger: { ...trigger, reason: told?.trigger.reason ?? wireSaid(trigger.said) },
    guards: guards.map((asked, at) => ({
      ...asked,
      why: told?.guards[at]?.why ??
        (asked.facts && wireObjection({ code: asked.guard, facts: asked.facts })),
    })),
  };
}
