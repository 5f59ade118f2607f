/**
 * Elements of every page, such as head, sections, figures, and notes about loading, missing or
 * refused data.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { Button, Icon, type IconName } from "./controls.tsx";
import { CopyText } from "./copy_text.tsx";
import { addressOf, type ApiError, asApiError } from "../api/call.ts";
import { type List, type Speaker, useApp } from "../app/app.ts";
import type { RefusedField } from "../../base/failure.ts";

interface PageHeadProps {
  readonly title: string;
  readonly beside?: ComponentChildren;
  readonly back?: { readonly href: string; readonly text: string };
  readonly children?: ComponentChildren;
}

export function PageHead({ title, beside, back, children }: PageHeadProps) {
  useTitle(title);
  return (
    <header class="page-head row flow">
      {back && (
        <a class="back row fine gap-2" href={back.href}>
          <Icon name="left" />
          {back.text}
        </a>
      )}
      <div class="page-title flow gap-12 rows-4">
        <h1>
          <Unbroken text={title} />
        </h1>
        {beside}
      </div>
      {children && <div class="page-actions flow row gap-8 end">{children}</div>}
    </header>
  );
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Kurant`;
  }, [title]);
}

interface SectionProps {
  readonly id?: string;
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

export function Section({ id, title, note, actions, isCard = false, children }: SectionProps) {
  return (
    <section class={isCard ? "section stack sheet framed gap-10" : "section stack gap-10"} id={id}>
      <header class="row flow">
        <h2>{title}</h2>
        {note && <span class="soft">{note}</span>}
        {actions && <div class="section-actions flow gap-8 end">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ title, note, beside, foot, children }: CardProps) {
  const id = useId();
  return (
    <section class="panel column framed" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span class="soft">{note}</span>}
        {beside && <span class="end">{beside}</span>}
      </header>
      <div class="panel-body stack gap-10">{children}</div>
      {foot && <footer>{foot}</footer>}
    </section>
  );
}

export function Figures({ children }: { children: ComponentChildren }) {
  return <dl class="figures flow framed">{children}</dl>;
}

interface FigureProps {
  readonly label: string;
  /** A number is shown in the person's notation, for example as `1.234`. */
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly tone?: "bad" | "warn" | "still" | "broad" | false;
}

