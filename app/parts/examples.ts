/** Fictional consultations, answers and numbers for the gallery. */

import type { AnswerView, PsychologistCardView } from "#shared/answers.ts";
import type { ConsultationView, WeeklyLimitView } from "#shared/consultations.ts";
import type { PlansView } from "#shared/memberships.ts";
import type { StatisticsView } from "#shared/psychologists.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { DAY } from "#shared/time.ts";

export const NOW = "2026-11-20T22:00:00.000Z";
const BEFORE = "2026-11-20T19:30:00.000Z";

export const QUESTION: ConsultationView = {
  id: "muestra-1",
  title: "Me despierto a las tres con el corazón acelerado y ya no puedo volver a dormir",
  content:
    "Me pasa desde hace como dos meses, casi todas las noches. No tengo un problema grande en este momento, pero mi cabeza empieza a repasar todo lo que falta: el trabajo, la renta, una conversación que tuve en 2019.\n\nYa probé dejar el celular fuera del cuarto.",
  country: "México",
  category: "Ansiedad",
  is_anonymous: true,
  author_label: "Anónimo",
  created_at: BEFORE,
  edited_at: null,
  upvotes: 14,
  downvotes: 0,
  response_count: 2,
};
export const NAMED: ConsultationView = {
  ...QUESTION,
  id: "muestra-2",
  title: "¿Es normal llorar antes de entrar al trabajo?",
  category: null,
  is_anonymous: false,
  author_label: "Marina G.",
  edited_at: NOW,
  response_count: 0,
};

export const PSYCHOLOGIST: PsychologistCardView = {
  id: "muestra-p",
  full_name: "Lic. Inés Quiroga",
  avatar_url: "/retrato-1.svg",
  specialty: "Psicología Clínica",
  is_verified: true,
  has_gold: true,
  rating: 4.7,
  total_reviews: 38,
  total_responses: 112,
};
export const NEWCOMER: PsychologistCardView = {
  ...PSYCHOLOGIST,
  id: "muestra-q",
  full_name: "Mtro. Andrés Villaseñor",
  avatar_url: null,
  has_gold: false,
  rating: null,
  total_reviews: 0,
};
const CANNOT = { edit: false, delete: false };
export const ANSWER: AnswerView = {
  id: "muestra-a",
  content: "La vergüenza crece con el silencio.\n\n¿Qué pasaría si escribieras una sola línea a una de ellas?",
  created_at: BEFORE,
  edited_at: null,
  upvotes: 11,
  downvotes: 0,
  psychologist: PSYCHOLOGIST,
  reply_count: 24,
  next_replies_cursor: "muestra",
  replies: [
    { id: "r1", content: "Le escribí a una.", created_at: NOW, edited_at: null, viewer: { can: CANNOT } },
    {
      id: "r2",
      content: "Lo corregí.",
      created_at: NOW,
      edited_at: NOW,
      viewer: { can: { edit: true, delete: true } },
    },
  ],
  viewer: { vote: "up", replies: [], can: { vote: true, ...CANNOT } },
};
export const OWN_ANSWER: AnswerView = {
  ...ANSWER,
  id: "muestra-b",
  edited_at: NOW,
  psychologist: NEWCOMER,
  replies: [],
  reply_count: 0,
  next_replies_cursor: null,
  viewer: { vote: null, replies: [], can: { vote: false, edit: true, delete: true } },
};

export const FRESH: WeeklyLimitView = {
  used: 0,
  max_consultations: 1,
  days_until_reset: 7,
  resets_at: null,
  country: null,
};
export const USED: WeeklyLimitView = {
  used: 1,
  max_consultations: 1,
  days_until_reset: 4,
  resets_at: "2026-11-27T00:14:00.000Z",
  country: "México",
};
const line = (name: string, number: string, kind: string) => ({
  country: "México",
  name,
  kind,
  shown_number: number,
  dial_number: number,
  channel: "phone",
  contact_url: null,
  hours: "24/7",
  cost: "Gratis",
  reach: null,
  official_url: null,
  verified_on: "2026-10-01",
});
export const LINES: HelpLinesView = {
  country: "México",
  first: [line("Línea de muestra", "000", "crisis")],
  emergency: [line("Emergencias de muestra", "111", "emergency")],
  others: [],
};
export const REVIEWING = { can: { review: true }, review: null };
export const REVIEW = { id: "v1", rating: 5, created_at: BEFORE, edited_at: null };
export const DAYS: StatisticsView["days"] = Array.from({ length: 90 }, (_, at) => ({
  date: new Date(Date.parse(NOW) - (89 - at) * DAY).toISOString().slice(0, 10),
  visits: (at * 7) % 13,
  answers: at % 5 === 0 ? 2 : 0,
  reviews: at % 11 === 0 ? 1 : 0,
  votes: ((at * 3) % 7) - 2,
}));
export const NO_PLAN: PlansView = {
  prices: [],
  methods: [],
  paypal: null,
  promotion: { places: 100, places_left: 63 },
  membership: null,
  granted: null,
  pending_checkout: null,
  history: [],
  refusal: null,
};
