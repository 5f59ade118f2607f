/**
 * The state of a page's fetch, and actions for pages without a price, such as reading them again.
 */
import { batchesOf } from "../../../base/collections.ts";
import { useJob } from "../shared_queries.ts";
import { useEffect, useState } from "preact/hooks";
import {
  byPath,
  type Call,
  get,
  PAGE_SIZE_MAX,
  pagesOf,
  where,
  type Wire,
} from "../../api/call.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { Badge, Button, type ButtonProps, JOB_TONES } from "../controls.tsx";
import { useUndoableChange } from "../undo_queue.ts";
import type { Run } from "../../../scraping/runs/run.ts";
import { Progress } from "../page.tsx";
import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";

const WATCH_MS = 1_000;
const TOUCHED = [
  "repairs",
  "competitors",
  "matches",
  "products",
  "scrape-runs",
  "overview",
  "alerts",
] as const;

export type Cause = Wire<"RepairGroup">["cause"];

export type ShopRetry = ReturnType<typeof useRetry>;

export function useRetry(competitorId: string, knownId: string | null) {
  const [begunId, setBegunId] = useState<string | null>(null);
  const retryId = begunId ?? knownId;
  const starting = useChange({
    ask: (api, cause: Cause | null) =>
      api.POST("/api/repairs/retries", { body: { competitorId, cause } }),
    touches: [],
    onDone: ({ id }) => setBegunId(id),
  });
  const cancelling = useChange({
    ask: (api, id: string) =>
      api.POST("/api/repairs/retries/{retryId}/cancel", byPath({ retryId: id })),
    touches: TOUCHED,
  });
  const asked = retryId === null
    ? null
    : get("/api/repairs/retries/{retryId}", byPath({ retryId }));
  const { isRunning, ...found } = useJob(asked, WATCH_MS, TOUCHED);
  const retry = found.data ?? null;
  useEffect(() => {
    if (knownId !== null) setBegunId(knownId);
  }, [knownId]);
  return {
    retry,
    isRunning,
    isBusy: starting.isPending || cancelling.isPending || (retryId !== null && found.isPending),
    start: (cause: Cause | null) => starting.mutate(cause),
    cancel: () => retry && cancelling.mutate(retry.id),
  };
}

interface ReadAgainProps {
  readonly shop: { readonly id: string; readonly displayName: string };
  readonly cause?: Cause | null;
  readonly kind?: "main";
}

export function ReadAgain({ shop, cause = null, kind }: ReadAgainProps) {
  const { words: { repairs: { repair: texts } }, may } = useApp();
  const { retry, isRunning, isBusy, start } = useRetry(shop.id, null);
  if (!may("manager")) return null;
  const pages = retry?.pages ?? 0;
  return (
    <span class="read-again flow row gap-10 rows-4">
      {retry && (
        <small role="status">
          {isRunning
            ? texts.running(retry.done, pages)
            : texts.ended(Math.max(0, retry.pages - retry.failing), pages)}
        </small>
      )}
      {!isRunning && (
        <Button
          {...(kind && { kind })}
          label={`${texts.again}: ${shop.displayName}`}
          isBusy={isBusy}
          onClick={() => start(cause)}
        >
          {texts.again}
        </Button>
      )}
    </span>
  );
}

const TAUGHT: readonly Cause[] = ["nothing_found", "two_prices", "layout_changed", "variant_open"];
const WAITING: readonly Cause[] = ["no_answer", "blocked"];

export function isWaiting(cause: Cause): boolean {
  return WAITING.includes(cause);
}

export type FailingGroup = Pick<
  Wire<"RepairGroup">,
  "competitorId" | "competitor" | "cause" | "pages"
>;

export function WayOut({ group }: { readonly group: FailingGroup }) {
  const { words: { arrivals: texts, repairs }, may } = useApp();
  const { competitorId: id, competitor, cause, pages } = group;
  if (isWaiting(cause)) {
    return may("manager")
      ? <ReadAgain shop={{ id, displayName: competitor }} cause={cause} />
      : <span class="soft">{texts.nothing}</span>;
  }
  const isTaught = TAUGHT.includes(cause) && may("manager");
  return (
    <a class="button" href={`/competitors/${id}?cause=${cause}`}>
      {isTaught ? repairs.repair.teach : texts.look(pages)}
    </a>
  );
}