export function Figure({ label, value, note, tone }: FigureProps) {
  const { show } = useApp();
  return (
    <div class={tone ? `figure ${tone}` : "figure"}>
      <dt>{label}</dt>
      <dd class="stack gap-2">
        <strong>{typeof value === "number" ? show.number(value) : value}</strong>
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}

interface MeterProps {
  readonly pct: number;
  readonly tone?: "" | "bad" | "warn";
  /** Screen readers read this text; they skip a bar without it. */
  readonly label?: string;
}

export function Meter({ pct, tone = "", label }: MeterProps) {
  return (
    <span class={`meter ${tone}`} role="img" aria-label={label} aria-hidden={label === undefined}>
      <i style={{ width: `${pct}%` }} />
    </span>
  );
}

export function Fact(
  { label, title, children }: { label: string; title?: string; children: ComponentChildren },
) {
  return (
    <div>
      <dt>{label}</dt>
      <dd title={title}>{children}</dd>
    </div>
  );
}

export function KeyList({ rows }: { rows: readonly (readonly [key: string, text: string])[] }) {
  return (
    <dl class="key-list stack gap-6">
      {rows.map(([key, text]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div class="empty stack gap-6">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div class="empty-actions flow gap-10">{children}</div>}
    </div>
  );
}

interface ErrorNoteProps {
  readonly error: unknown;
  readonly knownFields?: readonly string[];
  readonly onAgain?: (() => void) | undefined;
}

export function ServiceWords({ message, isAll = false }: { message: string; isAll?: boolean }) {
  const { language, words } = useApp();
  if (isAll || language.value === "en") return <p lang="en">{message}</p>;
  return (
    <details>
      <summary>{words.exactWords}</summary>
      <p lang="en">{message}</p>
    </details>
  );
}

export function ErrorNote({ error, knownFields = [], onAgain }: ErrorNoteProps) {
  const app = useApp();
  const { words } = app;
  const { code, message, requestId, fields } = asApiError(error);
  const others = fields.filter(({ path }) => !knownFields.includes(path));
  const labels: Readonly<Record<string, string>> = words.errors;
  return (
    <div class="note bad" role="alert">
      <strong>{labels[code] ?? words.errors.other}</strong>
      {fields.length === 0 && <ServiceWords message={message} isAll={!(code in labels)} />}
      {others.length > 0 && (
        <ul>
          {others.map((field) => (
            <li key={field.path}>
              {field.path && <code>{field.path}</code>} {refusalText(app, field)}
            </li>
          ))}
        </ul>
      )}
      <p class="note-foot row flow gap-14 rows-4">
        {onAgain && <button type="button" class="link" onClick={onAgain}>{words.tryAgain}</button>}
        {requestId && <CopyText text={requestId} label={words.fields.requestId} />}
      </p>
    </div>
  );
}

interface PreviewErrorProps {
  readonly error: unknown;
  readonly waiting: string;
  nameOf(path: string): ComponentChildren;
  onAgain(): void;
}

export function PreviewError({ error, waiting, nameOf, onAgain }: PreviewErrorProps) {
  const app = useApp();
  const { code, fields } = asApiError(error);
  if (code !== "validation_failed") return <ErrorNote error={error} onAgain={onAgain} />;
  return (
    <div class="note info" role="status">
      <p>{waiting}</p>
      <ul>
        {fields.map((field) => (
          <li key={field.path}>{nameOf(field.path)}: {refusalText(app, field)}</li>
        ))}
      </ul>
    </div>
  );
}

export function Progress(
  { done, total, label }: { done: number; total: number | null; label: string },
) {
  return (
    <div class="progress stack wide gap-6">
      <progress aria-label={label} max={total ?? 1} value={total === null ? undefined : done} />
      <span aria-live="polite">{label}</span>
    </div>
  );
}

export function Loading({ label }: { label: string }) {
  return (
    <p class="loading row gap-10 soft" role="status">
      <span class="spinner" aria-hidden="true" />
      {label}
    </p>
  );
}

interface PendingProps {
  readonly of: { readonly error: unknown } & ({ refetch(): unknown } | { again(): void });
}

export function Pending({ of }: PendingProps) {
  const { words } = useApp();
  if (!of.error) return <Loading label={words.loading} />;
  const again = () => void ("again" in of ? of.again() : of.refetch());
  return <ErrorNote error={of.error} onAgain={again} />;
}

export type MoreOf = Pick<List<unknown>, "hasMore" | "isLoadingMore" | "more">;

export function More({ of, text }: { readonly of: MoreOf; readonly text?: string | undefined }) {
  const { words } = useApp();
  if (!of.hasMore) return null;
  return (
    <Button kind="quiet" isBusy={of.isLoadingMore} onClick={of.more}>
      {text ?? words.table.more}
    </Button>
  );
}

interface DocumentPendingProps extends PendingProps {
  readonly title: string;
  readonly back: { readonly href: string; readonly text: string };
}

export function DocumentPending({ title, back, of }: DocumentPendingProps) {
  return (
    <>
      <PageHead title={title} back={back} />
      <Pending of={of} />
    </>
  );
}

function refusalText(
  { words, show }: Speaker,
  { path, message, kind, limit }: RefusedField,
): string {
  const { refusals, fieldRefusals } = words.service;
  const text = kind && refusals[kind];
  if (text) return text(show.number(limit));
  const name = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  return fieldRefusals[name] ?? message;
}

export function refusalAt(app: Speaker, error: ApiError | null, path: string): string | null {
  const found = error?.fields.find((field) =>
    field.path === path || field.path.startsWith(`${path}.`)
  );
  return found ? refusalText(app, found) : null;
}

/**
 * Keeps a word such as `DV3853-001` on one line. If the word is too wide, it is cut off, and its
 * `title` shows all of it.
 */
export function Unbroken({ text }: { readonly text: string }) {
  const parts = text.split(" ").map((word) => ({
    word,
    isNumber: word.includes("-") && /\d/.test(word),
  }));
  if (!parts.some(({ isNumber }) => isNumber)) return <>{text}</>;
  return (
    <>
      {parts.map(({ word, isNumber }, at) => (
        <>
          {at > 0 && " "}
          {isNumber ? <span class="unbroken" title={word}>{word}</span> : word}
        </>
      ))}
    </>
  );
}

export interface Files {
  readonly csv: string;
  readonly xlsx: string;
  readonly isHeaded?: boolean;
}

export function filesOf(path: string, query: Readonly<Record<string, unknown>> = {}): Files {
  return {
    csv: addressOf(`${path}.csv`, query),
    xlsx: addressOf(`${path}.xlsx`, query),
    isHeaded: true,
  };
}

export function FileLinks(
  { what, csv, xlsx, isHeaded = false }: Files & { readonly what?: string },
) {
  const { words, language } = useApp();
  const inWords = (path: string) =>
    isHeaded ? `${path}${path.includes("?") ? "&" : "?"}lang=${language.value}` : path;
  const named = what ?? words.market.export;
  return (
    <span class="file-links" role="group" aria-label={named}>
      <a class="button plain" download href={inWords(csv)} title={`${named}: CSV`}>CSV</a>
      <a class="button plain" download href={inWords(xlsx)} title={`${named}: XLSX`}>XLSX</a>
    </span>
  );
}
