/**
 * On this screen, a person decides which pages of shops show our products. Accepting all
 * suggestions with the verdict `same` needs a confirmation, because the screen shows only some of
 * these suggestions.
 */
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useList } from "../../app/app.ts";
import { Button, FileButton } from "../../parts/controls.tsx";
import { ErrorNote, PageHead, Section } from "../../parts/page.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { LinkTabs } from "../../parts/identity/link_tabs.tsx";
import { useAcceptSure } from "../../parts/identity/accept_sure.ts";
import { useSuggestionCounts } from "../../parts/shared_queries.ts";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import { useDroppedFiles } from "../../parts/hooks.ts";
import { useFilter } from "../../parts/filter.tsx";
import { CheckState } from "./check_screen.tsx";
import { ReviewQueue } from "./review_queue.tsx";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

type Check = Wire<"LinkCheck">;

const STATUSES = ["accepted", "rejected"] as const;

export function LinksScreen() {
  const { words: { links: texts, review }, may } = useApp();
  const { values: { status, competitorId } } = useFilter(["status", "competitorId"]);
  const shown = STATUSES.find((one) => one === status) ?? "open";
  const counts = useSuggestionCounts();
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        beside={counts !== null && (
          <span class="soft">
            {review.waiting(counts.open, counts.open - counts.same, counts.same)}
            {counts.searching > 0 && ` · ${review.searching(counts.searching)}`}
          </span>
        )}
      >
        {may("manager") && shown === "open" && <AcceptSure count={counts?.same ?? 0} />}
      </PageHead>
      <LinkTabs current={shown} />
      <ReviewQueue key={`${shown} ${competitorId}`} status={shown} competitorId={competitorId} />
      {shown === "open" && (
        <>
          {may("manager") && <PasteSection />}
          <Section title={texts.checks} note={texts.checksNote} isCard>
            <Checks />
          </Section>
        </>
      )}
    </div>
  );
}

function AcceptSure({ count }: { count: number }) {
  const { words: { review: texts, links } } = useApp();
  const sure = useAcceptSure();
  if (sure.done !== null) {
    return (
      <>
        <span role="status">{texts.going(sure.done, count)}</span>
        <Button onClick={sure.stop}>{links.cancel}</Button>
      </>
    );
  }
  if (count === 0) return null;
  const question = {
    title: texts.sureTitle(count),
    text: texts.sureText,
    yes: texts.sureYes(count),
  };
  return <Button question={question} onClick={sure.accept}>{texts.acceptSure(count)}</Button>;
}

function PasteSection() {
  const { words: { links: texts }, toasts } = useApp();
  const { route } = useLocation();
  const [text, setText] = useState("");
  const [isTooLarge, setTooLarge] = useState(false);
  const count = countLines(text);
  const start = useChange({
    ask: (api, body: string) => api.POST("/api/link-checks", { body: { text: body } }),
    onDone: ({ jobId }) => route(`/links/${jobId}`),
    showsError: true,
  });
  const take = async (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > FILE_BYTES_MAX);
    if (file.size > FILE_BYTES_MAX) return;
    try {
      setText(await textOfFile(file));
    } catch (error) {
      toasts.refuse(error);
    }
  };
  const isOver = useDroppedFiles(([file]) => void take(file));
  return (
    <Section title={texts.paste} note={texts.pasteNote} isCard>
      <div class={isOver ? "paste-lines over" : "paste-lines"}>
        <TextField
          name="lines"
          label={texts.field}
          hint={isOver ? texts.dropHere : texts.fieldHint}
          placeholder="SKU-1;https://shop.example/p/1"
          lines={8}
          value={text}
          onValue={setText}
        />
        {isTooLarge && <p class="note bad" role="alert">{texts.tooLarge}</p>}
        {start.error && <ErrorNote error={start.error} />}
        <p class="flow gap-8">
          <Button
            kind="main"
            isBusy={start.isPending}
            isDisabled={count === 0}
            onClick={() => start.mutate(text)}
          >
            {count === 0 ? texts.startNone : texts.start(count)}
          </Button>
          <FileButton accept=".csv,.tsv,.txt" onFiles={([file]) => void take(file)}>
            {texts.choose}
          </FileButton>
        </p>
      </div>
    </Section>
  );
}

function Checks() {
  const { words: { links: texts, fields }, show } = useApp();
  const list = useList<Check, object>((query) => get("/api/link-checks", where(query)), {
    limit: 20,
    everyMs: 5_000,
  });
  const count = (key: "sure" | "check" | "wrong") =>
    column(key, texts.columns[key], 80).number<Check>(({ counts }) => show.number(counts[key]));
  const columns: readonly Column<Check>[] = [
    column("at", texts.columns.at, 150).cell(({ id, createdAt }) => (
      <a href={`/links/${id}`}>{show.dateTime(createdAt)}</a>
    )),
    column("state", fields.status, 110).cell((check) => <CheckState check={check} />),
    column("lines", texts.columns.lines, 80).number(({ lines }) => show.number(lines)),
    count("sure"),
    count("check"),
    count("wrong"),
    column("linked", texts.columns.linked, 100).number(({ linked }) => show.number(linked)),
    column("by", texts.columns.by, 180).cell(({ createdBy }) => createdBy),
  ];
  return (
    <ListTable
      label={texts.checks}
      columns={columns}
      list={list}
      empty={<p class="soft">{texts.noChecks}</p>}
    />
  );
}

const FILE_BYTES_MAX = 8 * 1024 * 1024;

function countLines(text: string): number {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const hasHead = lines.length > 1 && lines[0]?.includes("/") === false;
  return hasHead ? lines.length - 1 : lines.length;
}

async function textOfFile(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