export interface PageGroup {
  readonly competitorId: string;
  readonly cause: Cause | null;
}

const UNLINK_TOUCHES = [
  "repairs",
  "repair-pages",
  "matches",
  "competitors",
  "products",
  "overview",
] as const;

async function idsOf(call: Call, { competitorId, cause }: PageGroup): Promise<string[]> {
  const ids = new Set<string>();
  const group = { competitorId, cause, limit: PAGE_SIZE_MAX };
  const pages = pagesOf((cursor) => call(get("/api/repairs/pages", where({ ...group, cursor }))));
  for await (const { items } of pages) for (const { id } of items) ids.add(id);
  return [...ids];
}

interface UnlinkButtonProps {
  readonly of: readonly string[] | PageGroup;
  readonly pages: number;
  readonly name?: string;
  readonly kind?: ButtonProps["kind"];
}

/** Removes links to pages that robots.txt forbids, because Kurant never reads these pages. */
export function UnlinkButton({ of, pages, name, kind }: UnlinkButtonProps) {
  const { words: { repairs: { unlink: texts }, product } } = useApp();
  const unlink = useUndoableChange({
    run: (call, _: null) => changeLinks(call, of, { removed: true }),
    touches: UNLINK_TOUCHES,
    told: (ids) => texts.told(ids.length),
    undo: (ids) => (call) => changeLinks(call, ids, { removed: false }),
  });
  const text = pages === 1 ? texts.one : texts.many(pages);
  const label = name === undefined ? text : `${name}: ${text}`;
  const why = `${texts.text} ${product.match.removeText}`;
  return (
    <Button
      kind={kind}
      label={label}
      isBusy={unlink.isPending}
      question={{ title: `${label}?`, text: why, yes: text, isDangerous: true }}
      onClick={() => unlink.mutate(null)}
    >
      {text}
    </Button>
  );
}

export type LinkChange = { readonly noPrice: boolean } | { readonly removed: boolean };

const LINKS_PER_REQUEST = 200;

/**
 * `of` is a list of link ids, or a group of failing pages. Returns the ids of the changed links. If
 * a request fails, the changes of earlier requests stay.
 */
export async function changeLinks(
  call: Call,
  of: readonly string[] | PageGroup,
  change: LinkChange,
): Promise<string[]> {
  const ids = "competitorId" in of ? await idsOf(call, of) : of;
  const changed: string[] = [];
  for await (const some of batchesOf(ids, LINKS_PER_REQUEST)) {
    const outcome = await call((api) =>
      "removed" in change
        ? api.POST("/api/competitor-products/removal", { body: { ids: some, ...change } })
        : api.POST("/api/competitor-products/no-price", { body: { ids: some, ...change } })
    );
    changed.push(...outcome.changed);
  }
  return changed;
}

export function RunState({ run }: { run: Run }) {
  const { codes, runs } = useApp().words;
  const isPartly = run.status === "succeeded" && run.hasErrors;
  return (
    <Badge tone={isPartly ? "warn" : JOB_TONES[run.status]}>
      {isPartly ? runs.withErrors : codes.jobStates[run.status]}
    </Badge>
  );
}

export function RunProgress({ run }: { run: Run }) {
  const texts = useApp().words.runs;
  const { targets, ok, failed, skipped } = run.counts;
  if (run.status === "queued" || targets === 0) {
    return <Progress done={0} total={null} label={texts.waiting} />;
  }
  const done = ok + failed + skipped;
  return <Progress done={done} total={targets} label={texts.progress(done, targets)} />;
}

export function scrapeErrorText({ codes }: Words, code: string | null): string {
  return code === null ? "" : labelIn(codes.scrapeErrors, code);
}

export function useMethodNames(): (code: string) => string {
  const { language } = useApp();
  const { data } = useDocument(get("/api/scrape-methods"));
  return (code) => {
    if (data === undefined) return "…";
    return data.data.find(({ value }) => value === code)?.label[language.value] ?? code;
  };
}
