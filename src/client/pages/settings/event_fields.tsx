import {
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from "../../../platform/events/public_events.ts";
import type { ComponentChildren } from "preact";
import type { FlagBinding } from "../../parts/form/use_form.ts";
import { useApp } from "../../app/app.ts";
import { CheckField } from "../../parts/form/fields.tsx";

interface EventFieldsProps {
  readonly form: {
    flag(type: PublicEventType, label: string, hint: ComponentChildren): FlagBinding;
  };
}

export function EventFields({ form }: EventFieldsProps) {
  const { words } = useApp();
  const texts = words.webhooks;
  return (
    <fieldset class="wide">
      <legend>{texts.eventsLabel}</legend>
      {PUBLIC_EVENT_TYPES.map((type) => (
        <CheckField key={type} {...form.flag(type, texts.events[type], <code>{type}</code>)} />
      ))}
    </fieldset>
  );
}
