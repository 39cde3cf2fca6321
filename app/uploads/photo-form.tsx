import { type DragEvent, useRef, useState } from "react";
import { errorMessage } from "#app/lib/error-messages.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { CropDialog } from "./crop-dialog.tsx";
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
