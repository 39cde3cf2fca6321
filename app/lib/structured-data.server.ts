import { CATEGORIES } from "#shared/categories.ts";
import type { ConsultationDetailView } from "#shared/consultations.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { UUID_PATTERN } from "#shared/ids.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { PsychologistView } from "#shared/psychologists.ts";
import { CATEGORY_SLUGS, COUNTRY_SLUGS } from "#shared/slugs.ts";
import { withQuery } from "./with-query.ts";

export const breadcrumbs = (publicUrl: string, ...trail: [name: string, path: string][]) => ({
  "@type": "BreadcrumbList",
  itemListElement: [[PRODUCT_NAME, "/"], ...trail].map(([name, path], at) => ({
    "@type": "ListItem",
    position: at + 1,
    name,
    item: `${publicUrl}${path}`,
  })),
});

const votesOf = ({ upvotes, downvotes }: { upvotes: number; downvotes: number }) => upvotes - downvotes;
const datesOf = ({ created_at, edited_at }: { created_at: string; edited_at: string | null }) => ({
  datePublished: created_at,
  ...(edited_at && { dateModified: edited_at }),
});

/** None if its author chose `noindex`. An anonymous question has no author. */
export function questionPage({ consultation, answers }: ConsultationDetailView, publicUrl: string): object[] {
  const { id, title, content, category, is_anonymous, author_label, response_count } = consultation;
  if (consultation.noindex) return [];
  const path = `/consulta/${id}`;
  const topic = CATEGORIES.find((name) => name === category);
  const trail = breadcrumbs(
    publicUrl,
    ...(topic ? [[topic, `/temas/${CATEGORY_SLUGS[topic]}`] as [string, string]] : []),
    [title, path],
  );
  if (!answers.length) return [trail];
  const question = {
    "@type": "Question",
    name: title,
    text: content,
    url: `${publicUrl}${path}`,
    ...datesOf(consultation),
    ...(!is_anonymous && { author: { "@type": "Person", name: author_label } }),
    upvoteCount: votesOf(consultation),
    answerCount: response_count,
    suggestedAnswer: answers.map((answer) => ({
      "@type": "Answer",
      text: answer.content,
      url: `${publicUrl}${path}#respuesta-${answer.id}`,
      ...datesOf(answer),
      upvoteCount: votesOf(answer),
      author: {
        "@type": "Person",
        name: answer.psychologist.full_name,
        url: `${publicUrl}/psicologo/${answer.psychologist.id}`,
      },
    })),
  };
  return [{ "@type": "QAPage", mainEntity: question }, trail];
}

/** Has no phone number and no links that the psychologist wrote. */
export function profilePage(psychologist: PsychologistView, publicUrl: string): object[] {
  const { id, full_name, avatar_url, bio, specialty, country, license_badge, is_verified } = psychologist;
  const path = `/psicologo/${id}`;
  const person = {
    "@type": "Person",
    name: full_name,
    url: `${publicUrl}${path}`,
    ...(avatar_url && { image: `${publicUrl}${avatar_url}` }),
    ...(bio && { description: bio }),
    ...(specialty && { jobTitle: specialty }),
    ...(country && { workLocation: { "@type": "Country", name: country } }),
    ...(is_verified && {
      hasCredential: { "@type": "EducationalOccupationalCredential", identifier: license_badge },
    }),
    agentInteractionStatistic: {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/WriteAction",
      userInteractionCount: psychologist.total_responses,
    },
  };
  return [
    { "@type": "ProfilePage", mainEntity: person },
    breadcrumbs(publicUrl, ["Ranking de Psicólogos", "/?vista=ranking"], [full_name, path]),
  ];
}

/** Public pages that their path names completely. Their parameters only sort, page or prefill. */
const NAMED_BY_PATH = new RegExp(
  `^/(home|auth|contacto|terms|privacy|temas(/[a-z-]+)?|paises/[a-z-]+|(consulta|psicologo)/${UUID_PATTERN})$`,
);

function canonicalPath({ pathname, searchParams }: URL): string | null {
  const path = pathname.replace(/(.)\/$/, "$1");
  if (NAMED_BY_PATH.test(path)) return path;
  const country = COUNTRIES.find((name) => name === searchParams.get("pais"));
  if (path === "/ayuda") return withQuery(path, { pais: country });
  if (path !== "/") return null;
  if (searchParams.get("vista") === "ranking") return withQuery(path, { vista: "ranking", pais: country });
  const category = CATEGORIES.find((name) => name === searchParams.get("categoria"));
  if (category) return `/temas/${CATEGORY_SLUGS[category]}`;
  return country ? `/paises/${COUNTRY_SLUGS[country]}` : "/";
}

/** Returns the URL under which search engines list a page, or null for a page that they must not list. */
export function canonicalUrl(url: URL, publicUrl: string): string | null {
  const path = canonicalPath(url);
  return path && publicUrl + path;
}
