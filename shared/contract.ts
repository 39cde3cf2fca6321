import { accountsOperations } from "./accounts.ts";
import { adminOperations } from "./admin.ts";
import { answersOperations, repliesOperations } from "./answers.ts";
import { consultationsOperations } from "./consultations.ts";
import { contactOperations, inboxOperations } from "./contact.ts";
import { demoOperations } from "./demo-mails.ts";
import { goldOperations } from "./gold.ts";
import { funnelOperations, membershipsOperations, testPaymentsOperations } from "./memberships.ts";
import { notificationsOperations } from "./notifications.ts";
import { ownDataOperations } from "./own-data.ts";
import { ownProfileOperations, uploadsOperations } from "./own-profile.ts";
import { paymentsOperations } from "./payments.ts";
import { psychologistsOperations } from "./psychologists.ts";
import { registrationOperations } from "./registration.ts";
import { reviewsOperations } from "./reviews.ts";
import { safetyOperations } from "./safety.ts";
import { searchOperations } from "./search.ts";
import { secondFactorOperations } from "./second-factor.ts";
import { signInOperations } from "./sign-in.ts";

/** All API operations, under /api (specification, section 7). Each group is declared with its inputs and views. */
export const contract = {
  accounts: {
    ...signInOperations,
    ...registrationOperations,
    ...ownProfileOperations,
    ...accountsOperations,
  },
  secondFactor: secondFactorOperations,
  ownData: ownDataOperations,
  consultations: consultationsOperations,
  answers: answersOperations,
  replies: repliesOperations,
  reviews: reviewsOperations,
  psychologists: psychologistsOperations,
  search: searchOperations,
  uploads: uploadsOperations,
  safety: safetyOperations,
  contact: contactOperations,
  notifications: notificationsOperations,
  memberships: membershipsOperations,
  testPayments: testPaymentsOperations,
  inbox: inboxOperations,
  payments: paymentsOperations,
  gold: goldOperations,
  funnel: funnelOperations,
  admin: adminOperations,
  demo: demoOperations,
};
