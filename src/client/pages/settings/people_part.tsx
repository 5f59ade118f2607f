import { useState } from "preact/hooks";
import { useQueryClient } from "@tanstack/preact-query";
import type { User } from "../../../identity/users/user.ts";
import { ROLES } from "../../../identity/roles.ts";
import { useChange } from "../../app/use_change.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyText } from "../../parts/copy_text.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import { ToldDialog } from "../../parts/told_dialog.tsx";

/** A person with a one-time link that was just made for them. */
interface LinkedUser extends User {
  readonly link: string;
  readonly linkExpiresAt: string;
}

/** Who may most comes first. */
const CHOICES = ROLES.toReversed();

export function PeoplePart() {
  const { words } = useApp();
  const texts = words.settings.people;
  const [isInviting, setInviting] = useState(false);
  const [linked, setLinked] = useState<LinkedUser | null>(null);
  const list = useList<User>({ key: ["users"], path: "/api/users" });
  return (
    <Section
      title={words.settings.parts.people}
      actions={
        <Button kind="main" icon="plus" onClick={() => setInviting(true)}>{texts.invite}</Button>
      }
    >
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={words.settings.parts.people}
          columns={usePeopleColumns(setLinked)}
          rows={list.rows}
          idOf={({ id }) => id}
        />
      )}
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(user) => {
            setInviting(false);
            setLinked(user);
          }}
        />
      )}
      {linked && <LinkDialog linked={linked} onClose={() => setLinked(null)} />}
    </Section>
  );
}

function usePeopleColumns(onLink: (linked: LinkedUser) => void): readonly Column<User>[] {
  const { words, show, user } = useApp();
  const texts = words.settings.people;
  const me = user.value?.id;
  return [
    {
      key: "email",
      title: words.login.email,
      width: 220,
      cell: ({ id, email }) => <>{email} {id === me && <Badge>{texts.you}</Badge>}</>,
    },
    {
      key: "role",
      title: texts.role,
      width: 150,
      cell: (person) => <RoleChoice person={person} />,
    },
    {
      key: "status",
      title: words.status,
      width: 110,
      cell: ({ status }) => (
        <Badge tone={status === "active" ? "good" : "warn"}>{texts.states[status]}</Badge>
      ),
    },
    { key: "since", title: texts.since, width: 110, cell: ({ createdAt }) => show.date(createdAt) },
    {
      key: "actions",
      title: words.actions,
      width: 220,
      cell: (person) => <PersonActions person={person} onLink={onLink} />,
    },
  ];
}

function RoleChoice({ person }: { person: User }) {
  const { words } = useApp();
  const texts = words.settings.people;
  const change = useChange({
    run: (call, role: string) =>
      call<User>(`/api/users/${person.id}`, { method: "PATCH", body: { role } }),
    touches: ["users"],
  });
  return (
    <select
      aria-label={`${texts.role}: ${person.email}`}
      value={person.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.value)}
    >
      {CHOICES.map((role) => <option key={role} value={role}>{texts.roles[role]}</option>)}
    </select>
  );
}

interface PersonActionsProps {
  readonly person: User;
  onLink(linked: LinkedUser): void;
}

function PersonActions({ person, onLink }: PersonActionsProps) {
  const { words, questions } = useApp();
  const texts = words.settings.people;
  const path = `/api/users/${person.id}`;
  const reset = useChange({
    run: (call) => call<LinkedUser>(`${path}/reset-link`, { method: "POST" }),
    touches: ["users"],
    onDone: onLink,
  });
  const remove = useChange({
    run: (call) => call(path, { method: "DELETE" }),
    touches: ["users"],
  });
  const askToRemove = async () => {
    const isSure = await questions.ask({
      title: texts.remove,
      text: texts.removeText(person.email),
      yes: words.remove,
      isDangerous: true,
    });
    if (isSure) remove.mutate(undefined);
  };
  return (
    <span class="row-actions">
      <Button kind="quiet" isBusy={reset.isPending} onClick={() => reset.mutate(undefined)}>
        {texts.reset}
      </Button>
      <Button
        kind="quiet"
        icon="close"
        label={`${words.remove}: ${person.email}`}
        isBusy={remove.isPending}
        onClick={() => void askToRemove()}
      />
    </span>
  );
}

interface InviteDialogProps {
  onClose(): void;
  onInvited(user: LinkedUser): void;
}

function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const { call, words } = useApp();
  const texts = words.settings.people;
  const client = useQueryClient();
  const form = useForm({
    initial: { email: "", role: "manager" },
    save: async (body) => {
      const user = await call<LinkedUser>("/api/users", { method: "POST", body });
      await client.invalidateQueries({ queryKey: ["users"] });
      onInvited(user);
    },
  });
  return (
    <FormDialog title={texts.invite} form={form} onClose={onClose}>
      <TextField {...form.text("email")} label={words.login.email} type="email" hasFocus isWide />
      <SelectField
        {...form.text("role")}
        label={texts.role}
        options={CHOICES.map((role) => ({
          value: role,
          label: `${texts.roles[role]} – ${texts.roleHints[role]}`,
        }))}
        isWide
      />
    </FormDialog>
  );
}

function LinkDialog({ linked, onClose }: { linked: LinkedUser; onClose: () => void }) {
  const { words, show } = useApp();
  const texts = words.settings.people;
  return (
    <ToldDialog title={linked.email} onClose={onClose}>
      <CopyText text={linked.link} label={texts.link} />
      <p class="soft">{texts.linkText(show.dateTime(linked.linkExpiresAt))}</p>
    </ToldDialog>
  );
}
