import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Progress } from "../../parts/progress.tsx";
import type { Cause, ShopRetry } from "./use_retry.ts";

/** Of these the shop is the cause: no place on the page helps. */
const OF_THE_SHOP: readonly Cause[] = ["gone", "blocked", "no_answer", "robots", "unreadable"];

/** True where it helps to show where the price stands. */
export function isTeachable(group: Wire<"RepairGroup">): boolean {
  return !OF_THE_SHOP.includes(group.cause);
}

interface RepairCardProps {
  readonly groups: readonly Wire<"RepairGroup">[];
  readonly cause: Cause | null;
  readonly retry: ShopRetry;
  onTeach(): void;
}

/** The remedies: show where the price is, or read the pages again. */
export function RepairCard({ groups, cause, retry, onTeach }: RepairCardProps) {
  const { words, show, may } = useApp();
  const texts = words.repairs.repair;
  const mayChange = may("manager");
  const looked = groups.filter((group) => cause === null || group.cause === cause);
  const taught = looked.filter(isTeachable);
  const pages = taught.reduce((sum, group) => sum + group.pages, 0);
  return (
    <Card title={texts.title}>
      {looked.length === 0
        ? <p class="soft">{texts.none}</p>
        : pages === 0
        ? <p>{texts.waiting}</p>
        : <p>{(mayChange ? texts.text : texts.textForViewer)(pages, show.number(pages))}</p>}
      {pages > 0 && mayChange && !retry.isRunning && (
        <p>
          <Button kind="main" onClick={onTeach}>{texts.teach}</Button>
        </p>
      )}
      <RetryState retry={retry} />
      {looked.length > 0 && <p class="soft small">{texts.note}</p>}
    </Card>
  );
}

function RetryState({ retry: { retry, isRunning, cancel, isBusy } }: { retry: ShopRetry }) {
  const { words, show, may } = useApp();
  const texts = words.repairs.repair;
  if (retry === null) return null;
  const { pages, done, failing } = retry;
  if (!isRunning) {
    const fixed = Math.max(0, pages - failing);
    return (
      <p class={fixed < pages ? "note warn" : "note info"} role="status">
        {texts.ended(show.number(fixed), show.number(pages))}
      </p>
    );
  }
  return (
    <>
      <Progress
        done={done}
        total={pages}
        label={texts.running(show.number(done), show.number(pages))}
      />
      {may("manager") && (
        <p>
          <Button isBusy={isBusy} onClick={cancel}>{texts.cancel}</Button>
        </p>
      )}
    </>
  );
}
