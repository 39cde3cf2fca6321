import { oc } from "@orpc/contract";
import { z } from "zod";
import {
  AcceptedView,
  AccountView,
  AnswerMailsInput,
  ChangePasswordInput,
  ConfirmedView,
  ConfirmInput,
  ConsentInput,
  EmailInput,
  EmailLinkView,
  FollowedEmailLinkView,
  NewPasswordInput,
  OwnProfileView,
  PasswordInput,
  PendingConfirmationView,
  ProfileInput,
  ProfileSavedView,
  SessionView,
  SignedInView,
  SignInInput,
  SignOutInput,
  SignUpInput,
  TokenInput,
} from "./accounts.ts";
import {
  AdminConsultationsInput,
  AdminConsultationsView,
  AdminPsychologistsInput,
  AdminPsychologistsView,
  AdminSummaryView,
  DecisionInput,
  DoneView,
  OverdueHelpLineView,
  PendingPsychologistsInput,
  PendingPsychologistView,
  RejectionInput,
  RemovedConsultationView,
  UndeliveredMailView,
  UndoableDecisionView,
  UndoInput,
  VerificationView,
} from "./admin.ts";
import {
  AnswersInput,
  AnswersView,
  EditAnswerInput,
  EditReplyInput,
  NewAnswerInput,
  NewReplyInput,
  OwnWordsView,
  RepliesInput,
  RepliesView,
} from "./answers.ts";
import {
  CommunityView,
  ConsultationDetailView,
  ConsultationInput,
  CreatedView,
  EditConsultationInput,
  FeedInput,
  FeedView,
  NewConsultationInput,
  OwnConsultationsInput,
  OwnFeedView,
  VoteInput,
  VoteResultView,
  WeeklyLimitView,
} from "./consultations.ts";
import { ContactInput, InboxView } from "./contact.ts";
import {
  CancellationView,
  CancelledView,
  CheckoutInput,
  CheckoutView,
  EventInput,
  FunnelView,
  MembershipView,
  PaymentsView,
  PlansView,
  RetryCancellationInput,
  TestDecisionInput,
} from "./memberships.ts";
import { KeptMailView } from "./notifications.ts";
import { CloseInput, ClosingView, ExportView } from "./own-data.ts";
import {
  IdInput,
  PsychologistPanelView,
  PsychologistView,
  RankedView,
  RankingInput,
  StatisticsView,
} from "./psychologists.ts";
import { ReviewedView, ReviewInput } from "./reviews.ts";
import { HelpLinesInput, HelpLinesView } from "./safety.ts";
import { CodeInput, RecoveryCodesView, SecondFactorView } from "./second-factor.ts";
import { PhotoInput, PhotoView } from "./uploads.ts";

const none = z.strictObject({});

