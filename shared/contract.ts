import { oc } from "@orpc/contract";
import { z } from "zod";
import {
  AcceptedView,
  ConfirmedView,
  ConfirmInput,
  EmailInput,
  NewPasswordInput,
  PendingConfirmationView,
  SessionView,
  SignInInput,
  SignOutInput,
  SignUpInput,
  TokenInput,
} from "./accounts.ts";
import { NewAnswerInput, NewReplyInput } from "./answers.ts";
import {
  CommunityView,
  ConsultationDetailView,
  ConsultationInput,
  CreatedView,
  FeedInput,
  FeedView,
  NewConsultationInput,
  VoteInput,
  VoteResultView,
  WeeklyLimitView,
} from "./consultations.ts";
import {
  AdminSummaryView,
  DoneView,
  PendingPsychologistView,
  RejectionInput,
  UndeliveredMailView,
} from "./moderation.ts";
import { KeptMailView } from "./notifications.ts";
import { IdInput, PsychologistPanelView, PsychologistView } from "./psychologists.ts";
import { HelpLinesInput, HelpLinesView } from "./safety.ts";

const none = z.strictObject({});

/** Everything that can be asked of the server, under /api (specification, section 7). */
export const contract = {
  accounts: {
    session: oc.route({ method: "GET", path: "/session", summary: "Who is signed in" }).input(none).output(SessionView),
    renewSession: oc
      .route({ method: "POST", path: "/session/renewal", summary: "Keep the session alive" })
      .input(none)
      .output(SessionView),
    signUp: oc
      .route({
        method: "POST",
        path: "/registrations",
        successStatus: 202,
        summary: "Register; a mail asks for confirmation",
      })
      .input(SignUpInput)
      .output(AcceptedView),
    resendConfirmation: oc
      .route({
        method: "POST",
        path: "/registrations/mail",
        successStatus: 202,
        summary: "Send the confirmation mail again",
      })
      .input(EmailInput)
      .output(AcceptedView),
    pendingConfirmation: oc
      .route({ method: "POST", path: "/registrations/pending", summary: "What a confirmation link would confirm" })
      .input(TokenInput)
      .output(PendingConfirmationView),
    confirm: oc
      .route({
        method: "POST",
        path: "/accounts",
        successStatus: 201,
        summary: "Confirm the address: the account comes to be",
      })
      .input(ConfirmInput)
      .output(ConfirmedView),
    signIn: oc.route({ method: "POST", path: "/session", summary: "Sign in" }).input(SignInInput).output(SessionView),
    signOut: oc
      .route({ method: "DELETE", path: "/session", summary: "Sign out of this device, the others, or all" })
      .input(SignOutInput)
      .output(DoneView),
    requestRecovery: oc
      .route({
        method: "POST",
        path: "/recoveries",
        successStatus: 202,
        summary: "Ask for a mail to choose a new password",
      })
      .input(EmailInput)
      .output(AcceptedView),
    recover: oc
      .route({ method: "PUT", path: "/password", summary: "Choose a new password with the link of the mail" })
      .input(NewPasswordInput)
      .output(DoneView),
  },
  consultations: {
    list: oc
      .route({ method: "GET", path: "/consultations", summary: "The feed, a page at a time" })
      .input(FeedInput)
      .output(FeedView),
    get: oc
      .route({ method: "GET", path: "/consultations/{id}", summary: "One consultation with its answers" })
      .input(ConsultationInput)
      .output(ConsultationDetailView),
    create: oc
      .route({ method: "POST", path: "/consultations", successStatus: 201, summary: "Ask" })
      .input(NewConsultationInput)
      .output(CreatedView),
    vote: oc
      .route({ method: "PUT", path: "/consultations/{id}/vote", summary: "Set the viewer's vote" })
      .input(VoteInput)
      .output(VoteResultView),
    weeklyLimit: oc
      .route({ method: "GET", path: "/weekly-limit", summary: "The viewer's weekly limit" })
      .input(none)
      .output(WeeklyLimitView),
    community: oc
      .route({ method: "GET", path: "/community", summary: "Numbers of the community" })
      .input(none)
      .output(CommunityView),
  },
  answers: {
    create: oc
      .route({
        method: "POST",
        path: "/consultations/{id}/answers",
        successStatus: 201,
        summary: "Answer a consultation",
      })
      .input(NewAnswerInput)
      .output(CreatedView),
    vote: oc
      .route({ method: "PUT", path: "/answers/{id}/vote", summary: "Set the viewer's vote" })
      .input(VoteInput)
      .output(VoteResultView),
    reply: oc
      .route({ method: "POST", path: "/answers/{id}/replies", successStatus: 201, summary: "Reply to an answer" })
      .input(NewReplyInput)
      .output(CreatedView),
  },
  psychologists: {
    get: oc
      .route({ method: "GET", path: "/psychologists/{id}", summary: "A psychologist's public page" })
      .input(IdInput)
      .output(PsychologistView),
    panel: oc
      .route({ method: "GET", path: "/psychologists/me/panel", summary: "The signed-in psychologist's numbers" })
      .input(none)
      .output(PsychologistPanelView),
  },
  safety: {
    helpLines: oc
      .route({ method: "GET", path: "/help-lines", summary: "Help lines of a country" })
      .input(HelpLinesInput)
      .output(HelpLinesView),
    allHelpLines: oc
      .route({ method: "GET", path: "/help-lines/all", summary: "Help lines of every country" })
      .input(none)
      .output(z.array(HelpLinesView)),
  },
  admin: {
    summary: oc.route({ method: "GET", path: "/admin/summary" }).input(none).output(AdminSummaryView),
    pendingPsychologists: oc
      .route({ method: "GET", path: "/admin/psychologists/pending" })
      .input(none)
      .output(z.array(PendingPsychologistView)),
    approve: oc
      .route({ method: "PUT", path: "/admin/psychologists/{id}/verification" })
      .input(IdInput)
      .output(DoneView),
    reject: oc
      .route({ method: "DELETE", path: "/admin/psychologists/{id}/verification" })
      .input(RejectionInput)
      .output(DoneView),
    undeliveredMails: oc
      .route({ method: "GET", path: "/admin/mails" })
      .input(none)
      .output(z.array(UndeliveredMailView)),
    retryMail: oc.route({ method: "POST", path: "/admin/mails/{id}/retry" }).input(IdInput).output(DoneView),
  },
  demo: {
    mails: oc
      .route({ method: "GET", path: "/demo/mails", summary: "Mails kept by the demo" })
      .input(none)
      .output(z.array(KeptMailView)),
  },
};
