import { useApp } from "../../app/app.ts";
import { useSignOut } from "../../app/use_sign_out.ts";
import { Alone } from "../../parts/alone.tsx";
import { Button } from "../../parts/controls.tsx";
import { FactorSections } from "../../parts/factors/factor_sections.tsx";

/** For a person whose role requires a second factor that they do not have. */
export function FactorScreen() {
  const { words, lacksFactor } = useApp();
  const signOut = useSignOut();
  return (
    <Alone title={words.factors.required}>
      <p>{words.factors.requiredText}</p>
      <FactorSections
        onDone={() => {
          lacksFactor.value = false;
          // The service refused all requests so far, so everything is loaded again.
          location.reload();
        }}
      />
      <p>
        <Button
          kind="quiet"
          onClick={() => {
            lacksFactor.value = false;
            signOut();
          }}
        >
          {words.signOut}
        </Button>
      </p>
    </Alone>
  );
}
