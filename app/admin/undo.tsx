import { type CSSProperties, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { counted } from "#app/lib/numbers.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { UndoIcon } from "#app/ui/more-icons.tsx";
import type { UndoableDecisionView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import { useDeciding } from "./deciding.ts";
import { focusRowAfter } from "./next-row.ts";
import "./undo.css";

type Decision = UndoableDecisionView["decision"];

const WORDS: Record<Decision, { title: string; countdown: string }> = {
  approved: { title: "Psicólogo aprobado", countdown: "El correo sale en" },
  rejected: { title: "Psicólogo rechazado", countdown: "El correo sale en" },
  checked_again: { title: "Matrícula comprobada", countdown: "Puedes deshacerlo durante" },
  removed: { title: "Consulta eliminada", countdown: "Se borra en" },
};

/**
 * Where the strips of a list stand: each where its row stood, so that nothing jumps, or above it where it stays.
 * @returns the decisions before each row, by its id; those after the last row under ""
 */
export function placeStrips(
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

/** Strips that stand in one place. */
export const Strips = ({ of = [] }: { of?: readonly UndoableDecisionView[] }) =>
  of.map((decision) => <UndoStrip key={decision.id} decision={decision} />);

/** Counts the seconds down that the server said. */
function useSecondsLeft({ id, seconds_left }: UndoableDecisionView, onLast: () => void): number {
  const [left, setLeft] = useState(seconds_left);
  const last = useRef(onLast);
  last.current = onLast;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another decision, and another word of the server, begin anew
  useEffect(() => {
    const since = performance.now();
    setLeft(seconds_left);
    const ticking = setInterval(() => {
      const now = seconds_left - Math.floor((performance.now() - since) / 1000);
      if (now <= 0) {
        clearInterval(ticking);
        last.current();
      }
      setLeft(now);
    }, 1000);
    return () => clearInterval(ticking);
  }, [id, seconds_left]);
  return left;
}

/** A decision that was just taken, with the button that undoes it. The toast has announced it: the seconds are not read out. */
function UndoStrip({ decision: decided }: { decision: UndoableDecisionView }) {
  const strip = useRef<HTMLDivElement>(null);
  const left = useSecondsLeft(decided, () => {
    if (strip.current?.contains(document.activeElement)) focusRowAfter(strip.current);
  });
  const undoing = useDeciding(decided.id)("undo");
  if (left <= 0 && !undoing) return null;
  const { id, decision, target_id, name } = decided;
  const { title, countdown } = WORDS[decision];
  return (
    <div
      ref={strip}
      className="desk-undo"
      data-row={`d-${target_id}`}
      style={{ "--left": Math.max(0, left) / LIMITS.undoSeconds } as CSSProperties}
    >
      <CheckIcon size="s" />
      <p>
        <b>{title}:</b> {decision === "removed" ? `«${name}»` : name}. {countdown}{" "}
        {counted(left, "segundo", "segundos")}.
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="undo" />
        <input type="hidden" name="id" value={id} />
        <Button type="submit" small icon={<UndoIcon size="s" />} busy={undoing} busyText="Deshaciendo…">
          Deshacer
          <span className="visually-hidden">
            : {title}, {name}
          </span>
        </Button>
      </Form>
    </div>
  );
}
