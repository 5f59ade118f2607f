/** Turns an audit entry into text: what was done, to what, and how the values changed. */
import { CopyText } from "../copy_text.tsx";
import { Fact } from "../page.tsx";
import { column, SimpleTable } from "../table/table.tsx";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { type Speaker, useApp } from "../../app/app.ts";
import { Dialog } from "../controls.tsx";
import { type Option } from "../options.tsx";
import { actorText, fieldName, fieldText } from "../field_text.ts";
import { AUDIT_ACTIONS } from "../../../accounts/audit/audit_actions.ts";
import { type FileEnd, importStateText } from "../import/import_state.tsx";
import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";

interface AuditPanelProps {
  readonly row: AuditRow;
  readonly names?: Readonly<Record<string, string>>;
  onClose(): void;
}

export function AuditPanel({ row, names: called = {}, onClose }: AuditPanelProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.auditLog;
  const names = Object.keys({ ...row.before, ...row.after });
  return (
    <Dialog kind="panel" title={texts.detail} onClose={onClose}>
      <dl class="facts framed">
        <Fact label={texts.columns.at}>{show.dateTime(row.at)}</Fact>
        <Fact label={words.fields.actor}>{actorText(words, row)}</Fact>
        <Fact label={texts.action}>
          {actionText(words, row)} <code>{row.action}</code>
        </Fact>
        <Fact label={texts.resource}>
          {resourceText(app, row, called)} <code>{row.resource.type}:{row.resource.id}</code>
        </Fact>
        {row.reason && <Fact label={words.fields.reason}>{row.reason}</Fact>}
      </dl>
      <SimpleTable
        label={texts.detail}
        rows={names}
        columns={[
          column("field", words.fields.field, 96).cell<string>((name) => fieldName(words, name)),
          column("before", texts.before, 104).cell<string>((name) =>
            fieldText(app, name, row.before?.[name], currencyOf(row, "before"))
          ),
          column("after", texts.after, 104).cell<string>((name) =>
            fieldText(app, name, row.after?.[name], currencyOf(row, "after"))
          ),
        ]}
      />
      <CopyText text={row.requestId} label={words.fields.requestId} />
    </Dialog>
  );
}

function auditActionText({ codes }: Words, action: string): string {
  const [type = "", verb = ""] = action.split(".");
  if (!(type in AUDIT_ACTIONS)) return action;
  return `${labelIn(codes.audited, type)} ${labelIn(codes.auditVerbs, verb)}`;
}

type AuditChange = Pick<AuditRow, "before" | "after" | "currency">;

function currencyOf(row: AuditChange, side: "before" | "after"): string | undefined {
  const named = row[side]?.currency;
  return typeof named === "string" ? named : row.currency;
}

function changeText(app: Speaker, row: AuditChange): string {
  const names = Object.keys({ ...row.before, ...row.after }).filter((name) => !UNSAID.test(name));
  return names.slice(0, CHANGES_SHOWN).map((name) => fieldChange(app, row, name)).join("; ");
}

function fieldChange(app: Speaker, row: AuditChange, name: string): string {
  const before = row.before === null ? "" : `${valueOf(app, row, name, "before")} → `;
  return `${fieldName(app.words, name)} ${before}${valueOf(app, row, name, "after")}`;
}

function valueOf(app: Speaker, row: AuditChange, name: string, side: "before" | "after"): string {
  return fieldText(app, name, row[side]?.[name], currencyOf(row, side));
}

const CHANGES_SHOWN = 3;

export function actionChoices(words: Words, resource: string): Option[] {
  const [type = ""] = resource.split(":");
  return Object.entries<readonly string[]>(AUDIT_ACTIONS)
    .filter(([name]) => type === "" || name === type)
    .flatMap(([name, actions]) => actions.map((verb) => `${name}.${verb}`))
    .map((action) => ({ value: action, label: auditActionText(words, action) }));
}

