import type { ReactNode } from "react";
import { Compose } from "#app/consultations/compose-bubble.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { CouchScene, Furniture } from "#app/ui/illustrations.tsx";
import shelf from "#app/ui/shelf.svg";
import "./call-to-action.css";
import "./features.css";
import "./hero.css";

type ExploreProps = { explore: string };

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

export const Hero = ({ explore }: ExploreProps) => (
  <section className="hero" aria-labelledby="hero">
    <div className="hero__glow" />
    <div className="hero__text">
      <h1 id="hero">Conecta con Psicólogos Profesionales</h1>
      <p className="hero__lead">
        Cuenta lo que te pasa, con tu nombre o sin él. Te responden profesionales con matrícula verificada.
      </p>
    </div>
    <Compose />
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
      <svg viewBox="0 20 624 386" aria-hidden="true">
        <ellipse cx="288" cy="386" rx="256" ry="12" fill="var(--d-clay-2)" opacity=".6" />
        <Furniture name="couch" at="24 6" />
        <Furniture name="cushions" at="24 6" />
        <Furniture name="lamp" at="548 0" />
        <Furniture name="plant" at="52 0" />
      </svg>
    </div>
  </section>
);

const FEATURES = {
  certificate: [
    "Profesionales verificados",
    "Una persona del equipo revisa cada matrícula antes de la primera respuesta.",
  ],
  globe: ["De distintos países", "Puedes buscar consultas y profesionales por país, en América Latina y España."],
  screen: ["Consultas anónimas", "Si eliges anonimato, nadie ve tu nombre: tampoco quien responde."],
  books: [
    "Calificaciones y reseñas",
    "Las respuestas se votan, y cada profesional tiene su calificación y sus reseñas.",
  ],
  clock: [
    "A tus horas, sin turno",
    "Escribes cuando lo necesitas y te responden por escrito. Puede ser en horas; no prometemos cuándo.",
  ],
  cups: ["Comunidad activa", "Puedes votar, comentar y leer a quienes pasan por algo parecido."],
};

/** Specification, section 2.1. The shapes are in another SVG file, because they are below the first screen. */
export const Features = () => (
  <section className="section--far" aria-labelledby="features">
    <h2 id="features" className="title-xl features__title">
      Una sala tranquila, con todo en su lugar
    </h2>
    <ul className="shelf">
      {Object.entries(FEATURES).map(([object, [title, text]]) => (
        <li key={object}>
          <div className="shelf__object">
            <svg viewBox="0 0 120 120" aria-hidden="true">
              <use href={`${shelf}#${object}`} />
            </svg>
          </div>
          <div className="shelf__text">
            <h3 className="title-s">{title}</h3>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </section>
);

export const CallToAction = ({ explore }: ExploreProps) => (
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
