import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { refusalWords } from "#app/lib/error-words.ts";
import { NOTICES } from "#app/lib/notices.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogActions } from "#app/ui/dialog.tsx";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import "./photo.css";

/** Twice what the server keeps, so that it has something to choose from. */
const SENT_SIDE = 1024;
const MAX_ZOOM = 4;

/** Which square of the picture is wanted: how much it is enlarged, and where between its edges the square lies (0 to 1). */
type Cut = { zoom: number; x: number; y: number };
type Size = { width: number; height: number };

const within = (value: number) => Math.min(1, Math.max(0, value));

/** Where between two edges (0 to 1) the square lies, in words. */
function fromCentre(at: number, before: string, after: string): string {
  const percent = Math.round(Math.abs(at - 0.5) * 200);
  return percent === 0 ? "centro" : `${percent} % ${at < 0.5 ? before : after}`;
}

/** The part of a slider's line that is filled: between where it stands and where it rests (0 to 1). */
const filledPart = (at: number, rest: number) =>
  ({ "--from": `${Math.min(at, rest) * 100}%`, "--to": `${Math.max(at, rest) * 100}%` }) as CSSProperties;

/** The square in the picture's own pixels. */
function squareOf({ width, height }: Size, { zoom, x, y }: Cut) {
  const side = Math.min(width, height) / zoom;
  return { side, left: x * (width - side), top: y * (height - side) };
}

/** The chosen square as a small file; the picture itself when the browser cannot cut it. */
async function cutOut(image: HTMLImageElement, cut: Cut, file: File): Promise<Blob> {
  const { side, left, top } = squareOf({ width: image.naturalWidth, height: image.naturalHeight }, cut);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, Math.min(SENT_SIDE, Math.round(side)));
  const pen = canvas.getContext("2d");
  if (!pen) return file;
  // What is transparent would turn black.
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
  return (await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92))) ?? file;
}

/** Sends a photo and tells how far it is, which fetch cannot. Resolves to null, or to why it was refused. */
function send(photo: Blob, onProgress: (part: number) => void, started: (request: XMLHttpRequest) => void) {
  return new Promise<ErrorBody | null>((done) => {
    const request = new XMLHttpRequest();
    const failed = () => done({ code: "upload_failed" });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status < 300) return done(null);
      try {
        const body = JSON.parse(request.responseText) as ErrorBody;
        done(body.code === "unexpected" || body.code === "unavailable" ? { code: "upload_failed" } : body);
      } catch {
        failed();
      }
    };
    request.onerror = failed;
    request.ontimeout = failed;
    request.open("POST", "/api/profile/photo");
    const form = new FormData();
    form.append("file", photo, "foto");
    started(request);
    request.send(form);
  });
}

/** Cuts a square out of a picture, by dragging or with sliders, and sends it. */
export function CropDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const toast = useToast();
  const { revalidate } = useRevalidator();
  const image = useRef<HTMLImageElement>(null);
  const request = useRef<XMLHttpRequest>(null);
  const [url, setUrl] = useState<string>();
  const [size, setSize] = useState<Size | null>(null);
  const [cut, setCut] = useState<Cut>({ zoom: 1, x: 0.5, y: 0.5 });
  const [progress, setProgress] = useState<number | null>(null);
  const busy = progress !== null;

  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  const refuse = (refused: ErrorBody) => toast({ ...refusalWords(refused), tone: "error" });
  const close = () => {
    request.current?.abort();
    onClose();
  };
  const upload = async () => {
    if (!image.current || !size) return;
    setProgress(0);
    const refused = await send(await cutOut(image.current, cut, file), setProgress, (made) => {
      request.current = made;
    });
    setProgress(null);
    if (refused) return refuse(refused);
    toast(NOTICES.photo_uploaded);
    await revalidate();
    onClose();
  };

  const from = useRef<{ x: number; y: number } | null>(null);
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!from.current || !size || busy) return;
    const { side } = squareOf(size, cut);
    const perPixel = side / event.currentTarget.clientWidth;
    const moved = (pixels: number, room: number, at: number) =>
      room > 0 ? within(at - (pixels * perPixel) / room) : at;
    const { clientX, clientY } = event;
    setCut({
      ...cut,
      x: moved(clientX - from.current.x, size.width - side, cut.x),
      y: moved(clientY - from.current.y, size.height - side, cut.y),
    });
    from.current = { x: clientX, y: clientY };
  };
  const stop = () => {
    from.current = null;
  };

  const square = size && squareOf(size, cut);
  const slider = (
    key: keyof Cut,
    {
      label,
      min = 0,
      max = 1,
      step = 0.01,
      said,
    }: { label: string; min?: number; max?: number; step?: number; said: string },
    enabled = true,
  ) => (
    <label className="crop__slider">
      <span>{label}</span>
      <span className="crop__value" aria-hidden="true">
        {said}
      </span>
      <input
        type="range"
        className="range"
        aria-valuetext={said}
        min={min}
        max={max}
        step={step}
        value={cut[key]}
        disabled={!enabled || busy}
        style={filledPart((cut[key] - min) / (max - min), key === "zoom" ? 0 : 0.5)}
        onChange={(event) => setCut({ ...cut, [key]: Number(event.currentTarget.value) })}
      />
    </label>
  );
  const roomAcross = Boolean(size && square && size.width > square.side);
  const roomUpright = Boolean(size && square && size.height > square.side);
  return (
    <Dialog
      open
      onClose={close}
      title="Recortar la foto"
      description="Lo que queda dentro del círculo se verá en tu perfil y en tus respuestas."
      small
    >
      <div className="stack">
        <div
          className="crop"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            from.current = { x: event.clientX, y: event.clientY };
          }}
          onPointerMove={move}
          onPointerUp={stop}
          onPointerCancel={stop}
        >
          {url && (
            <img
              ref={image}
              src={url}
              alt="La foto que has elegido"
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                naturalWidth && naturalHeight
                  ? setSize({ width: naturalWidth, height: naturalHeight })
                  : refuse({ code: "file_type_refused" })
              }
              onError={() => {
                refuse({ code: "file_type_refused" });
                close();
              }}
              style={
                size && square
                  ? {
                      width: `${(size.width / square.side) * 100}%`,
                      left: `${(-square.left / square.side) * 100}%`,
                      top: `${(-square.top / square.side) * 100}%`,
                    }
                  : { visibility: "hidden" }
              }
            />
          )}
        </div>
        {slider("zoom", {
          label: "Acercar",
          min: 1,
          max: MAX_ZOOM,
          step: 0.05,
          said: `${cut.zoom.toLocaleString("es", { maximumFractionDigits: 1 })}×`,
        })}
        {slider(
          "x",
          { label: "Mover a los lados", said: roomAcross ? fromCentre(cut.x, "izquierda", "derecha") : "Se ve entera" },
          roomAcross,
        )}
        {slider(
          "y",
          { label: "Mover arriba y abajo", said: roomUpright ? fromCentre(cut.y, "arriba", "abajo") : "Se ve entera" },
          roomUpright,
        )}
        {busy && <progress aria-label="Subiendo la foto" value={progress} max={1} />}
      </div>
      <DialogActions>
        <Button variant="quiet" onClick={close}>
          Cancelar
        </Button>
        <Button busy={busy} busyText="Subiendo…" disabled={!size} onClick={upload}>
          Usar esta foto
        </Button>
      </DialogActions>
    </Dialog>
  );
}