export function resourceChoices({ codes: { audited } }: Words, chosen: string): Option[] {
  const kinds = Object.keys(AUDIT_ACTIONS).map((type) => ({
    value: type,
    label: labelIn(audited, type),
  }));
  const [type = "", id] = chosen.split(":");
  if (id === undefined) return kinds;
  return [...kinds, { value: chosen, label: `${labelIn(audited, type)} …${id.slice(-6)}` }];
}

type PriceAction = keyof Words["auditLog"]["sentences"];

type ChangeRow = AuditChange & Pick<AuditRow, "action">;

function priceActionOf({ action, before, after }: ChangeRow): PriceAction | null {
  if (action === "product.mark") return after?.isError === true ? "mark" : "unmark";
  if (action !== "product.update" || after === null) return null;
  if ("ourPriceCents" in after) return "price";
  if (!("heldUntil" in after)) return null;
  return after.heldUntil === null || before === null ? "unhold" : "hold";
}

export function actionText(words: Words, row: AuditRow): string {
  const end = fileEndOf(row);
  if (end !== null) {
    return `${labelIn(words.codes.audited, "import")} ${importStateText(words, end)}`;
  }
  const action = priceActionOf(row);
  return action === null ? auditActionText(words, row.action) : words.auditLog.done[action];
}

/**
 * `before` and `after` describe the main change. `more` lists further changed fields, and ends with
 * the number of omitted fields.
 */
interface ChangeSides {
  readonly before: string;
  readonly after: string;
  readonly more: readonly string[];
}

export function changeSides(app: Speaker, row: AuditRow, heldWhy?: string): ChangeSides {
  const { words } = app;
  const texts = words.auditLog;
  const { before, after } = row;
  const sides = priceActionSides(app, row);
  if (sides) return { ...sides, more: [] };
  if (row.action.startsWith("proposal.")) return proposalSides(app, row);
  if (row.action === "product.bulk") return bulkSides(app, row);
  if (row.action === "import.finish" || row.action === "import.undo") {
    return importSides(app, row, heldWhy);
  }
  const isNamed = (name: string) =>
    !UNSAID.test(name) &&
    (before !== null || (after?.[name] ?? null) !== null) &&
    after?.[name] !== row.resource.label;
  const names = Object.keys({ ...before, ...after }).filter(isNamed)
    .sort((one, other) => Number(other === "ourPriceCents") - Number(one === "ourPriceCents"));
  const [first, ...others] = names;
  if (first === undefined) return { before: "", after: "", more: [] };
  const isPlain = first === "ourPriceCents" ||
    (first === "mode" && row.resource.type === "discovery");
  const prefix = isPlain ? "" : `${fieldName(words, first)} `;
  const rest = others.filter((name) => name !== "currency").map((name) =>
    name === "heldUntil" ? holdText(app, after) : fieldChange(app, row, name)
  );
  return {
    before: before === null ? "" : prefix + valueOf(app, row, first, "before"),
    after: after === null
      ? "–"
      : (before === null ? prefix : "") + valueOf(app, row, first, "after"),
    more: rest.length > REST_SHOWN
      ? [...rest.slice(0, REST_SHOWN), texts.more(rest.length - REST_SHOWN)]
      : rest,
  };
}

function priceActionSides(app: Speaker, row: ChangeRow): Omit<ChangeSides, "more"> | null {
  const texts = app.words.auditLog;
  const { before, after } = row;
  switch (priceActionOf(row)) {
    case "hold":
    case "unhold":
      return { before: holdText(app, before), after: holdText(app, after) };
    case "mark":
    case "unmark": {
      const state = after?.neverShown === true ? texts.errorNeverShown : texts.error;
      const price = valueOf(app, row, "ourPriceCents", "after");
      return { before: price, after: after?.isError === true ? state : texts.valid };
    }
    default:
      return null;
  }
}

function bulkSides(app: Speaker, { after }: AuditRow): ChangeSides {
  const texts = Object.entries(after ?? {}).map(([name, value]) =>
    name === "heldUntil"
      ? holdText(app, after)
      : `${fieldName(app.words, name)} ${fieldText(app, name, value, undefined)}`
  );
  return { before: "", after: texts.join("; "), more: [] };
}

