import type { VNode } from "preact";
import type { MailTestResult } from "../../../messages/alerts/send_test_mail.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Section } from "../../parts/section.tsx";

/** Whether mails arrive is best known before an alert has to. */
export function MailTest() {
  const { words } = useApp();
  const texts = words.mail;
  const test = useChange({
    run: (call) => call((api) => api.POST("/api/settings/mail-test")),
    touches: [],
    showsError: true,
  });
  return (
    <Section
      title={texts.title}
      note={texts.text}
      actions={
        <Button isBusy={test.isPending} onClick={() => test.mutate(undefined)}>{texts.send}</Button>
      }
    >
      {test.error && <ErrorNote error={test.error} />}
      {test.data && <MailOutcome result={test.data} />}
    </Section>
  );
}

/** The result of a test mail. */
export function MailOutcome({ result: { status, to, message } }: { result: MailTestResult }) {
  const { words } = useApp();
  const texts = words.mail;
  const notes = {
    sent: <p class="note info" role="status">{texts.sent(to ?? "")}</p>,
    off: <p class="note warn" role="status">{texts.off}</p>,
    failed: (
      <div class="note bad" role="alert">
        <strong>{texts.failed}</strong>
        <p>{message}</p>
      </div>
    ),
  } satisfies Record<MailTestResult["status"], VNode>;
  return notes[status];
}
