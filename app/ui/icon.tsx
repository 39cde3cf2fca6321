import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";
import shapes from "./icons.svg";

interface IconProps {
  /** s: next to small text; m: next to text. */
  size?: "s" | "m";
  className?: string;
}

/** An icon is decorative. The text next to it, or the name of its button, has the meaning. */
export type Icon = (props: IconProps) => ReactElement;

/** Creates an icon from a shape in icons.svg, so that neither scripts nor markup contain its curves. */
const icon =
  (shape: string): Icon =>
  ({ size = "m", className }) => (
    <svg className={classNames("icon", size !== "m" && `icon--${size}`, className)} aria-hidden="true">
      <use href={`${shapes}#${shape}`} />
    </svg>
  );

export const AlertIcon = icon("alert");
export const BackIcon = icon("back");
export const CheckIcon = icon("check");
export const ChevronDownIcon = icon("chevron-down");
export const ClockIcon = icon("clock");
export const CopyIcon = icon("copy");
export const DownIcon = icon("down");
export const DownloadIcon = icon("download");
export const EditIcon = icon("edit");
export const ExitIcon = icon("exit");
export const ExternalIcon = icon("external");
export const EyeIcon = icon("eye");
export const EyeOffIcon = icon("eye-off");
export const ForwardIcon = icon("forward");
export const GlobeIcon = icon("globe");
export const GoldIcon = icon("gold");
export const HelpIcon = icon("help");
export const HomeIcon = icon("home");
export const IdIcon = icon("id");
export const InfoIcon = icon("info");
export const LoaderIcon = icon("loader");
export const MailIcon = icon("mail");
export const MenuIcon = icon("menu");
export const MonitorIcon = icon("monitor");
export const MoonIcon = icon("moon");
export const PhoneIcon = icon("phone");
export const PinIcon = icon("pin");
export const PlusIcon = icon("plus");
export const RepeatIcon = icon("repeat");
export const ReplyIcon = icon("reply");
export const SearchIcon = icon("search");
export const SeatIcon = icon("seat");
export const SettingsIcon = icon("settings");
export const ShareIcon = icon("share");
export const ShieldIcon = icon("shield");
export const SmartphoneIcon = icon("smartphone");
export const SproutIcon = icon("sprout");
export const StarIcon = icon("star");
export const SunIcon = icon("sun");
export const TalkIcon = icon("talk");
export const TrashIcon = icon("trash");
export const UndoIcon = icon("undo");
export const UpIcon = icon("up");
export const UploadIcon = icon("upload");
export const UserIcon = icon("user");
export const VerifiedIcon = icon("verified");
export const WhatsAppIcon = icon("whats-app");
export const XIcon = icon("x");
