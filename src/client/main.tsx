import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { createAppState } from "./app/app_state.ts";
import { Frame, Root } from "./frame/frame.tsx";
import { Overlays } from "./frame/overlays.tsx";
import "./styles/styles.css";

const FONT_MS = 1_000;

const place = document.getElementById("app");
if (place === null) throw new Error('The page has no element "app"');

export const stop = () => render(null, place);

export const start = () => {
  stop();
  render(
    <LocationProvider scope={/^\/(?!docs|api)/}>
      <Frame state={createAppState(localStorage)}>
        <Root />
        <Overlays />
      </Frame>
    </LocationProvider>,
    place,
  );
};

// Waits for the font, at most `FONT_MS`, because tables measure rendered text.
const timeout = new Promise((resolve) => setTimeout(resolve, FONT_MS));
await Promise.race([document.fonts.load("14px Inter"), timeout]);
start();
