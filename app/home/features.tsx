import { ShelfObject, type ShelfObjectName } from "#app/ui/illustrations.tsx";
import "./features.css";

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

/** Specification, section 2.1. */
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
              <h3 className="title-s">{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
