import type { UserType } from "#shared/user-types.ts";

export type Viewer = {
  id: string;
  full_name: string;
  email: string;
  user_type: UserType;
  is_admin: boolean;
  is_verified: boolean;
  /** A consent was withdrawn and not given again: the user may not publish. */
  consent_withdrawn: boolean;
  has_gold: boolean;
  free_responses_used: number;
  max_free_responses: number;
};

export type Session = {
  id: string;
  viewer: Viewer;
  avatar_url: string | null;
  answerMails: boolean;
  /** New answers to the user's consultations that were not shown in the user's list. */
  newAnswers: number;
  newNotifications: number;
  endsAt: Date;
  /** Time at which the password was last given in this session. */
  passwordAt: Date | null;
  /** Time of the last code of the second factor in this session. */
  secondFactorAt: Date | null;
};