/** All API operations, under /api (specification, section 7). */
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
    signIn: oc.route({ method: "POST", path: "/session", summary: "Sign in" }).input(SignInInput).output(SignedInView),
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
    reauthenticate: oc
      .route({
        method: "POST",
        path: "/session/password",
        summary: "Give the password again before a sensitive change",
      })
      .input(PasswordInput)
      .output(SessionView),
    endSession: oc
      .route({ method: "DELETE", path: "/sessions/{id}", summary: "End one of one's own sessions" })
      .input(IdInput)
      .output(DoneView),
    account: oc
      .route({ method: "GET", path: "/account", summary: "One's own account and its sessions" })
      .input(none)
      .output(AccountView),
    changePassword: oc
      .route({ method: "PUT", path: "/account/password", summary: "Choose another password" })
      .input(ChangePasswordInput)
      .output(SessionView),
    changeEmail: oc
      .route({
        method: "POST",
        path: "/account/email",
        successStatus: 202,
        summary: "Ask for another address; a mail to it asks for confirmation",
      })
      .input(EmailInput)
      .output(AcceptedView),
    resendEmailChange: oc
      .route({
        method: "POST",
        path: "/account/email/mail",
        successStatus: 202,
        summary: "Send the mail to the new address again",
      })
      .input(none)
      .output(AcceptedView),
    cancelEmailChange: oc
      .route({ method: "DELETE", path: "/account/email", summary: "Keep the address" })
      .input(none)
      .output(DoneView),
    setConsent: oc
      .route({ method: "PUT", path: "/account/consents", summary: "Give a consent or withdraw it" })
      .input(ConsentInput)
      .output(DoneView),
    emailLink: oc
      .route({ method: "POST", path: "/email-links/pending", summary: "What a link about an address would do" })
      .input(TokenInput)
      .output(EmailLinkView),
    applyEmailLink: oc
      .route({ method: "POST", path: "/email-links", summary: "Confirm a new address, or take the change back" })
      .input(TokenInput)
      .output(FollowedEmailLinkView),
    deviceLink: oc
      .route({ method: "POST", path: "/device-links/pending", summary: "Whether a link would make a browser known" })
      .input(TokenInput)
      .output(DoneView),
    applyDeviceLink: oc
      .route({
        method: "POST",
        path: "/device-links",
        summary: "Make this browser known to the account of a mailed link",
      })
      .input(TokenInput)
      .output(DoneView),
    setAnswerMails: oc
      .route({ method: "PUT", path: "/account/answer-mails", summary: "Turn mails about answers on or off" })
      .input(AnswerMailsInput)
      .output(DoneView),
    unsubscribe: oc
      .route({ method: "POST", path: "/unsubscriptions", summary: "End mails about answers with a mail's link" })
      .input(TokenInput)
      .output(DoneView),
    profile: oc
      .route({ method: "GET", path: "/profile", summary: "One's own profile" })
      .input(none)
      .output(OwnProfileView),
    updateProfile: oc
      .route({ method: "PUT", path: "/profile", summary: "Change one's own profile" })
      .input(ProfileInput)
      .output(ProfileSavedView),
  },
  secondFactor: {
    read: oc
      .route({ method: "GET", path: "/account/second-factor", summary: "How one's second factor stands" })
      .input(none)
      .output(SecondFactorView),
    begin: oc
      .route({ method: "POST", path: "/account/second-factor", summary: "Begin to set up a second factor" })
      .input(none)
      .output(SecondFactorView),
    confirm: oc
      .route({
        method: "PUT",
        path: "/account/second-factor",
        summary: "Turn the second factor on with its first code",
      })
      .input(CodeInput)
      .output(RecoveryCodesView),
    remove: oc
      .route({ method: "DELETE", path: "/account/second-factor", summary: "Turn the second factor off" })
      .input(none)
      .output(DoneView),
    renewCodes: oc
      .route({
        method: "POST",
        path: "/account/second-factor/recovery-codes",
        summary: "Make new recovery codes in place of the older ones",
      })
      .input(none)
      .output(RecoveryCodesView),
    signIn: oc
      .route({ method: "POST", path: "/session/second-factor", summary: "The second step of signing in" })
      .input(CodeInput)
      .output(SessionView),
  },
  ownData: {
    export: oc
      .route({ method: "POST", path: "/account/export", summary: "Everything that is kept about oneself" })
      .input(none)
      .output(ExportView),
    closing: oc
      .route({
        method: "GET",
        path: "/account/closing",
        summary: "What goes and what stays when the account is deleted",
      })
      .input(none)
      .output(ClosingView),
    close: oc
      .route({ method: "DELETE", path: "/account", summary: "Delete one's own account, for good" })
      .input(CloseInput)
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
    edit: oc
      .route({ method: "PATCH", path: "/consultations/{id}", summary: "Correct one's own consultation" })
      .input(EditConsultationInput)
      .output(DoneView),
    delete: oc
      .route({ method: "DELETE", path: "/consultations/{id}", summary: "Delete one's own consultation" })
      .input(IdInput)
      .output(DoneView),
    vote: oc
      .route({ method: "PUT", path: "/consultations/{id}/vote", summary: "Set the viewer's vote" })
      .input(VoteInput)
      .output(VoteResultView),
    mine: oc
      .route({ method: "GET", path: "/profile/consultations", summary: "One's own consultations, newest first" })
      .input(OwnConsultationsInput)
      .output(OwnFeedView),
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
    list: oc
      .route({
        method: "GET",
        path: "/consultations/{id}/answers",
        summary: "The answers of a consultation, a page at a time",
      })
      .input(AnswersInput)
      .output(AnswersView),
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
    own: oc
      .route({ method: "GET", path: "/answers/{id}", summary: "One's own answer, to correct it" })
      .input(IdInput)
      .output(OwnWordsView),
    edit: oc
      .route({ method: "PATCH", path: "/answers/{id}", summary: "Correct one's own answer" })
      .input(EditAnswerInput)
      .output(DoneView),
    delete: oc
      .route({ method: "DELETE", path: "/answers/{id}", summary: "Delete one's own answer" })
      .input(IdInput)
      .output(DoneView),
  },
  replies: {
    list: oc
      .route({
        method: "GET",
        path: "/answers/{id}/replies",
        summary: "The replies to an answer, oldest first, a page at a time",
      })
      .input(RepliesInput)
      .output(RepliesView),
    own: oc
      .route({ method: "GET", path: "/replies/{id}", summary: "One's own reply, to correct it" })
      .input(IdInput)
      .output(OwnWordsView),
    edit: oc
      .route({ method: "PATCH", path: "/replies/{id}", summary: "Correct one's own reply" })
      .input(EditReplyInput)
      .output(DoneView),
    delete: oc
      .route({ method: "DELETE", path: "/replies/{id}", summary: "Delete one's own reply" })
      .input(IdInput)
      .output(DoneView),
  },
  reviews: {
    put: oc
      .route({
        method: "PUT",
        path: "/psychologists/{id}/review",
        summary: "Set the viewer's review of a psychologist",
      })
      .input(ReviewInput)
      .output(ReviewedView),
    delete: oc
      .route({ method: "DELETE", path: "/psychologists/{id}/review", summary: "Delete the viewer's review" })
      .input(IdInput)
      .output(ReviewedView),
  },
  psychologists: {
    ranking: oc
      .route({ method: "GET", path: "/psychologists", summary: "The first ten of the ranking" })
      .input(RankingInput)
      .output(z.array(RankedView)),
    recordView: oc
      .route({ method: "POST", path: "/psychologists/{id}/views", summary: "Record a visit; true for everybody" })
      .input(IdInput)
      .output(z.boolean()),
    viewCount: oc
      .route({ method: "GET", path: "/psychologists/{id}/views", summary: "Visits, for the owner with Gold" })
      .input(IdInput)
      .output(z.number()),
    statistics: oc
      .route({ method: "GET", path: "/psychologists/{id}/statistics", summary: "Statistics, for the owner with Gold" })
      .input(IdInput)
      .output(StatisticsView),
    get: oc
      .route({ method: "GET", path: "/psychologists/{id}", summary: "A psychologist's public page" })
      .input(IdInput)
      .output(PsychologistView),
    panel: oc
      .route({ method: "GET", path: "/psychologists/me/panel", summary: "The signed-in psychologist's numbers" })
      .input(none)
      .output(PsychologistPanelView),
  },
  uploads: {
    photo: oc
      .route({
        method: "POST",
        path: "/profile/photo",
        successStatus: 201,
        summary: "Upload one's photo: a form with one file, below 5 MB (JPEG, PNG, WebP or GIF)",
      })
      .input(PhotoInput)
      .output(PhotoView),
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
  contact: {
    send: oc
      .route({ method: "POST", path: "/contact", successStatus: 201, summary: "Write to the team" })
      .input(ContactInput)
      .output(DoneView),
  },
  memberships: {
    plans: oc
      .route({ method: "GET", path: "/plans", summary: "Plans, prices and one's own membership" })
      .input(none)
      .output(PlansView),
    mine: oc
      .route({ method: "GET", path: "/memberships", summary: "One's own memberships and payments, the newest first" })
      .input(none)
      .output(z.array(MembershipView)),
    beginCheckout: oc
      .route({ method: "POST", path: "/checkouts", successStatus: 201, summary: "Begin a checkout" })
      .input(CheckoutInput)
      .output(CheckoutView),
    checkout: oc
      .route({ method: "GET", path: "/checkouts/{id}", summary: "The status of a checkout" })
      .input(IdInput)
      .output(CheckoutView),
    reconcileCheckout: oc
      .route({ method: "POST", path: "/checkouts/{id}/reconciliation", summary: "Read the payment provider again" })
      .input(IdInput)
      .output(CheckoutView),
    cancel: oc
      .route({ method: "DELETE", path: "/memberships/{id}", summary: "Cancel a monthly membership" })
      .input(IdInput)
      .output(CancelledView),
    retryCancellation: oc
      .route({
        method: "POST",
        path: "/cancel-payment-subscription",
        summary: "Send a cancellation to the payment provider again",
      })
      .input(RetryCancellationInput)
      .output(CancellationView),
    trackEvent: oc
      .route({ method: "POST", path: "/events", successStatus: 201, summary: "Count a view of the plans" })
      .input(EventInput)
      .output(DoneView),
  },
  testPayments: {
    decide: oc.route({ method: "PUT", path: "/test-payments/{id}" }).input(TestDecisionInput).output(CheckoutView),
  },
  inbox: {
    read: oc.route({ method: "GET", path: "/admin/messages" }).input(none).output(InboxView),
    handle: oc.route({ method: "PUT", path: "/admin/messages/{id}/handling" }).input(DecisionInput).output(DoneView),
  },
  payments: {
    read: oc.route({ method: "GET", path: "/admin/payments" }).input(none).output(PaymentsView),
    handle: oc.route({ method: "PUT", path: "/admin/payments/{id}/handling" }).input(DecisionInput).output(DoneView),
  },
  funnel: {
    read: oc.route({ method: "GET", path: "/admin/funnel" }).input(none).output(FunnelView),
  },
  admin: {
    summary: oc.route({ method: "GET", path: "/admin/summary" }).input(none).output(AdminSummaryView),
    pendingPsychologists: oc
      .route({ method: "GET", path: "/admin/psychologists/pending" })
      .input(PendingPsychologistsInput)
      .output(z.array(PendingPsychologistView)),
    approve: oc
      .route({ method: "PUT", path: "/admin/psychologists/{id}/verification" })
      .input(DecisionInput)
      .output(VerificationView),
    reject: oc
      .route({ method: "DELETE", path: "/admin/psychologists/{id}/verification" })
      .input(RejectionInput)
      .output(VerificationView),
    psychologists: oc
      .route({ method: "GET", path: "/admin/psychologists" })
      .input(AdminPsychologistsInput)
      .output(AdminPsychologistsView),
    consultations: oc
      .route({ method: "GET", path: "/admin/consultations" })
      .input(AdminConsultationsInput)
      .output(AdminConsultationsView),
    deleteConsultation: oc
      .route({ method: "DELETE", path: "/admin/consultations/{id}" })
      .input(DecisionInput)
      .output(RemovedConsultationView),
    undoable: oc
      .route({ method: "GET", path: "/admin/decisions/undoable" })
      .input(none)
      .output(z.array(UndoableDecisionView)),
    undo: oc.route({ method: "POST", path: "/admin/decisions/{id}/undo" }).input(UndoInput).output(DoneView),
    overdueHelpLines: oc
      .route({ method: "GET", path: "/admin/help-lines/overdue" })
      .input(none)
      .output(z.array(OverdueHelpLineView)),
    undeliveredMails: oc
      .route({ method: "GET", path: "/admin/mails" })
      .input(none)
      .output(z.array(UndeliveredMailView)),
    retryMail: oc.route({ method: "POST", path: "/admin/mails/{id}/retry" }).input(DecisionInput).output(DoneView),
  },
  demo: {
    mails: oc
      .route({ method: "GET", path: "/demo/mails", summary: "Mails kept by the demo" })
      .input(none)
      .output(z.array(KeptMailView)),
  },
};
