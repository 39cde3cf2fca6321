import { classNames } from "./class-names.ts";
import shapes from "./icons.svg";

type Split<Names extends string> = Names extends `${infer One} ${infer Others}` ? One | Split<Others> : Names;

export type IconName =
  | Split<"alert back check chevron-down clock copy down download edit exit external eye eye-off forward globe">
  | Split<"gold help home id info loader mail menu monitor moon phone pin plus repeat reply search seat">
  | Split<"settings share shield smartphone sprout star sun talk trash undo up upload user verified whats-app x">;

type IconProps = { name: IconName; size?: "s" | "m"; className?: string };

export const Icon = ({ name, size = "m", className }: IconProps) => (
  <svg className={classNames("icon", size !== "m" && `icon--${size}`, className)} aria-hidden="true">
    <use href={`${shapes}#${name}`} />
  </svg>
);
