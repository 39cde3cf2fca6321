/**
 * Every number that limits what people send or do, with its reason. Lengths are in Unicode code points.
 * The same numbers are HTML attributes in the pages and rules on the server.
 */
export const LIMITS = {
  /** A title must say something (5) and fit two lines of a card (140). */
  title: { min: 5, max: 140 },
  /** One sentence at least; 5,000 is about two printed pages, more than people read on a phone. */
  content: { min: 20, max: 5000 },
  /** A real answer or reply starts at a word or two ("Gracias"). */
  answer: { min: 2, max: 5000 },
  reply: { min: 2, max: 5000 },
  review: { min: 0, max: 1000 },
  bio: { min: 0, max: 1500 },
  name: { min: 2, max: 80 },
  /** Ten is what current guidance asks without composition rules; 128 keeps hashing bounded. */
  password: { min: 10, max: 128 },
  /** Six digits, or a recovery code with any hyphens and spaces. */
  code: { max: 40 },
  /** RFC 5321: the longest address that can be delivered. */
  email: { max: 254 },
  licence: { min: 3, max: 40 },
  phone: { min: 6, max: 30 },
  website: { max: 200 },
  rejectionReason: { max: 1000 },
  /** A message to the team: a sentence at least, at most what a long e-mail holds. */
  contactMessage: { min: 10, max: 5000 },
  /** One consultation per person in a window of seven days that starts with the first one. */
  weeklyConsultations: 1,
  weeklyWindowDays: 7,
  /** Answers a psychologist gives before Gold is needed. */
  freeAnswers: 3,
  /** A page of the feed: about six phone screens. */
  feedPage: 20,
  /** The administrator's list of consultations, a page at a time (specification, section 2), and of psychologists. */
  adminConsultations: 10,
  adminPsychologists: 20,
  /** A few search words. */
  adminSearch: { max: 100 },
  /** Consultations that one search of the administrator looks through: about 50 ms; the next page goes on from there. */
  adminSearchWindow: 20_000,
  /** A page of a consultation's answers: most have fewer, and ten with their replies are ten phone screens. */
  answersPage: 10,
  /** A page of an answer's replies. */
  repliesPage: 20,
  /**
   * Bytes of text on a consultation's page, answers and replies together: 20 of the longest replies fit. Where many long
   * ones meet, each answer shows fewer of its replies, and at least the first.
   */
  consultationTexts: 120_000,
  /** Bytes of text of one's own newest replies besides; at least the newest of all is there. */
  ownLatestTexts: 24_000,
  /** The user's newest own replies shown under an answer before their page is loaded. */
  ownLatestReplies: 3,
  /** Replies of one person to one answer within 24 hours: a long exchange; beyond it one voice fills the page. */
  repliesPerDay: 20,
  /** The last answers on a psychologist's public page. */
  profileAnswers: 10,
  /** Answers with unread replies on a psychologist's own page; reading one makes room for the next. */
  repliedAnswers: 10,
  /** Reviews on a psychologist's public page: more than anyone reads. */
  profileReviews: 50,
  /** Characters of a text of which three lines are shown. */
  excerpt: 400,
  /** Sessions shown in the account, the ones used last; the others can only be ended together. */
  sessionsShown: 30,
  /** Consents of each kind shown in the account, the latest; the export has all. */
  consentsShown: 5,
  /** Psychologists who wait for verification, a page at a time. */
  adminPending: 20,
  /** For how long a decision of the administrator can be undone, and how many are shown at once. */
  undoSeconds: 15,
  adminUndoable: 10,
  /** Waiting messages to the team; later ones appear as these are handled. And the last handled ones. */
  inboxWaiting: 20,
  inboxHandled: 10,
  /** Payment problems, and cancellations that a provider has not confirmed; the others appear as these are settled. */
  paymentMatters: 50,
  /** Grants of Gold in the administrator's view of one psychologist, the newest. */
  goldGrants: 20,
  /** A grant with a date lasts no longer than this; a mistyped year shows. */
  goldGrantYears: 10,
  /** Why the administrator grants or ends Gold, or closes a cancellation. */
  adminReason: { min: 3, max: 500 },
  /** The demo's mails, the newest. */
  keptMails: 50,
  /** Places of the ranking. */
  ranking: 10,
  /** Days of the Gold statistics: a quarter shows a trend, and is what the longer chart draws. */
  statisticsDays: 90,
  /** A photo must be smaller than this, in bytes: exactly 5 MB is too large. */
  photoBytes: 5 * 1024 * 1024,
  /** The overhead of the form around a photo: boundaries, headers, a file name. */
  photoFormBytes: 64 * 1024,
  /** Side of the square that a photo becomes: twice the largest place where it is shown. */
  photoSide: 512,
  /** A page of one's own consultations: with one a week, five months. */
  ownConsultationsPage: 20,
  /** The largest body of a request that is not a photo, in bytes. */
  bodyBytes: 64 * 1024,
  /** The largest webhook request of a payment provider, in bytes: theirs are some KB, more with a dispute's text. */
  webhookBytes: 256 * 1024,
  /** An id that a payment provider gave. */
  externalId: { min: 1, max: 200 },
} as const;
