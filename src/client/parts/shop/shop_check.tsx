/**
 * A field for the address of a new shop. The service first tries to read the entered page. If the
 * page was readable, the search for our products begins when the shop is created. If the workspace
 * already has the shop, the field shows a link to the shop's screen.
 */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { byId, type Call, get, type Wire } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import { Button, Icon } from "../controls.tsx";
import { ErrorNote, Loading } from "../page.tsx";
import { scrapeErrorText } from "../run/run_state.tsx";
import type { Shop } from "../shops.tsx";
import { ActionButton } from "../action_button.tsx";

interface ShopCheckProps {
  readonly shops: readonly Pick<Shop, "id" | "domain" | "displayName">[];
  readonly isMain?: boolean;
}

interface Checked {
  readonly host: string;
  readonly report: Wire<"ExtractReport">;
  readonly tookMs: number;
}

export async function changeDiscovery(
  call: Call,
  id: string,
  change: Partial<Omit<Wire<"Discovery">, "state">>,
): Promise<void> {
  const { state: _state, ...settings } = await call(
    get("/api/competitors/{id}/discovery", byId(id)),
  );
  const body = { ...settings, ...change };
  await call((api) => api.PUT("/api/competitors/{id}/discovery", { ...byId(id), body }));
}

function addressIn(text: string): URL | null {
  const typed = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  return url !== null && (/\.|^localhost$|^\[/.test(url.hostname)) ? url : null;
}

const hostOf = ({ host }: URL) => host.replace(/^www\./, "");

export function ShopCheck({ shops, isMain = false }: ShopCheckProps) {
  const { words: { shops: { check: texts }, repairs } } = useApp();
  const id = useId();
  const { text, setText, note, check, drop, submit } = useShopCheck(shops);
  return (
    <section class="panel column framed shop-check">
      <strong>{texts.add}</strong>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label class="sr-only" for={id}>{texts.label}</label>
        <input
          id={id}
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder={texts.label}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          type="submit"
          kind={isMain && !check.data ? "main" : "plain"}
          isBusy={check.isPending}
        >
          {texts.button}
        </Button>
      </form>
      <div role="status">
        {note}
        {check.isPending && <Loading label={repairs.teach.reading} />}
        {check.data && <Found checked={check.data} onDrop={drop} />}
      </div>
      {check.error && <ErrorNote error={check.error} />}
    </section>
  );
}

function useShopCheck(shops: ShopCheckProps["shops"]) {
  const texts = useApp().words.shops.check;
  const [text, setText] = useState("");
  const [note, setNote] = useState<ComponentChildren>(null);
  const check = useChange({
    run: async (call, url: URL): Promise<Checked> => {
      const startMs = performance.now();
      const report = await call((api) => api.POST("/api/extract", { body: { url: url.href } }));
      return { host: hostOf(url), report, tookMs: performance.now() - startMs };
    },
    showsError: true,
  });
  const drop = () => {
    check.reset();
    setText("");
    setNote(null);
  };
  const submit = () => {
    const url = addressIn(text);
    const known = url && shops.find(({ domain }) => domain === hostOf(url));
    check.reset();
    setNote(
      known
        ? (
          <p class="note info">
            <span>
              {texts.known} <a href={`/competitors/${known.id}`}>{known.displayName}</a>
            </span>
          </p>
        )
        : url === null && <p class="note warn">{texts.noAddress}</p>,
    );
    if (url && !known) check.mutate(url);
  };
  return { text, setText, note, check, drop, submit };
}

function Found({ checked, onDrop }: { readonly checked: Checked; onDrop(): void }) {
  const { words, show } = useApp();
  const texts = words.shops.check;
  const { host, report: { page, status, errorCode } } = checked;
  const isRead = status === "ok" || page !== null;
  const create = async (call: Call) => {
    const made = await call((api) => api.POST("/api/competitors", { body: { domain: host } }));
    if (isRead) await changeDiscovery(call, made.id, { mode: "automatic" });
    return made;
  };
  return (
    <div class={isRead ? "shop-found" : "shop-found refused"}>
      <div>
        <strong class="breaks">{host}</strong>{" "}
        <span class="soft">{texts.took(show.duration(checked.tookMs))}</span>
        <ul class="flow fine gap-16 rows-2">
          {isRead ? <Findings report={checked.report} /> : (
            <Finding isBad>
              {errorCode === "robots_disallowed"
                ? texts.forbidden
                : scrapeErrorText(words, errorCode)}
            </Finding>
          )}
        </ul>
      </div>
      <div class="row-actions">
        <ActionButton
          kind={isRead ? "main" : "plain"}
          run={create}
          touches={["competitors", "overview", "products"]}
          toast={({ displayName }) => words.products.form.created(displayName)}
          onDone={onDrop}
        >
          {isRead ? texts.create : texts.createOnly}
        </ActionButton>
        <Button onClick={onDrop}>{words.quarantine.drop}</Button>
      </div>
    </div>
  );
}

function Findings({ report }: { report: Wire<"ExtractReport"> }) {
  const { words: { shops: { check: texts }, stockDot }, show } = useApp();
  const { price, currency, inStock, shipping, page } = report;
  const stock = inStock === null ? "" : `, ${inStock ? stockDot.in : stockDot.out}`;
  return (
    <>
      <Finding>{texts.allowed}</Finding>
      {page?.title && <Finding>{texts.title(page.title)}</Finding>}
      {price === null ? <Finding isBad>{texts.noPrice}</Finding> : (
        <>
          <Finding>{texts.price(show.money(price, currency))}{stock}</Finding>
          {shipping === null ? <Finding isBad>{texts.noShipping}</Finding> : (
            <Finding>
              {shipping === 0 ? texts.free : texts.shipping(show.money(shipping, currency))}
            </Finding>
          )}
        </>
      )}
    </>
  );
}

function Finding({ isBad = false, children }: {
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <li class={isBad ? "open" : undefined}>
      <Icon name={isBad ? "warning" : "check"} />
      <span>{children}</span>
    </li>
  );
}
