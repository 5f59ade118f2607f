/** Which own prices an export has told to somebody. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type FinishedExport, walkFinishedExports } from "./finished_export_store.ts";
import type { PriceChange } from "./price_history.ts";

type Span = Pick<FinishedExport, "fromMs" | "toMs">;

/** The exports that were read to their end since a time. */
export class ToldExports {
  readonly #spans: readonly Span[];

  private constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  static async since(workspace: WorkspaceStore, fromMs: number): Promise<ToldExports> {
    return new ToldExports(await Array.fromAsync(walkFinishedExports(workspace, fromMs)));
  }

  /**
   * True when one of them told the price while it was in force. A span is told from its beginning on
   * by it and the ones before it, so time alone decides: rather a price too many than one too few.
   * What an import brought is no news to whoever reads exports. `endedMs`: when the next price came.
   */
  hasTold({ at, source }: Pick<PriceChange, "at" | "source">, endedMs: number): boolean {
    if (source === "import") return false;
    const atMs = Date.parse(at);
    return this.#spans.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs && toMs < endedMs);
  }
}
