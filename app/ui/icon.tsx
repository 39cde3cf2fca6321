import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

interface IconProps {
  /** s: next to small text; m: next to text; l: without text. */
  size?: "s" | "m" | "l";
  className?: string;
}

/** An icon is decorative. The text next to it, or the name of its button, has the meaning. */
export type Icon = (props: IconProps) => ReactElement;

/**
 * Creates an icon on a 24 x 24 grid. Each has one path, because a page contains hundreds and every element costs
 * download, parsing and hydration.
 */
export const icon =
  (lines: string): Icon =>
  ({ size = "m", className }) => (
    <svg
      className={classNames("icon", size !== "m" && `icon--${size}`, className)}
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
    >
      <path d={lines} />
    </svg>
  );

// Shapes of Lucide 1.75 (ISC and MIT licences, docs/dependencies.md), each joined into one path. `__PURE__` lets the
// bundler remove unused icons.
export const AlertIcon: Icon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 8L12 12M12 16L12.01 16",
);
export const CheckIcon: Icon = /* @__PURE__ */ icon("M20 6 9 17l-5-5");
export const ChevronDownIcon: Icon = /* @__PURE__ */ icon("M6 9l6 6 6-6");
export const DownIcon: Icon = /* @__PURE__ */ icon(
  "M9 5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v6a1 1 0 0 0 1 1h3.293a.707.707 0 0 1 .5 1.207l-7.086 7.086a1 1 0 0 1-1.414 0l-7.086-7.086a.707.707 0 0 1 .5-1.207H8a1 1 0 0 0 1-1z",
);
export const ExitIcon: Icon = /* @__PURE__ */ icon("M16 17l5-5-5-5M21 12H9M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4");
export const ForwardIcon: Icon = /* @__PURE__ */ icon("M5 12h14M12 5l7 7-7 7");
export const HelpIcon: Icon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M4.93 4.93l4.24 4.24M14.83 9.17l4.24-4.24M14.83 14.83l4.24 4.24M9.17 14.83l-4.24 4.24M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
);
export const HomeIcon: Icon = /* @__PURE__ */ icon(
  "M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
);
export const LoaderIcon: Icon = /* @__PURE__ */ icon("M21 12a9 9 0 1 1-6.219-8.56");
export const MenuIcon: Icon = /* @__PURE__ */ icon("M4 5h16M4 12h16M4 19h16");
export const MoonIcon: Icon = /* @__PURE__ */ icon(
  "M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401",
);
export const PinIcon: Icon = /* @__PURE__ */ icon(
  "M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0M9 10a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
);
export const PlusIcon: Icon = /* @__PURE__ */ icon("M5 12h14M12 5v14");
export const SeatIcon: Icon = /* @__PURE__ */ icon(
  "M19 9V6a2 2 0 0 0-2-2H7a2 2 0 0 0-2 2v3M3 16a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-5a2 2 0 0 0-4 0v1.5a.5.5 0 0 1-.5.5h-9a.5.5 0 0 1-.5-.5V11a2 2 0 0 0-4 0zM5 18v2M19 18v2",
);
export const SunIcon: Icon = /* @__PURE__ */ icon(
  "M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41",
);
export const TalkIcon: Icon = /* @__PURE__ */ icon(
  "M16 10a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 14.286V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2zM20 9a2 2 0 0 1 2 2v10.286a.71.71 0 0 1-1.212.502l-2.202-2.202A2 2 0 0 0 17.172 19H10a2 2 0 0 1-2-2v-1",
);
export const UpIcon: Icon = /* @__PURE__ */ icon(
  "M9 19a1 1 0 0 0 1 1h4a1 1 0 0 0 1-1v-6a1 1 0 0 1 1-1h3.293a.707.707 0 0 0 .5-1.207l-7.086-7.086a1 1 0 0 0-1.414 0l-7.086 7.086a.707.707 0 0 0 .5 1.207H8a1 1 0 0 1 1 1z",
);
export const UserIcon: Icon = /* @__PURE__ */ icon("M7 8a5 5 0 1 0 10 0a5 5 0 1 0-10 0M20 21a8 8 0 0 0-16 0");
export const XIcon: Icon = /* @__PURE__ */ icon("M18 6 6 18M6 6l12 12");
