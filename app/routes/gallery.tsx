import { type ReactNode, useState } from "react";
import { AnswerCard } from "#app/answers/answer-card.tsx";
import AnswerDialog from "#app/answers/answer-dialog.tsx";
import { type Answering, ProfessionalBox } from "#app/answers/professional-box.tsx";
import AskDialog from "#app/consultations/ask-dialog.tsx";
import { ConsultationCard } from "#app/consultations/consultation-card.tsx";
import { OwnConsultation } from "#app/consultations/own-consultation.tsx";
import { PsychologistPanel, WeeklyPanel } from "#app/consultations/own-panels.tsx";
import { RelatedConsultations } from "#app/consultations/related-consultations.tsx";
import { ShareControl } from "#app/consultations/share-control.tsx";
import { CommunityPanel, DonationPanel, PsychologistCall } from "#app/consultations/sidebar.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { MembershipSummary } from "#app/memberships/membership-summary.tsx";
import { AnsweredBadge, GoldBadge, PendingBadge, VerifiedBadge } from "#app/parts/badges.tsx";
import { DeleteControl } from "#app/parts/edit-and-delete.tsx";
import {
  ANSWER,
  DAYS,
  FRESH,
  LINES,
  NAMED,
  NEWCOMER,
  NO_PLAN,
  NOW,
  OWN_ANSWER,
  PSYCHOLOGIST,
  QUESTION,
  REVIEW,
  REVIEWING,
  USED,
} from "#app/parts/examples.ts";
import { NewAnswersMark } from "#app/parts/new-answers-mark.tsx";
import { SkeletonAnswers, SkeletonList, SkeletonRanking, SkeletonRows } from "#app/parts/skeleton.tsx";
import Ranking from "#app/psychologists/ranking.tsx";
import { StatisticsOffer, StatisticsPanel } from "#app/psychologists/statistics.tsx";
import { RateDialog } from "#app/reviews/rate-dialog.tsx";
import { ReviewList } from "#app/reviews/review-list.tsx";
import { HelpLinesStrip } from "#app/safety/help-strip.tsx";
import { Button } from "#app/ui/button.tsx";
import { Sample, Samples } from "#app/ui/samples.tsx";
import { PhotoForm } from "#app/uploads/photo-form.tsx";

export const meta = () => pageMeta("Piezas de la interfaz");

const STATES: readonly Answering[] = [
  { state: "unlimited", free_responses_used: 3, max_free_responses: 3, free_answers_left: 0, payment_pending: false },
  { state: "free", free_responses_used: 2, max_free_responses: 3, free_answers_left: 1, payment_pending: false },
  {
    state: "limit_reached",
    free_responses_used: 3,
    max_free_responses: 3,
    free_answers_left: 0,
    payment_pending: false,
  },
  { state: "pending", free_responses_used: 0, max_free_responses: 3, free_answers_left: 3, payment_pending: false },
];

