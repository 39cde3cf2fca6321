import type { Tint } from "#shared/tint.ts";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";

interface AvatarProps {
  name?: string;
  src?: string | null;
  /** s 34 px, m 44 px, l 64 px, xl 120 px (152 on wide screens). */
  size?: "s" | "m" | "l" | "xl";
  tint?: Tint;
  anonymous?: boolean;
  className?: string;
}

const PIXELS = { s: 34, m: 44, l: 64, xl: 152 };

export function Avatar({ name = "", src, size = "m", tint, anonymous, className }: AvatarProps) {
  const pixels = PIXELS[size];
  return (
    <span
      className={classNames(
        "avatar",
        anonymous && "avatar--anonymous",
        size !== "m" && `avatar--${size}`,
        tint && `tint-${tint}`,
        className,
      )}
      aria-hidden="true"
    >
      {anonymous ? (
        <Icon name="seat" />
      ) : src ? (
        <img src={src} alt="" width={pixels} height={pixels} loading="lazy" decoding="async" />
      ) : (
        initials(name)
      )}
    </span>
  );
}

const TITLES = /^(lic|licda|dra?|mtr[oa]|mg|mgtr|ps|psic|prof)\.$/i;

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word) && !TITLES.test(word));
  const letters = words.slice(0, 2).map((word) => Array.from(word)[0] ?? "");
  return letters.join("").toLocaleUpperCase("es");
}
