import { type CSSProperties, type DragEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { useForm } from "#app/components/action-form.tsx";
import { errorMessage } from "#app/lib/error-messages.ts";
import { FLASH_MESSAGES } from "#app/lib/flash-messages.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Dialog, DialogActions } from "#app/ui/dialog.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import "#app/ui/field.css";
import "./photo.css";

const TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"];

export function PhotoForm({ name, src, bad }: { name: string; src: string | null; bad?: boolean }) {
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  const [over, setOver] = useState(false);
  const [chosen, setChosen] = useState<File | null>(null);

  const choose = (file: File | undefined) => {
    if (input.current) input.current.value = "";
    if (!file) return;
    const refuse = (code: ErrorCode) => toast({ ...errorMessage(code), tone: "error" });
    if (!TYPES.includes(file.type)) refuse("unsupported_file_type");
    else if (file.size >= LIMITS.photoBytes) refuse("file_too_large");
    else setChosen(file);
  };
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };

  const choosingWords = src ? "Cambiar foto" : "Elegir foto";
  return (
    <>
      <form
        id="foto"
        noValidate
        method="post"
        action="/perfil/foto"
        encType="multipart/form-data"
        className={classNames("row photo-drop", over && "is-over", bad && "is-bad")}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event);
          choose(event.dataTransfer.files[0]);
        }}
      >
        <Avatar name={name} src={src} size="l" className="photo-drop__photo" />
        <div className="stack stack--tight">
          <label className="legend" htmlFor="photo-file">
            Foto de perfil
          </label>
          {!src && <span className="field__optional"> obligatoria</span>}
          <input
            ref={input}
            id="photo-file"
            type="file"
            name="file"
            accept={TYPES.join(",")}
            required
            className={hydrated ? "visually-hidden" : undefined}
            tabIndex={hydrated ? -1 : undefined}
            aria-describedby="photo-hint"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
          <p>
            <Button
              type={hydrated ? "button" : "submit"}
              variant="soft"
              small
              icon={<Icon name="upload" size="s" />}
              onClick={() => input.current?.click()}
            >
              {hydrated ? choosingWords : "Subir foto"}
            </Button>
          </p>
          <p className="hint" id="photo-hint">
            {hydrated && <span className="photo-drop__hint">Elígela o arrástrala aquí. </span>}
            JPG, PNG, WebP o GIF de menos de 5 MB.
          </p>
        </div>
      </form>
      {chosen && <CropDialog file={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/** Side of the uploaded square, in pixels: twice the stored size, so that the server can scale it down. */
const SENT_SIDE = 1024;
const MAX_ZOOM = 4;
/** Maximum pointer movement of a tap, in pixels. */
const TAP = 4;

/** Selected square of the picture: zoom, and position between the edges (0 to 1). */
type Cut = { zoom: number; x: number; y: number };
type Size = { width: number; height: number };

/** Movement per arrow key, as a fraction of the window's side. */
const ARROWS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-0.1, 0],
  ArrowRight: [0.1, 0],
  ArrowUp: [0, -0.1],
  ArrowDown: [0, 0.1],
};

function squareOf({ width, height }: Size, { zoom, x, y }: Cut) {
  const side = Math.min(width, height) / zoom;
  return { side, left: x * (width - side), top: y * (height - side) };
}

/** Returns the original file if the browser cannot crop it. */
async function cutOut(image: HTMLImageElement, cut: Cut, file: File): Promise<Blob> {
  const { side, left, top } = squareOf({ width: image.naturalWidth, height: image.naturalHeight }, cut);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, Math.min(SENT_SIDE, Math.round(side)));
  const canvasContext = canvas.getContext("2d");
  if (!canvasContext) return file;
  // Transparent pixels would become black.
  canvasContext.fillStyle = "#fff";
  canvasContext.fillRect(0, 0, canvas.width, canvas.height);
  canvasContext.imageSmoothingQuality = "high";
  canvasContext.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
  return (await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92))) ?? file;
}

function CropDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const toast = useToast();
  const { state, data, submit, reset } = useFetcher();
  const image = useRef<HTMLImageElement>(null);
  const [url, setUrl] = useState<string>();
  const [size, setSize] = useState<Size | null>(null);
  const [cut, setCut] = useState<Cut>({ zoom: 1, x: 0.5, y: 0.5 });
  const busy = state !== "idle";
  useForm(data, { toast: true });
  useOnActionSuccess(data, () => {
    toast(FLASH_MESSAGES.photo_uploaded);
    onClose();
  });

  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  const refuse = () => toast({ ...errorMessage("unsupported_file_type"), tone: "error" });
  const close = () => {
    // The router would complete the request of a removed fetcher.
    reset();
    onClose();
  };
  const upload = async () => {
    if (!image.current || !size) return;
    const form = new FormData();
    form.append("file", await cutOut(image.current, cut, file), "foto");
    // Null if the dialog was closed.
    if (image.current) submit(form, { method: "post", action: "/perfil/foto", encType: "multipart/form-data" });
  };

  const square = size && squareOf(size, cut);
  /** Moves the picture, in fractions of the window's side. */
  const move = (right: number, down: number) => {
    if (!square || busy) return;
    const moved = (part: number, room: number, at: number) =>
      room > 0 ? Math.min(1, Math.max(0, at - (part * square.side) / room)) : at;
    setCut({
      ...cut,
      x: moved(right, size.width - square.side, cut.x),
      y: moved(down, size.height - square.side, cut.y),
    });
  };
  const from = useRef<{ x: number; y: number; dragged: boolean } | null>(null);
  const drag = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    if (!from.current) return;
    const { x, y } = from.current;
    const side = currentTarget.clientWidth;
    if (!from.current.dragged && Math.hypot(clientX - x, clientY - y) < TAP) return;
    move((clientX - x) / side, (clientY - y) / side);
    from.current = { x: clientX, y: clientY, dragged: true };
  };
  const letGo = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    // A tap centres that point, for users who cannot drag.
    if (from.current && !from.current.dragged) {
      const { left, top, width } = currentTarget.getBoundingClientRect();
      move(0.5 - (clientX - left) / width, 0.5 - (clientY - top) / width);
    }
    from.current = null;
  };
  const zoomWords = `${cut.zoom.toLocaleString("es", { maximumFractionDigits: 1 })}×`;
  return (
    <Dialog onClose={close} title="Recortar la foto" small>
      <div className="stack">
        <p className="text-muted" id="crop-purpose">
          Lo que queda dentro del círculo se verá en tu perfil y en tus respuestas.
        </p>
        <div
          className="crop"
          role="group"
          aria-label="Encuadre"
          aria-describedby="crop-purpose crop-hint"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
          tabIndex={0}
          onKeyDown={(event) => {
            const arrow = ARROWS[event.key];
            if (!arrow) return;
            event.preventDefault();
            move(...arrow);
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            from.current = { x: event.clientX, y: event.clientY, dragged: false };
          }}
          onPointerMove={drag}
          onPointerUp={letGo}
          onPointerCancel={() => {
            from.current = null;
          }}
        >
          {url && (
            <img
              ref={image}
              src={url}
              alt="La foto que has elegido"
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                naturalWidth && naturalHeight ? setSize({ width: naturalWidth, height: naturalHeight }) : refuse()
              }
              onError={() => {
                refuse();
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
        <p className="hint" id="crop-hint">
          Arrastra la foto, toca lo que va en el centro o usa las flechas.
        </p>
        <label className="small crop__slider">
          Acercar
          <span className="text-muted crop__value" aria-hidden="true">
            {zoomWords}
          </span>
          <input
            type="range"
            className="range"
            aria-valuetext={zoomWords}
            min={1}
            max={MAX_ZOOM}
            step={0.05}
            value={cut.zoom}
            disabled={busy}
            style={{ "--to": `${((cut.zoom - 1) / (MAX_ZOOM - 1)) * 100}%` } as CSSProperties}
            onChange={(event) => setCut({ ...cut, zoom: Number(event.currentTarget.value) })}
          />
        </label>
        {busy && <progress aria-label="Subiendo la foto" />}
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