/** Shows all components in all states. Only the development server serves it, at /_ui. */
export default function Gallery() {
  return (
    <main id="contenido" className="page section">
      <h1 className="title-xl">Piezas de la interfaz</h1>
      <p className="soft">
        Solo mientras se desarrolla. El tema se cambia arriba, y el ancho, con la ventana: nada se desplaza hacia los
        lados.
      </p>
      <Samples now={NOW} />
      <Sample name="Insignias">
        <div className="row">
          <VerifiedBadge />
          <PendingBadge />
          <GoldBadge />
          <AnsweredBadge answered />
          <AnsweredBadge answered={false} />
          <NewAnswersMark count={1} />
          <NewAnswersMark count={3} shown="few words" />
          <NewAnswersMark count={120} shown="number" />
        </div>
      </Sample>
      <Sample name="Cargando">
        <SkeletonList label="Cargando consultas" count={2} />
        <SkeletonRanking label="Cargando el ranking" count={2} />
        <SkeletonAnswers label="Cargando respuestas" count={1} />
        <SkeletonRows label="Cargando la lista" count={1} />
      </Sample>
      <Sample name="Consultas en una lista">
        <div className="feed">
          <ConsultationCard consultation={QUESTION} now={NOW} />
          <ConsultationCard consultation={NAMED} now={NOW} onAnswer={() => {}} />
          <OwnConsultation
            consultation={{
              ...QUESTION,
              new_answers: 2,
              newest_answer: {
                id: NAMED.id,
                author: "Lic. Paula Rivarola",
                content: "El puesto cambió de manos; la amistad, no.",
              },
            }}
            now={NOW}
          />
          <OwnConsultation consultation={{ ...NAMED, new_answers: 0, newest_answer: null }} now={NOW} />
        </div>
        <RelatedConsultations consultations={[QUESTION, NAMED]} />
      </Sample>
      <Sample name="Respuestas">
        <div className="answers">
          <AnswerCard answer={ANSWER} now={NOW} tint={3} canReply signedIn address={() => "/_ui"} />
          <AnswerCard answer={OWN_ANSWER} now={NOW} tint={3} canReply={false} signedIn address={() => "/_ui"} />
        </div>
        <HelpLinesStrip groups={LINES} country="México" />
        <div className="row">
          <ShareControl
            url="https://divan.example/consulta/muestra-1"
            title={QUESTION.title}
            anonymous={false}
            mine={false}
          />
          <ShareControl url="https://divan.example/consulta/muestra-2" title={QUESTION.title} anonymous mine />
        </div>
      </Sample>
      <Sample name="Caja del profesional">
        {STATES.map((answering) => (
          <ProfessionalBox key={answering.state} consultationId={answering.state} answering={answering} />
        ))}
      </Sample>
      <Sample name="Ranking y reseñas">
        <Ranking
          psychologists={[
            { ...PSYCHOLOGIST, country: "Argentina", bio: "Trabajo con duelos.", viewer: REVIEWING },
            { ...NEWCOMER, country: null, bio: null, viewer: REVIEWING },
          ]}
          country={null}
          waiting={false}
          signedIn
          viewerId={NEWCOMER.id}
          headingLevel="h2"
        />
        <ReviewList
          psychologistId={PSYCHOLOGIST.id}
          now={NOW}
          own={{ id: "v2", rating: 4, comment: "Mía.", show_name: true }}
          reviews={[
            { ...REVIEW, comment: "Me escuchó.", author_label: "Usuario", by_colleague: false, mine: false },
            { ...REVIEW, id: "v3", comment: null, author_label: "Colega", by_colleague: true, mine: false },
            {
              ...REVIEW,
              id: "v2",
              rating: 4,
              comment: "Mía.",
              author_label: "Lucía B.",
              by_colleague: false,
              mine: true,
            },
          ]}
        />
      </Sample>
      <Sample name="Diálogos">
        <Dialogs />
      </Sample>
      <Sample name="Lateral">
        <div className="two-columns">
          <WeeklyPanel limit={FRESH} />
          <WeeklyPanel limit={USED} />
          {STATES.map((answering) => (
            <PsychologistPanel
              key={answering.state}
              panel={{ ...answering, answers: 12, votes: -1, rating: 4.5, unanswered_in_country: 7, country: "Chile" }}
            />
          ))}
          <PsychologistPanel panel={null} />
          <CommunityPanel numbers={{ consultations: 1284, psychologists: 96, answers: 3917 }} />
          <DonationPanel url="https://cafe.example/" />
          <PsychologistCall />
        </div>
      </Sample>
      <Sample name="Perfil">
        <PhotoForm name="Lic. Inés Quiroga" src={null} />
        <div className="two-columns">
          <MembershipSummary plans={NO_PLAN} hasGold />
          <MembershipSummary plans={NO_PLAN} hasGold={false} />
          <StatisticsOffer pending={false} />
        </div>
        <StatisticsPanel statistics={{ visits: 540, answers: 36, reviews: 9, votes: 88, days: DAYS }} />
      </Sample>
    </main>
  );
}

type Shown = "ask" | "limit" | "answer" | "unknown" | "rate" | "visitor";
const NAMES: Record<Shown, string> = {
  ask: "Nueva Consulta",
  limit: "Límite alcanzado",
  answer: "Responder",
  unknown: "Responder, sin saber el estado",
  rate: "Calificar",
  visitor: "Calificar sin sesión",
};

function Dialogs() {
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const rated = { ...PSYCHOLOGIST, country: null, bio: null, viewer: REVIEWING };
  const dialogs: Record<Shown, ReactNode> = {
    ask: <AskDialog limit={FRESH} helpLines={LINES} onClose={close} />,
    limit: <AskDialog limit={USED} helpLines={LINES} onClose={close} />,
    answer: <AnswerDialog consultation={QUESTION} answering={STATES[1]!} onClose={close} onSent={() => {}} />,
    unknown: <AnswerDialog consultation={QUESTION} answering={null} onClose={close} onSent={() => {}} />,
    rate: <RateDialog psychologist={rated} signedIn onClose={close} />,
    visitor: <RateDialog psychologist={rated} signedIn={false} onClose={close} />,
  };
  return (
    <div className="row">
      {(Object.keys(NAMES) as Shown[]).map((name) => (
        <Button key={name} variant="soft" onClick={() => setShown(name)}>
          {NAMES[name]}
        </Button>
      ))}
      <DeleteControl kind="consultation" id={QUESTION.id} />
      {shown && dialogs[shown]}
    </div>
  );
}
