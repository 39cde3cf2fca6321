import type { ReactNode } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { RoomScene } from "#app/ui/illustrations.tsx";
import "./hero.css";

/** Rendered twice: CSS shows one of them. */
const Facts = ({ icon, className }: { icon?: ReactNode; className: string }) => (
  <ul className={`hero__facts ${className}`}>
    {["Gratis", "anónimo si quieres", "leer no pide cuenta"].map((fact) => (
      <li key={fact}>
        {icon}
        <span>{fact}</span>
      </li>
    ))}
  </ul>
);

export function Hero({ explore, children }: { explore: string; children: ReactNode }) {
  return (
    <section className="hero" aria-labelledby="hero">
      <div className="hero__glow" />
      <div className="hero__text">
        <h1 id="hero">Conecta con Psicólogos Profesionales</h1>
        <p className="hero__lead">
          Cuenta lo que te pasa, con tu nombre o sin él. Te responden profesionales con matrícula verificada.
        </p>
      </div>
      {children}
      <p className="compose__reply">
        <small>Una psicóloga</small>
        Es para contarlo aquí. ¿Qué aparece cuando apagas la luz?
      </p>
      <div className="hero__ways">
        <div className="hero__actions">
          <ButtonLink to="/auth?modo=registro">Comenzar Ahora</ButtonLink>
          <ButtonLink to={explore} variant="soft">
            Explorar Consultas Públicas
          </ButtonLink>
        </div>
        <Facts className="hero__facts--wide dotted" />
      </div>
      <div className="hero__scene">
        <Facts icon={<Icon name="check" size="s" />} className="hero__facts--phone" />
        <RoomScene />
      </div>
    </section>
  );
}
