import type { z } from "zod";
import type { MorningMail as Answer } from "../../../market/overview/send_morning_mails.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { Section } from "../../parts/section.tsx";
import { MailOutcome } from "./mail_test.tsx";

type MorningMail = z.output<typeof Answer>;

/** Whether the person gets the mail of the morning, and how it looks. */
export function MorningMailSection() {
  const { words } = useApp();
  const texts = words.morningMail;
  const found = useDocument({
    key: ["morning mail"],
    read: (api) => api.GET("/api/overview/mail"),
  });
  const change = useChange({
    run: (call, isOn: boolean) =>
      call((api) => api.PATCH("/api/overview/mail", { body: { isOn } })),
    touches: ["morning mail"],
  });
  const test = useChange({
    run: (call) => call((api) => api.POST("/api/overview/mail/test")),
    touches: [],
    showsError: true,
  });
  const { data } = found;
  const actions = (
    <Button isBusy={test.isPending} onClick={() => test.mutate(undefined)}>{texts.test}</Button>
  );
  return (
    <Section title={texts.title} note={data && texts.note(data.time)} actions={actions}>
      {data
        ? (
          <label class="check">
            <input
              type="checkbox"
              checked={data.isOn}
              disabled={change.isPending}
              onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
            />
            {texts.isOn}
          </label>
        )
        : found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
      {data?.isOn && !data.isMailOn && <p class="note warn">{words.mail.off}</p>}
      {test.error && <ErrorNote error={test.error} />}
      {test.data && <MailOutcome result={test.data} />}
    </Section>
  );
}
