/** Removes links to pages that robots.txt forbids. Reading these pages again never helps. */
import { type Call, get, where, type Wire } from "../../api/call.ts";
import type { Page } from "../../api/page.ts";
import { useApp, useChange } from "../../app/app.ts";
import { Button, type ButtonProps } from "../controls.tsx";
import { changeLinks } from "./change_links.ts";
import type { Cause } from "./read_again.tsx";

/** The shop's failing pages of one cause, or of all causes if `cause` is null. */
export interface PageGroup {
  readonly competitorId: string;
  readonly cause: Cause | null;
}

/** Maximum page size that the service accepts. */
const PAGES_AT_ONCE = 200;
const TOUCHED = [
  "repairs",
  "repairPages",
  "matches",
  "competitors",
  "products",
  "overview",
] as const;

/** A page that moves to another place in the list meanwhile is returned only once. */
export async function idsOf(call: Call, { competitorId, cause }: PageGroup): Promise<string[]> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query = {
      competitorId,
      ...(cause !== null && { cause }),
      limit: PAGES_AT_ONCE,
      ...(cursor !== null && { cursor }),
    };
    const found: Page<Wire<"RepairPage">> = await call(get("/api/repairs/pages", where(query)));
    for (const { id } of found.items) ids.add(id);
    cursor = found.nextCursor;
  } while (cursor !== null);
  return [...ids];
}

export function isGroup(pages: readonly string[] | PageGroup): pages is PageGroup {
  return "competitorId" in pages;
}

interface UnlinkButtonProps {
  readonly of: readonly string[] | PageGroup;
  readonly pages: number;
  /** Name of the shop or the product; set if the page has several of these buttons. */
  readonly name?: string;
  readonly kind?: ButtonProps["kind"];
  onDone?(): void;
}

export function UnlinkButton({ of, pages, name, kind, onDone }: UnlinkButtonProps) {
  const { words, show, questions, toasts } = useApp();
  const texts = words.repairs.unlink;
  const undo = useChange({
    run: (call, ids: readonly string[]) => changeLinks(call, ids, { removed: false }),
    touches: TOUCHED,
    onDone: () => toasts.tell(words.frame.undone),
  });
  const unlink = useChange({
    run: async (call, _: null) =>
      await changeLinks(call, isGroup(of) ? await idsOf(call, of) : of, { removed: true }),
    touches: TOUCHED,
    onDone: (ids) => {
      toasts.tell(texts.told(show.number(ids.length)), () => undo.mutate(ids));
      onDone?.();
    },
  });
  const text = pages === 1 ? texts.one : texts.many(show.number(pages));
  const label = name === undefined ? text : `${name}: ${text}`;
  const ask = async () => {
    const isSure = await questions.ask({
      title: `${label}?`,
      text: `${texts.text} ${words.product.match.removeText}`,
      yes: text,
      isDangerous: true,
    });
    if (isSure) unlink.mutate(null);
  };
  return (
    <Button kind={kind} label={label} isBusy={unlink.isPending} onClick={() => void ask()}>
      {text}
    </Button>
  );
}
