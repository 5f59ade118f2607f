import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface MenuProps {
  readonly icon?: IconName;
  /** A text, or something with a text in it. */
  readonly label: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A button with something that opens below it; a click elsewhere and Escape close it. */
export function Menu({ icon, label, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = element.current;
    if (details === null) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && details.contains(event.target)) return;
      details.open = false;
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    };
    document.addEventListener("click", leave);
    details.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("click", leave);
      details.removeEventListener("keydown", press);
    };
  }, []);
  return (
    <details class="menu" ref={element}>
      <summary class="button plain">
        {icon && <Icon name={icon} />}
        <span class="menu-label">{label}</span>
      </summary>
      <div class="menu-body">{children}</div>
    </details>
  );
}
