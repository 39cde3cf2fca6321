import type { LucideIcon } from "lucide-react";
import {
  Archive,
  Armchair,
  ArrowBigDown,
  ArrowBigUp,
  ArrowLeft,
  ArrowRight,
  BadgeCheck,
  Ban,
  Bell,
  Camera,
  ChartColumn,
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CircleQuestionMark,
  Clock,
  Copy,
  CreditCard,
  Download,
  Ellipsis,
  ExternalLink,
  Eye,
  EyeOff,
  FileText,
  Flag,
  Globe,
  House,
  IdCard,
  Image,
  Info,
  KeyRound,
  LifeBuoy,
  Link2,
  List,
  ListFilter,
  LoaderCircle,
  Lock,
  LockOpen,
  LogOut,
  Mail,
  MapPin,
  Medal,
  Menu,
  MessageCircle,
  MessagesSquare,
  Minus,
  Monitor,
  Moon,
  Pencil,
  Phone,
  Plus,
  RefreshCw,
  Reply,
  Search,
  Send,
  Settings,
  Share2,
  ShieldCheck,
  Star,
  Sun,
  Trash2,
  TriangleAlert,
  Trophy,
  Undo2,
  Upload,
  UserRound,
  UsersRound,
  X,
} from "lucide-react";
import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

export interface IconProps {
  /** s: beside small text; m: beside text; l: alone. */
  size?: "s" | "m" | "l";
  className?: string;
}

/** Any icon of this file. All of them are decoration: the words beside them, or the name of their button, say what they mean. */
export type Icon = (props: IconProps) => ReactElement;

function icon(Shape: LucideIcon): Icon {
  return function ShapedIcon({ size = "m", className }) {
    return <Shape aria-hidden="true" className={classNames("i", size !== "m" && `i-${size}`, className)} />;
  };
}

// The mark lets the bundler leave out every icon that no page uses.
export const AlertIcon: Icon = /* @__PURE__ */ icon(CircleAlert);
export const ArchiveIcon: Icon = /* @__PURE__ */ icon(Archive);
export const BackIcon: Icon = /* @__PURE__ */ icon(ArrowLeft);
export const BanIcon: Icon = /* @__PURE__ */ icon(Ban);
export const BellIcon: Icon = /* @__PURE__ */ icon(Bell);
export const CameraIcon: Icon = /* @__PURE__ */ icon(Camera);
export const CardIcon: Icon = /* @__PURE__ */ icon(CreditCard);
export const ChartIcon: Icon = /* @__PURE__ */ icon(ChartColumn);
export const CheckIcon: Icon = /* @__PURE__ */ icon(Check);
export const ChevronDownIcon: Icon = /* @__PURE__ */ icon(ChevronDown);
export const ChevronRightIcon: Icon = /* @__PURE__ */ icon(ChevronRight);
export const ClockIcon: Icon = /* @__PURE__ */ icon(Clock);
export const CopyIcon: Icon = /* @__PURE__ */ icon(Copy);
export const DownloadIcon: Icon = /* @__PURE__ */ icon(Download);
export const DownIcon: Icon = /* @__PURE__ */ icon(ArrowBigDown);
export const EditIcon: Icon = /* @__PURE__ */ icon(Pencil);
export const ExitIcon: Icon = /* @__PURE__ */ icon(LogOut);
export const ExternalIcon: Icon = /* @__PURE__ */ icon(ExternalLink);
export const EyeIcon: Icon = /* @__PURE__ */ icon(Eye);
export const EyeOffIcon: Icon = /* @__PURE__ */ icon(EyeOff);
export const FileIcon: Icon = /* @__PURE__ */ icon(FileText);
export const FilterIcon: Icon = /* @__PURE__ */ icon(ListFilter);
export const FlagIcon: Icon = /* @__PURE__ */ icon(Flag);
export const ForwardIcon: Icon = /* @__PURE__ */ icon(ArrowRight);
export const GlobeIcon: Icon = /* @__PURE__ */ icon(Globe);
export const GoldIcon: Icon = /* @__PURE__ */ icon(Medal);
export const HelpIcon: Icon = /* @__PURE__ */ icon(LifeBuoy);
export const HomeIcon: Icon = /* @__PURE__ */ icon(House);
export const IdIcon: Icon = /* @__PURE__ */ icon(IdCard);
export const ImageIcon: Icon = /* @__PURE__ */ icon(Image);
export const InfoIcon: Icon = /* @__PURE__ */ icon(Info);
export const KeyIcon: Icon = /* @__PURE__ */ icon(KeyRound);
export const LinkIcon: Icon = /* @__PURE__ */ icon(Link2);
export const ListIcon: Icon = /* @__PURE__ */ icon(List);
export const LoaderIcon: Icon = /* @__PURE__ */ icon(LoaderCircle);
export const LockIcon: Icon = /* @__PURE__ */ icon(Lock);
export const MailIcon: Icon = /* @__PURE__ */ icon(Mail);
export const MenuIcon: Icon = /* @__PURE__ */ icon(Menu);
export const MinusIcon: Icon = /* @__PURE__ */ icon(Minus);
export const MonitorIcon: Icon = /* @__PURE__ */ icon(Monitor);
export const MoonIcon: Icon = /* @__PURE__ */ icon(Moon);
export const MoreIcon: Icon = /* @__PURE__ */ icon(Ellipsis);
export const PhoneIcon: Icon = /* @__PURE__ */ icon(Phone);
export const PinIcon: Icon = /* @__PURE__ */ icon(MapPin);
export const PlusIcon: Icon = /* @__PURE__ */ icon(Plus);
export const QuestionIcon: Icon = /* @__PURE__ */ icon(CircleQuestionMark);
export const RepeatIcon: Icon = /* @__PURE__ */ icon(RefreshCw);
export const ReplyIcon: Icon = /* @__PURE__ */ icon(Reply);
export const SearchIcon: Icon = /* @__PURE__ */ icon(Search);
export const SeatIcon: Icon = /* @__PURE__ */ icon(Armchair);
export const SendIcon: Icon = /* @__PURE__ */ icon(Send);
export const SettingsIcon: Icon = /* @__PURE__ */ icon(Settings);
export const ShareIcon: Icon = /* @__PURE__ */ icon(Share2);
export const ShieldIcon: Icon = /* @__PURE__ */ icon(ShieldCheck);
export const StarIcon: Icon = /* @__PURE__ */ icon(Star);
export const SunIcon: Icon = /* @__PURE__ */ icon(Sun);
export const TalkIcon: Icon = /* @__PURE__ */ icon(MessagesSquare);
export const TrashIcon: Icon = /* @__PURE__ */ icon(Trash2);
export const TrophyIcon: Icon = /* @__PURE__ */ icon(Trophy);
export const UndoIcon: Icon = /* @__PURE__ */ icon(Undo2);
export const UnlockIcon: Icon = /* @__PURE__ */ icon(LockOpen);
export const UpIcon: Icon = /* @__PURE__ */ icon(ArrowBigUp);
export const UploadIcon: Icon = /* @__PURE__ */ icon(Upload);
export const UserIcon: Icon = /* @__PURE__ */ icon(UserRound);
export const UsersIcon: Icon = /* @__PURE__ */ icon(UsersRound);
export const VerifiedIcon: Icon = /* @__PURE__ */ icon(BadgeCheck);
export const WarningIcon: Icon = /* @__PURE__ */ icon(TriangleAlert);
export const WhatsAppIcon: Icon = /* @__PURE__ */ icon(MessageCircle);
export const XIcon: Icon = /* @__PURE__ */ icon(X);
