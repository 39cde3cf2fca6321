import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { useOncePerAnswer } from "#app/lib/once-per-answer.ts";
import { type Outcome, useOutcome } from "#app/lib/outcome.ts";
import { DownIcon, UpIcon } from "#app/ui/icon.tsx";
import { useToast } from "#app/ui/toast.tsx";
import type { CastVote, VoteResultView as Counts, Vote } from "#shared/votes.ts";
import { CHECKING_WORDS, UNKNOWN_WORDS } from "./press.tsx";
import { useRefusalToast } from "./refusal-toast.ts";

/** Returns the counts after a vote. They are shown at once and corrected by the server's response. */
function afterVote({ upvotes, downvotes, vote: before }: Counts, vote: Vote): Counts {
  const has = (mine: Vote | null, kind: CastVote) => (mine === kind ? 1 : 0);
  return {
    upvotes: upvotes - has(before, "up") + has(vote, "up"),
    downvotes: downvotes - has(before, "down") + has(vote, "down"),
    vote: vote === "none" ? null : vote,
  };
}

/** Shows toasts while the outcome of a vote is unknown and after it was counted. */
function useOutcomeToasts(outcome: Outcome | null, counted: boolean): void {
  const toast = useToast();
  const before = useRef<Outcome>(null);
  useEffect(() => {
    if (outcome === before.current) return;
    const checked = before.current !== null && counted;
    before.current = outcome;
    if (outcome === "checking") toast({ title: UNKNOWN_WORDS, description: CHECKING_WORDS });
    else if (outcome)
      toast({ title: UNKNOWN_WORDS, description: "No hay respuesta. Vota otra vez cuando tengas conexión." });
    else if (checked) toast({ title: "Tu voto ha llegado" });
  });
}

/**
 * Two buttons that set the viewer's vote. A second click on the same button revokes it. They are plain forms, so that
 * they work without JavaScript.
 */
export function VoteButtons({
  action,
  counts,
  locked = false,
  what,
  onVote,
  onCounted,
}: {
  action: string;
  counts: Counts;
  /** True to show the counts without buttons, because the viewer may not vote. */
  locked?: boolean;
  what: string;
  /** Called with the expected counts on click. */
  onVote?: (counts: Counts) => void;
  /** Called with the server's counts, for pages that do not reload them. */
  onCounted?: (counts: Counts) => void;
}) {
  const fetcher = useFetcher();
  const { data, outcome, fields } = useOutcome(fetcher);
  const counted: Counts | null = data && "upvotes" in data ? data : null;
  useRefusalToast(data);
  useOutcomeToasts(outcome, counted !== null);
  useOncePerAnswer(counted, (answered) => onCounted?.(answered));
  const sending = fields?.get("vote") as Vote | undefined;
  const shown = sending ? afterVote(counts, sending) : counts;
  const button = (kind: CastVote, number: number, words: string) => {
    const Icon = kind === "up" ? UpIcon : DownIcon;
    return (
      <button
        className={kind === "up" ? "vote" : "vote vote--down"}
        type="submit"
        name="vote"
        value={shown.vote === kind ? "none" : kind}
        aria-pressed={shown.vote === kind}
        disabled={locked}
      >
        <Icon />
        {number}
        <span className="visually-hidden">
          {" "}
          {words} {what}
        </span>
      </button>
    );
  };
  return (
    <fetcher.Form
      method="post"
      action={action}
      className="votes"
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        if (submitter instanceof HTMLButtonElement) onVote?.(afterVote(shown, submitter.value as Vote));
      }}
    >
      {button("up", shown.upvotes, "votos a favor")}
      {button("down", shown.downvotes, "votos en contra")}
    </fetcher.Form>
  );
}
