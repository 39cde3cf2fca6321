/** All limits of user input and actions, with reasons. Lengths are in Unicode code points. */
export const LIMITS = {
  /** At least one word (5), at most two lines of a card (140). */
  title: { min: 5, max: 140 },
  /** At least one sentence. 5,000 is about two printed pages, more than users read on a phone. */
  content: { min: 20, max: 5000 },
  /** A real answer or reply has at least a word or two ("Gracias"). */
  answer: { min: 2, max: 5000 },
  reply: { min: 2, max: 5000 },
  /** Stored texts of a psychologist, which fit into one list, and their titles of one line. */
  templates: 20,
  templateTitle: { min: 1, max: 60 },
  review: { min: 0, max: 1000 },
  bio: { min: 0, max: 1500 },
  name: { min: 2, max: 80 },
  /** Current guidance asks for at least 10 without composition rules; 128 limits the cost of hashing. */
  password: { min: 10, max: 128 },
  /** Six digits, or a recovery code with any hyphens and spaces. */
  code: { max: 40 },
  /** Longest deliverable email (RFC 5321). */
  email: { max: 254 },
  licence: { min: 3, max: 40 },
  phone: { min: 6, max: 30 },
  website: { max: 200 },
  returnPath: 500,
  rejectionReason: { max: 1000 },
  /** A message to the team: at least a sentence, at most a long email. */
  contactMessage: { min: 10, max: 5000 },
  /** One consultation per user in a window of 7 days that starts with the first one. */
  weeklyConsultations: 1,
  weeklyWindowDays: 7,
  freeAnswers: 3,
  /** A page of the feed: about six phone screens. */
  feedPage: 20,
  feedEntries: 30,
  /** URLs in a part of the sitemap: a fifth of what search engines accept, so that a part takes far below 1 s. */
  sitemapPart: 10_000,
  adminConsultations: 10,
  adminPsychologists: 20,
  adminSearch: { max: 100 },
  /** Consultations that one search of the administrator scans: about 50 ms. The next page continues from there. */
  adminSearchWindow: 20_000,
  /** Characters and words of a search that count, and ranked consultations: 20 pages. */
  search: { characters: 300, words: 12, ranked: 400 },
  suggestions: 6,
  similar: 5,
  foundPsychologists: 3,
  /** A page of a consultation's answers. Most have fewer, and 10 with their replies are ten phone screens. */
  answersPage: 10,
  repliesPage: 20,
  /**
   * Bytes of text on a consultation's page: 20 of the longest replies fit. If there are more, each answer shows fewer of
   * its replies, and at least the first.
   */
  consultationTexts: 120_000,
  /** Bytes of text of the viewer's own newest replies in addition. The newest reply is always included. */
  ownLatestTexts: 24_000,
  /** The user's newest replies that appear under an answer before their page is loaded. */
  ownLatestReplies: 3,
  /** Replies of one user to one answer within 24 hours. A long exchange; with more, one user would fill the page. */
  repliesPerDay: 20,
  profileAnswers: 10,
  /** More than users read on a psychologist's public page. */
  profileReviews: 50,
  /** Characters of a text in three lines. */
  excerpt: 300,
  /** Sessions shown in the account, the last used ones; the others can only be ended together. */
  sessionsShown: 30,
  /** Latest consents of each kind shown in the account; the export contains all. */
  consentsShown: 5,
  adminPending: 20,
  /** Seconds in which a decision of the administrator can be undone, and number of decisions shown. */
  undoSeconds: 15,
  adminUndoable: 10,
  /** Unhandled messages to the team (others follow after these are handled), and the last handled ones. */
  inboxWaiting: 20,
  inboxHandled: 10,
  /** Payment problems. Others follow after these are settled. */
  paymentMatters: 50,
  goldGrants: 20,
  /** Longest grant with a date, in years, to detect a mistyped year. */
  goldGrantYears: 10,
  adminReason: { min: 3, max: 500 },
  keptMails: 50,
  ranking: 10,
  /** Days of the Gold statistics: a quarter shows a trend, and is the range of the longer chart. */
  statisticsDays: 90,
  /** A photo must be smaller than this, in bytes: exactly 5 MB is too large. */
  photoBytes: 5 * 1024 * 1024,
  /** Overhead of the form around a photo in bytes: boundaries, headers, a file name. */
  photoFormBytes: 64 * 1024,
  /** Side of a stored photo in pixels: twice the largest displayed size. */
  photoSide: 512,
  /** A page of notifications, and the largest number of new ones that the header counts. */
  notificationsPage: 20,
  notificationsCounted: 99,
  /** Browsers of one account that get pushes, the last added ones. */
  pushDevices: 10,
  /** A page of the user's own consultations: five months with one per week. */
  ownConsultationsPage: 20,
  /** Largest body of a request that is not a photo, in bytes. */
  bodyBytes: 64 * 1024,
  /** Largest webhook request of a payment provider, in bytes. They have a few KB, more with a dispute's text. */
  webhookBytes: 256 * 1024,
  externalId: { min: 1, max: 200 },
} as const;
