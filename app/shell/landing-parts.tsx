import { ButtonLink } from "#app/ui/button.tsx";
import { CouchScene, RoomScene, ShelfObject, type ShelfObjectName } from "#app/ui/drawings.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import "./landing.css";

type ExploreProps = {
  /** Where the public consultations are: an anchor of this page, or another page's. */
  explore: string;
};

/** What asking costs. On phones it stands beside the couch, elsewhere under the buttons: of the two, one is shown. */
const Facts = ({ className }: { className: string }) => (
  <ul className={className}>
    {["Gratis", "anónimo si quieres", "leer no pide cuenta"].map((fact) => (
      <li key={fact}>
        <CheckIcon size="s" />
        <span>{fact}</span>
      </li>
    ))}
  </ul>
);

/** The cover: what this is, in one sentence, and the two ways in. */
export function Hero({ explore }: ExploreProps) {
  return (
    <section className="room" aria-labelledby="hero">
      <div className="room__glow" />
      <div className="room__copy">
        <h1 id="hero">Conecta con Psicólogos Profesionales</h1>
        <p className="room__lead">
          Cuenta lo que te pasa, con tu nombre o sin él. Te responden profesionales con matrícula verificada.
        </p>
        <div className="room__actions">
          <ButtonLink to="/auth?modo=registro">Comenzar Ahora</ButtonLink>
          <ButtonLink to={explore} variant="soft">
            Explorar Consultas Públicas
          </ButtonLink>
        </div>
        <Facts className="room__facts room__facts--wide dotted" />
      </div>
      <div className="room__scene">
        <div
          className="room__talk"
          role="img"
          aria-label="Ejemplo de diálogo entre una persona anónima y una psicóloga"
        >
          <p className="speech-bubble">
            <small>Anónimo</small>
            No sé si esto es para contarlo aquí, pero hace semanas que no duermo.
          </p>
          <p className="speech-bubble speech-bubble--out">
            <small>Una psicóloga</small>
            Es para contarlo aquí. ¿Qué aparece cuando apagas la luz?
          </p>
        </div>
        <Facts className="room__facts room__facts--wall" />
        <RoomScene />
      </div>
    </section>
  );
}

const FEATURES: readonly { object: ShelfObjectName; title: string; text: string }[] = [
  {
    object: "certificate",
    title: "Profesionales verificados",
    text: "Una persona del equipo revisa cada matrícula antes de la primera respuesta.",
  },
  {
    object: "globe",
    title: "De distintos países",
    text: "Puedes buscar consultas y profesionales por país, en América Latina y España.",
  },
  {
    object: "screen",
    title: "Consultas anónimas",
    text: "Si eliges anonimato, nadie ve tu nombre: tampoco quien responde.",
  },
  {
    object: "books",
    title: "Calificaciones y reseñas",
    text: "Las respuestas se votan, y cada profesional tiene su calificación y sus reseñas.",
  },
  {
    object: "clock",
    title: "A tus horas, sin turno",
    text: "Escribes cuando lo necesitas y te responden por escrito. Puede ser en horas; no prometemos cuándo.",
  },
  {
    object: "cups",
    title: "Comunidad activa",
    text: "Puedes votar, comentar y leer a quienes pasan por algo parecido.",
  },
];

/** Six things that are here, each on its place on the shelf. */
export function Features() {
  return (
    <section className="section--far" aria-labelledby="features">
      <h2 id="features" className="title-xl features__title">
        Una sala tranquila, con todo en su lugar
      </h2>
      <ul className="shelf">
        {FEATURES.map(({ object, title, text }) => (
          <li key={object}>
            <div className="shelf__object">
              <ShelfObject name={object} />
            </div>
            <div className="shelf__text">
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The invitation at the end of the page. */
export function CallToAction({ explore }: ExploreProps) {
  return (
    <section className="band" aria-labelledby="ready">
      <h2 id="ready">¿Listo para comenzar tu viaje?</h2>
      <p>Puedes leer un rato antes de escribir. Cuando quieras, aquí hay un lugar.</p>
      <div className="row">
        <ButtonLink to="/auth?modo=registro" variant="lamp">
          Crear Cuenta Gratis
        </ButtonLink>
        <ButtonLink to={explore} variant="ondeep">
          Explorar Consultas Públicas
        </ButtonLink>
      </div>
      <div className="band__art">
        <CouchScene />
      </div>
    </section>
  );
}
