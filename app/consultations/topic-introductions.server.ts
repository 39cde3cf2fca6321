/** Topics and countries that have a page. Only the server has these texts: browsers get them with the page. */
import { href } from "react-router";
import type { PageContext } from "#app/lib/page-request.server.ts";
import { breadcrumbs } from "#app/lib/structured-data.server.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { CATEGORIES, type Category } from "#shared/categories.ts";
import { COUNTRIES, type Country } from "#shared/countries.ts";
import { AppError } from "#shared/errors.ts";
import { excerpt } from "#shared/excerpt.ts";
import { CATEGORY_SLUGS, COUNTRY_SLUGS, nameOfSlug } from "#shared/slugs.ts";

type Introduction = {
  /** By default "Consultas sobre" and the topic in lower case. */
  title?: string;
  text: string;
  /** When to call for help instead of reading. The link to the help lines follows it. */
  urgent?: string;
};

const TOPICS: Record<Category, Introduction> = {
  Ansiedad: {
    text: "A veces el cuerpo se acelera, la cabeza no para y cuesta saber por qué. Aquí otras personas cuentan cómo lo viven, y psicólogas y psicólogos les responden con calma. Puedes leer sin prisa y preguntar sin encontrar antes las palabras exactas.",
  },
  Depresión: {
    text: "Hay días en los que todo pesa, y épocas en las que nada parece tener sentido. Contarlo no lo resuelve todo, pero no tienes que cargarlo a solas. Aquí puedes leer a otras personas y preguntar a profesionales, a tu ritmo.",
    urgent: "Si piensas en morir o en hacerte daño, no esperes una respuesta aquí: habla ahora con una persona.",
  },
  Estrés: {
    text: "Cuando lo pendiente no cabe en el día, el descanso suele ser lo primero que se pierde. En estas consultas otras personas cuentan qué las desborda, y profesionales las ayudan a mirarlo por partes. Quizá alguna se parezca a lo tuyo.",
  },
  Relaciones: {
    text: "Querer a alguien también puede doler: discusiones que se repiten, distancia, dudas, una ruptura. Aquí puedes contarlo con tu nombre o de forma anónima y leer lo que profesionales responden a otras personas.",
    urgent: "Si alguien te controla, te amenaza o te hace daño, hay líneas que te escuchan y te orientan.",
  },
  Autoestima: {
    text: "Hablarse con dureza puede volverse una costumbre tan vieja que parece la verdad. En estas consultas escriben personas que quieren mirarse con más amabilidad, y profesionales que las acompañan a hacerlo. Puedes empezar por una sola pregunta.",
  },
  Duelo: {
    text: "Perder a alguien, o algo que era parte de tu vida, no sigue un calendario ni tiene una manera correcta de vivirse. Aquí escriben personas que también extrañan, y profesionales que las leen con respeto. Puedes preguntar lo que cueste decir en voz alta.",
    urgent: "Si el dolor se vuelve demasiado o piensas en morir, no te quedes a solas: habla ahora con una persona.",
  },
  "Trabajo/Estudio": {
    title: "Consultas sobre trabajo y estudio",
    text: "Exámenes, un mal ambiente, un despido, dudas sobre el camino elegido: lo que pasa allí se viene a casa. Otras personas cuentan cómo les afecta, y profesionales les responden. No hace falta estar al límite para preguntar.",
  },
  Familia: {
    text: "En una familia caben el cariño y los conflictos, a veces en la misma mesa. Aquí se pregunta por la convivencia, los límites, la crianza o los silencios. Puedes contar lo tuyo sin que se sepa quién eres.",
    urgent: "Si en casa alguien te hace daño, o una niña o un niño corre peligro, hay líneas para eso.",
  },
  Adicciones: {
    text: "Beber, consumir, apostar o no poder soltar la pantalla no te hace peor persona. Aquí se pregunta sin reproches, por lo propio o por alguien a quien quieres, y responden profesionales. Un primer paso puede ser leer cómo lo cuentan otras personas.",
    urgent: "Si alguien corre peligro por lo que consumió, llama ya a emergencias: los números están a un toque.",
  },
  "Otro/a": {
    title: "Consultas sobre otros temas",
    text: "Hay cosas que no caben en una etiqueta: el sueño, la soledad, un cambio grande, algo que no sabes cómo llamar. Aquí están las consultas que no encajan en otro tema. Cuéntalo con tus palabras; no hace falta que tenga nombre.",
  },
};

const ofCountry = (country: Country): Introduction => ({
  title: `Consultas de ${country}`,
  text: `Desde ${country}, otras personas cuentan lo que les pasa, con su nombre o de forma anónima. Les responden psicólogas y psicólogos con matrícula verificada. Puedes leer sin cuenta y preguntar cuando quieras.`,
  urgent: `Si hay peligro ahora, no esperes una respuesta aquí: estas son las líneas de ${country}, atendidas por personas.`,
});

type TopicLink = { name: string; to: string };
const topicLinks: TopicLink[] = CATEGORIES.map((name) => ({
  name,
  to: href("/temas/:topic", { topic: CATEGORY_SLUGS[name] }),
}));
const countryLinks: TopicLink[] = COUNTRIES.map((name) => ({
  name,
  to: href("/paises/:country", { country: COUNTRY_SLUGS[name] }),
}));

const firstSentence = (text: string) => text.slice(0, text.indexOf(".") + 1);

export const allTopics = () => ({
  topics: CATEGORIES.map((name, at) => ({ ...topicLinks[at]!, text: firstSentence(TOPICS[name].text) })),
  countries: countryLinks,
});

const MOST_VOTED = 3;
const NEWEST = 10;

/** @throws AppError not_found for an unknown slug */
export async function loadTopic(
  { api, publicUrl, structuredData }: PageContext,
  slugs: { topic?: string; country?: string },
) {
  const category = nameOfSlug(CATEGORY_SLUGS, slugs.topic);
  const country = nameOfSlug(COUNTRY_SLUGS, slugs.country);
  if (!category && !country) throw new AppError("not_found");
  const { title, text, urgent } = category ? TOPICS[category] : ofCountry(country!);
  const links = category ? topicLinks : countryLinks;
  const current = links.find(({ name }) => name === (category ?? country))!;
  const filter = { category, country };
  const [voted, recent] = await Promise.all([
    api.consultations.list({ ...filter, sort: "votes" }),
    api.consultations.list(filter),
  ]);
  const short = (items: typeof recent.items) => items.map((item) => ({ ...item, content: excerpt(item.content) }));
  // A short list is shown once.
  const isLong = recent.items.length > NEWEST;
  const best = isLong ? voted.items.filter(({ response_count }) => response_count > 0).slice(0, MOST_VOTED) : [];
  const bestIds = new Set(best.map(({ id }) => id));
  structuredData.push(breadcrumbs(publicUrl, ["Temas y países", "/temas"], [current.name, current.to]));
  return {
    title: title ?? `Consultas sobre ${current.name.toLowerCase()}`,
    text,
    urgent: urgent ?? null,
    country: country ?? null,
    feed: `${current.to}/feed.xml`,
    voted: short(best),
    newest: short(recent.items.filter(({ id }) => !bestIds.has(id)).slice(0, NEWEST)),
    all: isLong ? `${withQuery("/", { categoria: category, pais: country })}#consultas` : null,
    others: links.filter((link) => link !== current),
  };
}

export type Topic = Awaited<ReturnType<typeof loadTopic>>;
