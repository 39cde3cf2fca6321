import type { Tint } from "#app/lib/tint.ts";
import { classNames } from "./class-names.ts";
import { SeatIcon } from "./icon.tsx";

interface AvatarProps {
  /** The person's name, for the initials. It is not read out: the name stands beside the picture. */
  name?: string;
  /** Address of a square photo. */
  src?: string | null;
  /** s 34 px, m 44 px, l 64 px, xl 120 px (152 on wide screens). */
  size?: "s" | "m" | "l" | "xl";
  tint?: Tint;
  /** No one may know who this is: an empty armchair, whatever the other properties say. */
  anonymous?: boolean;
  className?: string;
}

const PIXELS = { s: 34, m: 44, l: 64, xl: 152 };

/** A person's photo or initials; an empty armchair for who prefers not to be known. */
export function Avatar({ name = "", src, size = "m", tint, anonymous = false, className }: AvatarProps) {
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
        <SeatIcon />
      ) : src ? (
        <img src={src} alt="" width={pixels} height={pixels} loading="lazy" decoding="async" />
      ) : (
        initials(name)
      )}
    </span>
  );
}

const TITLES = /^(lic|licda|dra?|mtr[oa]|mg|mgtr|ps|psic|prof)\.$/i;

/** At most two letters: first name and first surname; professional titles ("Lic.", "Dra.") do not count. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word) && !TITLES.test(word));
  const letters = words.slice(0, 2).map((word) => Array.from(word)[0] ?? "");
  return letters.join("").toLocaleUpperCase("es");
}
