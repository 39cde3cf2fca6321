import { ButtonLink } from "#app/ui/button.tsx";
import { CouchScene } from "#app/ui/illustrations.tsx";
import "./call-to-action.css";

export function CallToAction({ explore }: { explore: string }) {
  return (
    <section className="cta" aria-labelledby="ready">
      <h2 id="ready">¿Listo para comenzar tu viaje?</h2>
      <p>Puedes leer un rato antes de escribir. Cuando quieras, aquí hay un lugar.</p>
      <div className="row">
        <ButtonLink to="/auth?modo=registro" variant="accent">
          Crear Cuenta Gratis
        </ButtonLink>
        <ButtonLink to={explore} variant="on-dark">
          Explorar Consultas Públicas
        </ButtonLink>
      </div>
      <div className="cta__art">
        <CouchScene />
      </div>
    </section>
  );
}
