import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { FLASH_MESSAGES } from "#app/lib/flash-messages.ts";
import { pluralize } from "#app/lib/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { Decision, UndoableDecisionView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import { focusNextRow } from "./row-focus.ts";
import "./undo-banners.css";

const WORDS: Record<Decision, { countdown: string; said?: string; noun: string }> = {
  psychologist_approved: { countdown: "El correo sale en", noun: "La aprobación de" },
  psychologist_rejected: { countdown: "El correo sale en", noun: "El rechazo de" },
  licence_checked_again: {
    countdown: "Puedes deshacerlo durante",
    said: "Hay que volver a mirarla en 12 meses.",
    noun: "La comprobación de la matrícula de",
  },
  consultation_deleted: {
    countdown: "Se borra en",
    // Same message for every author: mentioning a restored credit would reveal something about an anonymous author.
    said: "También sus respuestas; el crédito se devolvió si correspondía.",
    noun: "La eliminación de",
  },
};

const nameOf = ({ decision, name }: UndoableDecisionView) => (decision === "consultation_deleted" ? `«${name}»` : name);

/** Returns the decisions before each row, by row id; decisions after the last row under "". */
export function groupUndoBanners(
  decisions: readonly UndoableDecisionView[] | null,
  kinds: readonly Decision[],
  rows: readonly { id: string; created_at: string }[],
  order: "oldest first" | "newest first",
): Map<string, UndoableDecisionView[]> {
  const place = (at: string, id: string) => `${new Date(at).toISOString()} ${id}`;
  const places = new Map<string, UndoableDecisionView[]>();
  for (const one of decisions ?? []) {
    if (!kinds.includes(one.decision)) continue;
    const its = place(one.listed_at, one.target_id);
    const next = rows.find(({ created_at, id }) =>
      order === "oldest first" ? place(created_at, id) >= its : place(created_at, id) <= its,
    );
    const before = next?.id ?? "";
    places.set(before, [...(places.get(before) ?? []), one]);
  }
  return places;
}

export const UndoBanners = ({ of = [] }: { of?: readonly UndoableDecisionView[] }) =>
  of.map((decision) => <UndoBanner key={decision.id} decision={decision} />);

function useSecondsLeft({ id, seconds_left }: UndoableDecisionView, onLast: () => void): number {
  const [left, setLeft] = useState(seconds_left);
  const end = useEffectEvent(onLast);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts for another decision or response
  useEffect(() => {
    const since = performance.now();
    setLeft(seconds_left);
    const ticking = setInterval(() => {
      const now = seconds_left - Math.floor((performance.now() - since) / 1000);
      if (now <= 0) {
        clearInterval(ticking);
        end();
      }
      setLeft(now);
    }, 1000);
    return () => clearInterval(ticking);
  }, [id, seconds_left]);
  return left;
}

/** A recent decision with its undo button. The toast announces the decision, so screen readers skip the countdown. */
function UndoBanner({ decision: decided }: { decision: UndoableDecisionView }) {
  const strip = useRef<HTMLDivElement>(null);
  const left = useSecondsLeft(decided, () => {
    if (strip.current?.contains(document.activeElement)) focusNextRow(strip.current);
  });
  const { formData } = useNavigation();
  const undoing = formData?.get("intent") === "undo" && formData.get("id") === decided.id;
  const { id, decision, target_id, name } = decided;
  const { countdown, said, noun } = WORDS[decision];
  if (left <= 0 && !undoing)
    return <p className="undo-banner undo-banner--over">{`${noun} ${nameOf(decided)} quedó en firme.`}</p>;
  const { title } = FLASH_MESSAGES[decision];
  return (
    <div
      ref={strip}
      className="undo-banner"
      data-row={`d-${target_id}`}
      style={{ "--left": Math.max(0, left) / LIMITS.undoSeconds } as CSSProperties}
    >
      <Icon name="check" size="s" />
      <p>
        <b>{title}:</b> {nameOf(decided)}. {said} {countdown} {pluralize(left, "segundo", "segundos")}.
      </p>
      <ActionForm fields={{ intent: "undo", id, target_id }} preventScrollReset>
        <SubmitButton small icon={<Icon name="undo" size="s" />} busyText="Deshaciendo…">
          Deshacer
          <span className="visually-hidden">
            : {title}, {name}
          </span>
        </SubmitButton>
      </ActionForm>
    </div>
  );
}
