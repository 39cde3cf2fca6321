import type { ReactNode } from "react";
import { formatCount } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Cup } from "#app/ui/illustrations.tsx";
import { Figures, Panel } from "#app/ui/panel.tsx";
import type { CommunityView } from "#shared/consultations.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

export function CommunityPanel({ numbers }: { numbers: CommunityView }) {
  return (
    <Panel title="La comunidad hoy">
      <Figures
        items={[
          ["Consultas activas", formatCount(numbers.consultations)],
          ["Psicólogos registrados", formatCount(numbers.psychologists)],
          ["Respuestas", formatCount(numbers.answers)],
        ]}
      />
    </Panel>
  );
}

export const DonationPanel = ({ url }: { url: string }) => (
  <Panel label="Donación">
    <div className="donation">
      <Cup />
      <div>
        <h2 className="title-s">Invítanos un café</h2>
        <p className="faint">{PRODUCT_NAME} es gratis para quien pregunta. Las donaciones pagan el servidor.</p>
      </div>
    </div>
    <a className="button button--soft button--wide above-4" href={url} rel="noopener noreferrer">
      Invitar un café
    </a>
  </Panel>
);

export function PsychologistSignUpPanel() {
  return (
    <SignUpPanel>
      <ButtonLink variant="accent" wide to="/auth?modo=registro&tipo=psicologo">
        Registrarme como profesional
      </ButtonLink>
    </SignUpPanel>
  );
}

export function SignUpPanel({ children }: { children: ReactNode }) {
  return (
    <Panel tone="deep" title="¿Eres psicólogo o psicóloga?">
      <p className="text-muted panel__lead">
        Responde consultas con tu matrícula verificada y deja que te conozcan por cómo escuchas.
      </p>
      {children}
    </Panel>
  );
}
