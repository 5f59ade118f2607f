import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button, LinkButton } from "../../parts/controls.tsx";
import { TextField } from "../../parts/form/fields.tsx";

const LINES = 5;

/** Ways to begin without a file: type a few products, or use an example file. */
export function TypedProducts({ onFile }: { onFile(file: File): void }) {
  const { words, may } = useApp();
  const texts = words.start.typed;
  const [text, setText] = useState<string | null>(null);
  const hand = (name: string, lines: string) =>
    onFile(new File([`${texts.header}\n${lines}\n`], name, { type: "text/csv" }));
  return (
    <div class="typed-products">
      <p>
        <strong>{texts.title}</strong>{" "}
        <LinkButton onClick={() => setText(text === null ? "" : null)}>{texts.byHand}</LinkButton>
        {" · "}
        <LinkButton onClick={() => hand(texts.exampleName, texts.example)}>
          {texts.examples}
        </LinkButton>
        {may("owner") && (
          <>
            {" · "}
            <a href="/settings/keys">{words.products.cards.key}</a>
          </>
        )}
      </p>
      {text !== null && (
        <>
          <TextField
            name="lines"
            label={texts.label}
            hint={texts.hint}
            error={null}
            placeholder={texts.example}
            value={text}
            onValue={setText}
            lines={LINES}
          />
          <Button isDisabled={text.trim() === ""} onClick={() => hand(texts.fileName, text.trim())}>
            {texts.take}
          </Button>
        </>
      )}
    </div>
  );
}
