import { byId, get, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Badge } from "../../parts/controls.tsx";
import { FactorSections } from "../../parts/factors/factor_sections.tsx";
import { Pending, Section } from "../../parts/page.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { ActionButton } from "../../parts/action_button.tsx";

type Session = Wire<"Session">;

export function SecurityPart() {
  return (
    <>
      <FactorSections />
      <SessionSection />
    </>
  );
}

function SessionSection() {
  const texts = useApp().words.sessions;
  const found = useDocument(get("/api/auth/sessions"));
  const columns = useSessionColumns();
  const items = found.data?.items ?? [];
  return (
    <Section
      title={texts.title}
      note={texts.note}
      actions={items.length > 1 && (
        <ActionButton
          ask={(api) => api.POST("/api/auth/sessions/end-others")}
          touches={["sessions"]}
        >
          {texts.endOthers}
        </ActionButton>
      )}
    >
      {found.data
        ? <SimpleTable label={texts.title} columns={columns} rows={items} />
        : <Pending of={found} />}
    </Section>
  );
}

function useSessionColumns(): readonly Column<Session>[] {
  const { words, show } = useApp();
  const texts = words.sessions;
  return [
    column("device", texts.device, 220).cell(({ browser, system, isCurrent }) => (
      <>
        {texts.deviceOf(
          browser ? texts.browsers[browser] : texts.unknownBrowser,
          system ? texts.systems[system] : texts.unknownSystem,
        )} {isCurrent && <Badge tone="good">{texts.current}</Badge>}
      </>
    )),
    column("address", texts.address, 150).cell(({ address }) => address ?? "–"),
    column("since", texts.since, 140).cell(({ createdAt }) => show.dateTime(createdAt)),
    column("used", texts.lastUsed, 140).cell(({ lastUsedAt }) => show.ago(lastUsedAt)),
    column("actions", words.actions, 120).cell(({ id, isCurrent }) =>
      !isCurrent && <EndButton id={id} />
    ),
  ];
}

function EndButton({ id }: { readonly id: string }) {
  return (
    <ActionButton
      kind="quiet"
      ask={(api) => api.DELETE("/api/auth/sessions/{id}", byId(id))}
      touches={["sessions"]}
    >
      {useApp().words.sessions.end}
    </ActionButton>
  );
}
