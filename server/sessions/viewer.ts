import type { ViewerView } from "#shared/sign-in.ts";

export type Viewer = ViewerView & {
  /** A consent was withdrawn and not given again: the user may not publish. */
  consent_withdrawn: boolean;
  free_responses_used: number;
  max_free_responses: number;
};

export type Session = {
  id: string;
  viewer: Viewer;
  endsAt: Date;
  /** When the password and a code of the second factor were last given in this session. */
  passwordAt: Date | null;
  secondFactorAt: Date | null;
};