function importSides({ words }: Speaker, row: AuditRow, heldWhy: string | undefined): ChangeSides {
  const { after } = row;
  const { codes: { jobStates }, imports: { counts } } = words;
  const error = after?.error;
  const shown = FILE_COUNTS.flatMap((name) => {
    const count = after?.[name];
    return typeof count === "number" && count > 0 ? [counts[name](count)] : [];
  });
  const end = fileEndOf(row);
  const undone = end === null ? [labelIn(jobStates, String(after?.status))] : [];
  const found = typeof error === "string" ? [words.service.findings[error] ?? error] : [];
  const why = heldWhy === undefined ? found : [heldWhy];
  const numbers = [...undone, ...shown].join(", ");
  const more = [...numbers === "" ? [] : [numbers], ...why].join(". ");
  return { before: "", after: "", more: more === "" ? [] : [more] };
}

export function fileEndOf({ action, after }: Pick<AuditRow, "action" | "after">): FileEnd | null {
  if (action !== "import.finish") return null;
  const { status, error, errors } = after ?? {};
  return {
    status: String(status),
    error: typeof error === "string" ? { code: error } : null,
    hasErrors: typeof errors === "number" && errors > 0,
  };
}

const FILE_COUNTS = ["inserted", "updated", "removed", "reverted", "errors"] as const;

function holdText({ words, show }: Speaker, side: AuditRow["before"]): string {
  return typeof side?.heldUntil === "string"
    ? words.position.held(show.date(side.heldUntil))
    : words.auditLog.free;
}

export function actionLine(
  app: Speaker,
  row: ChangeRow,
  who: string,
): { readonly title: string; readonly text: string } {
  const { words } = app;
  const action = priceActionOf(row);
  const sides = priceActionSides(app, row);
  return {
    title: action === null
      ? `${who}: ${auditActionText(words, row.action)}`
      : `${who} ${words.auditLog.sentences[action]}`,
    text: sides === null ? changeText(app, row) : `${sides.before} → ${sides.after}`,
  };
}

/** The log hides ids, which mean nothing to people, and times, which each row already shows. */
const UNSAID = /(^id|Ids?|^createdAt|^updatedAt)$/;
const REST_SHOWN = 2;

function proposalSides({ words, show }: Speaker, row: AuditRow): ChangeSides {
  const { currentCents, proposedCents, appliedCents = proposedCents } = row.after ?? {};
  const money = (cents: unknown) =>
    typeof cents === "number" ? show.money(cents, row.currency) : "–";
  const verb = row.action.slice("proposal.".length);
  if (verb === "reject") {
    const { stays } = words.auditLog;
    return { before: "", after: stays(money(currentCents), money(proposedCents)), more: [] };
  }
  return verb === "rollback"
    ? { before: money(appliedCents), after: money(currentCents), more: [] }
    : { before: money(currentCents), after: money(appliedCents), more: [] };
}

export function resourceText(
  { words: { codes, frame } }: Speaker,
  { resource, before, after }: AuditRow,
  names: Readonly<Record<string, string>>,
): string {
  if (resource.type === "product" && resource.id === "bulk") {
    return frame.products(Object.keys(before ?? {}).length);
  }
  const links = after?.competitorProductIds;
  if (resource.type === "competitor_product" && Array.isArray(links)) {
    return frame.links(links.length);
  }
  if (resource.type === "sales" && typeof after?.rows === "number") return frame.rows(after.rows);
  const productId = after?.productId ?? before?.productId;
  return names[`${resource.type}:${resource.id}`] ??
    (typeof productId === "string" ? names[`product:${productId}`] : undefined) ??
    (resource.label || labelIn(codes.audited, resource.type));
}

export function ruleText(
  { auditLog }: Words,
  { resource, after, about = [] }: AuditRow,
  names: Readonly<Record<string, string>>,
): string | null {
  if (resource.type === "rule") return null;
  const ruleId = after?.ruleId;
  const thing = typeof ruleId === "string"
    ? `rule:${ruleId}`
    : about.find((one) => one.startsWith("rule:"));
  const name = thing === undefined ? undefined : names[thing];
  return name === undefined ? null : auditLog.ofRule(name);
}
