import { useEffect, useRef } from "react";
import { type FetcherSubmitFunction, useFetcher, useLocation } from "react-router";
import { useAuth } from "#app/lib/auth-context.tsx";
import { deleteDraft, readDraft, saveDraft } from "#app/lib/drafts.ts";
import { Icon } from "#app/ui/icon.tsx";
import { useToast } from "#app/ui/toast.tsx";
import type { CastVote, VoteResultView as Counts, Vote } from "#shared/votes.ts";
import { ActionForm, useForm } from "./action-form.tsx";
import { CHECKING_WORDS, type Outcome, UNKNOWN_WORDS, useOutcome } from "./press.tsx";

function afterVote({ upvotes, downvotes, vote: before }: Counts, vote: Vote): Counts {
  const has = (mine: Vote | null, kind: CastVote) => (mine === kind ? 1 : 0);
  return {
    upvotes: upvotes - has(before, "up") + has(vote, "up"),
    downvotes: downvotes - has(before, "down") + has(vote, "down"),
    vote: vote === "none" ? null : vote,
  };
}

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

const VOTE_DRAFT = "vote";

/** Only a click in this tab stores the draft, so a link from another site can move the focus but cannot vote. */
function useVoteBeforeSigningIn(id: string, action: string, submit: FetcherSubmitFunction) {
  const form = useRef<HTMLFormElement>(null);
  const { hash } = useLocation();
  const signedIn = useAuth().viewer !== null;
  useEffect(() => {
    if (hash !== `#${id}` || !signedIn) return;
    const kept = readDraft(VOTE_DRAFT);
    form.current?.querySelector<HTMLElement>(kept?.vote === "down" ? ".vote--down" : ".vote")?.focus();
    deleteDraft(VOTE_DRAFT);
    if (kept?.action === action) submit({ vote: String(kept.vote) }, { method: "post", action });
  }, [hash, id, signedIn, action, submit]);
  return { form, signedIn };
}

type VoteButtonsProps = { id: string; action: string; counts: Counts; locked?: boolean; what: string };

/** A second click on the same button revokes the vote. */
export function VoteButtons({ id, action, counts, locked = false, what }: VoteButtonsProps) {
  const fetcher = useFetcher();
  const { data, outcome, fields } = useOutcome(fetcher);
  const { form, signedIn } = useVoteBeforeSigningIn(id, action, fetcher.submit);
  useForm(data, { toast: true, place: `#${id}` });
  useOutcomeToasts(outcome, data != null && "upvotes" in data);
  const sending = fields?.get("vote") as Vote | undefined;
  const shown = sending ? afterVote(counts, sending) : counts;
  const button = (kind: CastVote, number: number, words: string) => (
    <button
      className={kind === "up" ? "vote pill small" : "vote vote--down pill small"}
      type="submit"
      name="vote"
      value={shown.vote === kind ? "none" : kind}
      aria-pressed={shown.vote === kind}
      disabled={locked}
    >
      <Icon name={kind} />
      {number}
      <span className="visually-hidden">{` ${number === 1 ? "voto" : "votos"} ${words} ${what}`}</span>
    </button>
  );
  return (
    <ActionForm
      ref={form}
      fetcher={fetcher}
      id={id}
      action={action}
      className="votes"
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        if (!signedIn && submitter instanceof HTMLButtonElement)
          saveDraft(VOTE_DRAFT, { action, vote: submitter.value });
      }}
    >
      {button("up", shown.upvotes, "a favor")}
      {button("down", shown.downvotes, "en contra")}
    </ActionForm>
  );
}
