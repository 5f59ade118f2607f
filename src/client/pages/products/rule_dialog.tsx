/** Opens a new rule for the selected or filtered products, or adds their SKUs to a stored rule. */
import { useLocation } from "preact-iso";
import { byId, type Call, get } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { SelectField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/saved_form.tsx";
import type { Selection } from "../../parts/table/table.tsx";
import type { MarketProduct, ProductFilter } from "./product.ts";
import { bodyFilter, markedProducts } from "./one_product.tsx";
import { useUndoableChange } from "../../parts/undo_queue.ts";
import { optionsOf } from "../../parts/controls.tsx";

const SKUS_MAX = 1_000;
const SCOPES: ReadonlySet<string> = new Set(["brand", "category", "tier"]);

interface RuleDialogProps {
  readonly selection: Selection;
  readonly filter: ProductFilter;
  readonly rows: readonly MarketProduct[];
  readonly count: number | null;
  onClose(): void;
}

export function RuleDialog({ selection, filter, rows, count, onClose }: RuleDialogProps) {
  const { call, words: { market: { ruleFor: texts }, fields }, handedSkus } = useApp();
  const { route } = useLocation();
  const query = bodyFilter(filter);
  const names = Object.keys(query);
  const isScope = selection.isAll && names.length > 0 && names.every((name) => SCOPES.has(name));
  const addition = useAddition(selection.clear);
  const lists = useDocument(get("/api/rules")).data
    ?.filter(({ scope }) => scope.mode === "sku") ?? [];
  const form = useForm({
    initial: { rule: "" },
    isGuarded: false,
    save: async ({ rule: id }) => {
      if (id === "" && isScope) return route(`/rules/new?${new URLSearchParams(query)}`);
      const keep = ({ sku }: MarketProduct) => sku;
      const skus = await markedProducts(call, { selection, rows, query, keep });
      if (id === "") {
        handedSkus.value = skus;
        return route("/rules/new");
      }
      addition.mutate({ id, skus });
      onClose();
    },
  });
  const isNew = form.values.rule === "";
  const isTooMany = !(isNew && isScope) && (count === null || count > SKUS_MAX);
  return (
    <FormDialog
      title={count === null ? fields.rule : texts.title(count)}
      save={isNew ? texts.create : texts.add}
      form={form}
      isDisabled={isTooMany}
      onClose={onClose}
    >
      <SelectField
        {...form.text("rule", fields.rule)}
        options={optionsOf(lists)}
        none={texts.newRule}
      />
      <p class="wide">
        {isTooMany ? texts.tooMany(SKUS_MAX) : isNew && isScope ? texts.grows : texts.stays}
      </p>
    </FormDialog>
  );
}

function useAddition(onAdded: () => void) {
  const { words } = useApp();
  return useUndoableChange({
    run: (call, { id, skus }: { id: string; skus: readonly string[] }) =>
      changeList(call, id, (list) => [...new Set([...list, ...skus])]),
    touches: ["rules", "products"],
    told: ({ name, added }) => words.market.ruleFor.added(added.length, name),
    undo: ({ added }, { id }) => {
      const out = new Set(added);
      return out.size === 0
        ? null
        : (call) => changeList(call, id, (list) => list.filter((sku) => !out.has(sku)));
    },
    onDone: onAdded,
  });
}

async function changeList(
  call: Call,
  id: string,
  change: (list: readonly string[]) => readonly string[],
) {
  const { scope } = await call(get("/api/rules/{id}", byId(id)));
  const before = scope.mode === "sku" ? scope.list : [];
  const list = change(before);
  const body = { scope: { mode: "sku" as const, list: [...list] } };
  const { name } = await call((api) => api.PATCH("/api/rules/{id}", { ...byId(id), body }));
  const known = new Set(before);
  return { name, added: list.filter((sku) => !known.has(sku)) };
}
