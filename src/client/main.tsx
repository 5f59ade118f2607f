import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { createAppState } from "./app/app_state.ts";
import { Frame, Root } from "./frame/frame.tsx";
import { Overlays } from "./frame/overlays.tsx";
import "./styles/styles.css";

const place = document.getElementById("app");
if (place === null) throw new Error('The page has no element "app"');

render(
  <LocationProvider scope={/^\/(?!docs|api)/}>
    <Frame state={createAppState(localStorage)}>
      <Root />
      <Overlays />
    </Frame>
  </LocationProvider>,
  place,
);
