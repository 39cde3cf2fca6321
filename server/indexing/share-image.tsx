/** Images for sites and messengers that show a link to a consultation or a psychologist. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CSSProperties } from "react";
import sharp from "sharp";
import { PRODUCT_NAME } from "#shared/product.ts";
import { tintOf } from "#shared/tint.ts";
import { releaseBytes } from "../garbage-collection.ts";
import room from "./share-image.svg?raw";

const SHARE_IMAGE = { width: 1200, height: 630 };

/** Content of an image. It has no field for the author of a consultation. */
export type ShareCard = {
  /** Decides the colour. */
  id: string;
  topic: string | null;
  country: string | null;
  title: string;
  /** Data URL of a psychologist's square photo. */
  photo?: string | undefined;
  figure: string;
  note: string;
};

/** The light tints of app/ui/tints.css in their order: background and text. */
const TINTS = [
  ["#d8e4d5", "#264c2f"],
  ["#efdcd1", "#5f3623"],
  ["#d4e2ea", "#184860"],
  ["#e8dfcb", "#514012"],
  ["#d2e5e1", "#004d4d"],
  ["#f0dad9", "#603339"],
  ["#e0e2ce", "#3f471b"],
  ["#e9dbe6", "#543656"],
] as const;

/** Characters that the fonts cannot draw or that reverse a line. */
const UNDRAWN = /[^\u0020-\u007E\u00A1-\u00A3\u00A5-\u00AC\u00AE-\u017E‘’“”–—…•€]|[ĈĉĔĕĜĝĤĥĨĩĬĭĴĵĸĿŀŉŎŏŜŝŢţŦŧŨũ]/gu;

/** Returns a text as the fonts can draw it: without emoji, and with plain letters in place of rare ones. */
export const drawable = (text: string): string =>
  text
    .normalize("NFC")
    .replace(UNDRAWN, (sign) => sign.normalize("NFKD").replace(/[^a-z0-9]/gi, "") || " ")
    .replace(/\s+/g, " ")
    .trim();

const FONTS = [
  ["title", "bricolage-grotesque", 600],
  ["text", "figtree", 400],
  ["text", "figtree", 700],
] as const;

/** Loads fonts and libraries at the first image, because they take 0.3 s and 60 MB. */
async function load() {
  const [{ default: satori }, { renderAsync }, ...fonts] = await Promise.all([
    import("satori"),
    import("@resvg/resvg-js"),
    ...FONTS.flatMap(([name, family, weight]) =>
      ["latin", "latin-ext"].map(async (subset) => {
        const file = import.meta.resolve(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`);
        return { name: subset === "latin" ? name : `${name}-ext`, weight, data: await readFile(fileURLToPath(file)) };
      }),
    ),
  ]);
  return { satori, renderAsync, fonts };
}
let loaded: ReturnType<typeof load> | undefined;

export const dataUrl = (type: string, body: Uint8Array | string) =>
  `data:${type};base64,${Buffer.from(body as string).toString("base64")}`;
const SVG = "image/svg+xml";
const ROOM = dataUrl(SVG, room);
const TALK = dataUrl(
  SVG,
  '<svg xmlns="http://www.w3.org/2000/svg" width="34" height="34" viewBox="0 0 24 24" fill="none" stroke="#12505a" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M16 10a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 14.286V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2zM20 9a2 2 0 0 1 2 2v10.286a.71.71 0 0 1-1.212.502l-2.202-2.202A2 2 0 0 0 17.172 19H10a2 2 0 0 1-2-2v-1"/></svg>',
);

const INK = "#1e2826";
const row: CSSProperties = { display: "flex", alignItems: "center" };
const column: CSSProperties = { display: "flex", flexDirection: "column" };
const text: CSSProperties = { fontFamily: "text, text-ext", fontSize: 28, lineHeight: 1.2 };
const heading: CSSProperties = {
  color: INK,
  fontFamily: "title, title-ext",
  fontWeight: 600,
  letterSpacing: "-0.022em",
};
const clamped: CSSProperties = { display: "block", marginTop: 14, lineHeight: 1.1, wordBreak: "break-word" };
const box: CSSProperties = { boxSizing: "border-box", width: 820, minHeight: 350, padding: "40px 52px 90px" };
const bubble: CSSProperties = { margin: "48px 0 0 56px", borderRadius: "48px 48px 48px 10px" };
const edge: CSSProperties = { padding: 9, borderRadius: "49px 17px 49px 49px", background: "#ece1d1" };
const answer: CSSProperties = { padding: "24px 34px", borderRadius: "40px 8px 40px 40px", background: "#fffbf5" };

function Card({ id, topic, country, title, photo, figure, note }: ShareCard) {
  const [background, color] = TINTS[tintOf(id) - 1]!;
  const shown = drawable(title) || `Una consulta en ${PRODUCT_NAME}`;
  const [fontSize, lineClamp] = shown.length <= 66 ? [60, 4] : shown.length <= 96 ? [50, 4] : [44, 5];
  return (
    <div style={{ ...column, ...text, width: "100%", height: "100%", backgroundImage: `url(${ROOM})` }}>
      <div style={{ ...row, ...box, ...bubble, gap: 36, background }}>
        {photo && <img src={photo} width={180} height={180} alt="" style={{ borderRadius: 90 }} />}
        <div style={{ ...column, flex: 1, minWidth: 0 }}>
          <div style={{ ...row, color }}>
            {topic && <b>{topic}</b>}
            {topic && country && <span style={{ margin: "0 9px" }}>·</span>}
            {country}
          </div>
          <div style={{ ...heading, ...clamped, fontSize, lineClamp }}>{shown}</div>
        </div>
      </div>
      <div style={{ display: "flex", margin: "-71px 0 0 131px" }}>
        <div style={{ ...row, ...edge }}>
          <div style={{ ...row, ...answer, gap: 16 }}>
            <img src={TALK} width={34} height={34} alt="" />
            <b style={{ color: INK }}>{figure}</b>
            {note && <span style={{ color: "#45504c" }}>{note}</span>}
          </div>
        </div>
      </div>
      <div style={{ ...heading, position: "absolute", left: 136, bottom: 22, fontSize: 44 }}>{PRODUCT_NAME}</div>
    </div>
  );
}

/** Draws a card as a vector image. Takes about 10 ms of the thread. */
export async function drawShareImage(card: ShareCard): Promise<string> {
  loaded ??= load();
  // A later image retries.
  loaded.catch(() => {
    loaded = undefined;
  });
  const { satori, fonts } = await loaded;
  return satori(<Card {...card} />, { ...SHARE_IMAGE, fonts });
}

/** Converts the vector image to PNG in other threads. */
export async function paintShareImage(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { renderAsync } = await loaded!;
  const { pixels } = await renderAsync(svg, { font: { loadSystemFonts: false } });
  // Half as long as resvg's own PNG.
  const image = sharp(pixels, { raw: { ...SHARE_IMAGE, channels: 4 } });
  const png = new Uint8Array(await image.removeAlpha().png({ compressionLevel: 9 }).toBuffer());
  releaseBytes(pixels.length);
  return png;
}
