import { useState } from "react";
import { Button } from "./button.tsx";
import { Checkbox } from "./choice.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "./dialog.tsx";
import { TextArea } from "./field.tsx";
import { ExitIcon, UserIcon } from "./icon.tsx";
import { Menu, MenuAction, MenuLink, SheetMenu } from "./menu.tsx";
import { useToast } from "./toast.tsx";

/** Gallery of dialogs, menus and toasts, each behind a button. */
export function FloatingSamples() {
  const toast = useToast();
  const [open, setOpen] = useState<"large" | "small" | "confirm" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="row">
      <Button onClick={() => toast({ title: "¡Respuesta enviada!", description: "Ya se puede leer." })}>
        Aviso de éxito
      </Button>
      <Button variant="danger" onClick={() => toast({ title: "Error", description: "No se pudo", tone: "error" })}>
        Aviso de error
      </Button>
      <Menu label="Menú de muestra">
        <MenuLink to="/_ui" icon={<UserIcon />}>
          Mi Perfil
        </MenuLink>
        <MenuAction>
          <button type="button">
            <ExitIcon />
            Cerrar Sesión
          </button>
        </MenuAction>
      </Menu>
      <SheetMenu label="Abrir la hoja de muestra">
        <MenuLink to="/_ui">Inicio</MenuLink>
      </SheetMenu>
      <Button variant="soft" onClick={() => setOpen("large")}>
        Diálogo
      </Button>
      <Button variant="soft" onClick={() => setOpen("small")}>
        Diálogo pequeño
      </Button>
      <Button variant="soft" onClick={() => setOpen("confirm")}>
        Confirmación
      </Button>
      <Dialog open={open === "large"} onClose={close} title="Diálogo" description="Con una frase bajo el título.">
        <form className="stack">
          <TextArea label="Texto largo" rows={14} />
          <DialogActions before={<Checkbox label="Queda a la vista" />}>
            <Button variant="quiet" onClick={close}>
              Cancelar
            </Button>
            <Button onClick={close}>Publicar</Button>
          </DialogActions>
        </form>
      </Dialog>
      <Dialog open={open === "small"} onClose={close} title="Diálogo pequeño" small>
        <p>Para preguntas cortas.</p>
      </Dialog>
      <ConfirmDialog
        open={open === "confirm"}
        onClose={close}
        title="¿Eliminar esto?"
        action={
          <Button variant="danger" onClick={close}>
            Eliminar
          </Button>
        }
      >
        <p>No se puede deshacer.</p>
      </ConfirmDialog>
    </div>
  );
}
